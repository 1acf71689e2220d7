//! Ads of several linear creatives: the parts that are shown one after another.
//!
//! Rule: SEL-1.

use super::AdServices;
use super::ad_break::State;
use super::course::Course;
use super::creative;
use super::error::Failure;
use super::linear::Prepared;
use super::macros::AdAtHand;
use super::tracking::{Hop, Teller};
use crate::api::{Kind, Outbox, Text};
use crate::rule;
use crate::time::{Position, Time};

impl Course {
    /// The ad in turn was shown to its end, as far as this part of it goes. Rules BRK-9, SEL-1.
    pub(super) fn part_played(
        &mut self,
        now: Time,
        ad: &Prepared,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        let mut rest = ad.rest.as_slice();
        while let [next, behind @ ..] = rest {
            rest = behind;
            let Some(hop) = ad.hops.last().map(Hop::whole) else { break };
            match creative::choose_part(&hop, *next, services) {
                Ok(choice) => {
                    let data = choice.said().with("part", ad.part + 2);
                    out.line(rule!("SEL-1"), Kind::Ad, "select-media", data);
                    let Some(media) = choice.url else { continue };
                    let mut hops = ad.hops.to_vec();
                    if let Some(last) = hops.last_mut() {
                        *last = hop.showing(*next);
                    }
                    let beside = ad.beside.next_part(&hops, self.kind, services.sides);
                    let part = Prepared {
                        hops: hops.into(),
                        media,
                        at: choice.at,
                        beside,
                        is_vpaid: choice.is_vpaid,
                        page: None,
                        rest: rest.to_vec(),
                        part: ad.part + 1,
                    };
                    return self.ask_media(now, part, services, out);
                }
                Err(failure) => self.tell_of_part(now, &ad.hops, &failure, services, out),
            }
        }
        self.end_beside(now, ad, services, out);
        self.ad_played(now, services, out)
    }

    /// An ad ends whose last part is not shown, and what goes with it. What has ended already stays as it is.
    fn end_beside(&self, now: Time, ad: &Prepared, services: &mut AdServices<'_>, out: &mut Outbox) {
        let (mut beside, cause) = (ad.beside.clone(), out.cause());
        let at_hand = AdAtHand { playhead: Position::ZERO, asset: Some(&ad.media), hops: &ad.hops };
        beside.end(cause, at_hand, &mut Teller { now, kind: self.kind, macros: services.macros, out });
        beside.vanish(rule!("ADX-15"), out);
    }

    /// The media of an ad in turn could not be had: of a later part, the ad goes on without it.
    ///
    /// Rules REQ-3, SEL-1.
    pub(super) fn media_failed(
        &mut self,
        now: Time,
        ad: &Prepared,
        failure: &Failure,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        let failure = failure.clone().or_at(ad.at.clone());
        if ad.part == 0 {
            return self.ad_failed(now, &failure, services, out);
        }
        self.tell_of_part(now, &ad.hops, &failure, services, out);
        self.part_played(now, ad, services, out)
    }

    /// A later part cannot be shown: it is told like a pod ad that cannot, and nothing steps in.
    fn tell_of_part(
        &mut self,
        now: Time,
        hops: &[Hop],
        failure: &Failure,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let id = hops.last().and_then(|hop| hop.ad().id.as_ref()).map(Text::from);
        let data = self.failure_data(self.waterfalls.place().fields().with_some("ad", id), failure);
        out.line(rule!("SEL-1"), Kind::Ad, "reject", data);
        Teller { now, kind: self.kind, macros: services.macros, out }.errors(failure.code, hops, None);
        self.pod_ad_failed(failure.code, now, services, out);
    }
}
