//! Whether the page accepts an ad.
//!
//! Rules: SEL-6, SEL-9 to SEL-11, SEL-13, PRD-40.

use super::category;
use super::hop::Hop;
use crate::error::{AdErrorCode, Failure};
use crate::surroundings::Surroundings;
use playsim_api::page::{AdMedium, AdTerms, Conditional, Skippable, Stitching};
use playsim_api::{BreakKind, Decimal, Text};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_rules::knobs::{CategoryFault, ChildNames, KnobReader};
use playsim_vast::{Ad, AdType, MediaFile};

/// The code and the reason.
type Wrong = (AdErrorCode, Text);

/// Why an ad counts as one without a child.
pub(crate) const MISNAMED: &str = "\"InLine\" or \"Wrapper\" is in another letter case";

/// Whether a reader that looks for exact names finds no child in the ad. Rule PRD-40.
pub(crate) fn is_unknown(ad: &Ad, knobs: &KnobReader) -> bool {
    knobs.vast_names() == ChildNames::Exact && ad.is_misnamed
}

/// Checks the in-line ad at the end of these hops for a break of this kind.
///
/// # Errors
///
/// The failure of an ad that the page does not accept.
pub(crate) fn judge(
    hops: &[Hop],
    kind: BreakKind,
    around: Surroundings<'_>,
) -> Result<(), Failure> {
    let Some(hop) = hops.last() else {
        return Ok(());
    };
    let terms = around.terms;
    let fails = |(code, why): Wrong| Failure::at(code, why, hop.at());
    medium(hop, terms).map_err(|wrong| fails(wrong).by(rules::SEL_9))?;
    conditional(hop, terms).map_err(fails)?;
    match around.knobs.ad_category_fault() {
        CategoryFault::Refused => category::judge(hops, terms).map_err(fails)?,
        CategoryFault::Reported => {}
    }
    if matches!(kind, BreakKind::Overlay | BreakKind::Display) {
        return Ok(());
    }
    skippable(hop, terms).map_err(|wrong| fails(wrong).by(rules::SEL_9))?;
    terms
        .stitching
        .as_ref()
        .map_or(Ok(()), |stitching| stitched(hop, stitching))
        .map_err(fails)
}

/// Checks that the page accepts the type of the ad. An unknown type counts as video, the default.
/// Rule SEL-9.
fn medium(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
    let found = match hop.ad().ad_type {
        Some(AdType::Video | AdType::Other(_)) | None => AdMedium::Video,
        Some(AdType::Audio) => AdMedium::Audio,
        Some(AdType::Hybrid) => AdMedium::Hybrid,
    };
    if terms.types.contains(&found) {
        return Ok(());
    }
    let why = format!(
        "the ad type is {}, which the page does not accept",
        found.word()
    );
    Err((AdErrorCode::Unexpected, why.into()))
}

/// Checks that the page accepts conditional ads if the ad is one. Rule SEL-11.
fn conditional(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
    match (hop.ad().conditional, terms.conditional) {
        (Some(true), Conditional::Refused) => Err((
            AdErrorCode::ConditionalRefused,
            "the page does not accept conditional ads".into(),
        )),
        (Some(true), Conditional::Played) | (Some(false) | None, _) => Ok(()),
    }
}

/// Checks that the ad is skippable or not as the page requires. Rule SEL-9.
fn skippable(hop: &Hop, terms: &AdTerms) -> Result<(), Wrong> {
    let has_offset = hop.linears().any(|linear| linear.skip_offset.is_some());
    let has_linear = hop.linears().next().is_some();
    match terms.skippable {
        Skippable::Refused if has_offset => Err((
            AdErrorCode::Unexpected,
            "the ad is skippable, which the page does not accept".into(),
        )),
        Skippable::Required if !has_offset && has_linear => Err((
            AdErrorCode::Unexpected,
            "the ad is not skippable, but the page requires it".into(),
        )),
        Skippable::Any | Skippable::Refused | Skippable::Required => Ok(()),
    }
}

/// Checks that the page accepts an ad of this duration. Rule SEL-10.
///
/// # Errors
///
/// 202 and the reason.
pub(crate) fn length(length: Span, terms: &AdTerms) -> Result<(), Wrong> {
    let seconds = |span: Span| Decimal::seconds(span.micros());
    let wrong = |than: &str, limit: Span| {
        let why = format!(
            "the ad lasts {} s, {than} than {} s",
            seconds(length),
            seconds(limit)
        );
        Err((AdErrorCode::Duration, Text::from(why)))
    };
    match (terms.shortest, terms.longest) {
        (Some(least), _) if length < least => wrong("shorter", least),
        (_, Some(most)) if length > most => wrong("longer", most),
        _ => Ok(()),
    }
}

/// Checks that the ad can be stitched into the content. Rule SEL-13.
fn stitched(hop: &Hop, stitching: &Stitching) -> Result<(), Wrong> {
    let mezzanines: Vec<&MediaFile> = hop
        .linears()
        .flat_map(|linear| &linear.mezzanines)
        .filter(|file| !file.url.is_empty())
        .collect();
    let Some(first) = mezzanines.first() else {
        return Err((
            AdErrorCode::MezzanineMissing,
            "the ad has no mezzanine file to stitch".into(),
        ));
    };
    let fit: Vec<&&MediaFile> = mezzanines
        .iter()
        .filter(|file| is_good_enough(file, stitching))
        .collect();
    let Some(best) = fit.first() else {
        let why = format!(
            "the mezzanine file {} is below the quality that stitching requires",
            first.url
        );
        return Err((AdErrorCode::MezzanineBelow, why.into()));
    };
    if fit
        .iter()
        .any(|file| stitching.transcoded.contains(&file.url))
    {
        return Ok(());
    }
    let why = format!(
        "the mezzanine file {} has to be fetched and transcoded first",
        best.url
    );
    Err((AdErrorCode::MezzanineFetched, why.into()))
}

/// Whether a mezzanine file has the required quality; values that are not given count as
/// sufficient.
fn is_good_enough(file: &MediaFile, stitching: &Stitching) -> bool {
    let reaches =
        |found: Option<u32>, least: Option<u32>| found.is_none_or(|found| Some(found) >= least);
    reaches(file.bitrate, stitching.bitrate)
        && reaches(file.width, stitching.size.map(|size| size.0))
        && reaches(file.height, stitching.size.map(|size| size.1))
}
