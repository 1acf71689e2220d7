//! The edit call: what it accepts, how it reads forms, what it responds and keeps.

use std::sync::Arc;

use playsim::api::Value;
use playsim::catalog::{Catalog, VideoRecord};
use playsim::edit::{BodyError, EditRequest, FaultPlan, Form, Route, ServiceFault};
use playsim::time::{Span, Time};

use super::Absence;
use super::desk::{Desk, MULTIPART, codes, header, json, mistakes, same};

pub(super) const ALL: &[Absence] = &[
    Absence {
        name: "three paths edit a video by POST, and no others do",
        rules: &["EDIT-1", "EDIT-2", "EDIT-3", "EDIT-48"],
        check: paths,
    },
    Absence {
        name: "a body is a multipart form that is complete, small enough and UTF-8",
        rules: &["EDIT-4", "EDIT-5", "EDIT-42", "EDIT-49"],
        check: bodies,
    },
    Absence {
        name: "a field is named with or without prefix, and counts once",
        rules: &["EDIT-6", "EDIT-7", "EDIT-8", "EDIT-35"],
        check: names,
    },
    Absence {
        name: "an id is a string in path or form",
        rules: &["EDIT-9", "EDIT-10", "EDIT-11"],
        check: ids,
    },
    Absence {
        name: "callers are identified only where the knobs require it",
        rules: &["EDIT-34", "EDIT-36", "EDIT-37"],
        check: callers,
    },
    Absence {
        name: "success returns the record and failure all errors",
        rules: &["EDIT-38", "EDIT-39", "EDIT-40", "EDIT-41"],
        check: answers,
    },
    Absence {
        name: "calls may be rate-limited, fail on demand, and are all logged",
        rules: &["EDIT-43", "EDIT-44", "EDIT-45", "EDIT-47"],
        check: calls,
    },
    Absence {
        name: "a call changes all or nothing, and repeating it changes nothing further",
        rules: &["EDIT-13", "EDIT-14", "INV-25"],
        check: whole,
    },
];

fn paths() -> Result<(), String> {
    let mut desk = Desk::new(&[]);
    let id = [("data[Video][id]", "007"), ("data[Video][name]", "Other")];
    for path in [
        "/apiv3/video/edit/007.json",
        "/apiv3/videos/edit.json",
        "/apiv2/videos/edit.json?x=1",
    ] {
        let answer = desk.ask("POST", path, &id);
        same((answer.status, &*desk.record().name), (200, "Other"), path)?;
        for method in ["GET", "PUT", "DELETE", "HEAD", "post"] {
            let answer = desk.ask(method, path, &id);
            same(
                (answer.status, header(&answer, "Allow")),
                (405, Some("POST")),
                path,
            )?;
        }
    }
    for (path, status) in [
        ("/apiv3/videos.json", 501),
        ("/apiv3/channels.json", 501),
        ("/other", 404),
        ("/", 404),
    ] {
        same(desk.ask("POST", path, &id).status, status, path)?;
    }
    let mut desk = Desk::new(&[("edit.other", "404"), ("edit.routes", "main_only")]);
    same(
        desk.ask("POST", "/apiv3/videos.json", &id).status,
        404,
        "other operations by knob",
    )?;
    same(
        desk.ask("POST", "/apiv3/videos/edit.json", &id).status,
        404,
        "variant routes by knob",
    )?;
    same(desk.edit(&id).status, 200, "the main route by knob")
}

fn bodies() -> Result<(), String> {
    let mut desk = Desk::new(&[]);
    for (kind, status) in [
        (MULTIPART, 200),
        ("Multipart/Form-Data; charset=x; boundary=\"a b\"", 200),
        ("multipart/form-data", 400),
        ("multipart/form-data; boundary=", 400),
        ("multipart/mixed; boundary=x", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/json", 415),
        ("", 415),
    ] {
        same(
            desk.with_headers(&[("Content-Type", kind)]).status,
            status,
            kind,
        )?;
    }
    same(desk.with_headers(&[]).status, 415, "a body without a type")?;
    let mut open = Desk::new(&[("edit.urlencoded", "accept")]);
    let kind = [(
        "Content-Type",
        "application/x-www-form-urlencoded; charset=UTF-8",
    )];
    same(
        open.with_headers(&kind).status,
        200,
        "a URL-encoded form by knob",
    )?;
    for (error, status) in [
        (BodyError::TooLarge, 413),
        (BodyError::Broken("no end".into()), 400),
        (BodyError::NotUtf8, 400),
    ] {
        let headers = desk.headers.clone();
        let path = "/apiv3/video/edit/007.json";
        let request = EditRequest {
            method: "POST",
            path,
            headers: &headers,
            body: Err(error),
        };
        same(
            desk.service.handle(Time::ZERO, request).status,
            status,
            "a body that is not a form",
        )?;
    }
    same(
        desk.ask("POST", "/apiv3/video/edit/%C3%28.json", &[])
            .status,
        400,
        "an id that is not UTF-8",
    )?;
    let mut small = Desk::new(&[("edit.max_body", "8B")]);
    same(small.edit(&[("name", "Film")]).status, 200, "eight bytes")?;
    same(small.edit(&[("name", "Films")]).status, 413, "nine bytes")?;
    let form =
        Form::urlencoded(b"data%5BVideo%5D%5Bname%5D=Big+film%21&tags=%C3%A4%2C+b&&x&%zz=%4")
            .expect("UTF-8");
    let form: Vec<(&str, &str)> = form
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    let due = [
        ("data[Video][name]", "Big film!"),
        ("tags", "ä, b"),
        ("x", ""),
        ("%zz", "%4"),
    ];
    same(form, due.to_vec(), "a URL-encoded form")?;
    same(
        Form::urlencoded(b"name=%C3%28"),
        Err(BodyError::NotUtf8),
        "bytes that are not UTF-8",
    )
}

fn names() -> Result<(), String> {
    let mut desk = Desk::new(&[]);
    let answer = desk.edit(&[
        ("data[Video][name]", "One"),
        ("tags", "a"),
        ("data[CustomParam][key][]", "k"),
        ("data[CustomParam][value][]", "v"),
        ("nmae", "x"),
        ("data[Other][x]", "y"),
        ("Chapter[other][]", "1"),
    ]);
    same(answer.status, 200, "both ways")?;
    let record = desk.record();
    same(
        (&*record.name, &*record.tags, record.custom_params.len()),
        ("One", "a", 1),
        "both ways",
    )?;
    let unknown: Vec<&str> = answer.entry.unknown.iter().map(|name| &**name).collect();
    same(
        unknown,
        vec!["nmae", "data[Other][x]", "Chapter[other][]"],
        "unknown fields",
    )?;
    let both = [
        ("data[Video][name]", "With"),
        ("name", "Bare"),
        ("pixels[complete]", "x"),
        ("pixels[midpoint]", "y"),
    ];
    let answer = desk.edit(&both);
    same(
        (codes(&answer), &*desk.record().name),
        (vec!["sent_both_ways"], "With"),
        "a field both ways",
    )?;
    let mut strict = Desk::new(&[("edit.both", "error"), ("edit.unknown", "error")]);
    same(
        mistakes(&strict.edit(&both)),
        "name sent_both_ways".to_owned(),
        "a field both ways by knob",
    )?;
    let answer = strict.edit(&[("name", ""), ("nmae", "x"), ("tags", "a")]);
    same(
        mistakes(&answer),
        "name empty, nmae unknown_field".to_owned(),
        "unknown fields by knob",
    )?;
    let mut by_route = Desk::new(&[("edit.prefix", "by_route")]);
    let answer = by_route.edit(&[("name", "Bare"), ("data[Video][tags]", "a")]);
    same(
        (&*by_route.record().name, answer.entry.unknown.len()),
        ("Bare", 1),
        "bare with the id in the path",
    )?;
    let fields = [
        ("data[Video][id]", "007"),
        ("name", "Again"),
        ("data[Video][tags]", "b"),
    ];
    by_route.ask("POST", "/apiv3/videos/edit.json", &fields);
    let record = by_route.record();
    same(
        (&*record.name, &*record.tags),
        ("Bare", "b"),
        "with prefix on the other routes",
    )?;
    let many: Vec<(String, &str)> = (0..1001).map(|number| (format!("f{number}"), "")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (&**name, *value)).collect();
    same(
        (desk.edit(&many).status, desk.edit(&many[1..]).status),
        (400, 200),
        "1001 fields, and 1000",
    )?;
    let deep = |levels: usize| format!("a{}", "[b]".repeat(levels - 1));
    let statuses = (
        desk.edit(&[(&deep(64), "")]).status,
        desk.edit(&[(&deep(65), "")]).status,
    );
    same(statuses, (200, 400), "64 levels, and 65")?;
    let answer = desk.edit(&[
        ("name[]", "x"),
        ("tags", "a"),
        ("tags", "b"),
        ("CustomParam", "c"),
        ("pixels", "p"),
    ]);
    let due = "name wrong_shape, CustomParam wrong_shape, pixels wrong_shape".to_owned();
    same(mistakes(&answer), due, "fields of another shape")
}

fn ids() -> Result<(), String> {
    let mut desk = Desk::new(&[]);
    let form = "/apiv3/videos/edit.json";
    same(
        mistakes(&desk.edit(&[("data[Video][id]", "7")])),
        "id id_conflict".to_owned(),
        "two ids",
    )?;
    same(desk.edit(&[("id", "007")]).status, 200, "one id twice")?;
    same(
        mistakes(&desk.ask("POST", form, &[("name", " ")])),
        "id missing, name empty".to_owned(),
        "no id",
    )?;
    same(
        mistakes(&desk.ask("POST", form, &[("id", "")])),
        "id empty".to_owned(),
        "an empty id",
    )?;
    same(
        desk.ask("POST", form, &[("id", "7")]).status,
        404,
        "an unknown id",
    )?;
    same(
        desk.ask("POST", "/apiv3/video/edit/7.json", &[]).status,
        404,
        "an unknown id",
    )?;
    for id in ["a b/ä", "0", "%41", "v-1.json"] {
        desk.service.catalog_mut().insert(VideoRecord {
            id: id.into(),
            ..VideoRecord::default()
        });
        same(
            desk.ask("POST", &Route::V3.path(id), &[("name", "x")])
                .status,
            200,
            id,
        )?;
        same(
            desk.ask("POST", form, &[("data[Video][id]", id)])
                .entry
                .id
                .as_deref(),
            Some(id),
            id,
        )?;
    }
    let mut lenient = Desk::new(&[("edit.id_conflict", "path_wins")]);
    let answer = lenient.edit(&[("id", "7"), ("name", "Path")]);
    same(
        (answer.status, &*lenient.record().name),
        (200, "Path"),
        "two ids by knob",
    )
}

fn callers() -> Result<(), String> {
    let owned = || VideoRecord {
        id: "007".into(),
        partner_id: Some("p1".into()),
        ..VideoRecord::default()
    };
    let mut desk = Desk::of(owned(), &[]);
    same(
        desk.edit(&[("partner_id", "p2"), ("name", "x")]).status,
        403,
        "another account",
    )?;
    same(desk.record(), owned(), "another account")?;
    same(desk.edit(&[("partner_id", "p1")]).status, 200, "the owner")?;
    let mut open = Desk::of(owned(), &[("edit.partner_check", "off")]);
    same(
        open.edit(&[("partner_id", "p2")]).status,
        200,
        "another account by knob",
    )?;
    let mut free = Desk::new(&[]);
    free.edit(&[("partner_id", "p3")]);
    same(
        free.record().partner_id.as_deref(),
        Some("p3"),
        "a record without an owner",
    )?;

    let kind = ("Content-Type", MULTIPART);
    let answer = desk.with_headers(&[kind]);
    same(
        (answer.status, codes(&answer)),
        (200, vec!["no_user_agent"]),
        "no User-Agent",
    )?;
    let mut strict = Desk::new(&[("edit.user_agent", "require")]);
    same(
        strict.with_headers(&[kind]).status,
        400,
        "no User-Agent by knob",
    )?;
    same(
        strict.with_headers(&[kind, ("user-agent", "x")]).status,
        200,
        "a User-Agent by knob",
    )?;

    let mut bearer = Desk::new(&[("edit.auth", "bearer")]);
    for (headers, status) in [
        (vec![kind], 401),
        (vec![kind, ("Authorization", "Bearer wrong")], 401),
        (vec![kind, ("Authorization", "Basic secret")], 401),
        (vec![kind, ("Authorization", "Bearer ")], 401),
        (vec![kind, ("authorization", "bearer secret")], 200),
    ] {
        let answer = bearer.with_headers(&headers);
        let challenge = (status == 401).then_some("Bearer realm=\"video\"");
        same(
            (answer.status, header(&answer, "WWW-Authenticate")),
            (status, challenge),
            "a bearer token",
        )?;
    }
    let mut keyed = Desk::new(&[("edit.auth", "header")]);
    same(keyed.with_headers(&[kind]).status, 401, "no key")?;
    same(
        keyed.with_headers(&[kind, ("x-api-key", "secret")]).status,
        200,
        "a key",
    )
}

fn answers() -> Result<(), String> {
    let fields = [("publish", "31-01-2026"), ("name", "Film")];
    let mut desk = Desk::new(&[]);
    let answer = desk.edit(&fields);
    let body = json(&answer);
    same(
        header(&answer, "Content-Type"),
        Some("application/json"),
        "the type of a success",
    )?;
    same(
        (&body["status"], &body["videoId"]),
        (&"success".into(), &"007".into()),
        "a success",
    )?;
    same(
        body["Video"]["publish"].as_str(),
        Some("31-01-2026"),
        "a date in a response",
    )?;
    let read: VideoRecord =
        serde_json::from_value(body["Video"].clone()).map_err(|error| error.to_string())?;
    same(read, desk.record(), "the whole record in a response")?;
    let mut only = Desk::new(&[
        ("edit.success_shape", "record_only"),
        ("edit.read_date", "Y-m-d"),
    ]);
    same(
        json(&only.edit(&fields))["publish"].as_str(),
        Some("2026-01-31"),
        "the record alone",
    )?;
    let mut empty = Desk::new(&[
        ("edit.success_shape", "empty"),
        ("edit.error_shape", "empty_body"),
    ]);
    let answer = empty.edit(&fields);
    same(
        (
            answer.status,
            answer.body.as_str(),
            header(&answer, "Content-Type"),
        ),
        (200, "", None),
        "an empty success",
    )?;

    let wrong = [
        ("kill_date", "2026-01-31"),
        ("name", ""),
        ("geo", "UK"),
        ("rejected", "2"),
    ];
    let due =
        "kill_date bad_date, name empty, geo unknown_country, rejected not_allowed".to_owned();
    let answer = desk.edit(&wrong);
    same(
        (answer.status, mistakes(&answer)),
        (422, due),
        "all errors in the form's order",
    )?;
    same(
        header(&answer, "Content-Type"),
        Some("application/problem+json"),
        "the type of a failure",
    )?;
    let body = json(&answer);
    same(
        (body["status"].as_u64(), body["title"].as_str()),
        (Some(422), Some("Unprocessable Content")),
        "a problem",
    )?;
    let first = serde_json::json!({
        "field": "kill_date", "code": "bad_date",
        "message": "field \"kill_date\" is \"2026-01-31\"; it must be a date as day-month-year, like 31-01-2024; did you mean \"31-01-2026\"?",
    });
    same(&body["errors"][0], &first, "a mistake")?;
    let mut other = Desk::new(&[("edit.error_shape", "message_errors_validation")]);
    let body = json(&other.edit(&wrong));
    same(
        &body["validation"]["kill_date"][0],
        &first["message"],
        "another shape of failures",
    )?;
    same(
        &body["errors"][0],
        &first["message"],
        "another shape of failures",
    )?;
    let answer = empty.edit(&wrong);
    same(
        (answer.status, answer.body.as_str()),
        (422, ""),
        "an empty failure",
    )?;
    // Other failures have the same shape.
    let body = json(&desk.ask("POST", "/other", &[]));
    same(
        (
            body["status"].as_u64(),
            body["errors"].as_array().map(Vec::len),
        ),
        (Some(404), Some(0)),
        "a 404",
    )
}

fn calls() -> Result<(), String> {
    let mut desk = Desk::new(&[("edit.rate", "2")]);
    let mut at = |millis: u64| {
        desk.now = Time::from_millis(millis);
        let answer = desk.edit(&[]);
        (
            answer.status,
            header(&answer, "Retry-After").map(str::to_owned),
        )
    };
    let refused = (429, Some("1".to_owned()));
    let due = [
        (200, None),
        (200, None),
        refused.clone(),
        refused,
        (200, None),
        (200, None),
    ];
    same(
        [0, 500, 900, 999, 1000, 1500].map(&mut at),
        due,
        "two calls in a second",
    )?;

    let mut desk = Desk::new(&[]);
    desk.service.plan(FaultPlan {
        nth: Some(2),
        fault: ServiceFault {
            status: Some(503),
            ..ServiceFault::default()
        },
        ..FaultPlan::default()
    });
    desk.service.plan(FaultPlan {
        id: Some("007".into()),
        route: Some(Route::V2Form),
        fault: ServiceFault {
            cut: true,
            after: Span::from_secs(2),
            ..ServiceFault::default()
        },
        ..FaultPlan::default()
    });
    desk.service.plan(FaultPlan {
        nth: Some(4),
        fault: ServiceFault {
            empty: true,
            ..ServiceFault::default()
        },
        ..FaultPlan::default()
    });
    let one = desk.edit(&[("name", "One")]);
    let two = desk.edit(&[("name", "Two")]);
    same(
        (one.status, two.status, &*desk.record().name),
        (200, 503, "One"),
        "a status in place of the edit",
    )?;
    let three = desk.ask(
        "POST",
        "/apiv2/videos/edit.json",
        &[("id", "007"), ("name", "Three")],
    );
    same(
        (three.is_cut, three.after, &*desk.record().name),
        (true, Span::from_secs(2), "Three"),
        "a cut answer",
    )?;
    let four = desk.edit(&[("name", "Four")]);
    same(
        (four.status, four.body.as_str(), &*desk.record().name),
        (200, "", "Four"),
        "a response without a body",
    )?;
    same(desk.service.plans().len(), 0, "faults are used up")?;
    same(desk.edit(&[]).entry.fault, None, "faults are used up")?;

    let kept = desk.service.journal().iter().map(|entry| {
        let name = |record: Option<&Arc<VideoRecord>>| {
            record.map_or_else(String::new, |record| record.name.to_string())
        };
        let (before, after) = (name(entry.before.as_ref()), name(entry.after.as_ref()));
        format!("{} {} {before}>{after}", entry.number, entry.status)
    });
    let due = [
        "1 200 >One",
        "2 503 One>One",
        "3 200 One>Three",
        "4 200 Three>Four",
        "5 200 Four>Four",
    ];
    same(
        kept.collect::<Vec<_>>(),
        due.map(str::to_owned).to_vec(),
        "the journal",
    )?;
    let written =
        serde_json::to_value(desk.service.journal()).map_err(|error| error.to_string())?;
    same(
        written[2]["route"].as_str(),
        Some("v2-form"),
        "the journal as JSON",
    )?;
    same(
        &written[2]["fields"],
        &serde_json::json!({ "id": "007", "name": "Three" }),
        "fields read",
    )?;
    same(
        &written[2]["fault"],
        &serde_json::json!({ "after": "2s", "cut": true }),
        "a fault in the journal",
    )?;
    desk.service.reset(Catalog::new());
    same(
        (desk.service.journal().len(), desk.service.catalog().len()),
        (0, 0),
        "begun anew",
    )
}

fn whole() -> Result<(), String> {
    let mixed = [("name", "Other"), ("tags", "a"), ("rejected", "2")];
    let mut desk = Desk::new(&[]);
    let before = desk.record();
    same(
        (desk.edit(&mixed).status, desk.record()),
        (422, before.clone()),
        "a call with one error",
    )?;
    let answer = desk.edit(&[]);
    same(
        (answer.status, desk.record(), answer.entry.has_changed()),
        (200, before, false),
        "no field at all",
    )?;
    let right = [
        ("name", "Other"),
        ("pixels[impression]", "x"),
        ("ns_st_sn", "2"),
        ("geo", "us"),
        ("CustomParam[key][]", "k"),
        ("CustomParam[value][]", "v"),
        ("Chapter[timestamp][]", "1"),
        ("Chapter[title][]", "t"),
    ];
    let first = desk.edit(&right);
    let once = desk.record();
    let second = desk.edit(&right);
    same(
        (
            first.entry.has_changed(),
            second.entry.has_changed(),
            desk.record(),
        ),
        (true, false, once),
        "a call again",
    )?;
    let mut loose = Desk::new(&[("edit.atomic", "off")]);
    let answer = loose.edit(&mixed);
    same(
        (answer.status, &*loose.record().name),
        (422, "Other"),
        "the valid fields, by knob",
    )?;
    same(
        answer.entry.fields.get("tags"),
        Some(&Value::from("a")),
        "fields as sent",
    )
}
