//! One linear ad from ready to its end.
//!
//! Its clock is its own playhead: pause and missing data stop it, and only some profiles let a seek
//! move it. The next work is computed from the playhead: a mark (quartile or progress), a stall, a
//! failure, or the end. Which ads come before or after it is not known here.
//!
//! ```text
//!            start                  place of a stall
//!   (ready) ───────► Advancing ───────────────────────► Waiting ──► 405 if it takes too long
//!                      ▲  │ pause, resume: the            │
//!                      └──┘ playhead stops, advances      │ data is back
//!                      ▲──────────────────────────────────┘
//! ```
//!
//! Rules: BRK-1 to BRK-4, BRK-13, BRK-15, BRK-20 to BRK-22, CLK-3; VAST 4.3 sections 3.8, 3.14.

use std::sync::Arc;

mod accompany;
mod marks;
mod skip;
mod start;
mod transport;
mod units;

use super::attachments::Attachments;
use super::unit::Unit;
use super::unit::page::Page;
use super::unit::vpaid::VpaidUnit;
use crate::error::{AdErrorCode, Failure, MediaCodes};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::report::tracking::Told;
use crate::request::hop::Hop;
pub(crate) use marks::QUARTILES;
use marks::{Mark, MarkKind};
use playsim_api::media::{MediaFault, MediaInfo, Playhead, Vpaid};
use playsim_api::{AdLine, Because, Cause, Class, Fields, Text, Wake};
use playsim_base::time::{Position, Span, Time};
use playsim_rules as rules;
use playsim_rules::knobs::{
    CatchUp, CompleteAt, Detection, KnobReader, SeekQuartiles, SkipOffset, VpaidStart,
};
use playsim_vast::TrackingEvent;

/// An ad whose media is chosen but not loaded yet.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Prepared {
    /// The wrappers that lead to the ad and the ad itself.
    pub(crate) hops: Arc<[Hop]>,
    /// The URL of its media.
    pub(crate) media: Arc<str>,
    /// The place of that URL, as `file:line:column`.
    pub(crate) at: Option<Text>,
    /// Whether the media is a VPAID unit. Rule BRK-2.
    pub(crate) is_vpaid: bool,
    /// The page of the SIMID unit next to its media. Rule SIMID-2.
    pub(crate) page: Option<Page>,
    /// The attachments of the ad.
    pub(crate) attachments: Box<Attachments>,
    /// The creatives that are shown after it, by index in the ad. Rule SEL-1.
    pub(crate) rest: Vec<usize>,
    /// Which part of the ad it is, counted from 0. Rule SEL-1.
    pub(crate) part: u32,
}

/// A linear ad whose media is loaded.
#[derive(Debug, Clone, Hash)]
pub(crate) struct LinearAd {
    prepared: Prepared,
    info: Arc<MediaInfo>,
    head: Playhead,
    flow: Flow,
    /// The duration that quartiles and offsets in percent are shares of. Rule PRD-39.
    counted: Span,
    /// Ascending; those before `next_mark` have been passed.
    marks: Vec<Mark>,
    next_mark: usize,
    next_stall: usize,
    noticing: Noticing,
    vpaid_start: VpaidStart,
    /// The code that runs with it.
    pub(crate) unit: Unit,
    /// The minimum skip offset. Rule ADX-27.
    min_skip: Position,
    /// Which skip offset counts. Rule PRD-42.
    skip_reading: SkipOffset,
    /// The shortest ad that can be skipped. Rule PRD-36.
    shortest_skip: Span,
    in_seek: SeekQuartiles,
    /// Whether a seek passed over a part, in a profile whose trackers count played time. Rule
    /// PRD-1.
    has_skipped: bool,
    /// Whether it is a unit that is visible over the content. Rule VPAID-19.
    is_over_content: bool,
    /// Whether it is a unit that was paused because the content was. Rule VPAID-19.
    pub(crate) stands_with_content: bool,
    /// Where the limit of its break cuts it. Rule SEL-15.
    cut_at: Option<Position>,
    /// Until when it may wait to be started. Rule SEL-12.
    expires: Option<Time>,
    complete_at: CompleteAt,
    told: Told,
    /// The line that causes whatever is due next: the ad's start, or when it was last resumed.
    cause: Cause,
}

/// When marks are noticed, and how many at once. Rules BRK-4, LAST-4.
#[derive(Debug, Clone, Copy, Hash)]
struct Noticing {
    detection: Detection,
    catch_up: CatchUp,
    /// The period of updates.
    period: Span,
    /// When the updates started to count.
    since: Time,
    /// The earliest time for marks that were passed together with others.
    not_before: Time,
}

/// Whether data is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Flow {
    Advancing,
    Waiting {
        /// When data is available again.
        until: Time,
        /// When the ad fails if it is not. Rule BRK-20.
        gives_up: Time,
    },
}

/// The result of advancing an ad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Moved {
    /// It continues.
    On,
    /// It played to its end.
    Completed,
    /// It has reached the limit of its break. Rule SEL-15.
    Cut,
    /// It failed.
    Failed(Failure),
}

impl LinearAd {
    /// Creates the ad with its media, whose duration counts whatever the document says, unless the
    /// profile takes the document's. Rules BRK-22, PRD-39.
    pub(crate) fn new(
        prepared: Prepared,
        info: Arc<MediaInfo>,
        knobs: &KnobReader,
        cause: Cause,
    ) -> LinearAd {
        let script = info.vpaid.as_ref();
        let vpaid = script.map(|script| Box::new(VpaidUnit::new(script, info.duration, knobs)));
        let unit = vpaid.map_or(Unit::None, Unit::Vpaid);
        let counted = marks::counted(&prepared, info.duration, knobs);
        let marks = marks::of(&prepared, counted, unit.is_vpaid(), knobs);
        // It is ready only once its first data have arrived. REQ-9
        let next_stall = info
            .stalls
            .partition_point(|stall| stall.at == Position::ZERO);
        LinearAd {
            prepared,
            info,
            head: Playhead::standing(Position::ZERO),
            flow: Flow::Advancing,
            counted,
            marks,
            next_mark: 0,
            next_stall,
            noticing: Noticing {
                detection: knobs.detect(),
                catch_up: knobs.quartile_catch_up(),
                period: knobs.timeupdate_period(),
                since: Time::ZERO,
                not_before: Time::ZERO,
            },
            vpaid_start: knobs.vpaid_start(),
            unit,
            min_skip: knobs.skip_min_offset().end(),
            skip_reading: knobs.skip_offset(),
            shortest_skip: knobs.skip_shortest(),
            in_seek: knobs.quartile_in_seek(),
            has_skipped: false,
            is_over_content: false,
            stands_with_content: false,
            cut_at: None,
            expires: None,
            complete_at: knobs.complete_at(),
            told: Told::default(),
            cause,
        }
    }

    /// The script of its VPAID unit; `None` if it is not a VPAID ad. Rules BRK-2, MUTE-6, CLICK-4.
    pub(crate) fn vpaid_media(&self) -> Option<Vpaid> {
        let does = self.info.vpaid.as_ref().map(|unit| unit.does);
        does.or(self.prepared.is_vpaid.then(Vpaid::default))
    }

    /// Sets until when it may wait to be started. Rule SEL-12.
    pub(crate) fn waiting_until(self, expires: Option<Time>) -> LinearAd {
        LinearAd { expires, ..self }
    }

    /// Sets where it is cut. Rule SEL-15.
    pub(crate) fn cut_at(self, cut_at: Option<Position>) -> LinearAd {
        LinearAd { cut_at, ..self }
    }

    /// Until when it may wait to be started. Rule SEL-12.
    pub(crate) fn expires(&self) -> Option<Time> {
        self.expires
    }

    /// The chosen creative and media.
    pub(crate) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The wrappers that lead to the ad and the ad itself.
    pub(crate) fn hops(&self) -> &Arc<[Hop]> {
        &self.prepared.hops
    }

    /// The duration of its media, or the one that its unit reports.
    pub(crate) fn duration(&self) -> Span {
        self.unit
            .vpaid()
            .map_or(self.info.duration, |unit| unit.duration())
    }

    /// Its length on screen: its duration, and the time that its unit was granted. Rules GAP-3,
    /// SIMID-12.
    pub(crate) fn length(&self) -> Span {
        self.duration() + self.unit.simid().map_or(Span::ZERO, |unit| unit.extra())
    }

    /// The line that causes whatever is due next. Rule EVT-23.
    pub(crate) fn cause(&self) -> Cause {
        self.cause
    }

    /// The facts about the ad for macros.
    pub(crate) fn at_hand(&self, now: Time) -> CurrentAd<'_> {
        self.prepared.at_hand(&self.head, now)
    }

    /// Calls the trackers of an event of the ad.
    pub(crate) fn track(&mut self, because: Because, event: TrackingEvent, cx: &mut Scope<'_>) {
        let ad = self.prepared.at_hand(&self.head, cx.now());
        cx.track_again(because, event, ad, &mut self.told);
    }

    /// Starts the clock; updates are counted from here on. Rule MEL-15.
    pub(crate) fn advance(&mut self, now: Time) {
        self.head.advance(now);
        self.noticing.since = now;
        self.prepared.attachments.run(now, true);
    }

    /// The playhead.
    pub(crate) fn head(&self) -> &Playhead {
        &self.head
    }

    /// The fault that its media fails with, if any.
    pub(crate) fn fault(&self) -> Option<MediaFault> {
        self.info.fails.map(|failure| failure.how)
    }

    /// The current position.
    pub(crate) fn position(&self, now: Time) -> Position {
        self.head.position(now)
    }

    /// When something is due. `plays` is whether the media is playing; otherwise only the unit is
    /// considered.
    pub(crate) fn next_wake(&self, plays: bool) -> Option<Wake> {
        let own = if plays { self.next_of_media() } else { None };
        let (says, gives_up) = match &self.unit {
            Unit::None => return own,
            Unit::Vpaid(unit) => unit.next_at(&self.head),
            Unit::Simid(unit) => unit.next_at(&self.head),
        };
        let says = says.map(|at| Wake {
            at,
            class: Class::Media,
        });
        let gives_up = gives_up.map(|at| Wake {
            at,
            class: Class::Timer,
        });
        [own, says, gives_up].into_iter().flatten().min()
    }

    /// When something of the media is due.
    fn next_of_media(&self) -> Option<Wake> {
        match self.flow {
            Flow::Waiting { until, gives_up } => Some(
                Wake {
                    at: until,
                    class: Class::Media,
                }
                .min(Wake {
                    at: gives_up,
                    class: Class::Timer,
                }),
            ),
            Flow::Advancing => {
                // A unit ends on its own.
                let end = if self.unit.is_vpaid() {
                    Position::MAX
                } else {
                    self.length().end()
                };
                let stall = self.next_stall().map(|stall| stall.0);
                let failure = self.info.fails.map(|failure| failure.at);
                let next = [stall, failure, self.cut_at]
                    .into_iter()
                    .flatten()
                    .fold(end, Position::min);
                let attachments = self
                    .prepared
                    .attachments
                    .due(&self.head, self.noticing.not_before);
                let at = [self.head.reaches(next), self.noticed_at(), attachments]
                    .into_iter()
                    .flatten()
                    .min();
                at.map(|at| Wake {
                    at,
                    class: Class::Media,
                })
            }
        }
    }

    /// Does the work that is due at this instant in the order of CLK-3: data first, then marks
    /// ascending, then the end.
    pub(crate) fn wake_media(&mut self, stall_timeout: Span, cx: &mut Scope<'_>) -> Moved {
        let now = cx.now();
        if let Flow::Waiting { until, .. } = self.flow {
            if until > now {
                return Moved::On;
            }
            self.flow = Flow::Advancing;
            self.advance(now);
            self.note_media(AdLine::Playing, cx);
        }
        let position = self.head.position(now);
        if let Some(failure) = self.info.fails.filter(|failure| failure.at <= position) {
            let why = format!(
                "the media file {} failed during playback: {}",
                self.prepared.media,
                failure.how.name()
            );
            let codes = MediaCodes::of(cx.knobs());
            return Moved::Failed(Failure::of_playing(failure.how, why, codes));
        }
        if let Some((_, length)) = self.next_stall().filter(|(at, _)| *at <= position) {
            self.next_stall += 1;
            if length > Span::ZERO {
                self.stand(now);
                self.flow = Flow::Waiting {
                    until: now + length,
                    gives_up: now + stall_timeout,
                };
                self.note_media(AdLine::Waiting, cx);
            }
        }
        let is_over = !self.unit.is_vpaid() && position >= self.length().end();
        if is_over && cx.knobs().pause_at_end().is_on() {
            let because = Because {
                rule: rules::PRD_43,
                cause: cx.out.cause(),
            };
            self.track(because, TrackingEvent::Pause, cx);
        }
        if is_over || self.noticed_at().is_some_and(|at| at <= now) {
            self.reach_marks(position, cx);
        }
        if !is_over {
            self.with_attachments(Attachments::wake, cx);
        }
        if is_over {
            Moved::Completed
        } else if self.cut_at.is_some_and(|cut| cut <= position) {
            Moved::Cut
        } else {
            Moved::On
        }
    }

    /// When the next mark is noticed while the clock runs. Rules BRK-4, LAST-4.
    fn noticed_at(&self) -> Option<Time> {
        let mark = self.marks.get(self.next_mark)?;
        let Noticing {
            detection,
            period,
            since,
            not_before,
            ..
        } = self.noticing;
        // A position already passed was skipped by a seek or waits for its update.
        let at = self
            .head
            .reaches(mark.at)
            .unwrap_or(not_before)
            .max(not_before);
        match detection {
            Detection::Exact => Some(at),
            Detection::OnTimeupdate => {
                // The first update comes one period after the clock started.
                let updates = (at - since).covering_steps(period).max(1);
                Some(since + period.times(updates))
            }
        }
    }

    /// Reports the marks that the position has reached. Rules BRK-3, BRK-4.
    fn reach_marks(&mut self, position: Position, cx: &mut Scope<'_>) {
        let now = cx.now();
        let mut has_reported_quartile = false;
        while let Some(mark) = self
            .marks
            .get(self.next_mark)
            .filter(|mark| mark.at <= position)
        {
            match &mark.what {
                MarkKind::Quartile {
                    event,
                    beacon,
                    rule,
                } => match self.noticing.catch_up {
                    CatchUp::OnePerUpdate if has_reported_quartile => {
                        self.noticing.not_before = now + self.noticing.period;
                        return;
                    }
                    CatchUp::NewestOnly if self.passes_another_quartile(position) => {}
                    CatchUp::All | CatchUp::OnePerUpdate | CatchUp::NewestOnly => {
                        has_reported_quartile = true;
                        let cause = cx.out.event(
                            Because {
                                rule: *rule,
                                cause: self.cause,
                            },
                            *event,
                        );
                        self.track(Because { rule: *rule, cause }, *beacon, cx);
                    }
                },
                MarkKind::Complete => self.track(
                    Because {
                        rule: rules::PRD_2,
                        cause: self.cause,
                    },
                    TrackingEvent::Complete,
                    cx,
                ),
                MarkKind::Progress { hop, url, rule } => {
                    let occasion = cx.occasion().with_ad(self.at_hand(now));
                    let ad = self.prepared.hops[hop.0].ad_at(*hop);
                    cx.call(
                        Because {
                            rule: *rule,
                            cause: self.cause,
                        },
                        "progress",
                        ad,
                        url,
                        &occasion,
                    );
                    if cx.repeats(*hop, &self.prepared.hops) {
                        cx.call(
                            Because {
                                rule: rules::PRD_28,
                                cause: self.cause,
                            },
                            "progress",
                            ad,
                            url,
                            &occasion,
                        );
                    }
                }
            }
            self.next_mark += 1;
        }
    }

    /// Whether the position has also reached a quartile after the next mark.
    fn passes_another_quartile(&self, position: Position) -> bool {
        let later = self
            .marks
            .iter()
            .skip(self.next_mark + 1)
            .take_while(|mark| mark.at <= position);
        later
            .into_iter()
            .any(|mark| matches!(mark.what, MarkKind::Quartile { .. }))
    }

    /// Fails the ad if data has been missing for too long. Rule BRK-20.
    pub(crate) fn wake_timer(&self, now: Time) -> Moved {
        match self.flow {
            Flow::Waiting { gives_up, .. } if gives_up <= now => {
                let why = "the media stalled for too long";
                Moved::Failed(Failure::new(AdErrorCode::MediaDisplay, why).by(rules::BRK_20))
            }
            Flow::Waiting { .. } | Flow::Advancing => Moved::On,
        }
    }

    /// Where data runs out next, and for how long. A stall at or after the end never occurs.
    fn next_stall(&self) -> Option<(Position, Span)> {
        let stall = self.info.stalls.get(self.next_stall)?;
        (stall.at < self.info.duration.end()).then_some((stall.at, stall.length))
    }

    fn note_media(&self, name: AdLine, cx: &mut Scope<'_>) {
        let data = Fields::one("position", self.head.position(cx.now()));
        cx.out.line(
            Because {
                rule: rules::BRK_20,
                cause: self.cause,
            },
            name,
            data,
        );
    }
}
