//! Properties of the edit call: whatever it receives, records stay valid.

use std::sync::Arc;

use playsim::Scenario;
use playsim::Simulation;
use playsim::api::Outcome;
use playsim::catalog::{AgeGate, Catalog, ValueSource, VideoRecord, field, fields};
use playsim::edit::{EditRequest, EditResponse, Form, Headers, Route, Service, Setup};
use playsim::knobs::{KNOBS, KnobReader, Knobs, Takes};
use playsim::time::Time;
use playsim::video::{ChapterMark, Day, PIXELS, Rendition, Video};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Arc<str>> {
    prop_oneof![
        Just(String::new()),
        "[a-z]{1,6}",
        "\\PC{0,12}",
        any::<String>().prop_map(|text| text.chars().take(20).collect()),
    ]
    .prop_map(Arc::from)
}

fn day() -> impl Strategy<Value = Day> {
    (1u8..=28, 1u8..=12, 0u16..=9999).prop_map(|(day, month, year)| {
        format!("{day:02}-{month:02}-{year:04}")
            .parse::<Day>()
            .expect("each month has 28 days")
    })
}

fn address() -> impl Strategy<Value = Option<Arc<str>>> {
    proptest::option::of("https?://[a-z]{1,8}\\.test/[a-z?=&]{0,8}".prop_map(Arc::from))
}

fn record() -> impl Strategy<Value = VideoRecord> {
    let names = (
        "[^\\x00]{1,8}",
        text(),
        proptest::option::of("[a-z]{1,4}".prop_map(Arc::from)),
    );
    let tags = proptest::collection::vec("[a-z]{1,4}( [a-z]{1,4})?", 0..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let dates = (proptest::option::of(day()), proptest::option::of(day()));
    let ids = (
        proptest::option::of(1u32..),
        proptest::option::of(proptest::sample::select(AgeGate::ALL)),
    );
    let geo = proptest::collection::vec("[A-Z]{2}".prop_map(Arc::from), 0..3);
    let pixels = proptest::collection::vec(
        (
            prop_oneof![
                proptest::sample::select(PIXELS).prop_map(Arc::from),
                "[a-z]{1,5}".prop_map(Arc::from)
            ],
            text(),
        ),
        0..4,
    );
    let measured: Vec<_> = fields()
        .filter(|field| field.is_measured)
        .map(|field| field.name)
        .collect();
    let measured = proptest::collection::vec((proptest::sample::select(measured), text()), 0..4);
    let params = proptest::collection::vec(("[a-z]{1,4}".prop_map(Arc::from), text()), 0..4);
    let chapters = proptest::collection::vec(("[0-9]{1,3}(\\.[0-9]{1,3})?", text()), 0..3);
    let addresses = (address(), address());
    (
        names,
        tags,
        flags,
        dates,
        ids,
        geo,
        pixels,
        (measured, params, chapters, addresses),
    )
        .prop_map(
            |(
                (id, name, partner),
                tags,
                (rejected, monetize, geo_on),
                (publish, kill_date),
                ids,
                geo,
                pixels,
                rest,
            )| {
                let (measured, params, chapters, (clickthrough, image)) = rest;
                let mut record = VideoRecord {
                    id: id.into(),
                    partner_id: partner,
                    name,
                    tags: tags.join(", ").into(),
                    clickthrough,
                    channel_id: ids.0,
                    age_gate: ids.1,
                    publish,
                    kill_date,
                    rejected,
                    image,
                    monetize,
                    geo_on,
                    geo,
                    custom_params: params,
                    chapters: chapters
                        .into_iter()
                        .map(|(timestamp, title)| ChapterMark {
                            timestamp: timestamp.into(),
                            title,
                        })
                        .collect(),
                    ..VideoRecord::default()
                };
                for (key, text) in pixels {
                    let key: Arc<str> = key;
                    record.set_pixel(&key, &text);
                }
                for (name, text) in measured {
                    record.set_comscore(name, &text);
                }
                record
            },
        )
}

/// The name of a form field: an existing field, with its brackets or others, or anything.
fn name() -> impl Strategy<Value = String> {
    let of_fields = |has_prefix| fields().flat_map(move |field| field.form_names(has_prefix));
    let odd = [
        "name[]",
        "CustomParam[key]",
        "CustomParam",
        "Chapter[title][x]",
        "pixels",
        "pixels[]",
        "pixels[zeta]",
        "nmae",
    ];
    let known: Vec<String> = of_fields(false)
        .chain(of_fields(true))
        .chain(odd.map(str::to_owned))
        .collect();
    prop_oneof![
        6 => proptest::sample::select(known),
        1 => "[a-z\\[\\]. ]{0,12}",
        1 => any::<String>().prop_map(|text| text.chars().take(12).collect::<String>()),
        1 => (1usize..80).prop_map(|levels| format!("a{}", "[b]".repeat(levels))),
    ]
}

/// A value that one field or another accepts, or anything.
fn value() -> impl Strategy<Value = String> {
    let known: Vec<String> = fields().map(|field| field.example.to_owned()).collect();
    prop_oneof![
        3 => proptest::sample::select(known),
        2 => proptest::sample::select(vec!["", "0", "1", "2", "true", "00-00-0000", "US", "a,b", "1:30"]).prop_map(str::to_owned),
        1 => any::<String>().prop_map(|text| text.chars().take(12).collect::<String>()),
    ]
}

fn form() -> impl Strategy<Value = Form> {
    proptest::collection::vec((name(), value()), 0..8)
        .prop_map(|fields| fields.into_iter().collect())
}

/// Settings of the edit call, each with one of its values.
fn knobs() -> impl Strategy<Value = Knobs> {
    let words: Vec<(&str, Vec<&str>)> = KNOBS
        .iter()
        .filter(|knob| knob.name.starts_with("edit."))
        .filter_map(|knob| match (knob.takes)() {
            Takes::Words(words) => {
                Some((knob.name, words.into_iter().map(|(word, _)| word).collect()))
            }
            Takes::Length | Takes::Limit | Takes::Number | Takes::Form(_) => None,
        })
        .collect();
    proptest::collection::vec(
        (
            proptest::sample::select(words),
            any::<proptest::sample::Index>(),
        ),
        0..4,
    )
    .prop_map(|set| {
        let mut knobs = Knobs::default();
        for ((name, words), place) in set {
            knobs
                .set(name, words[place.index(words.len())])
                .expect("a value that it accepts");
        }
        knobs
    })
}

fn call(service: &mut Service, path: &str, form: Form) -> EditResponse {
    let headers = Headers::from_iter([
        ("Content-Type", "multipart/form-data; boundary=x"),
        ("User-Agent", "test"),
        ("Authorization", "Bearer x"),
        ("X-Api-Key", "x"),
    ]);
    service.handle(
        Time::ZERO,
        EditRequest {
            method: "POST",
            path,
            headers: &headers,
            body: Ok(form),
        },
    )
}

fn service(record: &VideoRecord, knobs: &Knobs) -> Service {
    let setup = Setup {
        knobs: knobs.clone().into(),
        channels: Some(vec![7].into()),
        token: None,
    };
    Service::new(Catalog::from_iter([record.clone()]), setup)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_failed_call_changes_nothing_and_no_call_breaks_a_record(record in record(), form in form(), knobs in knobs()) {
        let is_atomic = knobs.edit_atomic.is_on();
        let mut service = service(&record, &knobs);
        let answer = call(&mut service, &Route::V3.path(&record.id), form);
        let after = service.catalog().get(&record.id).expect("the record remains").clone();
        prop_assert_eq!(answer.entry.after.as_ref(), Some(&after));
        prop_assert_eq!(answer.status == 200, answer.entry.errors.is_empty() && answer.entry.detail.is_empty());
        if answer.status != 200 && (is_atomic || answer.status != 422) {
            prop_assert_eq!(&*after, &record);
        }
        // The record after a call reads back as it was written.
        let json = serde_json::to_string(&after).expect("a record can be written");
        prop_assert_eq!(&serde_json::from_str::<VideoRecord>(&json).expect("a record is read"), &*after);
        for error in &answer.entry.errors {
            prop_assert!(!error.field.is_empty() && !error.code.is_empty() && error.message.len() > 10);
        }
    }

    #[test]
    fn the_same_call_again_changes_nothing_further(record in record(), form in form(), knobs in knobs()) {
        let knobs = Knobs { edit_lists: playsim::knobs::values::EditLists::Replace, ..knobs };
        let mut service = service(&record, &knobs);
        let path = Route::V3.path(&record.id);
        let first = call(&mut service, &path, form.clone());
        let once = service.catalog().clone();
        let second = call(&mut service, &path, form);
        prop_assert_eq!((first.status, first.body), (second.status, second.body));
        prop_assert_eq!(service.catalog(), &once);
    }

    #[test]
    fn all_routes_have_the_same_effect(record in record(), form in form()) {
        let knobs = Knobs::default();
        let mut with_id = Form::from_iter([("data[Video][id]", record.id.clone())]);
        for (name, value) in form.iter().filter(|(name, _)| !name.contains("id]") && !name.starts_with("id")) {
            with_id.push(name.clone(), value.clone());
        }
        let answers = Route::ALL.iter().map(|route| {
            let mut service = service(&record, &knobs);
            let answer = call(&mut service, &route.path(&record.id), with_id.clone());
            (answer.status, answer.body, service.catalog().clone())
        });
        let answers: Vec<_> = answers.collect();
        prop_assert_eq!(&answers[0], &answers[1]);
        prop_assert_eq!(&answers[1], &answers[2]);
    }

    #[test]
    fn any_request_gets_a_response(method in "[A-Z]{0,7}", path in "\\PC{0,30}", kind in "\\PC{0,30}", form in form(), knobs in knobs()) {
        let headers = Headers::from_iter([("Content-Type", kind)]);
        let mut service = service(&VideoRecord { id: "v1".into(), ..VideoRecord::default() }, &knobs);
        let answer = service.handle(Time::ZERO, EditRequest { method: &method, path: &path, headers: &headers, body: Ok(form) });
        prop_assert!((200..600).contains(&answer.status));
        prop_assert_eq!(service.journal().len(), 1);
    }

    #[test]
    fn url_encoded_bytes_are_a_form_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(form) = Form::urlencoded(&bytes) {
            prop_assert!(form.bytes() <= bytes.len() as u64);
        }
    }

    #[test]
    fn a_record_reads_as_it_is_written(record in record()) {
        let json = serde_json::to_string_pretty(&record).expect("a record can be written");
        let read: VideoRecord = serde_json::from_str(&json).map_err(|error| TestCaseError::fail(format!("{error}\n{json}")))?;
        prop_assert_eq!(read, record);
    }

    #[test]
    fn a_catalog_reads_as_it_is_written(records in proptest::collection::vec(record(), 0..4)) {
        let catalog = Catalog::from_iter(records);
        let json = serde_json::to_string(&catalog).expect("a catalog can be written");
        prop_assert_eq!(serde_json::from_str::<Catalog>(&json).expect("a catalog is read"), catalog);
    }

    #[test]
    fn every_date_is_written_as_it_is_read(day in day()) {
        let knobs = KnobReader::from(Knobs::default());
        let source = ValueSource::Call { knobs: &knobs, channels: None };
        for name in ["publish", "kill_date"] {
            let field = field(name).expect("it is a field");
            let read = field.kind.read(&day.to_string(), source).expect("a day");
            prop_assert_eq!(read.as_text().map(|text| text.to_string()), Some(day.to_string()));
        }
    }
}

#[test]
fn every_field_has_one_row_and_accepts_its_example() {
    let knobs = KnobReader::from(Knobs {
        edit_comscore_check: playsim::knobs::values::Switch::On,
        ..Knobs::default()
    });
    let source = ValueSource::Call {
        knobs: &knobs,
        channels: None,
    };
    let all: Vec<_> = fields().collect();
    for (place, row) in all.iter().enumerate() {
        row.kind
            .read(row.example, source)
            .unwrap_or_else(|fault| panic!("{}: {}", row.name, fault.due));
        assert!(
            all[..place].iter().all(|other| other.name != row.name),
            "{} twice",
            row.name
        );
        assert!(
            row.about.ends_with('.') && field(row.name).is_some_and(|found| found.name == row.name)
        );
        let words = row.kind.words;
        assert!(
            words.iter().all(|word| row.kind.read(word, source).is_ok()),
            "{}",
            row.name
        );
    }
}

#[test]
fn errors_of_a_record_name_every_field() {
    let json = serde_json::json!({
        "nmae": "x", "publish": "2024-01-31", "geo": ["USA"], "pixels": [1], "chapters": [{ "timestamp": "x" }],
        "custom_params": [["k"]], "monetize": 2, "image": "x.png", "clickthroughURL": 7,
    });
    let errors = VideoRecord::read(&json).expect_err("many fields are wrong");
    let reported: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let due = [
        "field \"chapters\": the timestamp of a chapter is \"x\"; it must be a time, like 90, 1:30 or 0:01:30.5",
        "field \"clickthroughURL\" is 7; it must be an absolute URL with http or https, like https://shop.test/film",
        "field \"custom_params\": a custom parameter is a list; it must be a key and its value, like [\"genre\", \"news\"]",
        "field \"geo\" contains \"USA\"; it must be a country as two letters, like US",
        "field \"image\" is \"x.png\"; it must be an absolute URL with http or https, like https://shop.test/film",
        "field \"monetize\" is 2; it must be 0, 1, true or false",
        "unknown field of a record \"nmae\"; did you mean \"name\"?",
        "field \"pixels\" is a list; it must be strings by key, like { \"impression\": \"https://pixels.test/i\" }",
        "field \"publish\" is \"2024-01-31\"; it must be a date as day-month-year, like 31-01-2024; did you mean \"31-01-2024\"?",
        "a record has no \"id\"; it needs one, like \"id\": \"v1\"",
    ];
    assert_eq!(reported, due);
    let nulls = serde_json::json!({
        "id": "a", "geo": [null], "pixels": { "complete": null }, "custom_params": { "genre": null },
        "chapters": [{ "timestamp": "0:40", "title": null }, { "timestamp": null }], "name": null,
    });
    let errors = VideoRecord::read(&nulls).expect_err("null is not a string");
    let due = [
        "field \"pixels\": pixel complete is null; it must be a string",
        "field \"custom_params\": parameter genre is null; it must be a string",
        "field \"geo\": an item is null; it must be a string",
    ];
    let reported: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(
        due.iter()
            .all(|due| reported.iter().any(|reported| reported == due)),
        "{reported:?}"
    );
    assert!(
        reported
            .iter()
            .any(|reported| reported.starts_with("a chapter has no \"timestamp\""))
            && reported.len() == 4,
        "{reported:?}"
    );
    let spelt = serde_json::json!({ "id": "a", "clickthroughURL": "https://a.test/", "clickthroughUrl": null });
    let reported = VideoRecord::read(&spelt).expect_err("one field twice")[0].to_string();
    assert_eq!(
        reported,
        "\"clickthroughUrl\" and \"clickthroughURL\" are the same field; a record has one of them"
    );
    let twice = serde_json::json!({ "videos": [{ "id": "a" }, { "id": "a" }] });
    let reported = serde_json::from_value::<Catalog>(twice)
        .expect_err("one id twice")
        .to_string();
    assert_eq!(reported, "duplicate record \"a\"");
}

#[test]
fn what_a_server_keeps_has_limits() {
    let knobs = Knobs {
        edit_lists: playsim::knobs::values::EditLists::Append,
        ..Knobs::default()
    };
    let mut service = service(
        &VideoRecord {
            id: "v1".into(),
            ..VideoRecord::default()
        },
        &knobs,
    );
    let pairs = (0..900).map(|number| {
        let name = if number % 2 == 0 {
            "CustomParam[key][]"
        } else {
            "CustomParam[value][]"
        };
        (name, format!("x{number}"))
    });
    let form: Form = pairs.collect();
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(call(&mut service, "/apiv3/video/edit/v1.json", form.clone()).status);
    }
    assert_eq!(statuses, [200, 200, 422]);
    assert_eq!(
        service
            .catalog()
            .get("v1")
            .expect("it stays")
            .custom_params
            .len(),
        900
    );

    let large = "x".repeat(9 << 20);
    for number in 0..10 {
        let form = Form::from_iter([("tags", large.clone()), ("name", number.to_string())]);
        assert_eq!(
            call(&mut service, "/apiv3/video/edit/v1.json", form).status,
            200
        );
    }
    let kept: Vec<u64> = service.journal().iter().map(|entry| entry.number).collect();
    assert_eq!(
        kept,
        [7, 8, 9, 10, 11, 12, 13],
        "the last ones, as many as 64 MiB hold"
    );
}

#[test]
fn a_scenario_takes_records_from_a_catalog() {
    let film = Video {
        record: VideoRecord {
            id: "v1".into(),
            name: "Old".into(),
            ..VideoRecord::default()
        },
        renditions: vec![(Rendition::Sd, "film.mp4".into())],
        ..Video::default()
    };
    let scenario = Scenario {
        videos: vec![playsim::scenario::VideoScript {
            video: film.into(),
            record_after: playsim::time::Span::ZERO,
        }],
        ..Scenario::default()
    };
    let new = VideoRecord {
        id: "v1".into(),
        name: "New".into(),
        ..VideoRecord::default()
    };
    let other = VideoRecord {
        id: "v0".into(),
        ..VideoRecord::default()
    };
    let scenario = scenario.with_catalog(&Catalog::from_iter([new, other]));
    let names: Vec<(&str, &str, usize)> = scenario
        .videos
        .iter()
        .map(|script| {
            (
                &*script.video.id,
                &*script.video.name,
                script.video.renditions.len(),
            )
        })
        .collect();
    assert_eq!(names, [("v1", "New", 1), ("v0", "", 0)]);
    let simulation = Simulation::new(&scenario).expect("it can be played");
    assert_eq!(simulation.run().outcome(), Some(Outcome::Idle));
}

#[test]
fn unknown_fields_are_named_in_a_header_of_the_answer() {
    let mut service = service(
        &VideoRecord {
            id: "v1".into(),
            ..VideoRecord::default()
        },
        &Knobs::default(),
    );
    let mut answer = |names: &[&str]| {
        let mut form = Form::default();
        names.iter().for_each(|name| form.push(*name, "x"));
        let answer = call(&mut service, "/apiv3/video/edit/v1.json", form);
        assert_eq!(answer.status, 200);
        let unknown = answer
            .headers
            .into_iter()
            .find(|(name, _)| *name == "Playsim-Unknown-Fields");
        unknown.map(|(_, value)| value)
    };
    assert_eq!(answer(&["name"]), None);
    assert_eq!(
        answer(&["Name", "q\r\nSet-Cookie: é"]).as_deref(),
        Some("Name; meant=name, q%0D%0ASet-Cookie%3A%20%C3%A9")
    );
}
