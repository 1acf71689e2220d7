//! The events and trackers of a linear ad that are due at a position.
//!
//! Rules: BRK-3, BRK-22, PRD-2, PRD-8, PRD-31, PRD-39; VAST 4.3 sections 3.8, 3.14.

use super::Prepared;
use crate::report::tracking;
use crate::request::hop::HopIndex;
use playsim_api::EventName;
use playsim_base::time::{Position, Span};
use playsim_rules::knobs::{AdDuration, KnobReader, PercentProgress, QuartileAt};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Offset, TrackingEvent, Url};

/// Something due at a position.
#[derive(Debug, Clone, Hash)]
pub(super) struct Mark {
    pub(super) at: Position,
    pub(super) what: MarkKind,
}

/// The kind of a mark.
#[derive(Debug, Clone, Hash)]
pub(super) enum MarkKind {
    Quartile {
        event: EventName,
        beacon: TrackingEvent,
        rule: RuleId,
    },
    Progress {
        hop: HopIndex,
        url: Url,
        rule: RuleId,
    },
    /// The `complete` trackers, before the end. Rule PRD-2.
    Complete,
}

/// The events and trackers of the quartiles, ascending.
pub(crate) const QUARTILES: [(EventName, TrackingEvent); 3] = [
    (EventName::AdFirstQuartile, TrackingEvent::FirstQuartile),
    (EventName::AdMidpoint, TrackingEvent::Midpoint),
    (EventName::AdThirdQuartile, TrackingEvent::ThirdQuartile),
];

/// The duration that quartiles and offsets in percent are shares of, for an ad whose media has this
/// length. Rules BRK-22, PRD-39.
pub(super) fn counted(prepared: &Prepared, media: Span, knobs: &KnobReader) -> Span {
    let stated = || {
        let linear = prepared.hops.last()?.linears().next()?;
        linear.duration.filter(|stated| *stated > Span::ZERO)
    };
    match knobs.ad_duration() {
        AdDuration::Media => media,
        AdDuration::Document => stated().unwrap_or(media),
        AdDuration::Seconds => stated()
            .map(|stated| Span::from_secs(stated.micros() / 1_000_000))
            .filter(|stated| *stated > Span::ZERO)
            .unwrap_or(media),
    }
}

/// The marks of an ad of this duration, ascending. A VPAID unit reports its quartiles and its end
/// itself.
pub(super) fn of(
    prepared: &Prepared,
    duration: Span,
    is_unit: bool,
    knobs: &KnobReader,
) -> Vec<Mark> {
    let quartiles: &[(EventName, TrackingEvent)] = if is_unit { &[] } else { &QUARTILES };
    let rule = match (knobs.quartile_at(), knobs.ad_duration()) {
        (QuartileAt::WholeSecond, _) => rules::PRD_31,
        (QuartileAt::Exact, AdDuration::Media) => rules::BRK_3,
        (QuartileAt::Exact, AdDuration::Document | AdDuration::Seconds) => rules::PRD_39,
    };
    let mut marks: Vec<Mark> = (1..)
        .zip(quartiles.iter().copied())
        .map(|(part, (event, beacon))| Mark {
            at: quartile(part, duration, knobs).end(),
            what: MarkKind::Quartile {
                event,
                beacon,
                rule,
            },
        })
        .collect();
    let rule = match knobs.progress_percent() {
        PercentProgress::Exact => rules::BRK_3,
        PercentProgress::Whole | PercentProgress::Start | PercentProgress::Never => rules::PRD_8,
    };
    for (hop, ad) in tracking::in_order(
        &prepared.hops,
        TrackingEvent::Progress,
        knobs.ad_tracker_order(),
    ) {
        let trackers = ad.linears().flat_map(|linear| &linear.tracking);
        for tracking in trackers.filter(|tracking| tracking.event == TrackingEvent::Progress) {
            let at = tracking
                .offset
                .and_then(|offset| progress_at(offset, duration, knobs));
            if let Some(at) = at.filter(|at| *at <= duration.end()) {
                let what = MarkKind::Progress {
                    hop,
                    url: tracking.url.clone(),
                    rule,
                };
                marks.push(Mark { at, what });
            }
        }
    }
    if let Some(at) = knobs.complete_at().place(duration).filter(|_| !is_unit) {
        marks.push(Mark {
            at,
            what: MarkKind::Complete,
        });
    }
    // On a tie quartiles come before progress, and hops in their order: the sort is stable.
    marks.sort_by_key(|mark| mark.at);
    marks
}

/// How long an ad has played at one of its quartiles. Rules BRK-3, PRD-31.
fn quartile(part: u64, duration: Span, knobs: &KnobReader) -> Span {
    let exact = duration.share(part, 4);
    match knobs.quartile_at() {
        QuartileAt::Exact => exact,
        QuartileAt::WholeSecond => whole_seconds(exact),
    }
}

/// The whole seconds of a length of time.
pub(super) fn whole_seconds(span: Span) -> Span {
    Span::from_secs(span.micros() / 1_000_000)
}

/// Where a `progress` tracker is due; `None` for never. Rules BRK-3, PRD-8.
fn progress_at(offset: Offset, duration: Span, knobs: &KnobReader) -> Option<Position> {
    const PERCENT: u32 = 10_000;
    match (offset, knobs.progress_percent()) {
        (Offset::Share(share), PercentProgress::Whole) => {
            // The played share is rounded to whole percent, so a percentage is reached half a
            // percent early.
            let from = share.saturating_sub(PERCENT / 2);
            (share % PERCENT == 0).then(|| place(Offset::Share(from), duration))
        }
        (Offset::Share(_), PercentProgress::Start) => Some(Position::ZERO),
        (Offset::At(span), PercentProgress::Start) => Some(whole_seconds(span).end()),
        (Offset::At(_) | Offset::Share(_), PercentProgress::Never) => None,
        (Offset::At(_), PercentProgress::Exact | PercentProgress::Whole)
        | (Offset::Share(_), PercentProgress::Exact) => Some(place(offset, duration)),
    }
}

/// The position of an offset in media of this duration.
pub(super) fn place(offset: Offset, duration: Span) -> Position {
    match offset {
        Offset::At(span) => span.end(),
        Offset::Share(millionths) => duration.share(u64::from(millionths), 1_000_000).end(),
    }
}
