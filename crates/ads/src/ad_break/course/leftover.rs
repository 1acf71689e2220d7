//! Ads of a response that are not shown: those that were not needed, and those that do not fit into
//! the break.
//!
//! Rules: SEL-4, SEL-5, SEL-10, SEL-15.

use super::{Course, Onward, fire_ad_error};
use crate::ad_break::state::State;
use crate::error::{AdErrorCode, Failure};
use crate::report::context::Scope;
use crate::request::creative::Choice;
use crate::request::hop::Hop;
use crate::request::{creative, select};
use playsim_api::{AdLine, Because, Decimal, Fields, Text};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;
use playsim_rules::knobs::{AdErrorScope, KnobReader, Overrun};

impl Course {
    /// Calls the `notUsed` trackers of ads that had no turn when the current tag is left. Rule
    /// SEL-5.
    pub(super) fn call_not_used(&mut self, cx: &mut Scope<'_>) {
        let unused = self.chain.take_unused();
        if !cx.knobs().ad_not_used().is_on() {
            return;
        }
        let place = self.left_place;
        for (index, hop) in unused {
            let data = place.of_ad(&hop).with("at", hop.at());
            let cause = cx.out.line(rules::SEL_5, AdLine::NotUsed, data);
            cx.not_used(cause, index, &hop);
        }
    }

    /// Checks the duration that the document gives: the page must accept it, and it must fit into
    /// the remaining time of the break. Without one in the document, the media is checked later.
    /// Rules SEL-4, SEL-10.
    ///
    /// # Errors
    ///
    /// 206 if it does not fit, 202 if it would not fit into an empty break or the page does not
    /// accept it.
    pub(super) fn check_length(
        &self,
        hop: &Hop,
        choice: &Choice,
        cx: &Scope<'_>,
    ) -> Result<(), Failure> {
        let Some(said) = creative::length(hop, choice) else {
            return Ok(());
        };
        let fails = |(code, why)| Failure::at(code, why, hop.at());
        select::length(said, cx.around.terms).map_err(fails)?;
        self.fits(said, hop, cx.knobs())
    }

    /// Checks that an ad of this duration fits into the remaining time of the break. Rule SEL-4.
    ///
    /// # Errors
    ///
    /// As for [`Course::check_length`].
    pub(crate) fn fits(&self, length: Span, hop: &Hop, knobs: &KnobReader) -> Result<(), Failure> {
        let Some(limit) = knobs.break_max_duration().length() else {
            return Ok(());
        };
        let is_cut = knobs.break_overrun() == Overrun::Cut;
        if is_cut && self.shown < limit {
            return Ok(());
        }
        let seconds = |span: Span| Decimal::seconds(span.micros());
        let place = hop.at();
        if length > limit && !is_cut {
            let why = format!(
                "the ad lasts {} s; a break may last {} s",
                seconds(length),
                seconds(limit)
            );
            return Err(Failure::at(AdErrorCode::Duration, why, place).by(rules::SEL_4));
        }
        if self.shown + length > limit || is_cut {
            let left = limit.micros().saturating_sub(self.shown.micros());
            let why = format!(
                "the ad lasts {} s, but only {} s of the break remain",
                seconds(length),
                Decimal::seconds(left)
            );
            return Err(Failure::at(AdErrorCode::BreakShortened, why, place));
        }
        Ok(())
    }

    /// The position at which an ad that is about to play is cut; `None` for never. Rule SEL-15.
    pub(super) fn cut_at(&self, knobs: &KnobReader) -> Option<Position> {
        let limit = knobs
            .break_max_duration()
            .length()
            .filter(|_| knobs.break_overrun() == Overrun::Cut)?;
        Some(Span::from_micros(limit.micros().saturating_sub(self.shown.micros())).end())
    }

    /// The current ad does not fit: reports it and the pod ads after it, and ends the break. Rule
    /// SEL-4.
    pub(super) fn shorten(&mut self, failure: &Failure, cx: &mut Scope<'_>) -> State {
        let mut cut: Vec<Vec<Hop>> = vec![self.chain.hops().collect()];
        cut.extend(self.chain.take_due());
        for (number, hops) in cut.iter().enumerate() {
            let Some(hop) = hops.last() else { continue };
            let fields = self.waterfalls.place().of_ad(hop);
            let why: Text = if number == 0 {
                failure.why.clone()
            } else {
                "an earlier ad did not fit".into()
            };
            let data = fields.with("code", failure.code.number()).with("why", why);
            let data: Fields = data.with("at", hop.at());
            let cause = cx.out.line(failure.rule, AdLine::Cut, data);
            cx.errors_by(
                Because {
                    rule: rules::REQ_5,
                    cause,
                },
                failure.code,
                failure.reached,
                hops,
            );
            if cx.knobs().ad_error_scope() == AdErrorScope::Each {
                fire_ad_error(failure.code, failure.rule, cx);
            }
        }
        self.leave_tag(Onward::End, cx);
        self.ask_tag(cx)
    }
}
