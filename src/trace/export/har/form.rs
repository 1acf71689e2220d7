//! HTTP Archive 1.2 as far as it is filled here; the order of fields is that of the document.
//!
//! Rule TRACE-8.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::trace::export::left_out::LeftOut;

/// The form's number for what is not known.
pub(super) const NOT_KNOWN: i64 = -1;
/// What browsers write for what is not known in words.
pub(super) const UNKNOWN: &str = "unknown";

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) log: Log,
}

#[derive(Serialize)]
pub(super) struct Log {
    pub(super) version: &'static str,
    pub(super) creator: Creator,
    pub(super) pages: Vec<Page>,
    pub(super) entries: Vec<Entry>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) comment: String,
    #[serde(rename = "_playsim")]
    pub(super) frame: Frame,
}

#[derive(Serialize)]
pub(super) struct Creator {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

#[derive(Serialize)]
pub(super) struct Frame {
    pub(super) header: Option<Box<RawValue>>,
    pub(super) outcome: Option<String>,
    pub(super) outcome_data: Option<Box<RawValue>>,
    pub(super) left_out: LeftOut,
}

/// An object without fields: page loads and caches are not simulated.
#[derive(Serialize)]
pub(super) struct NotTimed {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    pub(super) started_date_time: String,
    pub(super) id: &'static str,
    pub(super) title: String,
    pub(super) page_timings: NotTimed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub(super) pageref: &'static str,
    pub(super) started_date_time: String,
    pub(super) time: Box<RawValue>,
    pub(super) request: Request,
    pub(super) response: Response,
    pub(super) cache: NotTimed,
    pub(super) timings: Timings,
    #[serde(rename = "_resourceType")]
    pub(super) resource_type: &'static str,
    #[serde(rename = "_playsim")]
    pub(super) notes: Notes,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) url: String,
    pub(super) http_version: &'static str,
    pub(super) cookies: [(); 0],
    pub(super) headers: [(); 0],
    pub(super) query_string: Vec<Parameter>,
    pub(super) headers_size: i64,
    pub(super) body_size: i64,
}

#[derive(Serialize)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    pub(super) status: i64,
    pub(super) status_text: &'static str,
    pub(super) http_version: &'static str,
    pub(super) cookies: [(); 0],
    pub(super) headers: [(); 0],
    pub(super) content: Content,
    #[serde(rename = "redirectURL")]
    pub(super) redirect_url: &'static str,
    pub(super) headers_size: i64,
    pub(super) body_size: i64,
    #[serde(rename = "_error", skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<&'static str>,
}

impl Response {
    pub(super) fn new(status: i64, bytes: i64) -> Response {
        Response {
            status,
            status_text: "",
            http_version: UNKNOWN,
            cookies: [],
            headers: [],
            content: Content { size: bytes, mime_type: "x-unknown" },
            redirect_url: "",
            headers_size: NOT_KNOWN,
            body_size: bytes,
            error: None,
            comment: None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    pub(super) size: i64,
    pub(super) mime_type: &'static str,
}

#[derive(Serialize)]
pub(super) struct Timings {
    pub(super) send: u64,
    pub(super) wait: Box<RawValue>,
    pub(super) receive: u64,
}

/// What the form has no field for; numbers of lines are those of JSON lines.
#[derive(Serialize, Default)]
pub(super) struct Notes {
    pub(super) outcome: String,
    pub(super) t: u64,
    pub(super) seq: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) player: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) purpose: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beacon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ad: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hop: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pod: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) redirects: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer_rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) late: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) late_t: Option<u64>,
}
