//! The fields of the edit call: what each accepts, and how it is stored.

use playsim::catalog::{AgeGate, VideoRecord};
use playsim::video::ChapterMark;

use super::Absence;
use super::desk::{Desk, mistakes, same};

pub(super) const ALL: &[Absence] = &[
    Absence {
        name: "empty fields become empty, none, or are refused",
        rules: &["EDIT-12"],
        check: empty,
    },
    Absence {
        name: "a name must not be blank, and tags are trimmed",
        rules: &["EDIT-15", "EDIT-16"],
        check: texts,
    },
    Absence {
        name: "URLs are absolute, and two clickthrough fields are one",
        rules: &["EDIT-17", "EDIT-18"],
        check: addresses,
    },
    Absence {
        name: "integers are those of the reference",
        rules: &["EDIT-19", "EDIT-20", "EDIT-24", "EDIT-25", "EDIT-26"],
        check: integers,
    },
    Absence {
        name: "dates are days that exist, or none",
        rules: &["EDIT-21", "EDIT-22", "EDIT-23", "EDIT-63"],
        check: dates,
    },
    Absence {
        name: "countries are those of the list",
        rules: &["EDIT-27"],
        check: countries,
    },
    Absence {
        name: "audience measurement and pixels are kept as sent",
        rules: &["EDIT-28", "EDIT-29"],
        check: kept,
    },
    Absence {
        name: "keys and values, times and titles go together",
        rules: &["EDIT-30", "EDIT-31", "EDIT-32", "EDIT-33"],
        check: lists,
    },
];

/// Each value of a field with its result: an error code, or none and the stored value.
fn each(
    knobs: &[(&str, &str)],
    field: &str,
    cases: &[(&str, &str)],
    of: fn(&VideoRecord) -> String,
) -> Result<(), String> {
    for (text, due) in cases {
        let mut desk = Desk::new(knobs);
        let answer = desk.edit(&[(field, text)]);
        let is = match answer.status {
            200 => of(&desk.record()),
            _ => answer
                .entry
                .errors
                .first()
                .map_or_else(String::new, |error| error.code.to_owned()),
        };
        same(is, (*due).to_owned(), &format!("{field} as \"{text}\""))?;
    }
    Ok(())
}

fn full() -> VideoRecord {
    let day = |text: &str| text.parse::<playsim::video::Day>().ok();
    VideoRecord {
        id: "007".into(),
        name: "Film".into(),
        tags: "a".into(),
        clickthrough: Some("https://a.test/".into()),
        channel_id: Some(7),
        age_gate: Some(AgeGate::Adults),
        publish: day("01-01-2026"),
        kill_date: day("01-02-2026"),
        rejected: true,
        image: Some("https://a.test/".into()),
        monetize: false,
        geo_on: true,
        geo: vec!["US".into()],
        pixels: vec![("impression".into(), "x".into())],
        comscore: vec![("ns_st_sn".into(), "1".into())],
        custom_params: vec![("k".into(), "v".into())],
        chapters: vec![ChapterMark {
            timestamp: "1".into(),
            title: "A".into(),
        }],
        ..VideoRecord::default()
    }
}

const INTEGERS: [(&str, &str); 5] = [
    ("channel_id", ""),
    ("age_gate_id", ""),
    ("rejected", ""),
    ("monetize", ""),
    ("geo_on", ""),
];

fn empty() -> Result<(), String> {
    let mut desk = Desk::of(full(), &[]);
    same(desk.edit(&[]).entry.has_changed(), false, "nothing sent")?;
    let fields = [
        ("tags", ""),
        ("clickthroughURL", ""),
        ("image", ""),
        ("publish", ""),
        ("kill_date", ""),
        ("geo", ""),
        ("ns_st_sn", ""),
        ("pixels[impression]", ""),
        ("CustomParam[key][]", ""),
        ("CustomParam[value][]", ""),
        ("Chapter[timestamp][]", ""),
        ("Chapter[title][]", ""),
    ];
    same(desk.edit(&fields).status, 200, "sent empty")?;
    let VideoRecord {
        name,
        channel_id,
        age_gate,
        rejected,
        monetize,
        geo_on,
        ..
    } = full();
    let due = VideoRecord {
        id: "007".into(),
        pixels: vec![("impression".into(), "".into())],
        name,
        channel_id,
        age_gate,
        rejected,
        monetize,
        geo_on,
        ..VideoRecord::default()
    };
    same(desk.record(), due, "sent empty")?;
    let due = "channel_id empty, age_gate_id empty, rejected empty, monetize empty, geo_on empty"
        .to_owned();
    same(mistakes(&desk.edit(&INTEGERS)), due, "integers sent empty")?;
    let mut unset = Desk::of(full(), &[("edit.empty_integer", "unset")]);
    unset.edit(&INTEGERS);
    let VideoRecord {
        channel_id,
        age_gate,
        rejected,
        monetize,
        geo_on,
        ..
    } = unset.record();
    same(
        (channel_id, age_gate, rejected, monetize, geo_on),
        (None, None, false, true, false),
        "unset by knob",
    )
}

fn texts() -> Result<(), String> {
    let name = |record: &VideoRecord| record.name.to_string();
    each(
        &[],
        "name",
        &[
            ("Big", "Big"),
            (" a ", " a "),
            ("", "empty"),
            (" \t", "empty"),
            ("\u{a0}", "empty"),
        ],
        name,
    )?;
    let tags = |record: &VideoRecord| record.tags.to_string();
    each(
        &[],
        "tags",
        &[
            ("b,a", "b, a"),
            (" a ,,a,", "a, a"),
            (",", ""),
            ("one two", "one two"),
        ],
        tags,
    )
}

fn addresses() -> Result<(), String> {
    let image = |record: &VideoRecord| record.image.as_deref().unwrap_or("none").to_owned();
    let cases = [
        ("https://a.test/x", "https://a.test/x"),
        ("HTTP://a", "HTTP://a"),
        ("", "none"),
        ("a.test", "bad_address"),
        ("ftp://a.test", "bad_address"),
        ("https://", "bad_address"),
    ];
    each(&[], "image", &cases, image)?;
    let clickthrough =
        |record: &VideoRecord| record.clickthrough.as_deref().unwrap_or("none").to_owned();
    for name in [
        "clickthroughURL",
        "clickthroughUrl",
        "data[Video][clickthroughUrl]",
    ] {
        each(
            &[],
            name,
            &[
                ("https://a.test/x", "https://a.test/x"),
                ("/x", "bad_address"),
            ],
            clickthrough,
        )?;
    }
    let two = [
        ("clickthroughURL", "https://table.test/"),
        ("data[Video][clickthroughUrl]", "https://sample.test/"),
    ];
    for (knob, due) in [
        ("error", "none"),
        ("table_wins", "https://table.test/"),
        ("sample_wins", "https://sample.test/"),
    ] {
        let mut desk = Desk::new(&[("edit.clickthrough_conflict", knob)]);
        let answer = desk.edit(&two);
        same(
            (mistakes(&answer).is_empty(), clickthrough(&desk.record())),
            (knob != "error", due.to_owned()),
            knob,
        )?;
    }
    let mut desk = Desk::new(&[]);
    same(
        mistakes(&desk.edit(&two)),
        "clickthroughUrl two_values".to_owned(),
        "two addresses",
    )?;
    same(
        desk.edit(&[
            ("clickthroughURL", "https://a.test/"),
            ("clickthroughUrl", "https://a.test/"),
        ])
        .status,
        200,
        "one URL twice",
    )
}

fn integers() -> Result<(), String> {
    let channel = |record: &VideoRecord| format!("{:?}", record.channel_id);
    each(
        &[],
        "channel_id",
        &[
            ("7", "Some(7)"),
            ("8", "unknown_channel"),
            ("0", "not_an_integer"),
            ("x", "not_an_integer"),
            ("7.0", "not_an_integer"),
        ],
        channel,
    )?;
    let gate = |record: &VideoRecord| {
        record
            .age_gate
            .map_or_else(String::new, |gate| gate.to_string())
    };
    each(
        &[],
        "age_gate_id",
        &[
            ("1", "1"),
            ("2", "2"),
            ("3", "3"),
            ("0", "not_allowed"),
            ("4", "not_allowed"),
            ("02", "not_allowed"),
        ],
        gate,
    )?;
    let flag = |flag: bool| u8::from(flag).to_string();
    let plain = [
        ("1", "1"),
        ("0", "0"),
        ("true", "not_allowed"),
        ("2", "not_allowed"),
    ];
    each(&[], "rejected", &plain, |record| {
        u8::from(record.rejected).to_string()
    })?;
    each(&[], "monetize", &plain, |record| {
        u8::from(record.monetize).to_string()
    })?;
    let switch = [
        ("1", "1"),
        ("true", "1"),
        ("0", "0"),
        ("false", "0"),
        ("TRUE", "not_allowed"),
        ("yes", "not_allowed"),
    ];
    each(&[], "geo_on", &switch, |record| {
        u8::from(record.geo_on).to_string()
    })?;
    let fresh = Desk::new(&[]).record();
    same(
        (
            flag(fresh.monetize),
            flag(fresh.geo_on),
            flag(fresh.rejected),
        ),
        ("1".into(), "0".into(), "0".into()),
        "never set",
    )
}

fn dates() -> Result<(), String> {
    let publish = |record: &VideoRecord| {
        record
            .publish
            .map_or_else(|| "none".to_owned(), |day| day.to_string())
    };
    let kill_date = |record: &VideoRecord| {
        record
            .kill_date
            .map_or_else(|| "none".to_owned(), |day| day.to_string())
    };
    let both = [
        ("29-02-2024", "29-02-2024"),
        ("30-02-2024", "no_such_date"),
        ("1-2-2024", "bad_date"),
        ("2024-01-31", "bad_date"),
        ("", "none"),
    ];
    each(&[], "publish", &both, publish)?;
    each(&[], "kill_date", &both, kill_date)?;
    each(&[], "publish", &[("00-00-0000", "zero_date")], publish)?;
    each(&[], "kill_date", &[("00-00-0000", "none")], kill_date)?;
    each(
        &[("edit.date_digits", "lenient")],
        "publish",
        &[("1-2-2024", "01-02-2024"), ("1-2-24", "bad_date")],
        publish,
    )?;
    let turned = [("kill_date", "01-01-2026"), ("publish", "01-01-2026")];
    let mut desk = Desk::new(&[]);
    let answer = desk.edit(&turned);
    let codes: Vec<&str> = answer
        .entry
        .diags
        .iter()
        .map(|diag| diag.code.name())
        .collect();
    same(
        (answer.status, codes),
        (200, vec!["date_order"]),
        "an end before the beginning",
    )?;
    same(
        desk.edit(&[("name", "x")]).entry.diags.len(),
        0,
        "dates that were there before",
    )?;
    let mut strict = Desk::new(&[("edit.date_order", "error")]);
    same(
        mistakes(&strict.edit(&turned)),
        "publish date_order".to_owned(),
        "an end before the beginning, by knob",
    )?;
    let on = |day: &str| {
        desk.record()
            .state(day.parse::<playsim::video::Day>().expect("a day"))
            .name()
    };
    same(
        (on("31-12-2025"), on("01-01-2026")),
        ("scheduled", "expired"),
        "the states of a record",
    )
}

fn countries() -> Result<(), String> {
    let geo = |record: &VideoRecord| record.geo.join(" ");
    each(
        &[],
        "geo",
        &[
            ("us, De", "US DE"),
            ("", ""),
            ("UK", "unknown_country"),
            ("USA", "unknown_country"),
            ("US;DE", "unknown_country"),
        ],
        geo,
    )?;
    each(
        &[("edit.geo_list", "any_two_letters")],
        "geo",
        &[("uk", "UK"), ("u1", "unknown_country")],
        geo,
    )
}

fn kept() -> Result<(), String> {
    let date = |record: &VideoRecord| {
        record
            .comscore
            .first()
            .map_or_else(String::new, |(_, text)| text.to_string())
    };
    each(
        &[],
        "ns_st_ddt",
        &[("whenever", "whenever"), ("2024-01-31", "2024-01-31")],
        date,
    )?;
    let check = [("edit.comscore_check", "on")];
    each(
        &check,
        "ns_st_ddt",
        &[("2024-01-31", "2024-01-31"), ("31-01-2024", "bad_date")],
        date,
    )?;
    each(
        &check,
        "ns_st_ce",
        &[("0", "0"), ("no", "not_allowed")],
        date,
    )?;
    each(&check, "ns_st_ge", &[("Drama", "Drama")], date)?;
    let mut desk = Desk::new(&[]);
    let answer = desk.edit(&[
        ("pixels[complete]", "x"),
        ("data[Video][pixels][zeta]", "y"),
        ("pixels[impression]", ""),
    ]);
    let codes: Vec<&str> = answer
        .entry
        .diags
        .iter()
        .map(|diag| diag.code.name())
        .collect();
    same(codes, vec!["unknown_pixel"], "an unknown pixel")?;
    let pixels = desk
        .record()
        .pixels
        .iter()
        .map(|(key, text)| format!("{key}={text}"))
        .collect::<Vec<_>>();
    same(
        pixels,
        ["impression=", "complete=x", "zeta=y"]
            .map(str::to_owned)
            .to_vec(),
        "pixels",
    )
}

fn lists() -> Result<(), String> {
    let params = |record: &VideoRecord| {
        let pairs = record
            .custom_params
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        pairs.collect::<Vec<_>>().join(" ")
    };
    const KEY: &str = "CustomParam[key][]";
    const VALUE: &str = "data[CustomParam][value][]";
    let mut desk = Desk::new(&[]);
    let sent = [
        ("data[CustomParam][key][]", "b"),
        (VALUE, "1"),
        ("data[CustomParam][key][]", "a"),
        ("data[CustomParam][key][]", "b"),
        (VALUE, ""),
        (VALUE, "3"),
    ];
    same(desk.edit(&sent).status, 200, "pairs")?;
    same(
        params(&desk.record()),
        "b=1 a= b=3".to_owned(),
        "pairs in order, repeats too",
    )?;
    desk.edit(&[(KEY, "c"), ("CustomParam[value][]", "4")]);
    same(params(&desk.record()), "c=4".to_owned(), "a new set")?;
    for (fields, due) in [
        (vec![(KEY, "c")], "CustomParam[value][] key_without_value"),
        (
            vec![("CustomParam[value][]", "c")],
            "CustomParam[key][] value_without_key",
        ),
        (
            vec![(KEY, ""), ("CustomParam[value][]", "c")],
            "CustomParam[key][] empty",
        ),
        (vec![("CustomParam[key]", "c")], "CustomParam wrong_shape"),
    ] {
        same(
            mistakes(&desk.edit(&fields)),
            due.to_owned(),
            "invalid pairs",
        )?;
    }
    let mut more = Desk::of(desk.record(), &[("edit.lists", "append")]);
    more.edit(&[(KEY, "d"), ("CustomParam[value][]", "5")]);
    same(
        params(&more.record()),
        "c=4 d=5".to_owned(),
        "appended by knob",
    )?;

    let chapters = |record: &VideoRecord| {
        let marks = record
            .chapters
            .iter()
            .map(|mark| format!("{}={}", mark.timestamp, mark.title));
        marks.collect::<Vec<_>>().join(" ")
    };
    const TIME: &str = "Chapter[timestamp][]";
    const TITLE: &str = "Chapter[title][]";
    desk.edit(&[(TIME, "0:40"), (TITLE, "B"), (TIME, "0"), (TITLE, "A")]);
    same(
        chapters(&desk.record()),
        "0:40=B 0=A".to_owned(),
        "chapters",
    )?;
    for (fields, due) in [
        (
            vec![(TIME, "1"), (TITLE, "A"), (TITLE, "B")],
            "Chapter[timestamp][] unequal_counts",
        ),
        (
            vec![(TIME, "1:60"), (TITLE, "A"), (TIME, "x"), (TITLE, "B")],
            "Chapter[timestamp][] bad_timestamp, Chapter[timestamp][] bad_timestamp",
        ),
    ] {
        same(
            mistakes(&desk.edit(&fields)),
            due.to_owned(),
            "invalid chapters",
        )?;
    }
    desk.edit(&[(TIME, "1"), (TITLE, "A"), (TIME, "2")]);
    same(
        chapters(&desk.record()),
        "1=A 2=".to_owned(),
        "a time alone",
    )?;
    desk.edit(&[(TIME, "3")]);
    same(chapters(&desk.record()), "3=".to_owned(), "no title at all")?;
    desk.edit(&[(TIME, "")]);
    same(
        chapters(&desk.record()),
        String::new(),
        "one empty time empties the list",
    )?;
    let mut strict = Desk::new(&[("edit.chapter_counts", "error")]);
    let due = "Chapter[title][] unequal_counts".to_owned();
    same(
        mistakes(&strict.edit(&[(TIME, "1"), (TIME, "2"), (TITLE, "A")])),
        due,
        "a time alone, by knob",
    )?;
    let mut short = Desk::new(&[("edit.chapter_counts", "shortest")]);
    short.edit(&[(TIME, "1"), (TIME, "x"), (TITLE, "A")]);
    same(
        chapters(&short.record()),
        "1=A".to_owned(),
        "surplus values, by knob",
    )
}
