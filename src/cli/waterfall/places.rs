//! What is said of addresses, and which address is meant.

use crate::cli::input::Fault;

/// What is said of one address.
#[derive(Debug)]
pub(super) struct Place<T> {
    /// The address; `None`: every one.
    pub(super) address: Option<String>,
    /// What is there.
    pub(super) what: T,
}

/// What is said of addresses, and which of it was of use.
#[derive(Debug)]
pub(super) struct Places<T> {
    places: Vec<(Place<T>, bool)>,
}

impl<T: Clone> Places<T> {
    /// What the words say.
    pub(super) fn read(
        words: &[String],
        read: impl Fn(&str) -> Result<Place<T>, Fault>,
    ) -> Result<Places<T>, Fault> {
        let places = words.iter().map(|word| Ok((read(word)?, false)));
        Ok(Places { places: places.collect::<Result<_, Fault>>()? })
    }

    /// What is said of an address, in the order it was said; what names it outright goes before the rest.
    pub(super) fn of(&mut self, url: &str) -> Vec<T> {
        let (exact, like): (Test, Test) =
            (|pattern, url| pattern == url, |pattern, url| is_like(pattern, url));
        for is_meant in [exact, like] {
            let mut found = Vec::new();
            for (place, is_used) in &mut self.places {
                if place.address.as_ref().is_some_and(|address| is_meant(address, url)) {
                    *is_used = true;
                    found.push(place.what.clone());
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// What is said of every address, the last word counts.
    pub(super) fn of_all(&self) -> Option<T> {
        let all = self.places.iter().rfind(|(place, _)| place.address.is_none());
        all.map(|(place, _)| place.what.clone())
    }

    /// Addresses that were never asked for.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.places.iter().filter(|(_, is_used)| !is_used).filter_map(|(place, _)| place.address.as_deref())
    }
}

type Test = fn(&str, &str) -> bool;

/// Whether an address is one that a pattern stands for: brackets stand for anything, and so does a query
/// that the pattern does not have.
fn is_like(pattern: &str, url: &str) -> bool {
    let without_query = |url: &'_ str| url.split(['?', '#']).next().unwrap_or_default().len();
    matches(pattern, url) || (!pattern.contains('?') && matches(pattern, &url[..without_query(url)]))
}

fn matches(pattern: &str, url: &str) -> bool {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((_, behind)) = behind.split_once(']') else { break };
        pieces.push(before);
        rest = behind;
    }
    let Some(mut url) = url.strip_prefix(pieces.first().copied().unwrap_or(rest)) else { return false };
    if pieces.is_empty() {
        return url.is_empty();
    }
    for piece in &pieces[1..] {
        let Some(at) = url.find(piece) else { return false };
        url = &url[at + piece.len()..];
    }
    url.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_brackets_or_without_a_query_stands_for_more() {
        for (pattern, url, is_meant) in [
            ("https://a.test/x", "https://a.test/x", true),
            ("https://a.test/x", "https://a.test/x?cb=1", true),
            ("https://a.test/x", "https://a.test/xy", false),
            ("https://a.test/x?cb=[CACHEBUSTING]", "https://a.test/x?cb=123", true),
            ("https://a.test/x?cb=[CB]&t=[TIMESTAMP]&z", "https://a.test/x?cb=1&t=2&z", true),
            ("https://a.test/x?cb=[CB]&t=1", "https://a.test/x?cb=1&t=2", false),
            ("https://a.test/[", "https://a.test/[", true),
        ] {
            assert_eq!(is_like(pattern, url), is_meant, "{pattern} {url}");
        }
    }
}
