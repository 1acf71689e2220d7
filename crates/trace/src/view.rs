//! Views and filters: which lines of a trace are printed. They never change the digest.
//!
//! Rule TRACE-3.

use super::Record;
use playsim_api::{AdLine, EventName, Kind, LineName, MediaLine};
use playsim_base::words;
use playsim_vast::WarningCode;

/// A selection of lines for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Lines for a review: everything except the player's states, the media element's activity
    /// (apart from its failures and the promises of `play()`), and warnings of white space around
    /// URLs.
    #[default]
    Review,
    /// Everything that page code could observe: events, calls and their results, even later
    /// results; in addition the diagnostics, which report what page code cannot see. Rule TRACE-3.
    Page,
    /// Requests, ad decisions, breaks, beacons and ad events.
    Ads,
    /// Every line.
    All,
}

impl View {
    /// Returns whether a record is in this view.
    #[must_use]
    pub fn shows(self, record: &Record) -> bool {
        if record.kind.is_frame() {
            return true;
        }
        match self {
            View::All => true,
            View::Review => {
                let is_failure = record.is(LineName::MediaEvent(EventName::Error));
                let is_detail = matches!(record.kind, Kind::State | Kind::Media);
                let is_detail = is_detail && !is_failure && !is_settled_promise(record);
                // White space around URLs is common and harmless.
                !is_detail && !is_warning_of_blanks(record)
            }
            View::Page => {
                matches!(record.kind, Kind::Call | Kind::Event | Kind::Diag)
                    || is_settled_promise(record)
            }
            View::Ads => {
                let is_of_ads = matches!(
                    record.kind,
                    Kind::Net | Kind::Ad | Kind::Break | Kind::Beacon
                );
                is_of_ads || record.event().is_some_and(is_shown_with_ads)
            }
        }
    }
}

/// Returns whether a promise of `play()` was fulfilled or rejected. Rule PLAY-3.
fn is_settled_promise(record: &Record) -> bool {
    record.is(MediaLine::PlayResolved) || record.is(MediaLine::PlayRejected)
}

fn is_warning_of_blanks(record: &Record) -> bool {
    let code = record.data.text("code");
    record.is(AdLine::Warning)
        && code.is_some_and(|code| &**code == WarningCode::AddressBlanks.word())
}

/// Returns whether an event belongs to ads, or fires between ads and content.
fn is_shown_with_ads(event: EventName) -> bool {
    event.is_of_ads() || matches!(event, EventName::BeforeStart | EventName::PlaybackError)
}

/// A name, in which `*` matches any characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Returns the pattern written like this.
    #[must_use]
    pub fn new(text: &str) -> Pattern {
        Pattern(text.to_owned())
    }

    /// Returns whether it matches a name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        words::consists_of(name, self.0.split('*'))
    }
}

/// Which lines are printed: those of a view that match `only` and do not match `not`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The view.
    pub view: View,
    /// Only lines whose name or kind matches one of these; empty for all.
    pub only: Vec<Pattern>,
    /// No lines whose name or kind matches one of these.
    pub not: Vec<Pattern>,
}

impl Filter {
    /// Returns whether a record is printed. Header and outcome always are.
    #[must_use]
    pub fn shows(&self, record: &Record) -> bool {
        if record.kind.is_frame() {
            return true;
        }
        let named = |pattern: &Pattern| {
            pattern.matches(&record.name) || pattern.matches(record.kind.name())
        };
        self.view.shows(record)
            && (self.only.is_empty() || self.only.iter().any(named))
            && !self.not.iter().any(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_letters() {
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
