//! The cookies that servers set, kept until the client is gone.
//!
//! Each goes back to the host that set it and to no other: a `Domain` attribute would need the list
//! of public suffixes to be safe. Ports share their cookies, as in browsers.
//!
//! Source: RFC 6265, sections 5.1.4, 5.2 and 5.3.

use std::time::{Duration, SystemTime};

/// A cookie, by what it is sent back to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    host: String,
    path: String,
    name: String,
    value: String,
    is_secure: bool,
    /// `None` until the client is gone.
    expires: Option<SystemTime>,
}

/// All cookies of a client, in the order in which they were first set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cookies(Vec<Cookie>);

/// The parts of a URL that decide about cookies.
struct Target<'u> {
    host: String,
    path: &'u str,
    is_secure: bool,
}

impl<'u> Target<'u> {
    /// Reads an absolute URL.
    fn of(url: &'u str) -> Option<Target<'u>> {
        let (scheme, rest) = url.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let host = authority.rsplit('@').next().unwrap_or_default();
        let port = host.rfind(':').filter(|at| !host[*at..].contains(']'));
        Some(Target {
            host: host[..port.unwrap_or(host.len())].to_ascii_lowercase(),
            path: rest.split(['?', '#']).next().unwrap_or_default(),
            is_secure: scheme.eq_ignore_ascii_case("https"),
        })
    }

    /// Returns the path up to its last slash, which a cookie without `Path` gets.
    fn folder(&self) -> &'u str {
        match self.path.rfind('/') {
            None | Some(0) => "/",
            Some(at) => &self.path[..at],
        }
    }
}

impl Cookies {
    /// Takes the value of a `Set-Cookie` header in a response from this URL.
    pub(super) fn set(&mut self, url: &str, header: &str, now: SystemTime) {
        let Some(target) = Target::of(url) else {
            return;
        };
        let mut parts = header.split(';');
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
            return;
        };
        let mut cookie = Cookie {
            host: target.host.clone(),
            path: target.folder().to_owned(),
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
            is_secure: false,
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
                "secure" => cookie.is_secure = true,
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
        let same = self.0.iter().position(|old| {
            (&old.host, &old.path, &old.name) == (&cookie.host, &cookie.path, &cookie.name)
        });
        match (same, is_over) {
            (Some(at), true) => drop(self.0.remove(at)),
            (Some(at), false) => self.0[at] = cookie,
            (None, true) => {}
            (None, false) => self.0.push(cookie),
        }
    }

    /// Returns the `Cookie` header of a request for this URL; `None` without cookies.
    pub(super) fn header(&self, url: &str, now: SystemTime) -> Option<String> {
        let target = Target::of(url)?;
        let mut sent: Vec<&Cookie> = self
            .0
            .iter()
            .filter(|it| it.goes_to(&target, now))
            .collect();
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
    fn goes_to(&self, target: &Target<'_>, now: SystemTime) -> bool {
        let path = if target.path.is_empty() {
            "/"
        } else {
            target.path
        };
        let is_below = path.strip_prefix(&*self.path).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with('/') || self.path.ends_with('/')
        });
        let is_over = self.expires.is_some_and(|end| end <= now);
        self.host == target.host && is_below && !is_over && (target.is_secure || !self.is_secure)
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
    fn a_cookie_goes_back_to_its_host_alone() {
        let sent = |to| sent(&["id=7; Domain=test"], to);
        assert_eq!(sent("https://ADS.test:8443/a/b").as_deref(), Some("id=7"));
        assert_eq!(sent("https://u@ads.test/a").as_deref(), Some("id=7"));
        assert_eq!(sent("https://other.test/a/b"), None);
        assert_eq!(sent("https://x.ads.test/a/b"), None);
    }

    #[test]
    fn path_and_secure_are_obeyed() {
        let all = &["a=1", "b=2; Path=/", "c=3; path=/a/tag; Secure", "a=4"];
        let sent = |to| sent(all, to);
        assert_eq!(
            sent("https://ads.test/a/tag").as_deref(),
            Some("c=3; a=4; b=2")
        );
        assert_eq!(sent("http://ads.test/a/tag").as_deref(), Some("a=4; b=2"));
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
