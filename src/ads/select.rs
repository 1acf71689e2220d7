//! Whether an ad is one that the page asks for.
//!
//! Rules: SEL-6, SEL-9 to SEL-11, SEL-13.

use super::category;
use super::error::{AdErrorCode, Failure};
use super::tracking::Hop;
use super::{AdServices, BreakKind};
use crate::api::{Decimal, Text};
use crate::page::{AdMedium, AdTerms, Conditional, Skippable, Stitching};
use crate::rule;
use crate::time::Span;
use crate::vast::{AdType, MediaFile};

/// A code and why.
type Wrong = (AdErrorCode, Text);

/// Judges the in-line ad at the end of these hops for a break of this kind.
///
/// # Errors
///
/// What the page does not ask for, with its code.
pub(super) fn judge(hops: &[Hop], kind: BreakKind, services: &AdServices<'_>) -> Result<(), Failure> {
    let Some(hop) = hops.last() else { return Ok(()) };
    let terms = services.terms;
    let fails = |(code, why): Wrong| Failure::at(code, why, hop.place(hop.ad().at));
    medium(hop, terms).map_err(|wrong| fails(wrong).by(rule!("SEL-9")))?;
    conditional(hop, terms).map_err(fails)?;
    category::judge(hops, terms).map_err(fails)?;
    if matches!(kind, BreakKind::Overlay | BreakKind::Display) {
        return Ok(());
    }
    skippable(hop, terms).map_err(|wrong| fails(wrong).by(rule!("SEL-9")))?;
    terms.stitching.as_ref().map_or(Ok(()), |stitching| stitched(hop, stitching)).map_err(fails)
}

/// Whether the ad is of a type that the page asks for. A type that nobody knows counts as said nowhere. Rule SEL-9.
fn medium(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
    let found = match hop.ad().ad_type {
        Some(AdType::Video | AdType::Other(_)) | None => AdMedium::Video,
        Some(AdType::Audio) => AdMedium::Audio,
        Some(AdType::Hybrid) => AdMedium::Hybrid,
    };
    if terms.types.contains(&found) {
        return Ok(());
    }
    let why = format!("the ad's type is {}, which is not asked for", found.word());
    Err((AdErrorCode::Unexpected, why.into()))
}

/// Whether the page takes ads that call themselves conditional. Rule SEL-11.
fn conditional(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
    match (hop.ad().conditional, terms.conditional) {
        (Some(true), Conditional::Refused) => {
            Err((AdErrorCode::ConditionalRefused, "the ad is conditional; the page refuses those".into()))
        }
        (Some(true), Conditional::Played) | (Some(false) | None, _) => Ok(()),
    }
}

/// Whether an ad can be skipped as the page asks for. Rule SEL-9.
fn skippable(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
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
pub(super) fn length(length: Span, terms: &AdTerms) -> Result<(), Wrong> {
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

/// Whether an ad can be stitched into the content. Rule SEL-13.
fn stitched(hop: &Hop, stitching: &Stitching) -> Result<(), Wrong> {
    let mezzanines: Vec<&MediaFile> =
        hop.linears().flat_map(|linear| &linear.mezzanines).filter(|file| !file.url.is_empty()).collect();
    let Some(first) = mezzanines.first() else {
        return Err((AdErrorCode::MezzanineMissing, "the ad has no mezzanine file to be stitched".into()));
    };
    let fit: Vec<&&MediaFile> = mezzanines.iter().filter(|file| is_good_enough(file, stitching)).collect();
    let Some(best) = fit.first() else {
        let why = format!("the mezzanine file {} is below what stitching asks for", first.url);
        return Err((AdErrorCode::MezzanineBelow, why.into()));
    };
    if fit.iter().any(|file| stitching.transcoded.contains(&file.url)) {
        return Ok(());
    }
    let why = format!("the mezzanine file {} has to be fetched and transcoded first", best.url);
    Err((AdErrorCode::MezzanineFetched, why.into()))
}

/// Whether a mezzanine file is what stitching asks for; what it does not say counts as good enough.
fn is_good_enough(file: &MediaFile, stitching: &Stitching) -> bool {
    let reaches = |found: Option<u32>, least: Option<u32>| found.is_none_or(|found| Some(found) >= least);
    reaches(file.bitrate, stitching.bitrate)
        && reaches(file.width, stitching.size.map(|size| size.0))
        && reaches(file.height, stitching.size.map(|size| size.1))
}
