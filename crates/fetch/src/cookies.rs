//! The cookies that one origin has set, kept until the client is gone.
//!
//! They go back to that origin and to no other: a `Domain` attribute would need the list of public
//! suffixes to be safe.
//!
//! Source: RFC 6265, sections 5.1.4, 5.2 and 5.3.

use std::time::{Duration, SystemTime};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    path: String,
    name: String,
    value: String,
    /// `None` until the client is gone.
    expires: Option<SystemTime>,
}

/// The cookies of an origin, in the order in which they were first set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cookies(Vec<Cookie>);

/// Returns the path of an absolute URL.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let from = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[from..].split(['?', '#']).next() {
        None | Some("") => "/",
        Some(path) => path,
    }
}

/// Returns a path up to its last slash, which a cookie without `Path` gets.
fn folder(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(at) => &path[..at],
    }
}

impl Cookies {
    /// Takes the value of a `Set-Cookie` header in a response from this URL of the origin.
    pub(super) fn set(&mut self, url: &str, header: &str, now: SystemTime) {
        let mut parts = header.split(';');
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
            return;
        };
        let mut cookie = Cookie {
            path: folder(path(url)).to_owned(),
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
            expires: None,
        };
        if cookie.name.is_empty() {
            return;
        }
        let mut max_age = None;
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            match &*name.trim().to_ascii_lowercase() {
                "path" if value.starts_with('/') => cookie.path = value.to_owned(),
                "max-age" => max_age = value.parse::<i64>().ok().or(max_age),
                "expires" => cookie.expires = date(value).or(cookie.expires),
                _ => {}
            }
        }
        if let Some(seconds) = max_age {
            let left = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
            cookie.expires = now.checked_add(left);
        }
        let is_over = cookie.expires.is_some_and(|end| end <= now);
        let same = |old: &Cookie| (&old.path, &old.name) == (&cookie.path, &cookie.name);
        match (self.0.iter().position(same), is_over) {
            (Some(at), true) => drop(self.0.remove(at)),
            (Some(at), false) => self.0[at] = cookie,
            (None, true) => {}
            (None, false) => self.0.push(cookie),
        }
    }

    /// Returns the `Cookie` header of a request for this URL of the origin; `None` without cookies.
    pub(super) fn header(&self, url: &str, now: SystemTime) -> Option<String> {
        let path = path(url);
        let mut sent: Vec<&Cookie> = self.0.iter().filter(|it| it.goes_to(path, now)).collect();
        // Longer paths first, the older one first among equals.
        sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> = sent
            .iter()
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}

impl Cookie {
    fn goes_to(&self, path: &str, now: SystemTime) -> bool {
        let is_below = path.strip_prefix(&*self.path).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with('/') || self.path.ends_with('/')
        });
        is_below && self.expires.is_none_or(|end| end > now)
    }
}

/// Reads a date of HTTP, also one with dashes, which servers still send.
fn date(text: &str) -> Option<SystemTime> {
    let text = text.replace('-', " ");
    jiff::fmt::rfc2822::parse(&text)
        .ok()
        .map(|date| date.timestamp().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

    fn sent(headers: &[&str], to: &str) -> Option<String> {
        let mut cookies = Cookies::default();
        for header in headers {
            cookies.set("https://ads.test/a/tag?x=/y", header, EPOCH);
        }
        cookies.header(to, EPOCH + Duration::from_secs(60))
    }

    #[test]
    fn a_path_is_obeyed() {
        let all = &["a=1", "b=2; Path=/", "c=3; path=/a/tag; Secure", "a=4"];
        let sent = |to| sent(all, to);
        assert_eq!(
            sent("https://ads.test/a/tag").as_deref(),
            Some("c=3; a=4; b=2")
        );
        assert_eq!(sent("https://ads.test/a/b").as_deref(), Some("a=4; b=2"));
        assert_eq!(sent("https://ads.test/ab").as_deref(), Some("b=2"));
        assert_eq!(sent("https://ads.test").as_deref(), Some("b=2"));
    }

    #[test]
    fn a_cookie_ends() {
        let sent = |header| sent(&["a=1", header], "https://ads.test/a/x");
        assert_eq!(sent("a=2; Max-Age=61").as_deref(), Some("a=2"));
        assert_eq!(sent("a=2; Max-Age=60"), None);
        assert_eq!(sent("a=2; Max-Age=-1"), None);
        assert_eq!(sent("a=; Expires=Thu, 01-Jan-1970 00:00:00 GMT"), None);
        assert_eq!(
            sent("a=2; Expires=Thu, 01 Jan 1970 00:02:00 GMT").as_deref(),
            Some("a=2")
        );
        assert_eq!(sent("a=2; Expires=soon").as_deref(), Some("a=2"));
    }

    #[test]
    fn what_is_not_a_cookie_is_ignored() {
        for header in ["", "a", "=1", ";;", "; Path=/"] {
            assert_eq!(sent(&[header], "https://ads.test/a/x"), None, "{header}");
        }
    }
}
