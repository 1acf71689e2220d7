//! Every field of a record in all four places where it is written: a form of the edit call, a
//! record as JSON, `videos` of a scenario, and a video object of page code.

use playsim_api::catalog::{Catalog, VideoRecord};
use playsim_api::video::{Field, fields};
use playsim_api::{Fields, Value};
use playsim_base::time::Time;
use playsim_player::inline_record;
use playsim_scenario::edit::{EditRequest, Form, Headers, Route, Service, Setup};
use playsim_scenario::{self as scenario, Scenario};

/// The record of a video after an edit call that sends one field.
fn edited(field: &Field, text: &str) -> VideoRecord {
    let mut service = Service::new(
        Catalog::from_iter([VideoRecord {
            id: "v1".into(),
            ..VideoRecord::default()
        }]),
        Setup::default(),
    );
    let headers = Headers::from_iter([
        ("Content-Type", "multipart/form-data; boundary=x"),
        ("User-Agent", "me"),
    ]);
    let name = &field.form_names(true)[0];
    let mut form = Form::from_iter([(name.as_str(), text)]);
    if let [_, (second, example)] = field.kind.lists {
        form.push(
            field.form_name(field.form[0], true) + &format!("[{second}][]"),
            *example,
        );
    }
    let path = Route::V3.path("v1");
    let answer = service.handle(
        Time::ZERO,
        EditRequest {
            method: "POST",
            path: &path,
            headers: &headers,
            body: Ok(form),
        },
    );
    assert_eq!(answer.status, 200, "{}: {}", field.name, answer.body);
    VideoRecord::clone(service.catalog().get("v1").expect("it is kept"))
}

fn scenario(text: &str) -> Scenario {
    scenario::read("a.json", text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_field_is_known_wherever_it_is_written() {
    for field in fields() {
        let words = if field.kind.words.is_empty() {
            &[field.example]
        } else {
            field.kind.words
        };
        for text in words {
            let due = edited(field, text);
            let value = field.get(&due);
            // JSON that is written is read back.
            let json = serde_json::to_value(&due).expect("a record is JSON");
            assert_eq!(
                json[field.name],
                serde_json::to_value(&value).expect("it is JSON"),
                "{}",
                field.name
            );
            assert_eq!(
                VideoRecord::read(&json).as_ref(),
                Ok(&due),
                "{}",
                field.name
            );
            // A scenario reads the value, and writes and describes it.
            let video =
                serde_json::json!({ "videos": [{ "id": "v1", field.name: json[field.name] }] });
            let read = scenario(&video.to_string());
            assert_eq!(read.videos[0].video.record, due, "{}", field.name);
            let again = scenario(&read.to_json());
            assert_eq!(again.videos[0].video.record, due, "{}", field.name);
            assert_eq!(
                scenario::schema()["$defs"]["video"]["properties"][field.name]["description"],
                field.about
            );
            // Page code writes the same value.
            let object = Fields::one("src", "film.mp4")
                .with("id", "v1")
                .with(field.name, Value::clone(&value));
            assert_eq!(
                inline_record(&object).as_ref(),
                Some(&due),
                "{}",
                field.name
            );
        }
    }
}
