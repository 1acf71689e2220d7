//! URLs as documents write them: their validity, and the resolution of relative ones.
//!
//! A URL may contain macros that are not expanded yet: `[NAME]`, `%%NAME%%`, `${NAME}`, `{NAME}`.
//! For validation they count as letters, and resolution keeps them unchanged.
//!
//! Resolution follows RFC 3986 section 5, by the crate `oxiri`: of the crates that resolve
//! references it is the only one that accepts input outside the grammar and leaves the rest of it
//! unchanged. `iri-string` and `fluent-uri` refuse every URL with a macro in it; `url` writes
//! `$%7BNAME%7D` for `${NAME}`, changes letter case, ports and backslashes, and depends on thirty
//! crates.
//!
//! Sources: RFC 3986, RFC 3987; RFC 9110 section 4.2.

use std::borrow::Cow;
use std::ops::Range;

use oxiri::{Iri, IriRef};

/// Returns why a URL is invalid; `None` if it is valid.
pub(super) fn fault(text: &str) -> Option<String> {
    if is_plain(text) {
        None
    } else {
        fault_by_grammar(text)
    }
}

/// Whether it is an `http:` or `https:` URL with a host, and without anything that has to be looked
/// at closely: the usual case, which needs no parser.
fn is_plain(text: &str) -> bool {
    let Some(rest) = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
    else {
        return false;
    };
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let host = rest.bytes().take_while(is_host).count();
    let tail = &rest.as_bytes()[host..];
    host > 0
        && tail
            .first()
            .is_none_or(|first| matches!(first, b'/' | b'?'))
        && is_usual(tail)
}

/// Whether these are only bytes that may follow the host as they are, and macros such as `[NAME]`.
fn is_usual(mut tail: &[u8]) -> bool {
    while let Some(at) = tail.iter().position(|byte| !USUAL[usize::from(*byte)]) {
        let Some(inside) = tail[at..].strip_prefix(b"[") else {
            return false;
        };
        let name = inside
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let Some(after) = inside[name..].strip_prefix(b"]") else {
            return false;
        };
        tail = after;
    }
    true
}

/// The bytes that may follow the host of a URL as they are. RFC 3986 sections 2.2, 2.3, 3.3 and 3.4
const USUAL: [bool; 256] = {
    let marks = b"-._~!$&'()*+,;=:@/?";
    let mut usual = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        usual[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut mark = 0;
    while mark < marks.len() {
        usual[marks[mark] as usize] = true;
        mark += 1;
    }
    usual
};

fn fault_by_grammar(text: &str) -> Option<String> {
    let plain = without_macros(text);
    match IriRef::parse(&*plain) {
        Err(error) => Some(error.to_string()),
        Ok(address) => {
            let is_http = address.scheme().is_some_and(|it| {
                it.eq_ignore_ascii_case("http") || it.eq_ignore_ascii_case("https")
            });
            let has_host = address.authority().is_some_and(|authority| {
                let host = authority.rsplit('@').next().unwrap_or_default();
                !host.is_empty() && !host.starts_with(':')
            });
            (is_http && !has_host).then(|| String::from("no host"))
        }
    }
}

/// Resolves a URL in a document at `base`; `None` if it stays as written.
///
/// URLs that stay as written: absolute and invalid ones; those that begin with a macro, which may
/// hold the scheme and the host; and all URLs if `base` has no host and is not a `file:`. A URL
/// that begins with `//` gets the scheme `https` if `base` is a file.
#[must_use]
pub fn resolve(base: &str, text: &str) -> Option<String> {
    if is_relative(text) {
        resolve_relative(base, text)
    } else {
        None
    }
}

/// Whether the resolution of a URL depends on the base.
pub(super) fn is_relative(text: &str) -> bool {
    if text.is_empty() || scheme(text).is_some() {
        return false;
    }
    let begins_with_macro = macros(text).next().is_some_and(|it| it.start == 0);
    !begins_with_macro && fault(text).is_none() && scheme(&without_macros(text)).is_none()
}

/// Resolves a URL that is relative.
pub(super) fn resolve_relative(base: &str, text: &str) -> Option<String> {
    let rest = &base[scheme(base)?.len() + 1..];
    let is_file =
        base.len() - rest.len() == "file:".len() && base[..4].eq_ignore_ascii_case("file");
    if is_file && text.starts_with("//") {
        return Some(format!("https:{text}"));
    }
    if is_file && !rest.starts_with('/') && !text.starts_with(['/', '?', '#']) {
        return Some(format!("{}{}", &base[..5], sibling(rest, text)));
    }
    if !is_file && !rest.starts_with("//") {
        return None;
    }
    // A colon in a macro of the first segment would be read as the end of a scheme. RFC 3986
    // section 4.2
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    let text = if first.contains(':') {
        Cow::from(format!("./{text}"))
    } else {
        Cow::from(text)
    };
    let resolved = Iri::parse_unchecked(base).resolve_unchecked(&IriRef::parse_unchecked(&*text));
    Some(resolved.into_inner())
}

/// Returns the scheme of an absolute URL. RFC 3986 section 3.1
pub fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut letters = scheme.bytes();
    let is_scheme = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

/// Resolves a path relative to a file, both relative to an unknown folder. Unlike the path of a
/// URL, it may leave that folder.
fn sibling(file: &str, text: &str) -> String {
    let cut = |text: &str| text.find(['?', '#']).unwrap_or(text.len());
    let (path, rest) = text.split_at(cut(text));
    let mut parts: Vec<&str> = file[..cut(file)].split('/').collect();
    parts.pop();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        match name {
            "." | ".." => {
                if name == ".." {
                    match parts.last() {
                        Some(&"..") | None => parts.push(".."),
                        Some(_) => _ = parts.pop(),
                    }
                }
                if names.peek().is_none() {
                    parts.push("");
                }
            }
            _ => parts.push(name),
        }
    }
    parts.join("/") + rest
}

/// Replaces each macro by a letter.
fn without_macros(text: &str) -> Cow<'_, str> {
    let mut plain = String::new();
    let mut end = 0;
    for found in macros(text) {
        plain.push_str(&text[end..found.start]);
        plain.push('x');
        end = found.end;
    }
    if end == 0 {
        return Cow::Borrowed(text);
    }
    plain.push_str(&text[end..]);
    Cow::Owned(plain)
}

/// Returns the ranges of the macros in a URL.
fn macros(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find(['[', '%', '{', '$'])?;
            if let Some(length) = macro_length(&text[start..]) {
                from = start + length;
                return Some(start..from);
            }
            from = start + 1;
        }
    })
}

/// Returns the length of the macro at the start of `text`. `[]`, as in the lists of a query, counts
/// as one.
fn macro_length(text: &str) -> Option<usize> {
    let (open, close) = match text.as_bytes() {
        [b'[', ..] => ("[", "]"),
        [b'%', b'%', ..] => ("%%", "%%"),
        [b'$', b'{', ..] => ("${", "}"),
        [b'{', b'{', ..] => ("{{", "}}"),
        [b'{', ..] => ("{", "}"),
        _ => return None,
    };
    let name = text[open.len()..].find(close)?;
    let is_name = text[open.len()..][..name].bytes().all(|byte| {
        !byte.is_ascii_control()
            && !matches!(
                byte,
                b' ' | b'/' | b'?' | b'#' | b'<' | b'>' | b'"' | b'[' | b'{'
            )
    });
    is_name.then_some(open.len() + name + close.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BASE: &str = "https://ads.test/a/b/tag.xml?x=1";

    fn at(base: &str, text: &str) -> String {
        resolve(base, text).unwrap_or_else(|| format!("as written: {text}"))
    }

    #[test]
    fn references_are_resolved_as_rfc_3986_lists_them() {
        let base = "http://a/b/c/d;p?q";
        for (text, due) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("..", "http://a/b/"),
            ("../../../g", "http://a/g"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ] {
            assert_eq!(at(base, text), due, "{text}");
        }
    }

    #[test]
    fn macros_are_kept_unchanged() {
        for (text, due) in [
            ("/e?c=[ERRORCODE]", "https://ads.test/e?c=[ERRORCODE]"),
            (
                "e?c=%%X%%&d=${X:B64}",
                "https://ads.test/a/b/e?c=%%X%%&d=${X:B64}",
            ),
            (
                "p/[CACHEBUSTING]/q.gif",
                "https://ads.test/a/b/p/[CACHEBUSTING]/q.gif",
            ),
            ("p[A:B]/c", "https://ads.test/a/b/p[A:B]/c"),
            ("//${HOST}/{{x}}/p", "https://${HOST}/{{x}}/p"),
        ] {
            assert_eq!(at(BASE, text), due, "{text}");
        }
    }

    #[test]
    fn absolute_and_invalid_urls_stay_as_written() {
        for text in [
            "HTTPS://H.test:443/../x?[M]",
            "about:blank",
            "data:text/html,<b>",
            "%%CLICK%%https://x.test/",
            "${HOST}/p",
            "[HOST]/p",
            "%%HOST%%/p",
            "not a valid url at all !!",
            "http://[bad",
            "p?a|b",
            "",
        ] {
            assert_eq!(resolve(BASE, text), None, "{text}");
        }
        for base in [
            "tag.xml",
            "data:text/xml,a/b",
            "answer:stdin",
            "",
            ":",
            "//h/x",
        ] {
            assert_eq!(resolve(base, "spot.mp4"), None, "{base}");
        }
    }

    #[test]
    fn urls_are_resolved_against_a_file() {
        for (base, text, due) in [
            ("file:outer.xml", "inner.xml", "file:inner.xml"),
            (
                "file:dir/outer.xml",
                "inner.xml?x=[M]",
                "file:dir/inner.xml?x=[M]",
            ),
            (
                "file:dir/outer.xml",
                "./sub/inner.xml",
                "file:dir/sub/inner.xml",
            ),
            ("file:dir/outer.xml", "../inner.xml", "file:inner.xml"),
            ("file:outer.xml", "../inner.xml", "file:../inner.xml"),
            (
                "file:../dir/outer.xml",
                "inner.xml",
                "file:../dir/inner.xml",
            ),
            ("file:../outer.xml", "../inner.xml", "file:../../inner.xml"),
            (
                "file:///w/dir/outer.xml",
                "../inner.xml",
                "file:///w/inner.xml",
            ),
            ("file:outer.xml", "/inner.xml", "file:/inner.xml"),
            (
                "file:dir/outer.xml",
                "//cdn.test/x.xml",
                "https://cdn.test/x.xml",
            ),
        ] {
            assert_eq!(at(base, text), due, "{base} {text}");
        }
    }

    #[test]
    fn the_reason_why_a_url_is_invalid_is_returned() {
        for text in [
            "not a valid url at all !!",
            "http://[bad",
            "http://",
            "https:///x",
            "https:x",
            "100%",
            "a\nb",
        ] {
            assert!(fault(text).is_some(), "{text}");
        }
        for text in [
            "spot.mp4",
            "https://[::1]/x",
            "https://h/?ids[]=1&x=[M]",
            "//h/%%A%%",
            "https://h/\u{e9}",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_input_is_accepted(base in ".*", text in ".*") {
            let _ = resolve(&base, &text);
            let _ = resolve(&format!("file:{base}"), &text);
            let _ = resolve(&format!("https://{base}"), &text);
        }

        #[test]
        fn plain_urls_are_valid_by_the_grammar(rest in "[a-z.]{0,3}[a-z:/.?#%\\[\\]{}$@0-9!'-]{0,12}") {
            let text = format!("https://{rest}");
            if is_plain(&text) {
                prop_assert_eq!(fault_by_grammar(&text), None);
            }
        }

        #[test]
        fn any_url_characters_are_accepted(base in "[a-z:/.?#%\\[\\]{}$@0-9]{0,12}", text in "[a-z:/.?#%\\[\\]{}$@0-9]{0,12}") {
            let _ = resolve(&base, &text);
            let _ = resolve(&format!("file:{base}"), &text);
            let _ = resolve(&format!("https://{base}"), &text);
        }
    }
}
