//! One overlay from ready to its end.
//!
//! It is shown for a length of playing time: the player calls [`OverlayAd::runs`] and
//! [`OverlayAd::stops`] as content starts and stops playing.
//!
//! Rules: OVL-1 to OVL-7, CLK-3; VAST 4.3 section 3.12.

use std::sync::Arc;

use super::attachments::Attachments;
use super::linear::QUARTILES;
use super::unit::simid::SimidUnit;
use super::unit::simid_lines::dismiss;
use crate::plan::DEFAULT_OVERLAY;
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::report::tracking::Told;
use crate::request::hop::Hop;
use playsim_api::media::Playhead;
use playsim_api::{Because, Cause, Class, EventName, Fields, Outbox, UiLine, Wake};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::KnobReader;
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Offset, TrackingEvent};

/// An overlay that was chosen.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Laid {
    /// The wrappers that lead to the ad and the ad itself.
    pub(crate) hops: Arc<[Hop]>,
    /// Its attachments.
    pub(crate) attachments: Box<Attachments>,
    /// The duration of its media file, if it has one. Rule ADX-24.
    pub(crate) film: Option<Span>,
}

/// An overlay that is loaded.
#[derive(Debug, Clone, Hash)]
pub(crate) struct OverlayAd {
    hops: Arc<[Hop]>,
    attachments: Box<Attachments>,
    length: Span,
    /// Whether it is expanded or minimized, which stops its time. Rule ADX-22.
    form: Form,
    /// Whether `overlayViewDuration` was called. Rule ADX-23.
    was_viewed: bool,
    /// How long it has been shown.
    head: Playhead,
    /// The quartiles that are still to come. Rule OVL-2.
    quartiles: &'static [(EventName, TrackingEvent)],
    told: Told,
    /// Its SIMID unit. Rule SIMID-15.
    pub(crate) simid: Option<Box<SimidUnit>>,
    /// The line that causes its end: its `adStart`.
    cause: Cause,
}

/// The shape of an overlay. Rule ADX-22.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Plain,
    Expanded,
    Minimized,
}

impl Form {
    /// The word in a trace.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Expanded => "expanded",
            Form::Minimized => "minimized",
        }
    }
}

impl OverlayAd {
    /// Creates the overlay at the end of these hops. Its length is that of its ad object, else of
    /// its document, else of its media file. Rules OVL-3, ADX-24.
    pub(crate) fn new(
        laid: Laid,
        shows_for: Option<Span>,
        knobs: &KnobReader,
        cause: Cause,
    ) -> OverlayAd {
        let Laid {
            hops,
            attachments,
            film,
        } = laid;
        let overlay = hops.last().and_then(Hop::overlay);
        let said = overlay.and_then(|overlay| overlay.duration);
        let least = || overlay.and_then(|overlay| overlay.min_suggested_duration);
        let length = shows_for
            .or(said)
            .or(film)
            .or_else(least)
            .unwrap_or(DEFAULT_OVERLAY);
        let head = Playhead::standing(Position::ZERO);
        let quartiles: &[_] = if knobs.overlay_quartiles().is_on() {
            &QUARTILES
        } else {
            &[]
        };
        let form = Form::Plain;
        OverlayAd {
            hops,
            attachments,
            length,
            form,
            was_viewed: false,
            head,
            quartiles,
            told: Told::default(),
            simid: None,
            cause,
        }
    }

    /// Logs the chosen attachments.
    pub(crate) fn log_choice(&self, cx: &mut Scope<'_>) {
        self.attachments.log_choice(&self.hops, self.length, cx);
    }

    /// Its attachments.
    pub(crate) fn attachments(&self) -> &Attachments {
        &self.attachments
    }

    /// Calls a method of [`Attachments`].
    pub(crate) fn with_attachments(
        &mut self,
        cause: Cause,
        tell: impl FnOnce(&mut Attachments, Cause, CurrentAd<'_>, &mut Scope<'_>),
        cx: &mut Scope<'_>,
    ) {
        let ad = CurrentAd {
            playhead: self.head.position(cx.now()),
            asset: None,
            hops: &self.hops,
        };
        tell(&mut self.attachments, cause, ad, cx);
    }

    /// The player came into the user's view or left it. Rule ADX-4.
    pub(crate) fn see(&mut self, now: Time, is_seen: bool) {
        self.attachments.see(now, is_seen);
    }

    /// The shape in which it is shown.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Changes the shape, which ends its first view. Rules ADX-22, ADX-23.
    pub(crate) fn become_form(&mut self, form: Form, cause: Cause, cx: &mut Scope<'_>) {
        self.form = form;
        if form != Form::Plain {
            self.head.stand(cx.now());
            self.report_viewed(cause, cx);
        }
    }

    fn report_viewed(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        if !std::mem::replace(&mut self.was_viewed, true) {
            self.track(
                Because {
                    rule: rules::ADX_23,
                    cause,
                },
                TrackingEvent::OverlayViewDuration,
                cx,
            );
        }
    }

    /// It is about to end, for `cause`. Rules ADX-5, ADX-23.
    pub(crate) fn end(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        self.with_attachments(cause, Attachments::end, cx);
        self.track(
            Because {
                rule: rules::ADX_18,
                cause,
            },
            TrackingEvent::TimeSpentViewing,
            cx,
        );
        self.report_viewed(cause, cx);
    }

    /// It leaves the screen with its attachments. Rules ADX-15, SIMID-16.
    pub(crate) fn leave(&mut self, Because { rule, cause }: Because, cx: &mut Scope<'_>) {
        dismiss(self.simid.as_deref_mut(), "adStopped", cause, &mut cx.out);
        cx.out.set_cause(cause);
        self.vanish(rules::ADX_15, &mut cx.out);
        log_visible(false, rule, &mut cx.out);
    }

    /// Removes its attachments from the screen.
    pub(crate) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        self.attachments.vanish(rule, out);
    }

    /// The wrappers that lead to the ad and the ad itself.
    pub(crate) fn hops(&self) -> &Arc<[Hop]> {
        &self.hops
    }

    /// The playhead.
    pub(crate) fn head(&self) -> &Playhead {
        &self.head
    }

    /// When its end, a quartile, something that accompanies it, or its unit is due.
    pub(crate) fn next_wake(&self, is_visible: bool) -> Option<Wake> {
        let over = [self.over_at(), self.quartile_at()]
            .into_iter()
            .flatten()
            .min();
        let over = over.filter(|_| is_visible).map(|at| Wake {
            at,
            class: Class::Media,
        });
        let attachments = self
            .attachments
            .due(&self.head, Time::ZERO)
            .filter(|_| is_visible);
        let attachments = attachments.map(|at| Wake {
            at,
            class: Class::Timer,
        });
        let (says, gives_up) = self
            .simid
            .as_ref()
            .map_or((None, None), |unit| unit.next_at(&self.head));
        let says = says.map(|at| Wake {
            at,
            class: Class::Media,
        });
        let gives_up = gives_up.map(|at| Wake {
            at,
            class: Class::Timer,
        });
        [over, attachments, says, gives_up]
            .into_iter()
            .flatten()
            .min()
    }

    /// Whether its unit is still initializing.
    pub(crate) fn is_preparing(&self) -> bool {
        self.simid.as_ref().is_some_and(|unit| unit.is_preparing())
    }

    /// How long it is shown.
    pub(crate) fn length(&self) -> Span {
        self.length
    }

    /// The line that causes its end. Rule EVT-23.
    pub(crate) fn cause(&self) -> Cause {
        self.cause
    }

    /// Shows it: impression and start, and their beacons. Rule OVL-2.
    pub(crate) fn start(&mut self, cx: &mut Scope<'_>) {
        let impression = cx.out.event(rules::OVL_2, EventName::AdImpression);
        cx.impressions(
            Because {
                rule: rules::BRK_1,
                cause: impression,
            },
            self.at_hand(cx.now()),
        );
        self.cause = cx.out.event(rules::OVL_2, EventName::AdStart);
        cx.track_start(
            Because {
                rule: rules::OVL_2,
                cause: self.cause,
            },
            self.at_hand(cx.now()),
        );
        self.with_attachments(self.cause, Attachments::start, cx);
        // It can be seen whether content plays or not.
        self.attachments.run(cx.now(), true);
    }

    /// Content starts playing: its time counts, unless it is expanded or minimized. Rules OVL-3,
    /// ADX-22.
    pub(crate) fn runs(&mut self, now: Time) {
        if self.form == Form::Plain {
            self.head.advance(now);
        }
    }

    /// Content stops playing: its time does not count.
    pub(crate) fn stops(&mut self, now: Time) {
        self.head.stand(now);
    }

    /// When it will have been shown for its full time; `None` while no time counts.
    pub(crate) fn over_at(&self) -> Option<Time> {
        self.head.reaches(self.length.end())
    }

    /// Whether it has been shown for its full time.
    pub(crate) fn is_over(&self, now: Time) -> bool {
        self.head.position(now) >= self.length.end()
    }

    /// Whether closing it at this time counts as a skip, by the document's skip offset. Rule OVL-5.
    pub(crate) fn is_skippable(&self, now: Time) -> bool {
        let offset = self
            .hops
            .last()
            .and_then(|hop| hop.nonlinears().next())
            .and_then(|it| it.skip_offset);
        let from = offset.map(|offset| match offset {
            Offset::At(span) => span.end(),
            Offset::Share(millionths) => self.length.share(u64::from(millionths), 1_000_000).end(),
        });
        from.is_some_and(|from| from <= self.head.position(now))
    }

    /// When the next quartile is due; `None` if there is none, or while its time is stopped. Rule
    /// OVL-2.
    fn quartile_at(&self) -> Option<Time> {
        self.head.reaches(self.next_quartile()?)
    }

    fn next_quartile(&self) -> Option<Position> {
        let part = u64::try_from(QUARTILES.len() - self.quartiles.len() + 1).ok()?;
        (!self.quartiles.is_empty()).then(|| self.length.share(part, 4).end())
    }

    /// Reports the quartiles that its time has reached. Rule OVL-2.
    pub(crate) fn reach_quartiles(&mut self, cx: &mut Scope<'_>) {
        while self
            .next_quartile()
            .is_some_and(|at| at <= self.head.position(cx.now()))
            && let Some(((event, beacon), rest)) = self.quartiles.split_first()
        {
            self.quartiles = rest;
            let cause = cx.out.event(
                Because {
                    rule: rules::OVL_2,
                    cause: self.cause,
                },
                *event,
            );
            self.track(
                Because {
                    rule: rules::OVL_2,
                    cause,
                },
                *beacon,
                cx,
            );
        }
    }

    /// Calls the trackers of an event of the overlay.
    pub(crate) fn track(&mut self, because: Because, event: TrackingEvent, cx: &mut Scope<'_>) {
        let ad = CurrentAd {
            playhead: self.head.position(cx.now()),
            asset: None,
            hops: &self.hops,
        };
        cx.track_again(because, event, ad, &mut self.told);
    }

    /// The facts about the ad for macros.
    pub(crate) fn at_hand(&self, now: Time) -> CurrentAd<'_> {
        CurrentAd {
            playhead: self.head.position(now),
            asset: None,
            hops: &self.hops,
        }
    }
}

/// Logs that an overlay appears or disappears.
pub(crate) fn log_visible(visible: bool, rule: RuleId, out: &mut Outbox) {
    out.line(rule, UiLine::Overlay, Fields::one("visible", visible));
}
