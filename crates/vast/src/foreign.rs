//! Recognises responses other than VAST, and gives advice.
//!
//! Only the first bytes and the root element are checked. Bytes that are not UTF-8 arrive as
//! U+FFFD, so binary files are recognised by the rest of their magic numbers.

use super::clip;

/// A response other than VAST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Foreign {
    /// The kind of response, in words.
    pub(super) what: String,
    /// The advice.
    pub(super) advice: &'static str,
}

impl Foreign {
    /// Returns both as one sentence.
    pub(super) fn words(&self) -> String {
        format!("{}, not VAST; {}", self.what, self.advice)
    }
}

fn it_is(what: &str, advice: &'static str) -> Option<Foreign> {
    Some(Foreign {
        what: format!("this is {what}"),
        advice,
    })
}

/// Recognises input whose first bytes say that it is not XML.
pub(super) fn by_mark(text: &str) -> Option<Foreign> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        return None;
    }
    marked(text).or_else(|| json(text))
}

/// Recognises input that turned out not to be XML.
pub(super) fn of(text: &str) -> Option<Foreign> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    by_mark(text)
        .or_else(|| markup(text, None))
        .or_else(|| words(text))
}

/// Recognises a document by its root element.
pub(super) fn of_root(name: &str) -> Option<Foreign> {
    markup("<", Some(name))
}

const IMAGE: &str = "its URL belongs in a StaticResource; request the ad tag itself";
const VIDEO: &str = "its URL belongs in a MediaFile; request the ad tag itself";

/// Recognises files by their magic numbers.
fn marked(text: &str) -> Option<Foreign> {
    let begins = |mark: &str| text.starts_with(mark);
    let head: String = text.chars().take(32).collect();
    if begins("\u{1f}\u{fffd}") {
        return it_is(
            "a gzip file",
            "unpack it with gunzip, or request it with curl --compressed",
        );
    }
    if begins("PK\u{3}\u{4}") {
        return it_is("a ZIP archive", "unpack it");
    }
    if begins("%PDF-") {
        return it_is("a PDF file", "request the ad tag itself");
    }
    if begins("\u{fffd}PNG\r\n") {
        return it_is("a PNG image", IMAGE);
    }
    if begins("GIF87a") || begins("GIF89a") {
        return it_is("a GIF image", IMAGE);
    }
    // FF D8 FF and the next byte are not UTF-8.
    if begins("\u{fffd}\u{fffd}\u{fffd}") && (head.contains("JFIF") || head.contains("Exif")) {
        return it_is("a JPEG image", IMAGE);
    }
    if begins("RIFF") && head.contains("WEBP") {
        return it_is("a WebP image", IMAGE);
    }
    if head.chars().skip(4).take(4).eq("ftyp".chars()) {
        return it_is("an MP4 file", VIDEO);
    }
    if begins("\u{1a}E\u{7e3}") {
        // DF A3 happens to be valid UTF-8.
        return it_is("a WebM file", VIDEO);
    }
    if begins("#EXTM3U") {
        return it_is("an HLS playlist", VIDEO);
    }
    None
}

fn json(text: &str) -> Option<Foreign> {
    let after = text.strip_prefix(['{', '['])?.trim_start();
    let is_json = if text.starts_with('{') {
        after.starts_with(['"', '}'])
    } else {
        after.starts_with(['{', '[', '"', ']'])
    };
    if !is_json {
        return None;
    }
    let has = |word: &str| text.contains(word);
    if has("\"log\"") && has("\"entries\"") {
        return it_is(
            "an HTTP archive (HAR)",
            "save the body of the right response as a file",
        );
    }
    if has("<VAST") || has("\\u003cVAST") || has("\\u003CVAST") {
        let advice = "it contains a VAST document in a string, such as the \"adm\" of a bid; save that string as a file";
        return it_is("JSON", advice);
    }
    it_is("JSON", "request VAST from the ad server")
}

/// Recognises other markup by its root element or, if it is not XML, by its beginning.
fn markup(text: &str, root: Option<&str>) -> Option<Foreign> {
    if !text.starts_with('<') {
        return None;
    }
    let begin: String = after_prolog(text)
        .chars()
        .take(16)
        .collect::<String>()
        .to_ascii_lowercase();
    let first = begin.strip_prefix('<').unwrap_or_default();
    let first = first
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    let root = root.map_or_else(|| first.to_owned(), str::to_ascii_lowercase);
    const HTML: &[&str] = &[
        "html", "head", "body", "title", "meta", "script", "div", "p", "h1", "iframe", "center",
        "img",
    ];
    match root.as_str() {
        _ if begin.starts_with("<!doctype html") => page(),
        root if HTML.contains(&root) => page(),
        "mpd" => it_is("a DASH manifest", VIDEO),
        "smoothstreamingmedia" => it_is("a Smooth Streaming manifest", VIDEO),
        "svg" => it_is("an SVG image", IMAGE),
        "rss" | "feed" => it_is("a feed", "request VAST from the ad server"),
        _ => None,
    }
}

fn page() -> Option<Foreign> {
    it_is(
        "an HTML page",
        "open the URL in a browser to see what it says: often an error, a login or a consent dialog",
    )
}

/// Returns the rest after the declaration and comments.
fn after_prolog(text: &str) -> &str {
    let mut rest = text;
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else {
            return rest;
        };
        let Some((_, after)) = rest.split_once(end) else {
            return rest;
        };
        rest = after.trim_start();
    }
}

fn words(text: &str) -> Option<Foreign> {
    if text.starts_with('<') || text.contains("<VAST") || text.contains("VMAP") {
        return None;
    }
    if text.starts_with("HTTP/") {
        return it_is(
            "a recorded HTTP response",
            "use playsim waterfall to read it, or save only its body",
        );
    }
    if text.starts_with("&lt;") {
        return it_is(
            "a document whose tags are escaped",
            "write \"<\" for \"&lt;\" and \">\" for \"&gt;\"",
        );
    }
    let is_one_word = !text.trim_end().contains(char::is_whitespace);
    if is_one_word
        && ["https://", "http://", "//"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    {
        return it_is("a URL", "save its response: curl -s URL -o tag.xml");
    }
    let is_binary =
        |letter: char| letter == '\u{fffd}' || (letter.is_control() && !letter.is_whitespace());
    if text.chars().take(64).any(is_binary) {
        return it_is("a binary file", "request the ad tag itself");
    }
    if [
        "(function",
        "!function",
        "function ",
        "var ",
        "window.",
        "document.",
    ]
    .iter()
    .any(|it| text.starts_with(it))
    {
        return it_is("JavaScript", "request VAST from the ad server");
    }
    (!text.is_empty()).then(|| Foreign {
        what: format!("this is plain text (\"{}\")", clip(text)),
        advice: "a response begins with an element such as \"<VAST>\"",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let document = crate::read(&text);
        let fault = document.fault.expect("it is not VAST");
        assert!(fault.code == 100 || fault.code == 101, "{}", fault.code);
        fault.text.to_string()
    }

    #[test]
    fn other_kinds_of_responses_are_named() {
        for (bytes, what) in [
            (
                b"<!DOCTYPE html><html><head><meta charset=utf-8></head></html>".as_slice(),
                "an HTML page",
            ),
            (b"<html><body>Not found</body></html>", "an HTML page"),
            (
                b"<?xml version='1.0'?>\n<!-- x --><html xmlns='x'/>",
                "an HTML page",
            ),
            (b"<script>alert(1)</script", "an HTML page"),
            (b"{\"error\": \"no ad\"}", "JSON"),
            (b"[]", "JSON"),
            (
                b"{\"seatbid\":[{\"bid\":[{\"adm\":\"<VAST version='3.0'></VAST>\"}]}]}",
                "contains a VAST document",
            ),
            (
                b"\xef\xbb\xbf {\"log\": {\"entries\": []}}",
                "an HTTP archive (HAR)",
            ),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "a gzip file"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
            (b"GIF89a\x01\0\x01\0", "a GIF image"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG image"),
            (b"\xff\xd8\xff\xe1\0\x10Exif\0", "a JPEG image"),
            (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP image"),
            (b"\0\0\0\x18ftypmp42", "an MP4 file"),
            (b"\x1a\x45\xdf\xa3\x01", "a WebM file"),
            (b"#EXTM3U\n#EXT-X-VERSION:3\n", "an HLS playlist"),
            (
                b"<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'/>",
                "a DASH manifest",
            ),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG image"),
            (b"no ad today", "plain text (\"no ad today\")"),
            (b"https://ads.test/tag?x=1\n", "a URL"),
            (b"HTTP/1.1 200 OK\r\n\r\nx", "a recorded HTTP response"),
            (b"&lt;VAST version=\"3.0\"/&gt;", "tags are escaped"),
            (b"\0\x01\x02\xfe", "a binary file"),
            (b"var x = 1;", "JavaScript"),
        ] {
            let found = named(bytes);
            assert!(found.contains(what), "{what}: {found}");
        }
    }

    #[test]
    fn a_document_that_is_too_large_is_reported() {
        let text = " ".repeat(crate::MAX_BYTES + 1);
        assert!(
            crate::read(&text)
                .fault
                .expect("it is refused")
                .text
                .starts_with("the document is too large")
        );
    }

    #[test]
    fn vast_is_not_recognised_as_something_else() {
        for text in [
            "<VAST version='3.0'/>",
            "note <VAST version='3.0'/>",
            "<vmap:VMAP version='1.0'/>",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(of_root("VAST"), None);
    }
}
