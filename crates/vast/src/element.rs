//! The elements that are read, by name.
//!
//! A tag name is looked up once, when the tree is built: whatever its prefix and its letter case.
//! Names that are not in the table stay available as text.

use std::fmt;

macro_rules! elements {
    ($($variant:ident $name:literal $since:literal,)*) => {
        /// An element of VAST or VMAP that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Element {
            $($variant,)*
        }

        /// The elements with their names and the first version of VAST that has them, times ten; by
        /// the length of the name, then by name.
        const TABLE: &[(Element, &str, u8)] = &[$((Element::$variant, $name, $since),)*];
    };
}

elements! {
    Ad "Ad" 0,
    Url "URL" 0,
    Icon "Icon" 30,
    Vast "VAST" 0,
    Vmap "VMAP" 0,
    Error "Error" 0,
    Icons "Icons" 30,
    InLine "InLine" 0,
    Linear "Linear" 0,
    Survey "Survey" 0,
    AdBreak "AdBreak" 0,
    AdTitle "AdTitle" 0,
    AltText "AltText" 0,
    Expires "Expires" 41,
    Pricing "Pricing" 30,
    Wrapper "Wrapper" 0,
    AdSource "AdSource" 0,
    AdSystem "AdSystem" 0,
    AdTagUri "AdTagURI" 0,
    Category "Category" 40,
    Creative "Creative" 0,
    Duration "Duration" 0,
    Tracking "Tracking" 0,
    VastData "VASTData" 0,
    Viewable "Viewable" 40,
    Companion "Companion" 0,
    Creatives "Creatives" 0,
    Extension "Extension" 0,
    MediaFile "MediaFile" 0,
    Mezzanine "Mezzanine" 40,
    NonLinear "NonLinear" 0,
    Advertiser "Advertiser" 30,
    Extensions "Extensions" 0,
    IconClicks "IconClicks" 30,
    Impression "Impression" 0,
    MediaFiles "MediaFiles" 0,
    VastAdData "VASTAdData" 0,
    AdServingId "AdServingId" 41,
    CustomClick "CustomClick" 0,
    Description "Description" 0,
    NotViewable "NotViewable" 40,
    VideoClicks "VideoClicks" 0,
    AdParameters "AdParameters" 0,
    ClickThrough "ClickThrough" 0,
    CompanionAds "CompanionAds" 0,
    CustomAdData "CustomAdData" 0,
    HtmlResource "HTMLResource" 0,
    NonLinearAds "NonLinearAds" 0,
    VastAdTagUri "VASTAdTagURI" 0,
    VastAdTagUrl "VASTAdTagURL" 0,
    Verification "Verification" 40,
    ClickTracking "ClickTracking" 0,
    FlashResource "FlashResource" 40,
    UniversalAdId "UniversalAdId" 40,
    IFrameResource "IFrameResource" 0,
    StaticResource "StaticResource" 0,
    TrackingEvents "TrackingEvents" 0,
    AdVerifications "AdVerifications" 40,
    IconClickThrough "IconClickThrough" 30,
    IconViewTracking "IconViewTracking" 30,
    ViewUndetermined "ViewUndetermined" 40,
    ClosedCaptionFile "ClosedCaptionFile" 41,
    CreativeExtension "CreativeExtension" 0,
    IconClickTracking "IconClickTracking" 30,
    ClosedCaptionFiles "ClosedCaptionFiles" 41,
    CreativeExtensions "CreativeExtensions" 0,
    ExecutableResource "ExecutableResource" 41,
    JavaScriptResource "JavaScriptResource" 40,
    ViewableImpression "ViewableImpression" 40,
    BlockedAdCategories "BlockedAdCategories" 41,
    NonLinearCustomClick "NonLinearCustomClick" 44,
    CompanionClickThrough "CompanionClickThrough" 0,
    NonLinearClickThrough "NonLinearClickThrough" 0,
    CompanionClickTracking "CompanionClickTracking" 30,
    IconClickFallbackImage "IconClickFallbackImage" 42,
    NonLinearClickTracking "NonLinearClickTracking" 0,
    VerificationParameters "VerificationParameters" 40,
    VideoAdServingTemplate "VideoAdServingTemplate" 0,
    IconClickFallbackImages "IconClickFallbackImages" 42,
    InteractiveCreativeFile "InteractiveCreativeFile" 40,
}

/// The length of the longest name.
const LONGEST: usize = TABLE[TABLE.len() - 1].1.len();

/// The index of the first row for each length of a name.
const STARTS: [u8; LONGEST + 2] = starts();

const fn starts() -> [u8; LONGEST + 2] {
    let mut starts = [0; LONGEST + 2];
    let (mut length, mut row) = (0, 0);
    while length < starts.len() {
        while row < TABLE.len() && TABLE[row].1.len() < length {
            row += 1;
        }
        // The table has fewer than 256 rows.
        starts[length] = row as u8;
        length += 1;
    }
    starts
}

impl Element {
    /// Returns the element of a name as written, in any letter case.
    pub(crate) fn of(written: &str) -> Option<Element> {
        let from = usize::from(*STARTS.get(written.len())?);
        let to = usize::from(*STARTS.get(written.len() + 1)?);
        let rows = &TABLE[from..to];
        // Names of one length mostly differ in their first letter, which is quicker to compare.
        let first = written.as_bytes().first();
        let exact = rows
            .iter()
            .find(|(_, name, _)| name.as_bytes().first() == first && *name == written);
        let row = exact.or_else(|| {
            rows.iter()
                .find(|(_, name, _)| name.eq_ignore_ascii_case(written))
        });
        row.map(|(element, ..)| *element)
    }

    /// Returns the name as the standard spells it.
    pub(crate) const fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the first version of VAST that has it, times ten; 0 if all have it.
    pub(crate) const fn since(self) -> u8 {
        TABLE[self as usize].2
    }

    /// Returns its bit in a set of elements.
    pub(crate) const fn bit(self) -> u128 {
        1 << self as u8
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_fit_a_set_of_bits() {
        assert!(TABLE.is_sorted_by_key(|(_, name, _)| (name.len(), *name)));
        assert!(TABLE.len() <= 128);
        for (element, name, since) in TABLE {
            assert_eq!((element.name(), element.since()), (*name, *since));
            assert_eq!(Element::of(name), Some(*element));
            assert_eq!(Element::of(&name.to_ascii_uppercase()), Some(*element));
        }
        assert_eq!(Element::of(""), None);
        assert_eq!(Element::of(&"x".repeat(99)), None);
    }
}
