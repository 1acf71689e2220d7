//! Patterns for URLs on the command line.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use playsim_base::words;

/// A part of a URL, in which `*` stands for any text: `ads.test/tag`, `https://ads.test/*?slot=1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern(String);

impl UrlPattern {
    /// Returns whether a URL contains it.
    #[must_use]
    pub fn matches(&self, url: &str) -> bool {
        let pieces = std::iter::once("").chain(self.0.split('*')).chain([""]);
        words::consists_of(url, pieces)
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for UrlPattern {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<UrlPattern, Infallible> {
        Ok(UrlPattern(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_part_of_a_url_with_stars_for_any_text() {
        for (pattern, url, is_it) in [
            ("ads.test", "https://ads.test/a", true),
            ("https://*/a?x=*&z", "https://ads.test/a?x=1&y=2&z=3", true),
            ("b*a", "https://a.test/b", false),
            ("", "https://a.test/b", true),
        ] {
            assert_eq!(
                UrlPattern(pattern.to_owned()).matches(url),
                is_it,
                "{pattern} {url}"
            );
        }
    }
}
