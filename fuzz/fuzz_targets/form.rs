//! Any bytes as the body of an edit: parsed as multipart and as a URL-encoded form, and handled.
//!
//! `cargo +nightly fuzz run form`

#![no_main]

use libfuzzer_sys::fuzz_target;
use playsim::catalog::{Catalog, VideoRecord};
use playsim::edit::{BodyError, Form, Headers, EditRequest, Service, Setup};
use playsim::internal::serve::{Bytes, multipart};
use playsim::time::Time;

fuzz_target!(|bytes: &[u8]| {
    handled(multipart(Some("b"), Bytes::copy_from_slice(bytes)), "multipart/form-data; boundary=b");
    handled(Form::urlencoded(bytes), "application/x-www-form-urlencoded");
});

/// A refused edit changes nothing; a successful one leaves a record that can be read back.
fn handled(body: Result<Form, BodyError>, content_type: &str) {
    let film = VideoRecord { id: "v1".into(), ..VideoRecord::default() };
    let mut service = Service::new(Catalog::from_iter([film.clone()]), Setup::default());
    let headers = Headers::from_iter([("Content-Type", content_type), ("User-Agent", "fuzz")]);
    let request = EditRequest { method: "POST", path: "/apiv3/video/edit/v1.json", headers: &headers, body };
    let status = service.handle(Time::ZERO, request).status;
    let record = service.catalog().get("v1").expect("no edit removes a record");
    if status == 200 {
        let json = playsim::internal::serve::stored(record);
        let read = playsim::internal::serve::read_records(&format!("[{json}]")).expect("a record that was kept is valid");
        assert_eq!(read.get("v1"), Some(record));
    } else {
        assert_eq!(**record, film);
    }
}
