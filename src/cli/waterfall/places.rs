//! Settings for URLs, and which URLs they apply to.

use playsim_base::words;

use crate::cli::failure::Failure;

/// A setting for one URL, or for all.
#[derive(Debug)]
pub(super) struct UrlSetting<T> {
    /// The URL; `None` for all URLs.
    pub(super) address: Option<String>,
    /// The setting.
    pub(super) what: T,
}

/// All settings, each with whether it was used.
#[derive(Debug)]
pub(in crate::cli) struct Places<T> {
    places: Vec<(UrlSetting<T>, bool)>,
}

impl<T: Clone> Places<T> {
    /// Returns no settings.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) const fn none() -> Places<T> {
        Places { places: Vec::new() }
    }

    /// Parses the arguments.
    pub(super) fn read(
        words: &[String],
        read: impl Fn(&str) -> Result<UrlSetting<T>, Failure>,
    ) -> Result<Places<T>, Failure> {
        let places = words.iter().map(|word| Ok((read(word)?, false)));
        Ok(Places { places: places.collect::<Result<_, Failure>>()? })
    }

    /// Returns the settings for a URL in their order. If any name it exactly, patterns are ignored.
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

    /// Returns the last setting for all URLs.
    pub(super) fn of_all(&self) -> Option<T> {
        let all = self.places.iter().rfind(|(place, _)| place.address.is_none());
        all.map(|(place, _)| place.what.clone())
    }

    /// Returns the URLs whose setting was never used.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.places.iter().filter(|(_, is_used)| !is_used).filter_map(|(place, _)| place.address.as_deref())
    }
}

type Test = fn(&str, &str) -> bool;

/// Returns whether a URL matches a pattern, in which brackets match anything. A pattern without a query
/// matches any query.
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
    pieces.push(rest);
    words::consists_of(url, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_a_missing_query_match_anything() {
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
