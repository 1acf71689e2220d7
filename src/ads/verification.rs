//! Verification: who is let look whether an ad is seen, before it loads.
//!
//! The scenario's page says what becomes of each vendor. What runs does nothing more here; what does not is
//! told to its vendor and to the documents on the way.
//!
//! Rules: ADX-1 to ADX-3; VAST 4.3 sections 2.4, 3.16, 3.17.

use super::macros::{AdAtHand, Occasion};
use super::tracking::Teller;
use crate::api::{Fields, Kind, Text};
use crate::page::{Sides, VendorFate};
use crate::rule;
use crate::vast::{Verification, VerificationKind, VerificationResource};

/// What the error addresses are told of a verification that did not run. Rule ADX-3.
const NOT_EXECUTED: u16 = 410;

/// Why a verification does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Refused,
    Unsupported,
    LoadError,
}

impl Reason {
    /// What stands for `[REASON]`.
    const fn number(self) -> u8 {
        match self {
            Reason::Refused => 1,
            Reason::Unsupported => 2,
            Reason::LoadError => 3,
        }
    }

    const fn why(self) -> &'static str {
        match self {
            Reason::Refused => "the page does not let it run",
            Reason::Unsupported => "nothing on the page can run it",
            Reason::LoadError => "its resource cannot be loaded",
        }
    }
}

/// Runs what verifies the ad at the end of these hops, the outermost document's first. Rules ADX-1, ADX-3.
pub(super) fn run(sides: &Sides, ad: AdAtHand<'_>, teller: &mut Teller<'_>) {
    let mut has_failed = false;
    for (index, hop) in ad.hops.iter().enumerate() {
        for verification in &hop.ad().verifications {
            let data =
                Fields::one("hop", index).with_some("vendor", verification.vendor.as_ref().map(Text::from));
            let at = hop.place(verification.at);
            let reason = match judge(verification, sides) {
                Ok(resource) => {
                    let url = resource.map(|resource| Text::from(&resource.url.text));
                    let data = data.with("runs", true).with_some("url", url).with("at", at);
                    teller.out.line(rule!("ADX-1"), Kind::Ad, "verification", data);
                    continue;
                }
                Err(reason) => reason,
            };
            has_failed = true;
            let data = data.with("runs", false).with("why", reason.why()).with("at", at);
            let cause = teller.out.line(rule!("ADX-2"), Kind::Ad, "verification", data);
            let place = (index, hop.ad().id.as_ref());
            let name = "verificationNotExecuted";
            for tracking in verification.tracking.iter().filter(|tracking| *tracking.event == *name) {
                let mut occasion =
                    Occasion::new(teller.now, teller.kind).with_ad(ad).with_reason(reason.number());
                teller.call(rule!("ADX-3"), name, cause, place, &tracking.url, &mut occasion);
            }
        }
    }
    if has_failed {
        teller.errors_by(rule!("ADX-3"), NOT_EXECUTED, ad.hops);
    }
}

/// What is run for a vendor, or why it is not. Rule ADX-2.
fn judge<'a>(
    verification: &'a Verification,
    sides: &Sides,
) -> Result<Option<&'a VerificationResource>, Reason> {
    let said = sides.verification.vendors.iter();
    let said = said.into_iter().find(|(vendor, _)| verification.vendor.as_ref() == Some(vendor));
    let is_omid = |resource: &&VerificationResource| {
        let framework = resource.api_framework.as_deref().unwrap_or_default();
        resource.kind == VerificationKind::JavaScript && framework.eq_ignore_ascii_case("omid")
    };
    let omid = || verification.resources.iter().find(is_omid);
    match said.map(|(_, fate)| *fate) {
        Some(VendorFate::Runs) => Ok(omid().or(verification.resources.first())),
        Some(VendorFate::Refused) => Err(Reason::Refused),
        Some(VendorFate::Unsupported) => Err(Reason::Unsupported),
        Some(VendorFate::LoadError) => Err(Reason::LoadError),
        None => match omid().filter(|_| sides.verification.omid) {
            Some(script) if sides.reaches(&script.url.text) => Ok(Some(script)),
            Some(_) => Err(Reason::LoadError),
            None => Err(Reason::Unsupported),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ads::tests::url;
    use crate::page::VerificationHost;

    fn verification(resources: &[(VerificationKind, &str)]) -> Verification {
        let resource = |(kind, framework): &(VerificationKind, &str)| VerificationResource {
            kind: *kind,
            url: url("https://v.test/script"),
            api_framework: Some((*framework).into()),
            browser_optional: None,
            mime: None,
        };
        let resources = resources.iter().map(resource).collect();
        Verification { vendor: Some("v".into()), resources, ..Verification::default() }
    }

    #[test]
    fn a_page_runs_open_measurement_and_nothing_else_of_itself() {
        let (script, program) = (VerificationKind::JavaScript, VerificationKind::Executable);
        let sides = Sides::default();
        assert!(judge(&verification(&[(program, "x"), (script, "OMID")]), &sides).is_ok());
        assert_eq!(judge(&verification(&[(program, "omid")]), &sides), Err(Reason::Unsupported));
        assert_eq!(judge(&verification(&[(script, "other")]), &sides), Err(Reason::Unsupported));
        assert_eq!(judge(&verification(&[]), &sides), Err(Reason::Unsupported));
        let without =
            Sides { verification: VerificationHost { omid: false, vendors: Vec::new() }, ..Sides::default() };
        assert_eq!(judge(&verification(&[(script, "omid")]), &without), Err(Reason::Unsupported));
        let gone = Sides { unreachable: vec!["https://v.test/script".into()], ..Sides::default() };
        assert_eq!(judge(&verification(&[(script, "omid")]), &gone), Err(Reason::LoadError));
    }

    #[test]
    fn what_is_said_of_a_vendor_counts_before_all() {
        let script = verification(&[(VerificationKind::JavaScript, "omid")]);
        for (fate, reason) in [
            (VendorFate::Refused, Some(1)),
            (VendorFate::Unsupported, Some(2)),
            (VendorFate::LoadError, Some(3)),
            (VendorFate::Runs, None),
        ] {
            let host = VerificationHost { omid: false, vendors: vec![("v".into(), fate)] };
            let sides = Sides { verification: host, ..Sides::default() };
            assert_eq!(judge(&script, &sides).err().map(Reason::number), reason, "{fate:?}");
        }
    }
}
