//! The edit call, without sockets: a request goes in with a time, an answer comes out.
//!
//! A [`Service`] holds the records and what calls leave behind: the journal, the calls of the last second,
//! the faults that wait. It reads no clock, file or socket; whoever has one turns bytes into a [`Request`]
//! and an [`Answer`] into bytes. A form is what its client sent, name by name ([`Form`]); its names are read
//! as PHP reads them, what they mean stands in the table of [`catalog`](crate::catalog), and all mistakes of
//! a call are found before anything is changed.
//!
//! ```
//! use playsim::catalog::{Catalog, Record};
//! use playsim::edit::{Form, Headers, Request, Service, Setup};
//! use playsim::time::Time;
//!
//! let film = Record { id: "v1".into(), ..Record::default() };
//! let mut service = Service::new(Catalog::from_iter([film]), Setup::default());
//! let headers = Headers::from_iter([("Content-Type", "multipart/form-data; boundary=x"), ("User-Agent", "me")]);
//! let form = Form::from_iter([("data[Video][name]", "Big film")]);
//! let request = Request { method: "POST", path: "/apiv3/video/edit/v1.json", headers: &headers, body: Ok(form) };
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

pub use answer::{Answer, reason};
pub use fault::{FaultPlan, ServiceFault};
pub use form::{BodyError, BodyKind, Form, Headers};
pub use journal::{Diag, Entry, FieldError, Journal};
pub use names::{MAX_FIELDS, MAX_LEVELS};
pub use route::{ROUTES, Route, RouteRow};
pub use service::{Service, Setup};

/// A call as it came in.
#[derive(Debug)]
pub struct Request<'a> {
    /// The HTTP method, in capitals.
    pub method: &'a str,
    /// The path below the base address, with its leading slash and as it was sent; a query does not count.
    pub path: &'a str,
    /// The header fields.
    pub headers: &'a Headers,
    /// The form, or why the body is none. For a body that is no form by its type, an empty form.
    pub body: Result<Form, BodyError>,
}
