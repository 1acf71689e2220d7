//! Warnings: everything that deviates from the standards and is tolerated.
//!
//! Each code is one row of the table below: its word, whether a strict reader refuses the document
//! for it, and its meaning. A strict reader accepts everything that the schemas allow, extensions,
//! the 4.4 draft, and an unusable `Ad`, which fails alone.
//!
//! Sources: XML 1.0 and its namespaces; the schemas of VAST 2.0.1 to 4.2.

use std::fmt;
use std::sync::Arc;

use playsim_base::place::Place;

/// Something that deviates from the standard and was tolerated.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Which kind of deviation.
    pub code: WarningCode,
    /// The deviation and its interpretation, in words.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

/// The reaction of a strict reader to a warning, the weightiest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictly {
    /// It refuses the document: not well-formed XML, code 100.
    NotXml,
    /// It refuses the document: not a known version, code 102.
    UnknownVersion,
    /// It refuses the document: not what the schema allows, code 101.
    NotSchema,
    /// It accepts the document.
    Allowed,
}

impl Strictly {
    /// The error code that a strict reader reports; `None` if it accepts the document.
    #[must_use]
    pub const fn error_code(self) -> Option<u16> {
        match self {
            Strictly::NotXml => Some(100),
            Strictly::UnknownVersion => Some(102),
            Strictly::NotSchema => Some(101),
            Strictly::Allowed => None,
        }
    }
}

macro_rules! warnings {
    ($($variant:ident $word:literal $strictly:ident $meaning:literal,)*) => {
        /// The kind of a warning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum WarningCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl WarningCode {
            /// All codes, in the order of the table.
            pub const ALL: &[WarningCode] = &[$(WarningCode::$variant,)*];

            /// The stable word for it, such as `duration-zero`.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(WarningCode::$variant => $word,)*
                }
            }

            /// The reaction of a strict reader to it.
            #[must_use]
            pub const fn strictly(self) -> Strictly {
                match self {
                    $(WarningCode::$variant => Strictly::$strictly,)*
                }
            }

            /// Its meaning, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(WarningCode::$variant => $meaning,)*
                }
            }
        }
    };
}

warnings! {
    AttributeTwice "attribute-twice" NotXml "An element has an attribute twice; the first one counts.",
    AttributesJoined "attributes-joined" NotXml "There is no white space before an attribute.",
    BareAmpersand "bare-ampersand" NotXml "A `&` is not escaped.",
    CharacterForbidden "character-forbidden" NotXml "A character, such as a control character, is not one of XML.",
    CommentHyphens "comment-hyphens" NotXml "A comment contains `--` or ends with a hyphen.",
    DeclarationForm "declaration-form" NotXml "The XML declaration is malformed.",
    DeclarationLate "declaration-late" NotXml "The XML declaration is not at the start of the document.",
    DoctypeMisplaced "doctype-misplaced" NotXml "A `DOCTYPE` is not the only one, or not before the root element.",
    InstructionName "instruction-name" NotXml "A processing instruction has no name, or a reserved one.",
    LessThanInAttribute "less-than-in-attribute" NotXml "A `<` in the value of an attribute is not escaped.",
    NameInvalid "name-invalid" NotXml "The name of an element or attribute is not a name in XML.",
    PrefixUndeclared "prefix-undeclared" NotXml "A namespace prefix is used and not declared.",
    SectionEnd "section-end" NotXml "Text contains `]]>`.",
    TextOutsideRoot "text-outside-root" NotXml "There is text outside the root element.",
    UnknownEntity "unknown-entity" NotXml "An entity is used and not declared.",

    VersionUnknown "version-unknown" UnknownVersion "The `version` attribute is not a known version.",

    AdSystemMissing "ad-system-missing" NotSchema "An `InLine` has no `AdSystem`.",
    AdTitleMissing "ad-title-missing" NotSchema "An `InLine` has no `AdTitle`.",
    AdTypeUnknown "ad-type-unknown" NotSchema "The `adType` is not one of the standard's.",
    AttributeMissing "attribute-missing" NotSchema "An attribute is missing that the version requires.",
    AuthorityMissing "authority-missing" NotSchema "A category has no `authority`.",
    BooleanSpelling "boolean-spelling" NotSchema "A boolean is in another letter case.",
    BooleanUnreadable "boolean-unreadable" NotSchema "A boolean is neither true nor false.",
    CreativesMissing "creatives-missing" NotSchema "An `InLine` has no `Creative`.",
    DeliveryUnknown "delivery-unknown" NotSchema "A media file is neither progressive nor streaming.",
    DurationMissing "duration-missing" NotSchema "A linear creative has no `Duration`.",
    ElementMisplaced "element-misplaced" NotSchema "A known element is in a place where it has no meaning.",
    ElementTwice "element-twice" NotSchema "An element that may appear once is repeated.",
    EventMissing "event-missing" NotSchema "A `Tracking` has no `event`.",
    EventUnknown "event-unknown" NotSchema "The `event` of a `Tracking` is not one of the standard's.",
    ImpressionMissing "impression-missing" NotSchema "An `InLine` has no `Impression`.",
    LegacyTagName "legacy-tag-name" NotSchema "An element has a name from before VAST 2.0.1 or VMAP 1.0.",
    LegacyUrl "legacy-url" NotSchema "A URL is wrapped in the `URL` element of VAST 1.",
    LetterCase "letter-case" NotSchema "A name or a keyword is in another letter case.",
    MediaFilesMissing "media-files-missing" NotSchema "A linear creative has no `MediaFile`.",
    MediaTypeMissing "media-type-missing" NotSchema "A media file has no MIME type.",
    NumberFraction "number-fraction" NotSchema "A whole number has a fraction.",
    NumberUnreadable "number-unreadable" NotSchema "A number cannot be read.",
    OffsetMissing "offset-missing" NotSchema "A `progress` tracker has no `offset`.",
    OffsetUnreadable "offset-unreadable" NotSchema "An offset is neither a time nor a percentage.",
    PositionUnreadable "position-unreadable" NotSchema "The position of an icon cannot be read.",
    PricingEmpty "pricing-empty" NotSchema "A `Pricing` is empty.",
    RenderingModeUnknown "rendering-mode-unknown" NotSchema "The `renderingMode` is not one of the standard's.",
    RequiredUnknown "required-unknown" NotSchema "The `required` of companions is not one of the standard's.",
    TagUriMissing "tag-uri-missing" NotSchema "A `Wrapper` has no `VASTAdTagURI`.",
    TextMisplaced "text-misplaced" NotSchema "An element that may contain only elements contains text.",
    TimeBareNumber "time-bare-number" NotSchema "A time is a bare number.",
    TimeForm "time-form" NotSchema "A time has fields of other lengths, or too few.",
    TimeFraction "time-fraction" NotSchema "The fraction of a time does not have three digits.",
    TimeRange "time-range" NotSchema "A time has more than 59 minutes or seconds.",
    TimeTooFine "time-too-fine" NotSchema "A time is finer than a microsecond.",
    TimeUnreadable "time-unreadable" NotSchema "A time cannot be read.",
    UnknownAttribute "unknown-attribute" NotSchema "No version has this attribute.",
    UniversalIdAttribute "universal-id-attribute" NotSchema "`idValue` is used, which only VAST 4.0 has.",
    UnknownElement "unknown-element" NotSchema "No version has this element.",
    VersionMismatch "version-mismatch" NotSchema "A name is newer than the version of the document.",
    VersionMissing "version-missing" NotSchema "The root element has no `version`.",

    AdBothChildren "ad-both-children" Allowed "An `Ad` contains both `InLine` and `Wrapper`.",
    AdNoChild "ad-no-child" Allowed "An `Ad` contains neither `InLine` nor `Wrapper`.",
    AdSourceEmpty "ad-source-empty" Allowed "The `AdSource` of a break contains no ads.",
    AdSourceMixed "ad-source-mixed" Allowed "The `AdSource` of a break contains more than one source.",
    AddressBlanks "address-blanks" Allowed "There is white space around a URL.",
    AddressEmpty "address-empty" Allowed "An element for a URL is empty.",
    AddressInvalid "address-invalid" Allowed "A URL is not valid.",
    BreakTypeBlanks "break-type-blanks" Allowed "There is white space around a break type.",
    BreakTypeEmpty "break-type-empty" Allowed "A break type is empty.",
    BreakTypeMany "break-type-many" Allowed "A break has too many break types.",
    BreakTypeMissing "break-type-missing" Allowed "A break has no `breakType`.",
    BreakTypeUnknown "break-type-unknown" Allowed "A break type is not one of the standard's.",
    CarrierForNobody "carrier-for-nobody" Allowed "An extension is for a creative that does not exist.",
    CarrierRepeated "carrier-repeated" Allowed "An extension repeats a verification of the ad.",
    CategoryEmpty "category-empty" Allowed "A category is empty.",
    CreativeEmpty "creative-empty" Allowed "A `Creative` contains nothing to show.",
    CreativeMixed "creative-mixed" Allowed "A `Creative` contains several kinds of creatives.",
    DocumentAsText "document-as-text" Allowed "A VAST document is embedded as text.",
    DraftForm "draft-form" Allowed "An element is only in the VAST 4.4 draft.",
    DurationZero "duration-zero" Allowed "A duration is zero.",
    EncodingDeclared "encoding-declared" Allowed "The declared encoding is not UTF-8.",
    EntityOfDoctype "entity-of-doctype" Allowed "An entity is declared in the `DOCTYPE`.",
    ErrorMisplaced "error-misplaced" Allowed "An `Error` is a direct child of `Ad`.",
    IconEmpty "icon-empty" Allowed "An `Icon` has no resource.",
    MediaFileEmpty "media-file-empty" Allowed "A media file has no URL.",
    NamespaceMissing "namespace-missing" Allowed "A VMAP document has no namespace.",
    NamespaceUnknown "namespace-unknown" Allowed "The namespace is not that of VMAP 1.0.",
    OffsetOnEvent "offset-on-event" Allowed "An event other than `progress` has an `offset`.",
    OffsetOver100 "offset-over-100" Allowed "An offset is more than 100 percent.",
    OffsetTooFine "offset-too-fine" Allowed "A percentage is finer than a ten-thousandth of a percent.",
    PrefixMissing "prefix-missing" Allowed "An element of VMAP lacks the namespace prefix of the root.",
    ProgressBeyond "progress-beyond" Allowed "The offset of a `progress` tracker is after the end of the ad.",
    RepeatAfterZero "repeat-after-zero" Allowed "A break repeats after zero time.",
    ResourceEmpty "resource-empty" Allowed "A resource is empty.",
    SkipOffsetBeyond "skip-offset-beyond" Allowed "The skip offset is after the end of the ad.",
    TimeOffsetFraction "time-offset-fraction" Allowed "The offset of a break is a fraction of a percent.",
    TimeOffsetMissing "time-offset-missing" Allowed "A break has no `timeOffset`.",
    TimeOffsetUnreadable "time-offset-unreadable" Allowed "The `timeOffset` of a break cannot be read.",
    UniversalIdDiffers "universal-id-differs" Allowed "`idValue` and the content of a `UniversalAdId` differ.",
    UniversalIdEmpty "universal-id-empty" Allowed "A `UniversalAdId` is empty.",
    VerificationEmpty "verification-empty" Allowed "A `Verification` has no resource.",
    VersionDraft "version-draft" Allowed "The version is a draft.",
    WarningsLeftOut "warnings-left-out" Allowed "There are more warnings than the limit.",
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_code_has_its_own_word_and_meaning() {
        let words: BTreeSet<&str> = WarningCode::ALL.iter().map(|code| code.word()).collect();
        let meanings: BTreeSet<&str> = WarningCode::ALL.iter().map(|code| code.meaning()).collect();
        assert_eq!(
            (words.len(), meanings.len()),
            (WarningCode::ALL.len(), WarningCode::ALL.len())
        );
        let is_word = |word: &&str| {
            word.bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        };
        assert_eq!(words.iter().find(|word| !is_word(word)), None);
    }
}
