//! Ads with several linear creatives, which are shown one after another.
//!
//! Rule: SEL-1.

use super::Course;
use crate::ad_break::state::State;
use crate::error::{Failure, Reached};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::creative;
use crate::request::hop::Hop;
use crate::show::linear::Prepared;
use playsim_api::{AdLine, Because};
use playsim_base::time::Position;
use playsim_rules as rules;

impl Course {
    /// A part of the current ad played to its end: starts the next part that can be played, or ends
    /// the ad. Rules BRK-9, SEL-1.
    pub(crate) fn part_played(&mut self, ad: &Prepared, cx: &mut Scope<'_>) -> State {
        let mut rest = ad.rest.as_slice();
        while let [next, later @ ..] = rest {
            rest = later;
            let Some(hop) = ad.hops.last().map(Hop::whole) else {
                break;
            };
            match creative::choose_part(&hop, *next, cx.around) {
                Ok(choice) => {
                    let data = choice.said().with("part", ad.part + 2);
                    cx.out.line(rules::SEL_1, AdLine::SelectMedia, data);
                    let Some(media) = choice.url else { continue };
                    let mut hops = ad.hops.to_vec();
                    if let Some(last) = hops.last_mut() {
                        *last = hop.showing(*next);
                    }
                    let attachments = ad.attachments.next_part(&hops, self.kind, cx.around.sides);
                    let part = Prepared {
                        hops: hops.into(),
                        media,
                        at: choice.at,
                        attachments,
                        is_vpaid: choice.is_vpaid,
                        page: None,
                        rest: rest.to_vec(),
                        part: ad.part + 1,
                    };
                    return self.ask_media(part, cx);
                }
                Err(failure) => self.report_part(&ad.hops, &failure, cx),
            }
        }
        self.end_attachments(ad, cx);
        self.ad_played(cx)
    }

    /// Ends the attachments of an ad whose last parts could not be shown. No effect if they have
    /// already ended.
    fn end_attachments(&self, ad: &Prepared, cx: &mut Scope<'_>) {
        let (mut attachments, cause) = (ad.attachments.clone(), cx.out.cause());
        let at_hand = CurrentAd {
            playhead: Position::ZERO,
            asset: Some(&ad.media),
            hops: &ad.hops,
        };
        attachments.end(cause, at_hand, cx);
        attachments.vanish(rules::ADX_15, &mut cx.out);
    }

    /// The media of the current ad could not be loaded. A later part is left out, and the ad
    /// continues without it. Rules REQ-3, SEL-1.
    pub(crate) fn media_failed(
        &mut self,
        ad: &Prepared,
        failure: &Failure,
        cx: &mut Scope<'_>,
    ) -> State {
        let failure = failure.clone().or_at(ad.at.clone());
        if ad.part == 0 {
            return self.ad_failed(&failure, cx);
        }
        self.report_part(&ad.hops, &failure, cx);
        self.part_played(ad, cx)
    }

    /// Reports that a later part cannot be shown, like a pod ad that cannot be played; it is not
    /// replaced.
    fn report_part(&mut self, hops: &[Hop], failure: &Failure, cx: &mut Scope<'_>) {
        let id = hops.last().and_then(Hop::id);
        let data = self.failure_data(
            self.waterfalls.place().fields().with_some("ad", id),
            failure,
        );
        let cause = cx.out.line(rules::SEL_1, AdLine::Reject, data);
        cx.errors_by(
            Because {
                rule: rules::REQ_5,
                cause,
            },
            failure.code,
            Reached::Impression,
            hops,
        );
        self.pod_ad_failed(failure.code, cx);
    }
}
