//! `data:` URLs, which are their own responses.
//!
//! Decoded as a browser's `fetch()` and `XMLHttpRequest` do, by the crate `data-url`. A body is
//! read as UTF-8, as `Response.text()` reads it.
//!
//! Rule: REQ-20; Fetch standard, `data:` URL processor.

use std::sync::Arc;

use data_url::DataUrl;
use playsim_api::NetworkFault;

use super::ScriptedAnswer;

/// Whether this is a `data:` URL.
#[must_use]
pub fn is_data_url(url: &str) -> bool {
    url.get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Returns the body of a `data:` URL; `None` if it cannot be decoded: it has no comma, or its
/// base64 is not valid.
#[must_use]
pub fn data_url_body(url: &str) -> Option<Arc<str>> {
    let (body, _) = DataUrl::process(url).ok()?.decode_to_vec().ok()?;
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body);
    Some(String::from_utf8_lossy(body).into())
}

/// Returns the response of a `data:` URL. Its name in messages is the URL without its data.
pub(super) fn answer(url: &str) -> ScriptedAnswer {
    /// The most of a URL that is shown in its place.
    const LONGEST: usize = 60;
    let head = url.split(',').next().unwrap_or_default();
    let end = head
        .char_indices()
        .nth(LONGEST)
        .map_or(head.len(), |it| it.0);
    match data_url_body(url) {
        Some(text) => ScriptedAnswer::Body {
            status: 200,
            name: head[..end].into(),
            text,
        },
        None => ScriptedAnswer::Fails(NetworkFault::Refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_decoded_as_browsers_do() {
        let body = |url: &str| data_url_body(url).map(|body| body.to_string());
        for (url, due) in [
            ("data:,a%20b", Some("a b")),
            ("DATA:text/xml,<VAST/>", Some("<VAST/>")),
            (
                "data:text/xml;charset=utf-8;base64,PFZBU1QvPg==",
                Some("<VAST/>"),
            ),
            ("data:text/xml;base64,PFZBU1Qv%50g%3D%3D", Some("<VAST/>")),
            ("data:text/xml;base64,PFZB U1Qv\nPg", Some("<VAST/>")),
            ("data:text/xml; BASE64 ,PFZBU1QvPg", Some("<VAST/>")),
            ("data:text/xml,%3CVAST%2F%3E#fragment", Some("<VAST/>")),
            ("data:text/xml,<a b='\u{e9}'/>", Some("<a b='\u{e9}'/>")),
            ("data:,%EF%BB%BFx", Some("x")),
            ("data:,%FF", Some("\u{fffd}")),
            ("data:,100%", Some("100%")),
            ("data:", None),
            ("data:text/xml", None),
            ("data:;base64,a", None),
            ("data:;base64,=", None),
            ("data:;base64,a!bc", None),
        ] {
            assert_eq!(body(url).as_deref(), due, "{url}");
        }
    }

    #[test]
    fn only_the_scheme_makes_a_data_url() {
        assert!(is_data_url("data:,") && is_data_url("Data:x"));
        assert!(!is_data_url("data") && !is_data_url("datum:,") && !is_data_url("https://data:,"));
    }
}
