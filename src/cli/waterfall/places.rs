//! Settings for URLs, and which URLs they apply to.

use std::sync::Arc;

use playsim::scenario::{AnswerScript, Scenario};
use playsim_base::words;

use crate::cli::failure::{Failure, bail};
use crate::cli::output::as_argument;

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
    pub(in crate::cli) const fn none() -> Places<T> {
        Places { places: Vec::new() }
    }

    /// Parses the arguments.
    pub(super) fn read(
        words: &[String],
        read: impl Fn(&str) -> Result<UrlSetting<T>, Failure>,
    ) -> Result<Places<T>, Failure> {
        let places = words.iter().map(|word| Ok((read(word)?, false)));
        Ok(Places {
            places: places.collect::<Result<_, Failure>>()?,
        })
    }

    /// Returns the settings for a URL in their order. If any name it exactly, patterns are ignored.
    pub(super) fn of(&mut self, url: &str) -> Vec<T> {
        let (exact, like): (Test, Test) = (
            |pattern, url| pattern == url,
            |pattern, url| is_like(pattern, url),
        );
        for is_meant in [exact, like] {
            let mut found = Vec::new();
            for (place, is_used) in &mut self.places {
                if place
                    .address
                    .as_ref()
                    .is_some_and(|address| is_meant(address, url))
                {
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
        let all = self
            .places
            .iter()
            .rfind(|(place, _)| place.address.is_none());
        all.map(|(place, _)| place.what.clone())
    }

    /// Returns the URLs whose setting was never used.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.places
            .iter()
            .filter(|(_, is_used)| !is_used)
            .filter_map(|(place, _)| place.address.as_deref())
    }
}

impl Places<AnswerScript> {
    /// Puts these answers in the place of those that a scenario has for the same URLs.
    pub(super) fn replace_in(&mut self, scenario: &mut Scenario) {
        for (url, scripts) in &mut scenario.network {
            let given = self.of(url);
            if !given.is_empty() {
                *scripts = given;
            }
        }
    }

    /// Adds the answers for URLs that a scenario does not list.
    pub(super) fn add_to(&mut self, scenario: &mut Scenario) {
        let unused: Vec<String> = self.unused().map(str::to_owned).collect();
        for url in unused.into_iter().filter(|url| !url.contains('[')) {
            let scripts = self.of(&url);
            scenario.network.push((Arc::from(url), scripts));
        }
    }

    /// Checks that every URL was found in `file`, a scenario or a recording.
    pub(super) fn check_used(&self, file: &str) -> Result<(), Failure> {
        match self.unused().next() {
            None => Ok(()),
            Some(url) => bail!(
                "--answer {url}: {file} has no answer for this URL; playsim waterfall {} lists the URLs that it has answers \
                 for",
                as_argument(file)
            ),
        }
    }
}

type Test = fn(&str, &str) -> bool;

/// Returns whether a URL matches a pattern, in which brackets match anything. A pattern without a
/// query matches any query.
fn is_like(pattern: &str, url: &str) -> bool {
    let without_query = |url: &'_ str| url.split(['?', '#']).next().unwrap_or_default().len();
    matches(pattern, url)
        || (!pattern.contains('?') && matches(pattern, &url[..without_query(url)]))
}

fn matches(pattern: &str, url: &str) -> bool {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((_, behind)) = behind.split_once(']') else {
            break;
        };
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
            (
                "https://a.test/x?cb=[CACHEBUSTING]",
                "https://a.test/x?cb=123",
                true,
            ),
            (
                "https://a.test/x?cb=[CB]&t=[TIMESTAMP]&z",
                "https://a.test/x?cb=1&t=2&z",
                true,
            ),
            (
                "https://a.test/x?cb=[CB]&t=1",
                "https://a.test/x?cb=1&t=2",
                false,
            ),
            ("https://a.test/[", "https://a.test/[", true),
        ] {
            assert_eq!(is_like(pattern, url), is_meant, "{pattern} {url}");
        }
    }
}
