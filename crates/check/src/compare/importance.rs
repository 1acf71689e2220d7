//! How much of a difference a viewer or an advertiser would notice.

use serde::Serialize;

use super::marks::What;

/// How the two sides differ at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The player does it, the simulation does not.
    Extra,
    /// The simulation does it, the player does not.
    Missing,
    /// Both do it, but not in the same order with the lines around it.
    Order,
    /// Both call the same tracker, with another code or reason in it.
    Value,
    /// Both do it, but at other times after the anchor.
    Time,
    /// Both do it, but the delays since the start add up to too much.
    Overall,
}

impl DifferenceKind {
    /// Returns its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            DifferenceKind::Extra => "only the player",
            DifferenceKind::Missing => "only the simulator",
            DifferenceKind::Order => "other order",
            DifferenceKind::Value => "other code",
            DifferenceKind::Time => "other time",
            DifferenceKind::Overall => "time adds up",
        }
    }
}

/// How much a viewer or an advertiser would notice, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// The film never comes, or never ends.
    NoContent,
    /// An ad is not asked for, or not shown.
    NoAd,
    /// An ad is shown and not counted: no impression, or no call of another tracker that is paid
    /// for.
    NotCounted,
    /// An ad is shown or counted more often than it should be.
    CountedTwice,
    /// A tracker has a wrong code, or another wrong value.
    WrongCode,
    /// A tracker is missing, or there is one too many.
    Tracker,
    /// A window does not open, or one too many.
    Click,
    /// Something comes at least a second early or late.
    OffBySeconds,
    /// Something comes in another order.
    Order,
    /// Something comes early or late, by less than a second.
    OffByLess,
    /// The content flashes.
    Flash,
    /// A URL has more in it than its document, or nobody knows it.
    Url,
}

/// A line that is early or late by this many microseconds is noticed.
const NOTICED: u64 = 1_000_000;

impl Importance {
    /// Ranks a difference. `is_repeated`: the player does the same more than once.
    pub(super) fn of(
        kind: DifferenceKind,
        what: &What,
        is_repeated: bool,
        late_us: Option<i64>,
    ) -> Importance {
        match kind {
            DifferenceKind::Order => Importance::Order,
            DifferenceKind::Value => Importance::WrongCode,
            DifferenceKind::Time | DifferenceKind::Overall => {
                let is_noticed = late_us.is_some_and(|late| late.unsigned_abs() >= NOTICED);
                if is_noticed {
                    Importance::OffBySeconds
                } else {
                    Importance::OffByLess
                }
            }
            DifferenceKind::Extra | DifferenceKind::Missing => {
                Importance::of_one_side(kind == DifferenceKind::Missing, what, is_repeated)
            }
        }
    }

    /// Ranks a line that is on one side only.
    fn of_one_side(is_missing: bool, what: &What, is_repeated: bool) -> Importance {
        match what {
            What::Flash => Importance::Flash,
            What::Stranger | What::Addition => Importance::Url,
            What::Content | What::ContentEnd if is_missing => Importance::NoContent,
            What::Content | What::ContentEnd => Importance::Order,
            What::Ad | What::Asks if is_missing => Importance::NoAd,
            What::Ad => Importance::CountedTwice,
            What::Asks => Importance::Tracker,
            What::Tracker { event, .. } => {
                let is_paid = matches!(
                    &**event,
                    "impression" | "start" | "complete" | "clickTracking"
                );
                match (is_missing, is_paid) {
                    (true, true) => Importance::NotCounted,
                    (false, true) if is_repeated => Importance::CountedTwice,
                    _ => Importance::Tracker,
                }
            }
            What::Opens => Importance::Click,
            What::Event | What::Act | What::Update | What::Line(_) => Importance::Tracker,
        }
    }

    /// Returns it in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Importance::NoContent => "the film does not come, or does not end",
            Importance::NoAd => "an ad does not come",
            Importance::NotCounted => "an ad is not counted",
            Importance::CountedTwice => "an ad is counted or shown once more",
            Importance::WrongCode => "a tracker with a wrong value",
            Importance::Tracker => "a tracker is missing, or one too many",
            Importance::Click => "a click leads elsewhere",
            Importance::OffBySeconds => "early or late by a second or more",
            Importance::Order => "another order",
            Importance::OffByLess => "early or late by less than a second",
            Importance::Flash => "a flash of content",
            Importance::Url => "a URL of its own",
        }
    }
}
