//! The edit call in this process: a service with one record, and calls to it.

use playsim::catalog::{Catalog, VideoRecord};
use playsim::edit::{EditRequest, EditResponse, Form, Headers, Service, Setup};
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
        Desk::of(
            VideoRecord {
                id: "007".into(),
                ..VideoRecord::default()
            },
            knobs,
        )
    }

    pub(super) fn of(record: VideoRecord, knobs: &[(&str, &str)]) -> Desk {
        let mut set = Knobs::default();
        for (name, value) in knobs {
            set.set(name, value)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        let setup = Setup {
            knobs: set.into(),
            channels: Some(vec![7].into()),
            token: Some("secret".into()),
        };
        let headers = Headers::from_iter([("content-type", MULTIPART), ("user-agent", "test")]);
        Desk {
            service: Service::new(Catalog::from_iter([record]), setup),
            now: Time::ZERO,
            headers,
        }
    }

    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> EditResponse {
        let body = Ok(fields.iter().copied().collect::<Form>());
        let headers = self.headers.clone();
        self.service.handle(
            self.now,
            EditRequest {
                method,
                path,
                headers: &headers,
                body,
            },
        )
    }

    /// An edit by the main route.
    pub(super) fn edit(&mut self, fields: &[(&str, &str)]) -> EditResponse {
        self.ask("POST", "/apiv3/video/edit/007.json", fields)
    }

    pub(super) fn with_headers(&mut self, headers: &[(&str, &str)]) -> EditResponse {
        let headers: Headers = headers.iter().copied().collect();
        let path = "/apiv3/video/edit/007.json";
        let request = EditRequest {
            method: "POST",
            path,
            headers: &headers,
            body: Ok(Form::new()),
        };
        self.service.handle(self.now, request)
    }

    pub(super) fn record(&self) -> VideoRecord {
        (**self
            .service
            .catalog()
            .get("007")
            .expect("the record remains"))
        .clone()
    }
}

/// The errors of a response: fields and codes.
pub(super) fn mistakes(answer: &EditResponse) -> String {
    let errors = answer
        .entry
        .errors
        .iter()
        .map(|error| format!("{} {}", error.field, error.code));
    errors.collect::<Vec<_>>().join(", ")
}

pub(super) fn codes(answer: &EditResponse) -> Vec<&str> {
    answer
        .entry
        .diags
        .iter()
        .map(|diag| diag.code.name())
        .collect()
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(
    is: T,
    due: T,
    what: &str,
) -> Result<(), String> {
    if is == due {
        Ok(())
    } else {
        Err(format!("{what}: it is {is:?}, expected {due:?}"))
    }
}

pub(super) fn header<'a>(answer: &'a EditResponse, name: &str) -> Option<&'a str> {
    answer
        .headers
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.as_str())
}

pub(super) fn json(answer: &EditResponse) -> Json {
    serde_json::from_str(&answer.body).unwrap_or(Json::Null)
}
