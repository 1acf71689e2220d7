//! The edit call in this process: a service with one record, and calls to it.

use playsim::catalog::{Catalog, Record};
use playsim::edit::{Answer, Form, Headers, Request, Service, Setup};
use playsim::knobs::Knobs;
use playsim::time::Time;
use serde_json::Value as Json;

/// A service with one record, and calls to it.
pub(super) struct Desk {
    pub(super) service: Service,
    pub(super) now: Time,
    pub(super) headers: Headers,
}

pub(super) const MULTIPART: &str = "multipart/form-data; boundary=x";

impl Desk {
    pub(super) fn new(knobs: &[(&str, &str)]) -> Desk {
        Desk::of(Record { id: "007".into(), ..Record::default() }, knobs)
    }

    pub(super) fn of(record: Record, knobs: &[(&str, &str)]) -> Desk {
        let mut set = Knobs::default();
        for (name, value) in knobs {
            set.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        }
        let setup = Setup { knobs: set.into(), channels: Some(vec![7].into()), token: Some("secret".into()) };
        let headers = Headers::from_iter([("content-type", MULTIPART), ("user-agent", "test")]);
        Desk { service: Service::new(Catalog::from_iter([record]), setup), now: Time::ZERO, headers }
    }

    pub(super) fn ask(&mut self, method: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = Ok(fields.iter().copied().collect::<Form>());
        let headers = self.headers.clone();
        self.service.handle(self.now, Request { method, path, headers: &headers, body })
    }

    /// An edit by the main route.
    pub(super) fn edit(&mut self, fields: &[(&str, &str)]) -> Answer {
        self.ask("POST", "/apiv3/video/edit/007.json", fields)
    }

    pub(super) fn with_headers(&mut self, headers: &[(&str, &str)]) -> Answer {
        let headers: Headers = headers.iter().copied().collect();
        let path = "/apiv3/video/edit/007.json";
        let request = Request { method: "POST", path, headers: &headers, body: Ok(Form::new()) };
        self.service.handle(self.now, request)
    }

    pub(super) fn record(&self) -> Record {
        (**self.service.catalog().get("007").expect("the record remains")).clone()
    }
}

/// The errors of a response: fields and codes.
pub(super) fn mistakes(answer: &Answer) -> String {
    let errors = answer.entry.errors.iter().map(|error| format!("{} {}", error.field, error.code));
    errors.collect::<Vec<_>>().join(", ")
}

pub(super) fn codes(answer: &Answer) -> Vec<&str> {
    answer.entry.diags.iter().map(|diag| diag.code.name()).collect()
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(is: T, due: T, what: &str) -> Result<(), String> {
    if is == due { Ok(()) } else { Err(format!("{what}: it is {is:?}, expected {due:?}")) }
}

pub(super) fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

pub(super) fn json(answer: &Answer) -> Json {
    serde_json::from_str(&answer.body).unwrap_or(Json::Null)
}
