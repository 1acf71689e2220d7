//! The start of a linear ad: impressions, the start events, and their trackers.
//!
//! Rules: BRK-1, BRK-2, SEL-1, VPAID-5.

use super::LinearAd;
use crate::ads::report::tracking::BeaconSender;
use crate::ads::show::attachments::Attachments;
use crate::api::EventName;
use crate::knobs::VpaidStart;
use crate::rules;

impl LinearAd {
    /// Starts the ad: impression, start, and their beacons. Rule BRK-1.
    pub(in crate::ads) fn start(&mut self, beacons: &mut BeaconSender<'_>) {
        self.fire_start(beacons);
        self.track(rules::BRK_1, "creativeView", self.cause, beacons);
        self.track(rules::BRK_1, "start", self.cause, beacons);
        self.with_attachments(beacons, Attachments::start);
        self.advance(beacons.now);
    }

    /// Fires the start events and calls the impressions. Rules BRK-1, BRK-2.
    pub(in crate::ads) fn fire_start(&mut self, beacons: &mut BeaconSender<'_>) {
        let impression = beacons.out.event(rules::BRK_1, EventName::AdImpression);
        // The impression belongs to the ad, not to each of its parts. SEL-1
        if self.prepared.part == 0 {
            beacons.impressions(impression, &self.prepared.hops, self.at_hand(beacons.now));
        }
        let is_vpaid = self.vpaid().is_some();
        if !is_vpaid || self.vpaid_start == VpaidStart::Both {
            self.cause = beacons.out.event(rules::BRK_1, EventName::AdStart);
        }
        if is_vpaid {
            let cause = beacons.out.event(rules::BRK_2, EventName::VpaidStart);
            if self.vpaid_start == VpaidStart::Instead {
                self.cause = cause;
            }
        }
    }
}
