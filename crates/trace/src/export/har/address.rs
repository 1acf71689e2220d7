//! URLs as a browser requests them: absolute, and serialised as in the URL Standard.
//!
//! A replay compares the URLs of an archive character by character with those of a browser. Only
//! what occurs in URLs of ads and media is implemented: non-ASCII hosts stay percent-encoded, and
//! numbers are not parsed as IPv4.
//!
//! Source: URL Standard, sections 3.5, 4.4 and 4.5.

use std::fmt::Write;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use playsim_base::escape::RESERVED;

/// Returns the URL that a page at `page` requests when a script says `written`. One that no browser
/// can request gets the prefix `invalid:`, so that it is still a URL.
pub(super) fn absolute(page: &str, written: &str) -> String {
    let trimmed = written.trim_matches(|letter| letter <= ' ');
    let text: String = trimmed
        .chars()
        .filter(|letter| !matches!(letter, '\t' | '\n' | '\r'))
        .collect();
    resolved(page, &text).unwrap_or_else(|| format!("invalid:{}", encoded(written, RESERVED)))
}

fn resolved(page: &str, text: &str) -> Option<String> {
    let text = text.split('#').next().unwrap_or_default();
    let (head, query) = text
        .split_once('?')
        .map_or((text, None), |(head, query)| (head, Some(query)));
    let (own_scheme, rest) =
        scheme_of(head).map_or((None, head), |(scheme, rest)| (Some(scheme), rest));
    if let Some(scheme) = own_scheme.as_deref().filter(|scheme| !is_special(scheme)) {
        let query = query.map_or_else(String::new, |query| format!("?{query}"));
        return Some(format!(
            "{scheme}:{}{}",
            encoded(rest, IN_OPAQUE),
            encoded(&query, IN_OPAQUE)
        ));
    }
    let rest = rest.replace('\\', "/");
    let (page_scheme, page_rest) = scheme_of(page)?;
    let page_rest = page_rest.split(['?', '#']).next().unwrap_or_default();
    let (page_host, page_path) = authority(page_rest);
    let scheme = own_scheme.clone().unwrap_or(page_scheme);
    let (host, path) = if own_scheme.is_some() || rest.starts_with("//") {
        let (host, path) = authority(&rest);
        (host, path.to_owned())
    } else if rest.is_empty() {
        (page_host, page_path.to_owned())
    } else if rest.starts_with('/') {
        (page_host, rest)
    } else {
        let folder = page_path.rfind('/').map_or("/", |end| &page_path[..=end]);
        (page_host, format!("{folder}{rest}"))
    };
    let mut address = format!("{scheme}://{}{}", host_of(&scheme, host)?, path_of(&path));
    let page_query = || {
        page.split('#')
            .next()?
            .split_once('?')
            .map(|(_, query)| query)
    };
    if let Some(query) = query.or_else(|| if head.is_empty() { page_query() } else { None }) {
        // Writing to a string cannot fail.
        let _ = write!(address, "?{}", encoded(query, IN_QUERIES));
    }
    Some(address)
}

/// Splits a URL into its scheme in lower case and the rest.
fn scheme_of(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let is_scheme = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.bytes().all(is_letter);
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

fn is_special(scheme: &str) -> bool {
    default_port(scheme).is_some()
}

fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some("80"),
        "https" | "wss" => Some("443"),
        "ftp" => Some("21"),
        _ => None,
    }
}

/// Returns host and path after a scheme, without any slashes before them.
fn authority(rest: &str) -> (&str, &str) {
    let rest = rest.trim_start_matches('/');
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

/// Returns the host with its port; `None` if it is invalid.
fn host_of(scheme: &str, authority: &str) -> Option<String> {
    let (user, host) = authority
        .rsplit_once('@')
        .map_or(("", authority), |(user, host)| (user, host));
    let end = if host.starts_with('[') {
        host.find(']')? + 1
    } else {
        host.find(':').unwrap_or(host.len())
    };
    let (name, port) = host.split_at(end);
    let port = port
        .strip_prefix(':')
        .map_or(if port.is_empty() { Some("") } else { None }, Some)?;
    let is_forbidden = |letter: char| letter <= ' ' || "\"<>\\^|%`{}\u{7f}".contains(letter);
    let is_bracketed = name.starts_with('[');
    let is_name = !name.is_empty()
        && !name.contains(is_forbidden)
        && (is_bracketed || !name.contains(['[', ']']))
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && port.len() <= 5;
    let name = encoded(name, &AsciiSet::EMPTY).to_ascii_lowercase();
    let user = if user.is_empty() {
        String::new()
    } else {
        format!("{}@", encoded(user, RESERVED))
    };
    let port = if port.is_empty() || default_port(scheme) == Some(port) {
        String::new()
    } else {
        format!(":{port}")
    };
    is_name.then(|| format!("{user}{name}{port}"))
}

/// Returns the path with its `.` and `..` segments resolved.
fn path_of(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match &*segment.to_ascii_lowercase().replace("%2e", ".") {
            "." | ".." => {
                if segment.len() != 1 && !segment.eq_ignore_ascii_case("%2e") {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", encoded(&kept.join("/"), IN_PATHS))
}

/// The characters that are encoded in hosts and in URLs whose scheme has no hosts: everything
/// except printable ASCII.
const IN_OPAQUE: &AsciiSet = CONTROLS;
const IN_QUERIES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'\'');
const IN_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'}');

fn encoded(text: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(text, set).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "https://page.test/a/b/watch?v=1#t";

    #[test]
    fn a_url_is_written_as_browsers_write_it() {
        for (written, asked) in [
            ("film.mp4", "https://page.test/a/b/film.mp4"),
            ("/film.mp4", "https://page.test/film.mp4"),
            ("../../../film.mp4", "https://page.test/film.mp4"),
            (
                "./x/../film.mp4?a=b#c",
                "https://page.test/a/b/film.mp4?a=b",
            ),
            ("..", "https://page.test/a/"),
            ("?q", "https://page.test/a/b/watch?q"),
            ("", "https://page.test/a/b/watch?v=1"),
            ("//CDN.test:443/x", "https://cdn.test/x"),
            ("HTTP://m.test:80", "http://m.test/"),
            ("http://m.test:8080?x", "http://m.test:8080/?x"),
            ("https://[::1]:9/x", "https://[::1]:9/x"),
            (
                "https://a.test/e?c=[ERRORCODE]&d=${X}&e=%%Y%%",
                "https://a.test/e?c=[ERRORCODE]&d=${X}&e=%%Y%%",
            ),
            ("https://a.test/${X}/[Y]", "https://a.test/$%7BX%7D/[Y]"),
            (
                " https://a.test/a b?c d'\"<e>\n ",
                "https://a.test/a%20b?c%20d%27%22%3Ce%3E",
            ),
            (
                "https://a.test/\u{e9}?\u{1b}x",
                "https://a.test/%C3%A9?%1Bx",
            ),
            ("https:\\\\a.test\\x\\", "https://a.test/x/"),
            ("data:text/html,<b>", "data:text/html,<b>"),
            ("file:film.mp4", "file:film.mp4"),
            ("v1", "https://page.test/a/b/v1"),
        ] {
            assert_eq!(absolute(PAGE, written), asked, "{written}");
        }
    }

    #[test]
    fn what_no_browser_requests_is_still_a_url() {
        for (written, asked) in [
            ("https://", "invalid:https%3A%2F%2F"),
            ("http://[bad", "invalid:http%3A%2F%2F%5Bbad"),
            ("https://a b/", "invalid:https%3A%2F%2Fa%20b%2F"),
            (
                "https://a.test:port/",
                "invalid:https%3A%2F%2Fa.test%3Aport%2F",
            ),
        ] {
            assert_eq!(absolute(PAGE, written), asked, "{written}");
        }
    }
}
