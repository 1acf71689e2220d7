//! Chooses the creative of an ad, and one of its media files.
//!
//! Linear creatives with a `sequence` are consecutive parts of the ad; those without one are
//! alternatives. Of a creative's playable files (`files`) the best is taken, a VPAID unit only if
//! it has no video file. The trace lists the other files with the reason why each was not taken.
//!
//! Rules: REQ-3, REQ-5, OVL-7, BRK-2, SEL-1, SEL-7, SEL-8, SEL-10, PRD-3; VAST 4.3 sections 3.7,
//! 3.9, 3.12.

use std::sync::Arc;

use super::hop::Hop;
use crate::error::{AdErrorCode, Failure};
use crate::surroundings::Surroundings;
use playsim_api::{BreakKind, Fields, Text, Value};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_rules::knobs::{MediaChoice, NoMediaCode, VpaidRefused};
use playsim_vast::{CreativeKind, Linear, MediaFile};

mod files;

pub(crate) use files::media_types;

use files::{Playable, Refused};

/// A tolerated deviation of a media file: a stable code and a description.
pub(crate) type Tolerated = (&'static str, Text);

/// The chosen media file, and how it was chosen.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// The index of its creative in the ad.
    pub(crate) creative: usize,
    /// Its URL; an overlay has none.
    pub(crate) url: Option<Arc<str>>,
    /// Whether it is a VPAID unit. Rule BRK-2.
    pub(crate) is_vpaid: bool,
    /// The data for the trace, without its place.
    pub(crate) data: Fields,
    /// Its place, as `file:line:column`.
    pub(crate) at: Option<Text>,
    /// The tolerated deviation.
    pub(crate) tolerated: Option<Tolerated>,
    /// The indexes of the creatives that are shown after it. Rule SEL-1.
    pub(crate) rest: Vec<usize>,
}

impl Choice {
    /// A choice that has no media file.
    pub(super) fn of_no_file(creative: usize, data: Fields, at: Text) -> Choice {
        let (url, at, tolerated, rest) = (None, Some(at), None, Vec::new());
        Choice {
            creative,
            url,
            is_vpaid: false,
            data,
            at,
            tolerated,
            rest,
        }
    }

    /// The data for the trace.
    pub(crate) fn said(&self) -> Fields {
        self.data.clone().with_some("at", self.at.clone())
    }
}

/// Whether the creative shown in a break of this kind becomes skippable at some time.
pub(crate) fn skips(hop: &Hop, kind: BreakKind) -> bool {
    let is_overlay = kind == BreakKind::Overlay;
    hop.creatives().any(|creative| match &creative.kind {
        CreativeKind::Linear(linear) => !is_overlay && linear.skip_offset.is_some(),
        CreativeKind::NonLinear(nonlinear) => is_overlay && nonlinear.skip_offset.is_some(),
        CreativeKind::Companions(_) | CreativeKind::Empty => false,
    })
}

/// Chooses the companions of the ad, which a display break shows next to the player. Rule VMAP-20.
///
/// # Errors
///
/// 201 if it has none.
pub(crate) fn choose_display(hop: &Hop) -> Result<Choice, Failure> {
    let ad = hop.ad();
    let shown = ad
        .creatives
        .iter()
        .enumerate()
        .find_map(|(index, creative)| match &creative.kind {
            CreativeKind::Companions(ads) => Some((index, ads.companions.len(), ads.shown()?.at)),
            CreativeKind::Linear(_) | CreativeKind::NonLinear(_) | CreativeKind::Empty => None,
        });
    let Some((creative, choices, at)) = shown else {
        let why = "the ad has no companion to show next to the player";
        return Err(Failure::at(AdErrorCode::Linearity, why, hop.place(ad.at)).by(rules::VMAP_20));
    };
    Ok(Choice::of_no_file(
        creative,
        Fields::one("choices", choices),
        hop.place(at),
    ))
}

/// Chooses a media file of one linear creative. Rule SEL-1.
///
/// # Errors
///
/// As for [`choose`].
pub(crate) fn choose_part(
    hop: &Hop,
    creative: usize,
    around: Surroundings<'_>,
) -> Result<Choice, Failure> {
    let mut refused = Vec::new();
    let linear = linears(hop)
        .find(|(index, _, _)| *index == creative)
        .map(|(_, _, linear)| linear);
    let best = linear.and_then(|linear| best(&linear.media_files, around, &mut refused));
    match best {
        Some(best) => Ok(choice(best, hop, creative, &refused)),
        None => Err(no_media(hop, &refused, around)),
    }
}

/// The linear creatives of an ad: index, `sequence` and content.
fn linears(hop: &Hop) -> impl Iterator<Item = (usize, Option<u32>, &Linear)> {
    hop.ad()
        .creatives
        .iter()
        .enumerate()
        .filter_map(|(index, creative)| match &creative.kind {
            CreativeKind::Linear(linear) => Some((index, creative.sequence, linear)),
            CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
        })
}

/// The total duration of all parts of an ad; `None` if the document does not say. Rule SEL-1.
pub(crate) fn length(hop: &Hop, choice: &Choice) -> Option<Span> {
    let mut shown = [choice.creative]
        .into_iter()
        .chain(choice.rest.iter().copied());
    shown.try_fold(Span::ZERO, |sum, shown| {
        let (_, _, linear) = linears(hop).find(|(index, _, _)| *index == shown)?;
        Some(sum + linear.duration?)
    })
}

/// Chooses the creative of an in-line ad in a break of linear ads.
///
/// # Errors
///
/// 201 if the ad has only overlays; 400 if it has no linear creative; 403 if no file is supported;
/// 203 if no file has an accepted size. Knobs may change these codes.
pub(crate) fn choose(hop: &Hop, around: Surroundings<'_>) -> Result<Choice, Failure> {
    let ad = hop.ad();
    let mut linears: Vec<(usize, Option<u32>, &Linear)> = linears(hop).collect();
    if linears.is_empty() {
        let place = hop.place(ad.at);
        let is_overlay = |kind: &CreativeKind| matches!(kind, CreativeKind::NonLinear(_));
        return Err(
            if ad
                .creatives
                .iter()
                .any(|creative| is_overlay(&creative.kind))
            {
                let why = "the ad has only overlays; the slot is linear";
                Failure::at(AdErrorCode::Linearity, why, place).by(rules::OVL_7)
            } else {
                let nothing = nothing_offered(hop, around);
                nothing.unwrap_or_else(|| {
                    Failure::at(AdErrorCode::Linear, "the ad has no linear creative", place)
                })
            },
        );
    }
    // Creatives without a sequence come last; the sort is stable.
    linears.sort_by_key(|(_, sequence, _)| sequence.unwrap_or(u32::MAX));
    let mut refused = Vec::new();
    for (place, (creative, sequence, linear)) in linears.iter().enumerate() {
        if let Some(best) = best(&linear.media_files, around, &mut refused) {
            // A creative without a sequence is an alternative, which is not used if another one
            // plays.
            let later = linears[place + 1..]
                .iter()
                .filter(|(_, other, _)| other.is_some());
            let rest = if sequence.is_some() {
                later.map(|(index, _, _)| *index).collect()
            } else {
                Vec::new()
            };
            return Ok(Choice {
                rest,
                ..choice(best, hop, *creative, &refused)
            });
        }
    }
    Err(no_media(hop, &refused, around))
}

/// The failure of an ad that has nothing to show, if the profile distinguishes that case. Rule
/// SEL-8.
pub(super) fn nothing_offered(hop: &Hop, around: Surroundings<'_>) -> Option<Failure> {
    let is_empty = |creative: &playsim_vast::Creative| match &creative.kind {
        CreativeKind::Linear(linear) => linear.media_files.is_empty(),
        CreativeKind::NonLinear(nonlinear) => nonlinear.choices.is_empty(),
        CreativeKind::Companions(ads) => ads.companions.is_empty(),
        CreativeKind::Empty => true,
    };
    let is_offered = !hop.ad().creatives.iter().all(is_empty);
    match around.knobs.ad_no_media_code() {
        NoMediaCode::NoAd | NoMediaCode::NoneOffered if !is_offered => {
            let why = "the ad has no creative with anything to show";
            Some(Failure::at(AdErrorCode::NoAd, why, hop.at()).by(rules::SEL_8))
        }
        NoMediaCode::NoAd
        | NoMediaCode::NoneOffered
        | NoMediaCode::Unsupported
        | NoMediaCode::NotFound => None,
    }
}

/// Chooses among the media files of an overlay. Rule ADX-24.
pub(super) fn of_files(
    files: &[MediaFile],
    hop: &Hop,
    creative: usize,
    around: Surroundings<'_>,
) -> Option<Choice> {
    let mut refused = Vec::new();
    let best = best(files, around, &mut refused)?;
    Some(choice(best, hop, creative, &refused))
}

/// The failure of an overlay that is a unit which may not run, as of a linear one. Rules PRD-3,
/// VPAID-19.
pub(super) fn unit_refused(hop: &Hop, unit: &MediaFile, around: Surroundings<'_>) -> Failure {
    no_media(hop, &[(unit, Refused::Unit)], around)
}

/// The best of a creative's playable files. Rules SEL-7, SEL-10, SEL-14.
fn best<'a>(
    files: &'a [MediaFile],
    around: Surroundings<'_>,
    refused: &mut Vec<(&'a MediaFile, Refused)>,
) -> Option<Playable<'a>> {
    let mut candidates = Vec::new();
    for file in files {
        match files::playable(file, around) {
            Ok(candidate) => candidates.push(candidate),
            Err(why) => refused.push((file, why)),
        }
    }
    let best = match around.knobs.ad_media_choice() {
        MediaChoice::Last => {
            let last = candidates.len().checked_sub(1)?;
            candidates
                .iter()
                .position(Playable::is_certain)
                .unwrap_or(last)
        }
        // Of equally good files the first one is taken.
        MediaChoice::Bitrate | MediaChoice::Size | MediaChoice::First | MediaChoice::Height => {
            (0..candidates.len()).min_by_key(|index| candidates[*index].rank(around))?
        }
    };
    let best = candidates.remove(best);
    let outranked = |other: &Playable<'a>| {
        (
            other.file,
            Refused::Outranked(other.why_outranked(&best, around)),
        )
    };
    refused.extend(candidates.iter().map(outranked));
    Some(best)
}

/// The failure of an ad none of whose files can be played. Rules SEL-8, SEL-10, PRD-3.
fn no_media(hop: &Hop, refused: &[(&MediaFile, Refused)], around: Surroundings<'_>) -> Failure {
    Failure {
        refused: (refused.len() > 1).then(|| list(&refused.iter().collect::<Vec<_>>())),
        ..code_without_media(hop, refused, around)
    }
}

fn code_without_media(
    hop: &Hop,
    refused: &[(&MediaFile, Refused)],
    around: Surroundings<'_>,
) -> Failure {
    let why = match refused {
        [] => "the ad has no media file".to_owned(),
        [(file, why)] => format!("the only media file {} {}", file.url, why.text()),
        [(file, why), rest @ ..] => {
            let count = rest.len() + 1;
            format!(
                "none of the {count} media files can be played; the first, {}, {}",
                file.url,
                why.text()
            )
        }
    };
    let all =
        |is: fn(&Refused) -> bool| !refused.is_empty() && refused.iter().all(|(_, why)| is(why));
    let place = hop.at();
    // A file that would be playable in another size has its own code.
    if refused.iter().any(|(_, why)| why.is_size()) {
        return Failure::at(AdErrorCode::Size, why, place);
    }
    if all(Refused::is_unit) && around.knobs.vpaid_refused() == VpaidRefused::Unexpected {
        return Failure::at(AdErrorCode::Unexpected, why, place).by(rules::PRD_3);
    }
    let code = match around.knobs.ad_no_media_code() {
        NoMediaCode::NoAd => AdErrorCode::NoAd,
        NoMediaCode::NoneOffered if refused.is_empty() => AdErrorCode::NoAd,
        NoMediaCode::NotFound => AdErrorCode::MediaNotFound,
        NoMediaCode::Unsupported | NoMediaCode::NoneOffered => AdErrorCode::NoMedia,
    };
    let rule = if all(Refused::is_unit) {
        rules::PRD_3
    } else {
        rules::SEL_8
    };
    Failure::at(code, why, place).by(rule)
}

/// The files that are not played, each with the reason.
fn list(files: &[&(&MediaFile, Refused)]) -> Value {
    let entry = |(file, why): &&(&MediaFile, Refused)| {
        Value::Map(Fields::one("url", Text::from(&file.url)).with("why", why.text()))
    };
    Value::List(files.iter().map(entry).collect())
}

fn choice(
    best: Playable<'_>,
    hop: &Hop,
    creative: usize,
    refused: &[(&MediaFile, Refused)],
) -> Choice {
    let (outranked, refused): (Vec<_>, Vec<_>) =
        refused.iter().partition(|(_, why)| why.is_outranked());
    let some = |files: &[&(&MediaFile, Refused)]| (!files.is_empty()).then(|| list(files));
    let data = best
        .data()
        .with_some("passed", some(&outranked))
        .with_some("refused", some(&refused));
    let at = best.file.at.map(|at| hop.place(at));
    let (url, is_vpaid) = (Some(Arc::clone(&best.file.url)), best.is_unit());
    Choice {
        creative,
        url,
        is_vpaid,
        data,
        tolerated: best.tolerated,
        at,
        rest: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{ad_with_files, document, file};
    use playsim_api::page::AdTerms;
    use playsim_rules::knobs::KnobReader;

    fn chosen(files: Vec<MediaFile>) -> Result<String, u16> {
        let hop = Hop::new(
            &document(vec![ad_with_files(files)]).into(),
            &"a.xml".into(),
            0,
        );
        let (knobs, terms) = (KnobReader::default(), AdTerms::default());
        let sides = playsim_api::page::Sides::default();
        let around = Surroundings {
            knobs: &knobs,
            terms: &terms,
            size: (640, 360),
            sides: &sides,
        };
        let choice = choose(&hop, around).map_err(|failure| failure.code.number())?;
        Ok(choice.url.expect("linear ads have a URL").to_string())
    }

    #[test]
    fn the_highest_bitrate_within_the_limit_is_taken() {
        let files = |bitrates: &[Option<u32>]| {
            let name = |bitrate: &Option<u32>| match bitrate {
                Some(bitrate) => format!("https://m.test/{bitrate}"),
                None => "https://m.test/none".to_owned(),
            };
            bitrates
                .iter()
                .map(|bitrate| MediaFile {
                    bitrate: *bitrate,
                    ..file(&name(bitrate), "video/mp4")
                })
                .collect()
        };
        assert_eq!(
            chosen(files(&[Some(400), Some(2500), Some(2501)])).unwrap(),
            "https://m.test/2500"
        );
        assert_eq!(
            chosen(files(&[Some(5000), Some(3000)])).unwrap(),
            "https://m.test/3000"
        );
        assert_eq!(
            chosen(files(&[Some(5000), None])).unwrap(),
            "https://m.test/none"
        );
        assert_eq!(chosen(files(&[None, Some(1)])).unwrap(), "https://m.test/1");
    }

    #[test]
    fn progressive_comes_before_streaming_and_types_ignore_case() {
        let files = vec![
            MediaFile {
                bitrate: Some(2000),
                ..file("https://m.test/a.m3u8", "application/x-mpegURL")
            },
            MediaFile {
                bitrate: Some(9000),
                ..file("https://m.test/a.mp4", "VIDEO/MP4; codecs=x")
            },
        ];
        assert_eq!(chosen(files).unwrap(), "https://m.test/a.mp4");
    }

    #[test]
    fn scripts_need_vpaid_and_a_video_labelled_with_it_plays_as_video() {
        let labelled = |url: &str, mime: &str| MediaFile {
            api_framework: Some("VPAID".into()),
            ..file(url, mime)
        };
        let unit = labelled("https://m.test/a.js", "application/javascript");
        let empty = file("", "video/mp4");
        let script = file("https://m.test/b.js", "application/javascript");
        assert_eq!(chosen(vec![empty.clone(), script.clone()]), Err(403));
        assert_eq!(
            chosen(vec![empty, unit.clone(), script]).unwrap(),
            "https://m.test/a.js"
        );
        let flash = labelled("https://m.test/a.swf", "application/x-shockwave-flash");
        assert_eq!(chosen(vec![flash]), Err(403));
        assert_eq!(
            chosen(vec![unit, file("https://m.test/b", "video/webm")]).unwrap(),
            "https://m.test/b"
        );
        assert_eq!(
            chosen(vec![labelled("https://m.test/c", "video/mp4")]).unwrap(),
            "https://m.test/c"
        );
        assert_eq!(chosen(Vec::new()), Err(403));
    }

    #[test]
    fn a_missing_type_is_guessed_from_the_url() {
        let untyped = |url: &str| MediaFile {
            mime: None,
            ..file(url, "")
        };
        assert_eq!(
            chosen(vec![untyped("https://m.test/a.MP4?x=1")]).unwrap(),
            "https://m.test/a.MP4?x=1"
        );
        assert_eq!(chosen(vec![untyped("https://m.test/a")]), Err(403));
    }
}
