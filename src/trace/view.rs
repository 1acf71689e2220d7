//! Views and filters: which lines of a trace are printed. They never change the digest.
//!
//! Rule TRACE-3.

use super::Record;
use crate::api::{Kind, Value};

/// A choice of lines by what a reader is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// What people review: everything but the player's states, the media element below unless it fails or
    /// answers for `play()`, and white space around addresses.
    #[default]
    Review,
    /// What page code could observe: calls with what they return, later too, and events. Rule TRACE-3.
    Page,
    /// Requests, ad decisions, breaks, beacons and ad events.
    Ads,
    /// Every line.
    All,
}

impl View {
    /// Whether a record stands in this view.
    #[must_use]
    pub fn shows(self, record: &Record) -> bool {
        if matches!(record.kind, Kind::Header | Kind::Outcome) {
            return true;
        }
        match self {
            View::All => true,
            View::Review => {
                let is_failure = record.kind == Kind::Media && &*record.name == "error";
                let is_below = matches!(record.kind, Kind::State | Kind::Media);
                let is_below = is_below && !is_failure && !is_settled_promise(record);
                // White space around addresses is everywhere, and means nothing.
                !is_below && !is_warning_of_blanks(record)
            }
            View::Page => matches!(record.kind, Kind::Call | Kind::Event) || is_settled_promise(record),
            View::Ads => {
                let is_of_ads = matches!(record.kind, Kind::Net | Kind::Ad | Kind::Break | Kind::Beacon);
                is_of_ads || (record.kind == Kind::Event && is_ad_event(&record.name))
            }
        }
    }
}

/// What became of a promise that `play()` gave. Rule PLAY-3.
fn is_settled_promise(record: &Record) -> bool {
    record.kind == Kind::Media && matches!(&*record.name, "play-resolved" | "play-rejected")
}

fn is_warning_of_blanks(record: &Record) -> bool {
    let code = record.data.get("code").and_then(Value::as_text);
    record.kind == Kind::Ad
        && &*record.name == "warning"
        && code.is_some_and(|code| &**code == "address-blanks")
}

fn is_ad_event(name: &str) -> bool {
    name.starts_with("ad")
        || matches!(
            name,
            "requestAd" | "AdsManagerLoadedEvent" | "bidWon" | "vpaidStart" | "beforeStart" | "playbackerror"
        )
}

/// A name, or several with `*` for any letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern of this text.
    #[must_use]
    pub fn new(text: &str) -> Pattern {
        Pattern(text.to_owned())
    }

    /// Whether a name is meant by it.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let mut last = None;
        for part in parts {
            if let Some(part) = last.replace(part) {
                match rest.find(part) {
                    Some(at) => rest = &rest[at + str::len(part)..],
                    None => return false,
                }
            }
        }
        last.map_or(rest.is_empty(), |last| rest.ends_with(last))
    }
}

/// Which lines are printed: a view, then names that are wanted, then names that are not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The view.
    pub view: View,
    /// Only lines with such a name or kind; empty: all.
    pub only: Vec<Pattern>,
    /// No lines with such a name or kind.
    pub not: Vec<Pattern>,
}

impl Filter {
    /// Whether a record is printed. Header and outcome always are.
    #[must_use]
    pub fn shows(&self, record: &Record) -> bool {
        if matches!(record.kind, Kind::Header | Kind::Outcome) {
            return true;
        }
        let named = |pattern: &Pattern| pattern.matches(&record.name) || pattern.matches(record.kind.name());
        self.view.shows(record)
            && (self.only.is_empty() || self.only.iter().any(named))
            && !self.not.iter().any(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        let matches = |pattern: &str, name: &str| Pattern::new(pattern).matches(name);
        assert!(matches("ad*", "adStart"));
        assert!(!matches("ad*", "requestAd"));
        assert!(matches("*Quartile", "adFirstQuartile"));
        assert!(matches("*d*t*", "adStart"));
        assert!(matches("start", "start"));
        assert!(!matches("start", "starts"));
        assert!(matches("*", ""));
        assert!(!matches("a*a", "a"));
    }
}
