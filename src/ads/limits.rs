//! Time limits: when a request times out, and which limit that is.
//!
//! A document has the time of its tag and, depending on knobs, a limit of its own; until the first ad of a
//! break is ready, the break may have a limit too. If several limits expire at the same instant, the widest
//! one counts.
//!
//! Rules: REQ-7, REQ-9, CHN-1, CHN-2.

use crate::time::Time;

/// A time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    /// When it expires.
    pub(super) at: Time,
    /// What has timed out then.
    pub(super) whose: Whose,
    /// When the tag itself times out: the tag may use the remaining time for other documents.
    pub(super) tag: Time,
}

/// What has timed out; the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    /// The break.
    Break,
    /// The ad tag: nothing more is fetched for it.
    Tag,
    /// One document.
    Hop,
    /// One media file.
    Media,
}

impl Deadline {
    /// The limit of a document: the earliest of the three.
    pub(super) fn of_document(tag: Time, hop: Option<Time>, of_break: Option<Time>) -> Deadline {
        let limits = [of_break.map(|at| (at, Whose::Break)), hop.map(|at| (at, Whose::Hop))];
        let (at, whose) = limits.into_iter().flatten().fold((tag, Whose::Tag), std::cmp::min);
        Deadline { at, whose, tag }
    }

    /// The limit of a media file: the earlier of the two.
    pub(super) fn of_media(media: Time, of_break: Option<Time>) -> Deadline {
        let of_break = of_break.map(|at| (at, Whose::Break));
        let (at, whose) = of_break.into_iter().fold((media, Whose::Media), std::cmp::min);
        Deadline { at, whose, tag: media }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_limit_counts_and_the_widest_on_a_tie() {
        let at = Time::from_secs;
        let whose = |tag, hop, of_break| {
            let deadline = Deadline::of_document(at(tag), hop, of_break);
            (deadline.at, deadline.whose)
        };
        assert_eq!(whose(5, None, None), (at(5), Whose::Tag));
        assert_eq!(whose(5, Some(at(3)), Some(at(4))), (at(3), Whose::Hop));
        assert_eq!(whose(5, Some(at(5)), None), (at(5), Whose::Tag));
        assert_eq!(whose(5, Some(at(5)), Some(at(5))), (at(5), Whose::Break));
        assert_eq!(Deadline::of_media(at(8), Some(at(8))).whose, Whose::Break);
        assert_eq!(Deadline::of_media(at(8), Some(at(9))).whose, Whose::Media);
    }
}
