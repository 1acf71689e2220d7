//! Fuzz targets for the edit call: its body, and the values of its fields.

use playsim_api::catalog::{Catalog, ValueSource, VideoRecord, fields as all_fields};
use playsim_base::time::Time;
use playsim_rules::knobs::{KnobReader, Knobs};
use playsim_scenario::edit::{BodyError, EditRequest, Form, Headers, Service, Setup};
use playsim_server::form::{Bytes, multipart};
use playsim_server::records::{read, stored, write};

/// Reads any bytes as the body of an edit, as multipart and as a URL-encoded form. A refused edit
/// changes nothing; a successful one leaves a record that reads back unchanged.
///
/// # Panics
///
/// If that does not hold.
pub fn form(bytes: &[u8]) {
    handle(
        multipart(Some("b"), Bytes::copy_from_slice(bytes)),
        "multipart/form-data; boundary=b",
    );
    handle(Form::urlencoded(bytes), "application/x-www-form-urlencoded");
}

fn handle(body: Result<Form, BodyError>, content_type: &str) {
    let film = VideoRecord {
        id: "v1".into(),
        ..VideoRecord::default()
    };
    let mut service = Service::new(Catalog::from_iter([film.clone()]), Setup::default());
    let headers = Headers::from_iter([("Content-Type", content_type), ("User-Agent", "fuzz")]);
    let request = EditRequest {
        method: "POST",
        path: "/apiv3/video/edit/v1.json",
        headers: &headers,
        body,
    };
    let status = service.handle(Time::ZERO, request).status;
    let record = service
        .catalog()
        .get("v1")
        .expect("no edit removes a record");
    if status == 200 {
        let again =
            read(&format!("[{}]", stored(record))).expect("a record that was kept is valid");
        assert_eq!(
            again.get("v1"),
            Some(record),
            "the record reads back otherwise"
        );
    } else {
        assert_eq!(
            **record, film,
            "an edit with the status {status} changes the record"
        );
    }
}

/// Reads any text as the value of each field, and as a list of records. Valid records are written
/// and read back unchanged.
///
/// # Panics
///
/// If they read back otherwise.
pub fn fields(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut lenient = Knobs::default();
    for (name, value) in [
        ("edit.date_digits", "lenient"),
        ("edit.empty_integer", "unset"),
        ("edit.geo_list", "any_two_letters"),
    ] {
        lenient
            .set(name, value)
            .expect("there is such a knob, and it takes this value");
    }
    for knobs in [Knobs::default(), lenient].map(KnobReader::from) {
        let source = ValueSource::Call {
            knobs: &knobs,
            channels: Some(&[7]),
        };
        for field in all_fields() {
            let _ = field.kind.read(text, source);
        }
    }
    if let Ok(catalog) = read(text) {
        let written = write(&catalog);
        assert_eq!(
            read(&written),
            Ok(catalog),
            "the records read back otherwise: {written}"
        );
    }
}
