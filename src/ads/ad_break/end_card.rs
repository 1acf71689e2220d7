//! What comes behind a film: its end card, if it has one.
//!
//! Rule ADX-17; VAST 4.3 sections 3.13, 3.14.

use super::*;
use crate::ads::companions::Placed;
use crate::rules::RuleId;

impl AdBreak {
    /// The film of the ad that is on is over, told by `cause`. Rules ADX-15, ADX-17.
    pub(in crate::ads) fn film_over(
        &mut self,
        now: Time,
        cause: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let State::Ad { ad, .. } = &mut self.state else { return };
        let is_last = ad.prepared().rest.is_empty();
        let Some((card, shows_for)) = ad.beside().card().filter(|_| is_last) else {
            if is_last {
                ad.vanish(rule!("ADX-15"), out);
            }
            let prepared = ad.prepared().clone();
            self.state = self.course.part_played(now, &prepared, services, out);
            return;
        };
        let mut teller = Teller { now, kind: self.course.kind(), macros: services.macros, out };
        card.show(rule!("ADX-17"), "end-card", cause, ad.at_hand(now), &mut teller);
        self.state = State::EndCard { ad: ad.clone(), until: now + shows_for };
    }

    /// The end card goes: the person has closed it, for that cause, or its time is over. Rule ADX-17.
    pub(super) fn end_card_over(
        &mut self,
        now: Time,
        closed: Option<Cause>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let State::EndCard { ad, .. } = &mut self.state else { return };
        if let Some(cause) = closed {
            let mut teller = Teller { now, kind: self.course.kind(), macros: services.macros, out };
            ad.track(rule!("ADX-17"), "closeLinear", cause, &mut teller);
        }
        tell_card_gone(rule!("ADX-17"), out);
        ad.vanish(rule!("ADX-15"), out);
        self.state = self.course.ad_played(now, services, out);
    }

    /// The end card that shows.
    pub(super) fn card(&self) -> Option<Arc<Placed>> {
        match &self.state {
            State::EndCard { ad, .. } => ad.beside().card().map(|(card, _)| card),
            State::Ad { .. }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }
}

/// The person does not see an end card any more.
pub(super) fn tell_card_gone(rule: RuleId, out: &mut Outbox) {
    out.line(rule, Kind::Ui, "end-card", Fields::one("visible", false));
}
