//! Macros in URLs, and whether a URL is another one with its macros replaced.
//!
//! Sources: VAST 4.3 section 6; rules MAC-3, MAC-4.

use playsim_base::words;

/// The delimiters of macros.
const MARKS: &[(&str, &str)] = &[("[", "]"), ("%%", "%%"), ("${", "}")];

/// Returns the byte ranges of the macros in a URL, ascending: from, to.
#[must_use]
pub fn macros(url: &str) -> Vec<(usize, usize)> {
    let (mut places, mut from) = (Vec::new(), 0);
    // Most URLs have none, which one search shows.
    if memchr::memchr3(b'[', b'%', b'$', url.as_bytes()).is_none() {
        return places;
    }
    while let Some((at, end)) = next(url, from) {
        places.push((at, end));
        from = end;
    }
    places
}

fn next(url: &str, from: usize) -> Option<(usize, usize)> {
    let all = MARKS.iter().filter_map(|mark| first(url, from, *mark));
    all.min_by_key(|(at, _)| *at)
}

fn first(url: &str, mut from: usize, (open, close): (&str, &str)) -> Option<(usize, usize)> {
    loop {
        let at = from + url[from..].find(open)?;
        let inside = at + open.len();
        let length = url[inside..]
            .find(|letter: char| !is_of_a_name(letter))
            .unwrap_or(url.len() - inside);
        let end = inside + length + close.len();
        let is_name =
            url[inside..].starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        // `list[key]=value` is a form field, not a macro.
        if is_name
            && url[inside + length..].starts_with(close)
            && !(open == "[" && url[end..].starts_with('='))
        {
            return Some((at, end));
        }
        from = inside;
    }
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// What every URL has in common that a written one becomes: [`is_filled`] is true only for URLs
/// that begin, or end, with this text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlAnchor<'u> {
    /// Of an absolute URL, what comes before its first macro.
    Begins(&'u str),
    /// Of a relative one, what comes after its last macro.
    Ends(&'u str),
}

impl UrlAnchor<'_> {
    /// Returns the anchor of a written URL.
    #[must_use]
    pub fn of(written: &str) -> UrlAnchor<'_> {
        let macros = macros(written);
        if is_absolute(written) {
            let end = macros.first().map_or(written.len(), |(at, _)| *at);
            return UrlAnchor::Begins(&written[..end]);
        }
        UrlAnchor::Ends(match macros.last() {
            Some((_, end)) => &written[*end..],
            None => without_dots(written),
        })
    }
}

fn is_absolute(written: &str) -> bool {
    written
        .split_once("://")
        .is_some_and(|(scheme, _)| !scheme.contains(['/', '?', '[']))
}

/// Returns a relative URL without what is replaced by the folder when it is resolved.
fn without_dots(written: &str) -> &str {
    written.trim_start_matches(['.', '/'])
}

/// Returns whether a URL is a written one with macros replaced. It may also end in a written
/// relative one.
#[must_use]
pub fn is_filled(written: &str, url: &str) -> bool {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, end) in macros(written) {
        pieces.push(&written[from..at]);
        from = end;
    }
    pieces.push(&written[from..]);
    let rest = match url.strip_prefix(pieces[0]) {
        Some(after) => after,
        None if is_absolute(written) => return false,
        None => {
            // A relative URL has been resolved: its start is now preceded by others.
            let relative = without_dots(pieces[0]);
            let Some(at) = url.rfind(relative) else {
                return false;
            };
            &url[at + relative.len()..]
        }
    };
    pieces[0] = "";
    words::consists_of(rest, pieces)
}

/// Returns the text of a URL in place of a macro of a written URL, whose other macros are replaced,
/// too.
pub fn filled<'u>(written: &str, url: &'u str, is_it: impl Fn(&str) -> bool) -> Option<&'u str> {
    let macros = macros(written);
    let (first, _) = *macros.first()?;
    let mut rest = url.strip_prefix(&written[..first])?;
    for (index, (at, end)) in macros.iter().enumerate() {
        let next = macros
            .get(index + 1)
            .map_or(written.len(), |(next, _)| *next);
        let literal = &written[*end..next];
        let length = if literal.is_empty() {
            rest.len()
        } else {
            rest.find(literal)?
        };
        if is_it(&written[*at..*end]) {
            return Some(&rest[..length]);
        }
        rest = &rest[length + literal.len()..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_replaces_a_macro_is_found() {
        let is_code = |name: &str| name.contains("CODE");
        for (written, url, due) in [
            (
                "https://a.test/e?c=[ERRORCODE]",
                "https://a.test/e?c=303",
                Some("303"),
            ),
            (
                "https://a.test/[CB]/e?c=[ERRORCODE]&x=1",
                "https://a.test/77/e?c=&x=1",
                Some(""),
            ),
            (
                "https://a.test/e?c=[ERRORCODE]",
                "https://b.test/e?c=303",
                None,
            ),
            ("https://a.test/e?c=[CB]", "https://a.test/e?c=303", None),
        ] {
            assert_eq!(filled(written, url, is_code), due, "{written}");
        }
    }

    #[test]
    fn macros_are_found_with_all_delimiters() {
        for (url, due) in [
            ("https://a.test/x", &[][..]),
            (
                "https://a.test/[CB]?x=[FOO]&y=%%BAR%%&z=${BAZ_2}",
                &["[CB]", "[FOO]", "%%BAR%%", "${BAZ_2}"],
            ),
            ("https://[::1]/x?list[key]=1&n[0]=2&p=100%25", &[]),
            ("https://a.test/[not closed&%%NOR&${THIS", &[]),
            ("https://a.test/[[CB]]", &["[CB]"]),
            ("https://a.test/[ERRORCODE]]]>", &["[ERRORCODE]"]),
        ] {
            let found: Vec<&str> = macros(url)
                .into_iter()
                .map(|(from, to)| &url[from..to])
                .collect();
            assert_eq!(found, due, "{url}");
        }
    }

    #[test]
    fn a_url_is_recognized_with_its_macros_replaced_and_made_absolute() {
        for (written, url, is_it) in [
            ("https://t.test/a", "https://t.test/a", true),
            ("https://t.test/a", "https://t.test/ab", false),
            (
                "https://t.test/a?c=[ERRORCODE]",
                "https://t.test/a?c=303",
                true,
            ),
            (
                "https://t.test/a?c=[ERRORCODE]&d=1",
                "https://t.test/a?c=303&d=2",
                false,
            ),
            ("https://t.test/[A]/[B]", "https://t.test/1/%2C2", true),
            ("https://t.test/[A]", "https://t.test/[A]", true),
            ("/pixel?x=%%CB%%", "https://ads.test/pixel?x=12", true),
            ("../pixel", "https://ads.test/a/pixel", true),
            ("//t.test/a", "https://t.test/a", true),
            ("/pixel", "https://ads.test/pixels", false),
        ] {
            assert_eq!(is_filled(written, url), is_it, "{written} {url}");
        }
    }
}
