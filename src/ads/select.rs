//! Whether an ad is one that the page asks for.
//!
//! Rules: SEL-6, SEL-9 to SEL-11, SEL-13.

use super::error::{AdErrorCode, Failure};
use super::tracking::Hop;
use super::{AdServices, BreakKind};
use crate::api::{Decimal, Text};
use crate::page::{AdTerms, Skippable};
use crate::rule;
use crate::time::Span;

/// Judges the in-line ad at the end of these hops for a break of this kind.
///
/// # Errors
///
/// What the page does not ask for, with its code.
pub(super) fn judge(hops: &[Hop], kind: BreakKind, services: &AdServices<'_>) -> Result<(), Failure> {
    let Some(hop) = hops.last() else { return Ok(()) };
    let terms = services.terms;
    let fails = |(code, why): (AdErrorCode, Text)| Failure::at(code, why, hop.place(hop.ad().at));
    if kind == BreakKind::Overlay {
        return Ok(());
    }
    skippable(hop, terms).map_err(|failed| fails(failed).by(rule!("SEL-9")))?;
    let said = hop.linears().filter_map(|linear| linear.duration).min();
    said.map_or(Ok(()), |said| length(said, terms)).map_err(fails)
}

/// Whether an ad can be skipped as the page asks for. Rule SEL-9.
fn skippable(hop: &Hop, terms: &AdTerms) -> Result<(), (AdErrorCode, Text)> {
    let has_offset = hop.linears().any(|linear| linear.skip_offset.is_some());
    let has_linear = hop.linears().next().is_some();
    match terms.skippable {
        Skippable::Refused if has_offset => {
            Err((AdErrorCode::Unexpected, "the ad can be skipped; the page asks for none of those".into()))
        }
        Skippable::Required if !has_offset && has_linear => Err((
            AdErrorCode::Unexpected,
            "the ad cannot be skipped; the page asks for those that can".into(),
        )),
        Skippable::Any | Skippable::Refused | Skippable::Required => Ok(()),
    }
}

/// Whether an ad of this length is one that the page asks for. Rule SEL-10.
///
/// # Errors
///
/// 202, and why.
pub(super) fn length(length: Span, terms: &AdTerms) -> Result<(), (AdErrorCode, Text)> {
    let seconds = |span: Span| Decimal::seconds(span.micros());
    let wrong = |than: &str, limit: Span| {
        let why = format!("the ad lasts {} s, {than} than {} s", seconds(length), seconds(limit));
        Err((AdErrorCode::Duration, Text::from(why)))
    };
    match (terms.shortest, terms.longest) {
        (Some(least), _) if length < least => wrong("shorter", least),
        (_, Some(most)) if length > most => wrong("longer", most),
        _ => Ok(()),
    }
}
