//! The edit call, without sockets: a request goes in with a time, an answer comes out.
//!
//! A [`Service`] holds the records, the journal, the calls of the last second and the pending
//! faults. It reads no clock, file or socket: the caller turns bytes into an [`EditRequest`] and an
//! [`EditResponse`] into bytes. A [`Form`] has the names and values that the client sent. Its names
//! are read as PHP reads them, the fields that they mean are the table of
//! [`video`](playsim_api::video), and all mistakes of a call are found before anything is changed.
//!
//! ```
//! use playsim::catalog::{Catalog, VideoRecord};
//! use playsim::edit::{Form, Headers, EditRequest, Service, Setup};
//! use playsim::time::Time;
//!
//! let film = VideoRecord { id: "v1".into(), ..VideoRecord::default() };
//! let mut service = Service::new(Catalog::from_iter([film]), Setup::default());
//! let content_type = ("Content-Type", "multipart/form-data; boundary=x");
//! let headers = Headers::from_iter([content_type, ("User-Agent", "me")]);
//! let form = Form::from_iter([("data[Video][name]", "Big film")]);
//! let path = "/apiv3/video/edit/v1.json";
//! let request = EditRequest { method: "POST", path, headers: &headers, body: Ok(form) };
//! let answer = service.handle(Time::ZERO, request);
//! assert_eq!(answer.status, 200);
//! assert_eq!(&*service.catalog().get("v1").expect("it is there").name, "Big film");
//! ```
//!
//! Rules: EDIT-1 to EDIT-49, EDIT-63.

mod answer;
mod fault;
mod form;
mod gate;
mod journal;
mod lists;
mod names;
mod read;
mod route;
mod service;
mod sort;
mod verdict;

pub use answer::EditResponse;
pub use answer::{UNKNOWN_FIELDS, reason};
pub use fault::{FaultPlan, ServiceFault};
pub use form::{BodyError, BodyKind, Form, Headers};
pub use journal::{Diag, FieldError, Journal, JournalEntry};
pub use names::MAX_FIELDS;
pub use route::Route;
pub use route::{ROUTES, RouteRow};
pub use service::{Service, Setup};

/// A call as it arrived.
#[derive(Debug)]
pub struct EditRequest<'a> {
    /// The HTTP method, in capitals.
    pub method: &'a str,
    /// The path below the base URL as sent, with its leading slash; a query is ignored.
    pub path: &'a str,
    /// The header fields.
    pub headers: &'a Headers,
    /// The form, or why the body is not one. If the body's type is not that of a form, an empty
    /// form.
    pub body: Result<Form, BodyError>,
}
