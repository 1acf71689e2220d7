//! Until when something may come, and whose limit that is.
//!
//! A document has the time of its tag, and by knob one of its own; whatever a break waits for before its first
//! ad is ready has by knob the break's. Of limits that fall on one instant the widest counts.
//!
//! Rules: REQ-7, REQ-9, CHN-1, CHN-2.

use crate::time::Time;

/// A limit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    /// When it is over.
    pub(super) at: Time,
    /// What is over then.
    pub(super) whose: Whose,
    /// When the tag's own time is over: what is left of it, other documents of the tag may use.
    pub(super) tag: Time,
}

/// What is over when a limit passes; the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    /// The break has taken too long.
    Break,
    /// The ad tag has: nothing more of it is fetched.
    Tag,
    /// The document has.
    Hop,
    /// The media has.
    Media,
}

impl Deadline {
    /// That of a document.
    pub(super) fn of_document(tag: Time, hop: Option<Time>, of_break: Option<Time>) -> Deadline {
        let limits = [of_break.map(|at| (at, Whose::Break)), hop.map(|at| (at, Whose::Hop))];
        let (at, whose) = limits.into_iter().flatten().fold((tag, Whose::Tag), std::cmp::min);
        Deadline { at, whose, tag }
    }

    /// That of media.
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
    fn the_first_limit_counts_and_at_one_instant_the_widest() {
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
