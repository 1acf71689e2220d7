//! The end card that some ads show after their media.
//!
//! Rule ADX-17; VAST 4.3 sections 3.13, 3.14.

use std::sync::Arc;

use super::AdBreak;
use super::state::State;
use crate::report::context::Scope;
use crate::show::companions::Placed;
use playsim_api::{Because, Cause, Fields, Outbox, UiLine};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;

impl AdBreak {
    /// The media of the ad on screen is over; `cause` is the line that says so. Shows the end card,
    /// or goes on. Rules ADX-15, ADX-17.
    pub(super) fn film_over(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        let State::Ad { ad, .. } = &mut self.state else {
            return;
        };
        let is_last = ad.prepared().rest.is_empty();
        let Some((card, shows_for)) = ad.attachments().card().filter(|_| is_last) else {
            if is_last {
                ad.vanish(rules::ADX_15, &mut cx.out);
            }
            let prepared = ad.prepared().clone();
            self.state = self.course.part_played(&prepared, cx);
            return;
        };
        card.show(
            Because {
                rule: rules::ADX_17,
                cause,
            },
            UiLine::EndCard,
            ad.at_hand(cx.now()),
            cx,
        );
        self.state = State::EndCard {
            ad: ad.clone(),
            until: cx.now() + shows_for,
        };
    }

    /// Removes the end card. `closed` is the cause if the user closed it, `None` if its time is
    /// over. Rule ADX-17.
    pub(super) fn end_card_over(&mut self, closed: Option<Cause>, cx: &mut Scope<'_>) {
        let State::EndCard { ad, .. } = &mut self.state else {
            return;
        };
        if let Some(cause) = closed {
            ad.track(
                Because {
                    rule: rules::ADX_17,
                    cause,
                },
                TrackingEvent::CloseLinear,
                cx,
            );
        }
        log_card_hidden(rules::ADX_17, &mut cx.out);
        ad.vanish(rules::ADX_15, &mut cx.out);
        self.state = self.course.ad_played(cx);
    }

    /// Returns the visible end card.
    pub(super) fn card(&self) -> Option<Arc<Placed>> {
        match &self.state {
            State::EndCard { ad, .. } => ad.attachments().card().map(|(card, _)| card),
            State::Ad { .. }
            | State::Loading { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }
}

/// Logs that the end card is no longer visible.
pub(super) fn log_card_hidden(rule: RuleId, out: &mut Outbox) {
    out.line(rule, UiLine::EndCard, Fields::one("visible", false));
}
