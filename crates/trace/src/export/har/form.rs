//! The parts of HTTP Archive 1.2 that are used here; the fields are in the order of the document.
//!
//! Rule TRACE-8.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::export::left_out::LeftOutLines;

/// The number that the form uses for an unknown value.
pub(super) const NOT_KNOWN: i64 = -1;
/// The word that browsers write for an unknown value.
pub(super) const UNKNOWN: &str = "unknown";

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) log: Log,
}

#[derive(Serialize)]
pub(super) struct Log {
    pub(super) version: &'static str,
    pub(super) creator: Creator,
    pub(super) pages: Vec<HarPage>,
    pub(super) entries: Vec<HarEntry>,
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
    pub(super) left_out: LeftOutLines,
}

/// An object without fields, because page loads and caches are not simulated.
#[derive(Serialize)]
pub(super) struct NotTimed {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HarPage {
    pub(super) started_date_time: String,
    pub(super) id: &'static str,
    pub(super) title: String,
    pub(super) page_timings: NotTimed,
    #[serde(rename = "_url")]
    pub(super) url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HarEntry {
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
    pub(super) headers: Vec<Parameter>,
    pub(super) content: Content,
    #[serde(rename = "redirectURL")]
    pub(super) redirect_url: String,
    pub(super) headers_size: i64,
    pub(super) body_size: i64,
    #[serde(rename = "_error", skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<&'static str>,
}

impl Response {
    /// Returns a response of this status, with or without a body.
    pub(super) fn new(status: i64, body: Body) -> Response {
        let Body {
            mime,
            text,
            comment,
        } = body;
        let bytes = text
            .as_ref()
            .map(|text| i64::try_from(text.len()).unwrap_or(i64::MAX));
        let mut headers = Vec::new();
        if mime != NO_MIME {
            headers.push(Parameter {
                name: "content-type".to_owned(),
                value: mime.to_owned(),
            });
        }
        Response {
            status,
            status_text: reason(status),
            http_version: UNKNOWN,
            cookies: [],
            headers,
            content: Content {
                size: bytes.unwrap_or(0),
                mime_type: mime,
                text,
                file: None,
            },
            redirect_url: String::new(),
            headers_size: NOT_KNOWN,
            body_size: bytes.unwrap_or(NOT_KNOWN),
            error: None,
            comment,
        }
    }

    /// Returns the entry of a request that failed without a response, in the form that browsers
    /// export.
    pub(super) fn failed(why: String) -> Response {
        let mut response = Response::new(0, Body::default());
        response.content.file = Some("no-answer");
        Response {
            error: Some(why),
            ..response
        }
    }

    /// Returns a redirect to another URL.
    pub(super) fn redirect(status: i64, to: String) -> Response {
        let mut response = Response::new(status, Body::default());
        response.headers.push(Parameter {
            name: "location".to_owned(),
            value: to.clone(),
        });
        Response {
            redirect_url: to,
            body_size: 0,
            ..response
        }
    }
}

/// The body of a response.
pub(super) struct Body {
    pub(super) mime: &'static str,
    /// The text; `None` if it is not simulated.
    pub(super) text: Option<String>,
    /// The missing part, with the reason.
    pub(super) comment: Option<&'static str>,
}

impl Default for Body {
    /// Returns an empty body.
    fn default() -> Body {
        Body {
            mime: NO_MIME,
            text: None,
            comment: None,
        }
    }
}

/// The type that browsers write for a body without one.
pub(super) const NO_MIME: &str = "x-unknown";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    pub(super) size: i64,
    pub(super) mime_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The file with the body, which Playwright reads. It treats status 0 as 200; a missing file
    /// makes the request fail in a replay, as it did in the run.
    #[serde(rename = "_file", skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<&'static str>,
}

/// Returns the reason phrase of a status, RFC 9110 section 15; empty for an unregistered one.
fn reason(status: i64) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        103 => "Early Hints",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        205 => "Reset Content",
        206 => "Partial Content",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        305 => "Use Proxy",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        407 => "Proxy Authentication Required",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        416 => "Range Not Satisfiable",
        417 => "Expectation Failed",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        425 => "Too Early",
        426 => "Upgrade Required",
        428 => "Precondition Required",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        511 => "Network Authentication Required",
        _ => "",
    }
}

#[derive(Serialize)]
pub(super) struct Timings {
    pub(super) send: u64,
    pub(super) wait: Box<RawValue>,
    pub(super) receive: u64,
}

/// Data without a field in the form; line numbers are those of JSON lines.
#[derive(Serialize, Default)]
pub(super) struct Notes {
    pub(super) outcome: String,
    pub(super) t: u64,
    pub(super) seq: u32,
    /// The URL as the player requested it, if a browser writes it differently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
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
    #[serde(rename = "break", skip_serializing_if = "Option::is_none")]
    pub(super) in_break: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<u32>,
    /// The line that redirected the request, with which the next entry begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) redirect: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer_rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) late: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) late_t: Option<u64>,
}
