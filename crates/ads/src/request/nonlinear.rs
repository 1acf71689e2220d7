//! Chooses which overlay of an ad is shown.
//!
//! The overlays of one creative are alternatives: the first that fits the player and can be shown
//! is taken. An overlay may have media files of its own, or be a VPAID unit.
//!
//! Rules: OVL-7, ADX-21, ADX-24, VPAID-15, VPAID-19; VAST 4.3 section 3.12.

use std::sync::Arc;

use super::creative::{self, Choice, nothing_offered, of_files, unit_refused};
use super::hop::Hop;
use super::resource::{self, Unshown, fits};
use crate::error::{AdErrorCode, Failure};
use crate::surroundings::Surroundings;
use playsim_api::{Fields, Text, Value};
use playsim_rules as rules;
use playsim_vast::{CreativeKind, MediaFile, NonLinear};

/// Returns the first overlay of the ad that can be shown, and its index within its creative.
///
/// # Errors
///
/// 201 if the ad is linear, unless only its VPAID unit can say so; 500 to 503 if none of its
/// overlays can be shown; that of a linear unit if the first is a VPAID unit that may not run. A
/// knob may change the code for an ad that has nothing to show.
pub(crate) fn choose(hop: &Hop, around: Surroundings<'_>) -> Result<(Choice, usize), Failure> {
    let ad = hop.ad();
    let (mut refused, mut first) = (Vec::new(), None);
    for (index, creative) in ad.creatives.iter().enumerate() {
        let CreativeKind::NonLinear(nonlinear) = &creative.kind else {
            continue;
        };
        for (number, overlay) in nonlinear.choices.iter().enumerate() {
            let unit = unit_of(overlay);
            let fault = match judge(overlay, unit.as_ref(), around) {
                Ok(()) => {
                    let data = Fields::one("choices", nonlinear.choices.len());
                    let data = if number > 0 {
                        data.with("choice", number)
                    } else {
                        data
                    };
                    let refused = (!refused.is_empty()).then_some(Value::List(refused));
                    let data = data.with_some("refused", refused);
                    return Ok((choice(overlay, unit, index, hop, data, around), number));
                }
                Err(fault) => fault,
            };
            first.get_or_insert((fault, overlay.at, unit));
            let data = Fields::NONE.with_some("id", overlay.id.as_ref().map(Text::from));
            refused.push(Value::Map(
                data.with("why", fault.why())
                    .with("at", hop.place(overlay.at)),
            ));
        }
    }
    if let Some((Unshown::Unit, _, Some(unit))) = &first {
        return Err(unit_refused(hop, unit, around));
    }
    if let Some((fault, at, _)) = first {
        let why = format!(
            "no overlay can be shown; reason for the first: {}",
            fault.why()
        );
        return Err(Failure::at(code(fault), why, hop.place(at)).by(rules::ADX_21));
    }
    let is_linear = ad
        .creatives
        .iter()
        .any(|creative| matches!(creative.kind, CreativeKind::Linear(_)));
    let place = hop.place(ad.at);
    // Only a VPAID unit itself says whether it is linear. VPAID-15
    let unit = if is_linear {
        creative::choose(hop, around).ok()
    } else {
        None
    };
    if let Some(unit) = unit.filter(|unit| unit.is_vpaid) {
        return Ok((
            Choice {
                rest: Vec::new(),
                ..unit
            },
            0,
        ));
    }
    Err(if is_linear {
        let why = "the ad is linear, but the slot is for overlays";
        Failure::at(AdErrorCode::Linearity, why, place).by(rules::OVL_7)
    } else {
        let nothing = nothing_offered(hop, around);
        nothing
            .unwrap_or_else(|| Failure::at(AdErrorCode::NonLinear, "the ad has no overlay", place))
    })
}

/// Checks that an overlay can be shown. One that may be scaled always fits.
fn judge(
    overlay: &NonLinear,
    unit: Option<&MediaFile>,
    around: Surroundings<'_>,
) -> Result<(), Unshown> {
    let is_film = !overlay.media_files.is_empty();
    if unit.is_some() {
        if !around.terms.vpaid {
            return Err(Unshown::Unit);
        }
    } else if !is_film {
        resource::choose(&overlay.resources, around.sides)?;
    }
    let is_scaled = is_film || overlay.scalable == Some(true);
    if is_scaled || fits((overlay.width, overlay.height), around.size) {
        Ok(())
    } else {
        Err(Unshown::Size)
    }
}

/// The VPAID unit of an overlay without media files: its first script or page, as a media file. An
/// image that names the framework stays an image, as a video file stays a video. Rule VPAID-19.
fn unit_of(overlay: &NonLinear) -> Option<MediaFile> {
    let framework = overlay.api_framework.as_ref()?;
    if !framework.trim().eq_ignore_ascii_case("vpaid") || !overlay.media_files.is_empty() {
        return None;
    }
    let code = overlay
        .resources
        .iter()
        .find(|resource| resource::is_code(resource))?;
    Some(MediaFile {
        url: Arc::clone(&code.content),
        mime: Some("application/javascript".into()),
        width: overlay.width,
        height: overlay.height,
        api_framework: Some("VPAID".into()),
        at: Some(code.at),
        ..MediaFile::default()
    })
}

/// The choice for an overlay; its media or unit is chosen like that of a linear ad. Rules ADX-24,
/// VPAID-19.
fn choice(
    overlay: &NonLinear,
    unit: Option<MediaFile>,
    creative: usize,
    hop: &Hop,
    data: Fields,
    around: Surroundings<'_>,
) -> Choice {
    let unit: Option<Vec<MediaFile>> = unit.map(|unit| vec![unit]);
    match of_files(
        unit.as_deref().unwrap_or(&overlay.media_files),
        hop,
        creative,
        around,
    ) {
        Some(film) => Choice {
            data: data.and(film.data),
            ..film
        },
        None => Choice::of_no_file(creative, data, hop.place(overlay.at)),
    }
}

/// The code of an overlay that cannot be shown. Rule ADX-21.
const fn code(fault: Unshown) -> AdErrorCode {
    match fault {
        Unshown::Nothing | Unshown::Unit | Unshown::Place(_) => AdErrorCode::NonLinear,
        Unshown::Size => AdErrorCode::NonLinearSize,
        Unshown::Unreachable => AdErrorCode::NonLinearFetch,
        Unshown::Type => AdErrorCode::NonLinearType,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{ad, document, file};
    use playsim_api::page::{AdTerms, Sides};
    use playsim_base::place::Place;
    use playsim_rules::knobs::KnobReader;
    use playsim_vast::{NonLinearAds, Resource, ResourceKind};

    fn overlay(width: u32, content: &str, mime: &str) -> NonLinear {
        let at = Place { line: 1, column: 1 };
        let mime = Some(mime.into());
        let resource = Resource {
            kind: ResourceKind::Static,
            content: content.into(),
            mime,
            xml_encoded: None,
            at,
        };
        NonLinear {
            width: Some(width),
            height: Some(70),
            resources: vec![resource],
            ..NonLinear::default()
        }
    }

    fn chosen(choices: Vec<NonLinear>) -> Result<(usize, Option<String>), u16> {
        let mut ad = ad("a");
        ad.creatives[0].kind = CreativeKind::NonLinear(NonLinearAds {
            choices,
            ..NonLinearAds::default()
        });
        let hop = Hop::new(&document(vec![ad]).into(), &"a.xml".into(), 0);
        let sides = Sides {
            unreachable: vec!["gone".into()],
            ..Sides::default()
        };
        let knobs = KnobReader::default();
        let terms = AdTerms::default();
        let around = Surroundings {
            knobs: &knobs,
            terms: &terms,
            size: (640, 360),
            sides: &sides,
        };
        match choose(&hop, around) {
            Ok((choice, number)) => Ok((number, choice.url.map(|url| url.to_string()))),
            Err(failure) => Err(failure.code.number()),
        }
    }

    #[test]
    fn the_first_overlay_that_can_be_shown_is_chosen() {
        let (wide, gone) = (
            overlay(728, "a", "image/png"),
            overlay(300, "gone", "image/png"),
        );
        let (flash, good) = (
            overlay(300, "f", "application/x-shockwave-flash"),
            overlay(300, "b", "image/png"),
        );
        let all = vec![wide.clone(), gone.clone(), flash.clone(), good];
        assert_eq!(chosen(all), Ok((3, None)));
        assert_eq!(chosen(vec![wide.clone(), gone.clone()]), Err(501));
        assert_eq!(chosen(vec![gone, flash.clone()]), Err(502));
        assert_eq!(chosen(vec![flash]), Err(503));
        assert_eq!(chosen(vec![NonLinear::default()]), Err(500));
        assert_eq!(
            chosen(vec![NonLinear {
                scalable: Some(true),
                ..wide
            }]),
            Ok((0, None))
        );
    }

    #[test]
    fn an_overlay_may_have_a_media_file() {
        let films = vec![file("https://m.test/a.mp4", "video/mp4")];
        let film = NonLinear {
            media_files: films,
            ..overlay(9_000, "a", "image/png")
        };
        assert_eq!(
            chosen(vec![film]),
            Ok((0, Some("https://m.test/a.mp4".into())))
        );
    }
}
