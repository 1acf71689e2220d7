//! Parts of random ads besides their video: icons, companions, end cards, verifications,
//! viewability. Drawn for documents, for the page and for the user.

use std::fmt::Write;
use std::sync::Arc;

use playsim_api::page::{CompanionSlot, Sides, VendorFate, VerificationHost};
use playsim_api::{Act, Interaction};

use super::source::Source;

/// The programmes of icons; the last one does not occur.
const PROGRAMS: &[&str] = &["AdChoices", "Seal", "Nobody"];
/// The places for companions; the last one does not exist.
const SLOTS: &[&str] = &["top", "right", "nowhere"];
const VENDORS: &[&str] = &["vendor-0", "vendor-1"];
/// Capabilities that limited pages lack.
const IMAGE: &str = "https://m.test/image.png";

/// The page's settings for them.
pub(super) fn sides(source: &mut Source) -> Sides {
    let slot = |id: &&str, source: &mut Source| {
        let (width, height) = *source.pick(&[(300, 250), (970, 250), (1, 1)]);
        CompanionSlot {
            id: (*id).into(),
            width,
            height,
        }
    };
    let slots = source.index(SLOTS.len());
    let fates = [
        VendorFate::Runs,
        VendorFate::Refused,
        VendorFate::Unsupported,
        VendorFate::LoadError,
    ];
    let vendors = VENDORS.iter().filter_map(|vendor| {
        let fate = *source.pick(&fates);
        source.chance(1, 3).then(|| (Arc::from(*vendor), fate))
    });
    let vendors = vendors.collect();
    Sides {
        companions: SLOTS[..slots].iter().map(|id| slot(id, source)).collect(),
        verification: VerificationHost {
            omid: source.chance(3, 4),
            vendors,
        },
        unreachable: if source.chance(1, 4) {
            vec![IMAGE.into()]
        } else {
            Vec::new()
        },
        measures_view: !source.chance(1, 5),
        opens_pages: source.chance(1, 2),
        language: source
            .chance(1, 3)
            .then(|| Arc::from(*source.pick(&["en", "pt-BR"]))),
        inline_unit: None,
    }
}

/// User actions on them.
pub(super) fn act(source: &mut Source) -> Act {
    match source.below(4) {
        0 => Act::Icon((*source.pick(PROGRAMS)).into()),
        1 => Act::Companion((*source.pick(SLOTS)).into()),
        2 => Act::Close,
        _ => Act::Interact(*source.pick(Interaction::ALL)),
    }
}

/// The part of a document about verification and viewability.
pub(super) fn watched(source: &mut Source, ad: &mut String) {
    for vendor in VENDORS {
        if source.chance(1, 3) {
            let framework = *source.pick(&["omid", "omid", "other"]);
            let _ = write!(
                ad,
                "<AdVerifications><Verification vendor='{vendor}'><JavaScriptResource apiFramework='{framework}'>\
                 https://v.test/v.js</JavaScriptResource><TrackingEvents><Tracking event='verificationNotExecuted'>\
                 https://t.test/v?[REASON]</Tracking></TrackingEvents></Verification></AdVerifications>"
            );
        }
    }
    if source.chance(1, 2) {
        ad.push_str(
            "<ViewableImpression><Viewable>https://t.test/seen</Viewable>\
             <NotViewable>https://t.test/unseen</NotViewable>\
             <ViewUndetermined>https://t.test/unsure</ViewUndetermined></ViewableImpression>",
        );
    }
}

/// The icons of a linear ad or an overlay.
pub(super) fn icons(source: &mut Source, ad: &mut String) {
    ad.push_str("<Icons>");
    for program in &PROGRAMS[..source.index(3)] {
        let time = *source.pick(&[
            "",
            " offset='00:00:00.500'",
            " duration='00:00:00.750'",
            " offset='00:00:09'",
        ]);
        let click = *source.pick(&[
            "",
            "<IconClickThrough>https://icon.test/</IconClickThrough>",
        ]);
        let _ = write!(
            ad,
            "<Icon program='{program}' width='1' height='1'{time}><StaticResource creativeType='image/png'>{IMAGE}\
             </StaticResource><IconViewTracking>https://t.test/iv</IconViewTracking><IconClicks>{click}\
             <IconClickTracking>https://t.test/ic</IconClickTracking><IconClickFallbackImages>\
             <IconClickFallbackImage width='1' height='1'><StaticResource>{IMAGE}</StaticResource>\
             </IconClickFallbackImage></IconClickFallbackImages></IconClicks></Icon>"
        );
    }
    ad.push_str("</Icons>");
}

/// A creative of companions, end cards among them.
pub(super) fn companions(source: &mut Source, ad: &mut String) {
    let required = *source.pick(&[
        "",
        "",
        " required='all'",
        " required='any'",
        " required='none'",
    ]);
    let _ = write!(ad, "<Creative><CompanionAds{required}>");
    for _ in 0..source.count(1, 3) {
        let form = *source.pick(&[
            "",
            "",
            " renderingMode='end-card'",
            " renderingMode='concurrent'",
        ]);
        let slot = *source.pick(&["", "", " adSlotId='top'", " adSlotId='elsewhere'"]);
        let (width, height) = *source.pick(&[(300, 250), (1, 1), (9000, 9000)]);
        let kind = *source.pick(&["image/png", "image/png", "application/x-shockwave-flash"]);
        let _ = write!(
            ad,
            "<Companion width='{width}' height='{height}'{form}{slot}><StaticResource creativeType='{kind}'>{IMAGE}\
             </StaticResource><TrackingEvents><Tracking event='creativeView'>https://t.test/cv</Tracking>\
             </TrackingEvents><CompanionClickThrough>https://shop.test/c</CompanionClickThrough>\
             <CompanionClickTracking>https://t.test/cc</CompanionClickTracking></Companion>"
        );
    }
    ad.push_str("</CompanionAds></Creative>");
}
