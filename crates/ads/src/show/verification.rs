//! Verification of ads by third-party vendors, before the media is requested.
//!
//! The scenario's page sets whether the code of each vendor runs. Code that runs has no further
//! effect here; if it does not run, the vendor and the documents of the chain are notified.
//!
//! Rules: ADX-1 to ADX-3; VAST 4.3 sections 2.4, 3.16, 3.17.

use crate::error::{AdErrorCode, Reached};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::hop;
use playsim_api::page::{Sides, VendorFate};
use playsim_api::{AdLine, Because, Fields, Text};
use playsim_rules as rules;
use playsim_vast::{TrackingEvent, Verification, VerificationKind, VerificationResource};

/// Why a verification does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Refused,
    Unsupported,
    LoadError,
}

impl Reason {
    /// The value of `[REASON]`.
    const fn number(self) -> u8 {
        match self {
            Reason::Refused => 1,
            Reason::Unsupported => 2,
            Reason::LoadError => 3,
        }
    }

    const fn why(self) -> &'static str {
        match self {
            Reason::Refused => "the page does not allow it",
            Reason::Unsupported => "the page cannot run it",
            Reason::LoadError => "its resource cannot be loaded",
        }
    }
}

/// Runs the verifications of the ad at the end of these hops, outermost document first. Rules
/// ADX-1, ADX-3.
pub(crate) fn run(sides: &Sides, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
    let mut failed = None;
    for (index, hop) in hop::numbered(ad.hops) {
        for verification in &hop.ad().verifications {
            let data = Fields::one("hop", index)
                .with_some("vendor", verification.vendor.as_ref().map(Text::from));
            let at = hop.place(verification.at);
            let reason = match judge(verification, sides) {
                Ok(resource) => {
                    let url = resource.map(|resource| Text::from(&resource.url.text));
                    let data = data.with("runs", true).with_some("url", url).with("at", at);
                    cx.out.line(rules::ADX_1, AdLine::Verification, data);
                    continue;
                }
                Err(reason) => reason,
            };
            let data = data
                .with("runs", false)
                .with("why", reason.why())
                .with("at", at);
            let cause = cx.out.line(rules::ADX_2, AdLine::Verification, data);
            failed = Some(cause);
            let event = TrackingEvent::VerificationNotExecuted;
            for tracking in verification
                .tracking
                .iter()
                .filter(|tracking| tracking.event == event)
            {
                let occasion = cx.occasion().with_ad(ad).with_reason(reason.number());
                cx.call(
                    Because {
                        rule: rules::ADX_3,
                        cause,
                    },
                    event.name(),
                    hop.ad_at(index),
                    &tracking.url,
                    &occasion,
                );
            }
        }
    }
    if let Some(cause) = failed {
        cx.errors_by(
            Because {
                rule: rules::ADX_3,
                cause,
            },
            AdErrorCode::VerificationNotRun,
            Reached::Media,
            ad.hops,
        );
    }
}

/// Returns the resource that is run for a vendor, or why none is. Rule ADX-2.
fn judge<'a>(
    verification: &'a Verification,
    sides: &Sides,
) -> Result<Option<&'a VerificationResource>, Reason> {
    let said = sides.verification.vendors.iter();
    let said = said
        .into_iter()
        .find(|(vendor, _)| verification.vendor.as_ref() == Some(vendor));
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
    use crate::tests::url;
    use playsim_api::page::VerificationHost;

    fn verification(resources: &[(VerificationKind, &str)]) -> Verification {
        let resource = |(kind, framework): &(VerificationKind, &str)| VerificationResource {
            kind: *kind,
            url: url("https://v.test/script"),
            api_framework: Some((*framework).into()),
            browser_optional: None,
            mime: None,
        };
        let resources = resources.iter().map(resource).collect();
        Verification {
            vendor: Some("v".into()),
            resources,
            ..Verification::default()
        }
    }

    #[test]
    fn a_page_runs_only_open_measurement_by_default() {
        let (script, program) = (VerificationKind::JavaScript, VerificationKind::Executable);
        let sides = Sides::default();
        assert!(judge(&verification(&[(program, "x"), (script, "OMID")]), &sides).is_ok());
        assert_eq!(
            judge(&verification(&[(program, "omid")]), &sides),
            Err(Reason::Unsupported)
        );
        assert_eq!(
            judge(&verification(&[(script, "other")]), &sides),
            Err(Reason::Unsupported)
        );
        assert_eq!(judge(&verification(&[]), &sides), Err(Reason::Unsupported));
        let without = Sides {
            verification: VerificationHost {
                omid: false,
                vendors: Vec::new(),
            },
            ..Sides::default()
        };
        assert_eq!(
            judge(&verification(&[(script, "omid")]), &without),
            Err(Reason::Unsupported)
        );
        let gone = Sides {
            unreachable: vec!["https://v.test/script".into()],
            ..Sides::default()
        };
        assert_eq!(
            judge(&verification(&[(script, "omid")]), &gone),
            Err(Reason::LoadError)
        );
    }

    #[test]
    fn settings_for_a_vendor_come_first() {
        let script = verification(&[(VerificationKind::JavaScript, "omid")]);
        for (fate, reason) in [
            (VendorFate::Refused, Some(1)),
            (VendorFate::Unsupported, Some(2)),
            (VendorFate::LoadError, Some(3)),
            (VendorFate::Runs, None),
        ] {
            let host = VerificationHost {
                omid: false,
                vendors: vec![("v".into(), fate)],
            };
            let sides = Sides {
                verification: host,
                ..Sides::default()
            };
            assert_eq!(
                judge(&script, &sides).err().map(Reason::number),
                reason,
                "{fate:?}"
            );
        }
    }
}
