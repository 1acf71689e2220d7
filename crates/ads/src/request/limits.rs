//! Time limits: when a request times out, and which limit that is.
//!
//! A document has the time of its tag and, depending on knobs, a limit of its own; until the first
//! ad of a break is ready, the break may have a limit too. If several limits expire at the same
//! instant, the widest one counts.
//!
//! Rules: REQ-7, REQ-9, CHN-1, CHN-2.

use playsim_base::time::Time;

/// A time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Deadline {
    /// When it expires.
    pub(crate) at: Time,
    /// The limit that is reached then.
    pub(crate) kind: LimitKind,
    /// When the tag itself times out: the tag may use the remaining time for other documents.
    pub(crate) tag: Time,
}

/// The limits; the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LimitKind {
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
    pub(crate) fn of_document(tag: Time, hop: Option<Time>, of_break: Option<Time>) -> Deadline {
        let limits = [
            of_break.map(|at| (at, LimitKind::Break)),
            hop.map(|at| (at, LimitKind::Hop)),
        ];
        let (at, kind) = limits
            .into_iter()
            .flatten()
            .fold((tag, LimitKind::Tag), std::cmp::min);
        Deadline { at, kind, tag }
    }

    /// The limit of a media file: the earlier of the two.
    pub(crate) fn of_media(media: Time, of_break: Option<Time>) -> Deadline {
        let of_break = of_break.map(|at| (at, LimitKind::Break));
        let (at, kind) = of_break
            .into_iter()
            .fold((media, LimitKind::Media), std::cmp::min);
        Deadline {
            at,
            kind,
            tag: media,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_limit_counts_and_the_widest_on_a_tie() {
        let at = Time::from_secs;
        let kind = |tag, hop, of_break| {
            let deadline = Deadline::of_document(at(tag), hop, of_break);
            (deadline.at, deadline.kind)
        };
        assert_eq!(kind(5, None, None), (at(5), LimitKind::Tag));
        assert_eq!(kind(5, Some(at(3)), Some(at(4))), (at(3), LimitKind::Hop));
        assert_eq!(kind(5, Some(at(5)), None), (at(5), LimitKind::Tag));
        assert_eq!(kind(5, Some(at(5)), Some(at(5))), (at(5), LimitKind::Break));
        assert_eq!(
            Deadline::of_media(at(8), Some(at(8))).kind,
            LimitKind::Break
        );
        assert_eq!(
            Deadline::of_media(at(8), Some(at(9))).kind,
            LimitKind::Media
        );
    }
}
