//! Macros that were left unreplaced in URLs that were requested or called.
//!
//! Rules: MAC-3, MAC-4.

use super::{AdBreakReport, Unfilled};

/// The delimiters of macros.
const MARKS: &[(&str, &str)] = &[("[", "]"), ("%%", "%%"), ("${", "}")];

/// Returns the unreplaced macros of a break, in order of appearance.
pub(super) fn of(it: &AdBreakReport) -> Vec<Unfilled> {
    let asked = it.tags.iter().flat_map(|tag| &tag.requests).map(|request| &request.url);
    let called = it.beacons.iter().map(|beacon| &beacon.url);
    let mut found: Vec<Unfilled> = Vec::new();
    for url in asked.chain(called) {
        for (from, to) in places(url) {
            let name = &url[from..to];
            let index = found.iter().position(|it| it.name == name).unwrap_or_else(|| {
                found.push(Unfilled { name: name.to_owned(), urls: Vec::new() });
                found.len() - 1
            });
            let urls = &mut found[index].urls;
            if !urls.contains(url) {
                urls.push(url.clone());
            }
        }
    }
    found
}

/// Returns the places of the macros in a URL, ascending.
pub(super) fn places(url: &str) -> Vec<(usize, usize)> {
    let (mut places, mut from) = (Vec::new(), 0);
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
        let length = url[inside..].find(|letter: char| !is_of_a_name(letter)).unwrap_or(url.len() - inside);
        let end = inside + length + close.len();
        let is_name = url[inside..].starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_found_with_all_delimiters() {
        for (url, macros) in [
            ("https://a.test/x", &[][..]),
            ("https://a.test/[CB]?x=[FOO]&y=%%BAR%%&z=${BAZ_2}", &["[CB]", "[FOO]", "%%BAR%%", "${BAZ_2}"]),
            ("https://[::1]/x?list[key]=1&n[0]=2&p=100%25", &[]),
            ("https://a.test/[not closed&%%NOR&${THIS", &[]),
            ("https://a.test/[[CB]]", &["[CB]"]),
            ("https://a.test/[ERRORCODE]]]>", &["[ERRORCODE]"]),
        ] {
            let found: Vec<&str> = places(url).into_iter().map(|(from, to)| &url[from..to]).collect();
            assert_eq!(found, macros, "{url}");
        }
    }
}
