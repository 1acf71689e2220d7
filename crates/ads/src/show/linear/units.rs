//! Calls and messages of a linear ad to the unit that plays it.
//!
//! Rules: VPAID-1, VPAID-15, VPAID-17, SIMID-4, SIMID-6.

use super::{LinearAd, Moved};
use crate::error::{AdErrorCode, Failure};
use crate::report::context::Scope;
use crate::show::news::AdNews;
use crate::show::unit::simid::Session;
use crate::show::unit::simid_lines::{fatal, media_error, why};
use crate::show::unit::vpaid_lines::line_data;
use playsim_api::media::{SimidError, VpaidCall, VpaidSaid};
use playsim_api::{AdLine, Because, BreakKind, Cause, Decimal, Fields, Outbox};
use playsim_rules as rules;

impl LinearAd {
    /// Checks that a VPAID unit is of the kind of its slot. A unit of a `NonLinear` element lies
    /// over the content whatever it says of itself; one without a script is linear. Rule VPAID-15.
    ///
    /// # Errors
    ///
    /// 201 if it is not.
    pub(crate) fn fits_slot(&self, slot: BreakKind) -> Result<(), Failure> {
        let is_linear = self.unit.vpaid().is_none_or(|unit| unit.script().linear);
        let why = if slot == BreakKind::Overlay {
            if !is_linear
                || self
                    .hops()
                    .last()
                    .is_some_and(|hop| hop.overlay().is_some())
            {
                return Ok(());
            }
            "the unit is linear, but the slot is for overlays"
        } else if is_linear {
            return Ok(());
        } else {
            "the unit is not linear, but the slot is"
        };
        Err(Failure::new(AdErrorCode::Linearity, why)
            .by(rules::VPAID_15)
            .of_media())
    }

    /// Calls the unit, if the ad is one with a script. Rules VPAID-1, VPAID-17.
    pub(crate) fn call_vpaid(
        &mut self,
        call: VpaidCall,
        carries: Fields,
        because: Cause,
        cx: &mut Scope<'_>,
    ) {
        let Some(unit) = self.unit.vpaid_mut() else {
            return;
        };
        let rule = match call {
            VpaidCall::HandshakeVersion | VpaidCall::InitAd | VpaidCall::StartAd => rules::VPAID_1,
            VpaidCall::SkipAd => rules::VPAID_8,
            VpaidCall::StopAd if unit.asked.skip => rules::VPAID_8,
            VpaidCall::PauseAd | VpaidCall::ResumeAd => rules::VPAID_13,
            VpaidCall::StopAd | VpaidCall::ResizeAd | VpaidCall::SetVolume => rules::VPAID_17,
        };
        let cause = cx.out.line(
            Because {
                rule,
                cause: because,
            },
            AdLine::Vpaid,
            line_data(call.name(), "player", carries),
        );
        unit.call(cx.now(), call, cause);
    }

    /// Stops the unit when its break is aborted; its `AdStopped` is not awaited. Rule VPAID-17.
    pub(crate) fn dismiss_vpaid(&self, out: &mut Outbox) {
        if self.unit.is_vpaid() {
            let data = line_data(VpaidCall::StopAd.name(), "player", Fields::default());
            out.line(rules::VPAID_17, AdLine::Vpaid, data);
        }
    }

    /// Notifies the unit of changes around it. The unit itself reports changes of its sound. Rule
    /// VPAID-17.
    pub(crate) fn notify_vpaid(&mut self, news: AdNews, because: Cause, cx: &mut Scope<'_>) {
        match news {
            AdNews::Muted(muted) => {
                let volume = if muted { Decimal::ZERO } else { Decimal::ONE };
                self.call_vpaid(
                    VpaidCall::SetVolume,
                    Fields::one("volume", volume),
                    because,
                    cx,
                );
                let Some(unit) = self.unit.vpaid_mut() else {
                    return;
                };
                let said = VpaidSaid::AdVolumeChange { volume };
                unit.send_after(cx.now(), Some(unit.script().answers_after), said, because);
            }
            AdNews::Fullscreen(fills) => {
                let mode = if fills { "fullscreen" } else { "normal" };
                self.call_vpaid(
                    VpaidCall::ResizeAd,
                    Fields::one("view_mode", mode),
                    because,
                    cx,
                );
            }
            // Seeking in a unit is not possible.
            AdNews::MovedBack => {}
        }
    }

    /// Reports to the unit how the media ended. A `startCreative` that is unanswered by then is an
    /// error.
    ///
    /// Rules SIMID-4, SIMID-6.
    pub(crate) fn notify_simid(&mut self, moved: Moved, cx: &mut Scope<'_>) -> Moved {
        let cause = self.cause();
        let fault = self.fault();
        let Some(unit) = self.unit.simid_mut() else {
            return moved;
        };
        match moved {
            Moved::On | Moved::Cut => moved,
            Moved::Completed if matches!(unit.session(), Session::Starting(_)) => {
                unit.is_over();
                let error = SimidError::StartUnanswered;
                cx.out.line(
                    Because {
                        rule: rules::SIMID_4,
                        cause,
                    },
                    AdLine::Simid,
                    fatal(error),
                );
                Moved::Failed(Failure::new(AdErrorCode::Interactive, why(error)).by(rules::SIMID_4))
            }
            Moved::Completed => moved,
            Moved::Failed(failure) => {
                if unit.session() != Session::Over {
                    unit.is_over();
                    let stalled = failure.rule == rules::BRK_20;
                    let error = if stalled {
                        SimidError::MediaStalled
                    } else {
                        media_error(fault)
                    };
                    cx.out.line(
                        Because {
                            rule: rules::SIMID_6,
                            cause,
                        },
                        AdLine::Simid,
                        fatal(error),
                    );
                }
                Moved::Failed(failure)
            }
        }
    }
}
