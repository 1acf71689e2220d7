//! The bodies of responses, and their types.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::field;
use super::form::{Body, NO_MIME};
use crate::Trace;
use playsim_api::{Kind, NetLine};

/// Returns the bodies of documents, by the line that requested each: a request, or a redirect to
/// the next URL.
pub(super) fn bodies(
    trace: &Trace,
    next: &mut dyn FnMut(&str) -> Option<Arc<str>>,
) -> BTreeMap<u32, Arc<str>> {
    let mut bodies = BTreeMap::new();
    for line in trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Net)
    {
        let is_document = || !matches!(&*field(line, "purpose"), "media" | "record");
        let key = match NetLine::from_name(&line.name) {
            Some(NetLine::Request) if is_document() => "url",
            Some(NetLine::Redirect) => "to",
            Some(_) | None => continue,
        };
        if let Some(body) = next(&field(line, key)) {
            bodies.insert(line.seq, body);
        }
    }
    bodies
}

/// Returns a document as the server sent it.
pub(super) fn document(url: &str, text: &str) -> Body {
    Body {
        mime: mime_of_text(text)
            .or_else(|| mime_of_name(url))
            .unwrap_or("text/plain"),
        ..Body::default()
    }
    .with(text)
}

/// Returns the body of a media file: only its type, which follows from its name.
pub(super) fn media(url: &str, status: i64) -> Body {
    if status != 200 {
        return Body::default();
    }
    let mime = mime_of_name(url).unwrap_or(NO_MIME);
    Body {
        mime,
        text: None,
        comment: Some("the bytes of media are not simulated"),
    }
}

/// Returns the record of a video.
pub(super) fn record(status: i64) -> Body {
    if status != 200 {
        return Body::default();
    }
    Body {
        mime: "application/json",
        text: None,
        comment: Some("the format of records is not simulated"),
    }
}

impl Body {
    fn with(self, text: &str) -> Body {
        let mime = if text.is_empty() { NO_MIME } else { self.mime };
        Body {
            mime,
            text: Some(text.to_owned()),
            ..self
        }
    }
}

/// Returns the type of a body from its beginning.
fn mime_of_text(text: &str) -> Option<&'static str> {
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let is = |word: &str| {
        begin
            .get(..word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    };
    if is("<!doctype html") || is("<html") {
        Some("text/html")
    } else if is("<") {
        Some("application/xml")
    } else if is("{") || is("[") {
        Some("application/json")
    } else if is("#EXTM3U") {
        Some("application/vnd.apple.mpegurl")
    } else {
        None
    }
}

/// Returns the type of a file from the extension in its URL.
fn mime_of_name(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match &*ending.to_ascii_lowercase() {
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        "ogv" | "ogg" => "video/ogg",
        "mov" => "video/quicktime",
        "3gp" => "video/3gpp",
        "flv" => "video/x-flv",
        "ts" => "video/mp2t",
        "m3u8" => "application/vnd.apple.mpegurl",
        "mpd" => "application/dash+xml",
        "mp3" => "audio/mpeg",
        "m4a" | "aac" => "audio/mp4",
        "swf" => "application/x-shockwave-flash",
        "js" => "text/javascript",
        "html" | "htm" => "text/html",
        "xml" | "vast" | "vmap" => "application/xml",
        "json" => "application/json",
        "txt" => "text/plain",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_a_type_by_its_content_and_a_file_by_its_name() {
        assert_eq!(
            document("https://a.test/x", "\u{feff} <VAST/>").mime,
            "application/xml"
        );
        assert_eq!(
            document("https://a.test/x.xml", "<!DOCTYPE HTML><p>").mime,
            "text/html"
        );
        assert_eq!(
            document("https://a.test/x.json", "not json").mime,
            "application/json"
        );
        assert_eq!(
            document("https://a.test/x", "nothing known").mime,
            "text/plain"
        );
        let empty = document("https://a.test/x.xml", "");
        assert_eq!((empty.mime, empty.text.as_deref()), (NO_MIME, Some("")));
        assert_eq!(media("film.MP4?x=a.js", 200).mime, "video/mp4");
        assert_eq!(media("film", 200).mime, NO_MIME);
        assert_eq!(media("film.mp4", 404).mime, NO_MIME);
    }
}
