//! One linear ad from ready to its end.
//!
//! Its clock is its own playhead: pause and missing data stop it, and only a product's profile lets a seek move
//! it. So the playhead says where it is, and the next thing due is computed from it: a mark (quartile or progress),
//! a place where data runs out or playing fails, or the end. Which ad comes before or after is not
//! known here.
//!
//! ```text
//!            start                  place of a stall
//!   (ready) ───────► Advancing ───────────────────────► Waiting ──► 405 if it takes too long
//!                      ▲  │ pause, resume: the            │
//!                      └──┘ playhead stands, advances     │ data is back
//!                      ▲──────────────────────────────────┘
//! ```
//!
//! Rules: BRK-1 to BRK-4, BRK-13, BRK-15, BRK-20 to BRK-22, CLK-3; VAST 4.3 sections 3.8, 3.14.

use std::sync::Arc;

mod accompany;
mod marks;
mod skip;
mod standing;

use self::marks::{Mark, MarkKind, place};
use super::beside::Beside;
use super::error::{self, AdErrorCode, Failure};
use super::macros::{AdAtHand, Occasion};
use super::tracking::{Hop, Teller};
use super::unit::{Page, SimidUnit, VpaidUnit};
use crate::api::{Cause, Class, Event, EventName, Fields, Kind, Line, Output, Text, Wake};
use crate::knobs::{CatchUp, CompleteAt, Detection, Knobs, SeekQuartiles, VpaidStart};
use crate::media::{MediaFault, MediaInfo, Playhead, Vpaid};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};

/// An ad whose media is chosen and not there yet.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// The ads on the way to it, itself last.
    pub(super) hops: Arc<[Hop]>,
    /// The address of its media.
    pub(super) media: Arc<str>,
    /// Where that stands, as `file:line:column`.
    pub(super) at: Option<Text>,
    /// Whether that is code that plays it. Rule BRK-2.
    pub(super) is_vpaid: bool,
    /// The page of the unit beside its film. Rule SIMID-2.
    pub(super) page: Option<Page>,
    /// What goes with it.
    pub(super) beside: Box<Beside>,
    /// The creatives that are to be shown behind it, by their index in the ad. Rule SEL-1.
    pub(super) rest: Vec<usize>,
    /// Which part of the ad it is, from 0. Rule SEL-1.
    pub(super) part: u32,
}

/// A linear ad whose media is there.
#[derive(Debug, Clone)]
pub(super) struct LinearAd {
    prepared: Prepared,
    info: Arc<MediaInfo>,
    head: Playhead,
    flow: Flow,
    /// Ascending; those before `next_mark` have come.
    marks: Vec<Mark>,
    next_mark: usize,
    next_stall: usize,
    noticing: Noticing,
    vpaid_start: VpaidStart,
    /// The unit that plays it, if it is one with a script. Rule VPAID-1.
    pub(super) vpaid: Option<Box<VpaidUnit>>,
    /// The unit beside its film. Rule SIMID-1.
    pub(super) simid: Option<Box<SimidUnit>>,
    /// The least skip offset. Rule ADX-27.
    min_skip: Position,
    in_seek: SeekQuartiles,
    /// Whether a part of it was passed over, and its trackers stand for played time. Rule PRD-1.
    has_skipped: bool,
    /// Until when it may wait to be started. Rule SEL-12.
    expires: Option<Time>,
    complete_at: CompleteAt,
    /// The line that made what comes next due: the ad's start, or its last resumption.
    cause: Cause,
}

/// When marks are noticed, and how many at a time. Rules BRK-4, LAST-4.
#[derive(Debug, Clone, Copy)]
struct Noticing {
    detection: Detection,
    catch_up: CatchUp,
    /// From one periodic update to the next.
    period: Span,
    /// Since when periodic updates are counted.
    since: Time,
    /// Marks that were crossed together wait until then.
    not_before: Time,
}

/// Whether there is data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Advancing,
    Waiting {
        /// When data is back.
        until: Time,
        /// When the ad fails if it is not. Rule BRK-20.
        gives_up: Time,
    },
}

/// What became of an ad in a wake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Moved {
    /// It goes on.
    On,
    /// It was shown to its end.
    Completed,
    /// It failed.
    Failed(Failure),
}

impl LinearAd {
    /// The ad with its media. The media's length counts, whatever the document says. Rule BRK-22.
    pub(super) fn new(prepared: Prepared, info: Arc<MediaInfo>, knobs: &Knobs, cause: Cause) -> LinearAd {
        let script = info.vpaid_script.as_ref();
        let vpaid = script.map(|script| Box::new(VpaidUnit::new(script, info.duration, knobs)));
        let marks = marks::of(&prepared, info.duration, vpaid.is_some(), knobs);
        LinearAd {
            prepared,
            info,
            head: Playhead::standing(Position::ZERO),
            flow: Flow::Advancing,
            marks,
            next_mark: 0,
            next_stall: 0,
            noticing: Noticing {
                detection: knobs.detect,
                catch_up: knobs.quartile_catch_up,
                period: knobs.timeupdate_period,
                since: Time::ZERO,
                not_before: Time::ZERO,
            },
            vpaid_start: knobs.vpaid_start,
            vpaid,
            simid: None,
            min_skip: knobs.skip_min_offset.end(),
            in_seek: knobs.quartile_in_seek,
            has_skipped: false,
            expires: None,
            complete_at: knobs.complete_at,
            cause,
        }
    }

    /// What its unit does by itself, if it is a VPAID ad. Rules BRK-2, MUTE-6, CLICK-4.
    pub(super) fn vpaid(&self) -> Option<Vpaid> {
        self.info.vpaid.or(self.prepared.is_vpaid.then(Vpaid::default))
    }

    /// The same, which may wait no longer than until then. Rule SEL-12.
    pub(super) fn waiting_until(self, expires: Option<Time>) -> LinearAd {
        LinearAd { expires, ..self }
    }

    /// Until when it may wait to be started. Rule SEL-12.
    pub(super) fn expires(&self) -> Option<Time> {
        self.expires
    }

    /// What was chosen.
    pub(super) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The ads on the way to it, itself last.
    pub(super) fn hops(&self) -> &Arc<[Hop]> {
        &self.prepared.hops
    }

    /// The length of its media, or of its unit as that says.
    pub(super) fn duration(&self) -> Span {
        self.vpaid.as_ref().map_or(self.info.duration, |unit| unit.duration())
    }

    /// The line that made what comes next due. Rule EVT-23.
    pub(super) fn cause(&self) -> Cause {
        self.cause
    }

    /// What macros may ask about it.
    pub(super) fn at_hand(&self, now: Time) -> AdAtHand<'_> {
        self.prepared.at_hand(&self.head, now)
    }

    /// Calls the trackers of an event of the ad.
    pub(super) fn track(&self, rule: RuleId, event: &'static str, cause: Cause, teller: &mut Teller<'_>) {
        teller.track(rule, event, cause, &self.prepared.hops, self.at_hand(teller.now));
    }

    /// Begins to play: impression, start, and their beacons. Rule BRK-1.
    pub(super) fn start(&mut self, teller: &mut Teller<'_>) {
        self.tell_start(teller);
        self.track(rule!("BRK-1"), "creativeView", self.cause, teller);
        self.track(rule!("BRK-1"), "start", self.cause, teller);
        self.with_beside(teller, Beside::start);
        self.advance(teller.now);
    }

    /// The events of its start, and the impressions. Rules BRK-1, BRK-2.
    pub(super) fn tell_start(&mut self, teller: &mut Teller<'_>) {
        let impression = teller.out.event(rule!("BRK-1"), EventName::AdImpression);
        // The impression is the ad's, not that of its parts. SEL-1
        if self.prepared.part == 0 {
            teller.impressions(impression, &self.prepared.hops, self.at_hand(teller.now));
        }
        let is_vpaid = self.vpaid().is_some();
        if !is_vpaid || self.vpaid_start == VpaidStart::Both {
            self.cause = teller.out.event(rule!("BRK-1"), EventName::AdStart);
        }
        if is_vpaid {
            let cause = teller.out.event(rule!("BRK-2"), EventName::VpaidStart);
            if self.vpaid_start == VpaidStart::Instead {
                self.cause = cause;
            }
        }
    }

    /// Its clock runs, and updates are counted anew. Rule MEL-15.
    pub(super) fn advance(&mut self, now: Time) {
        self.head.advance(now);
        self.noticing.since = now;
        self.prepared.beside.run(now, true);
    }

    /// Its clock.
    pub(super) fn head(&self) -> &Playhead {
        &self.head
    }

    /// Where it ends: with its film, or later if its unit got more time. Rule SIMID-12.
    fn ends_at(&self) -> Position {
        self.info.duration.end() + self.simid.as_ref().map_or(Span::ZERO, |unit| unit.extra())
    }

    /// How its film fails, if it does.
    pub(super) fn fault(&self) -> Option<MediaFault> {
        self.info.fails.map(|failure| failure.how)
    }

    /// Where it stands.
    pub(super) fn position(&self, now: Time) -> Position {
        self.head.position(now)
    }

    /// When something is due; of its media only if it plays, that is neither held nor paused.
    pub(super) fn next_wake(&self, plays: bool) -> Option<Wake> {
        let own = if plays { self.next_of_media() } else { None };
        let (says, gives_up) = match (&self.vpaid, &self.simid) {
            (Some(unit), _) => unit.next_at(&self.head),
            (None, Some(unit)) => unit.next_at(&self.head),
            (None, None) => return own,
        };
        let says = says.map(|at| Wake { at, class: Class::Media });
        let gives_up = gives_up.map(|at| Wake { at, class: Class::Timer });
        [own, says, gives_up].into_iter().flatten().min()
    }

    /// When something of its media is due.
    fn next_of_media(&self) -> Option<Wake> {
        match self.flow {
            Flow::Waiting { until, gives_up } => {
                Some(Wake { at: until, class: Class::Media }.min(Wake { at: gives_up, class: Class::Timer }))
            }
            Flow::Advancing => {
                // A unit ends by itself.
                let end = if self.vpaid.is_some() { Position::MAX } else { self.ends_at() };
                let stall = self.next_stall().map(|stall| stall.0);
                let failure = self.info.fails.map(|failure| failure.at);
                let next = [stall, failure].into_iter().flatten().fold(end, Position::min);
                let beside = self.prepared.beside.due(&self.head, self.noticing.not_before);
                let at = [self.head.reaches(next), self.noticed_at(), beside].into_iter().flatten().min();
                at.map(|at| Wake { at, class: Class::Media })
            }
        }
    }

    /// Does what follows from data and position at this instant, in the order of CLK-3: data first,
    /// then marks ascending, then the end.
    pub(super) fn wake_media(&mut self, stall_timeout: Span, teller: &mut Teller<'_>) -> Moved {
        let now = teller.now;
        if let Flow::Waiting { until, .. } = self.flow {
            if until > now {
                return Moved::On;
            }
            self.flow = Flow::Advancing;
            self.advance(now);
            self.note_media("playing", teller);
        }
        let position = self.head.position(now);
        if let Some(failure) = self.info.fails.filter(|failure| failure.at <= position) {
            let failure = Failure::new(error::of_media(failure.how), failure.how.word());
            return Moved::Failed(failure.by(rule!("BRK-5")));
        }
        if let Some((_, length)) = self.next_stall().filter(|(at, _)| *at <= position) {
            self.next_stall += 1;
            if length > Span::ZERO {
                self.stand(now);
                self.flow = Flow::Waiting { until: now + length, gives_up: now + stall_timeout };
                self.note_media("waiting", teller);
            }
        }
        let is_over = self.vpaid.is_none() && position >= self.ends_at();
        if is_over || self.noticed_at().is_some_and(|at| at <= now) {
            self.reach_marks(position, teller);
        }
        if !is_over {
            self.with_beside(teller, Beside::wake);
        }
        if is_over { Moved::Completed } else { Moved::On }
    }

    /// When the next mark is noticed while the clock runs. Rules BRK-4, LAST-4.
    fn noticed_at(&self) -> Option<Time> {
        let mark = self.marks.get(self.next_mark)?;
        let Noticing { detection, period, since, not_before, .. } = self.noticing;
        // What lies behind already was crossed by a jump, or waits for its update.
        let at = self.head.reaches(mark.at).unwrap_or(not_before).max(not_before);
        match detection {
            Detection::Exact => Some(at),
            Detection::OnTimeupdate => {
                // The first update comes a period after the clock began to run.
                let updates = (at - since).micros().div_ceil(period.micros()).max(1);
                Some(since + period.times(updates))
            }
        }
    }

    /// Tells of what the position has reached. Rules BRK-3, BRK-4.
    fn reach_marks(&mut self, position: Position, teller: &mut Teller<'_>) {
        let now = teller.now;
        let mut has_told_quartile = false;
        while let Some(mark) = self.marks.get(self.next_mark).filter(|mark| mark.at <= position) {
            match &mark.what {
                MarkKind::Quartile { event, beacon } => {
                    let (event, beacon) = (*event, *beacon);
                    match self.noticing.catch_up {
                        CatchUp::OnePerUpdate if has_told_quartile => {
                            self.noticing.not_before = now + self.noticing.period;
                            return;
                        }
                        CatchUp::NewestOnly if self.passes_another_quartile(position) => {}
                        CatchUp::All | CatchUp::OnePerUpdate | CatchUp::NewestOnly => {
                            has_told_quartile = true;
                            let output = Output::Event(Event::from(event));
                            let cause = teller.out.put_because(self.cause, rule!("BRK-3"), output);
                            self.track(rule!("BRK-3"), beacon, cause, teller);
                        }
                    }
                }
                MarkKind::Complete => self.track(rule!("PRD-2"), "complete", self.cause, teller),
                MarkKind::Progress { hop, url } => {
                    let mut occasion = Occasion::new(now, teller.kind).with_ad(self.at_hand(now));
                    let id = self.prepared.hops[*hop].ad().id.as_ref();
                    teller.call(rule!("BRK-3"), "progress", self.cause, (*hop, id), url, &mut occasion);
                }
            }
            self.next_mark += 1;
        }
    }

    /// Whether the position has reached a quartile behind the next mark, too.
    fn passes_another_quartile(&self, position: Position) -> bool {
        let behind = self.marks.iter().skip(self.next_mark + 1).take_while(|mark| mark.at <= position);
        behind.into_iter().any(|mark| matches!(mark.what, MarkKind::Quartile { .. }))
    }

    /// Fails if data has been missing for too long. Rule BRK-20.
    pub(super) fn wake_timer(&self, now: Time) -> Moved {
        match self.flow {
            Flow::Waiting { gives_up, .. } if gives_up <= now => {
                let why = "data was missing for too long";
                Moved::Failed(Failure::new(AdErrorCode::MediaDisplay, why).by(rule!("BRK-20")))
            }
            Flow::Waiting { .. } | Flow::Advancing => Moved::On,
        }
    }

    /// Where data runs out next, and for how long. What lies at the end or behind it never comes.
    fn next_stall(&self) -> Option<(Position, Span)> {
        let stall = self.info.stalls.get(self.next_stall)?;
        (stall.at < self.info.duration.end()).then_some((stall.at, stall.length))
    }

    fn note_media(&self, name: &'static str, teller: &mut Teller<'_>) {
        let data = Fields::one("position", self.head.position(teller.now));
        let line = Line { kind: Kind::Ad, name: name.into(), data };
        teller.out.put_because(self.cause, rule!("BRK-20"), Output::Line(line));
    }
}
