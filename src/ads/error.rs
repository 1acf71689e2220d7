//! Error codes of ads and their words.
//!
//! One row a code that is raised; the numbers are those of VAST, VMAP and the third-party SDK, the words are
//! ours. What raises a code stands where it is raised; here is also which code a fault of media is.
//!
//! Rules: REQ-3, REQ-5, REQ-6, REQ-8, REQ-9, REQ-16, SEL-4 to SEL-13, VMAP-8, VMAP-12, VMAP-15, VMAP-16;
//! VAST 4.3 section 2.3.6, VMAP 1.0.1 section 2.5.

use crate::api::{Text, Value};
use crate::media::MediaFault;
use crate::rule;
use crate::rules::RuleId;

/// Why an ad or a whole ad tag cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// The code.
    pub(super) code: AdErrorCode,
    /// What happened, for the trace.
    pub(super) why: Text,
    /// Where in which document, as `file:line:column`.
    pub(super) at: Option<Text>,
    /// The rule that makes it a failure.
    pub(super) rule: RuleId,
    /// Who hears of it.
    pub(super) audience: Audience,
    /// The code that the page hears instead; `None`: the same.
    pub(super) told: Option<AdErrorCode>,
    /// The files that cannot be played, each with the reason, if there are several.
    pub(super) refused: Option<Value>,
}

/// Who hears of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// The page by `adError`, and the error addresses.
    All,
    /// The page alone.
    Page,
    /// The error addresses alone.
    Addresses,
}

macro_rules! codes {
    ($($variant:ident $code:literal $message:literal,)*) => {
        /// A code that ads fail with. Rule REQ-5.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum AdErrorCode {
            $(#[doc = $message] $variant,)*
        }

        /// Every code that `adError` may carry, with its words. Rule REQ-5.
        pub const AD_ERRORS: &[(u16, &str)] = &[$(($code, $message)),*];

        impl AdErrorCode {
            /// The number.
            pub(super) const fn number(self) -> u16 {
                match self { $(AdErrorCode::$variant => $code,)* }
            }

            /// The words of `adError`.
            pub(super) const fn message(self) -> &'static str {
                match self { $(AdErrorCode::$variant => $message,)* }
            }

            /// The code of this number; what is not raised here counts as undefined.
            pub(super) const fn of(number: u16) -> AdErrorCode {
                match number { $($code => AdErrorCode::$variant,)* _ => AdErrorCode::Undefined }
            }
        }
    };
}

codes! {
    Xml 100 "the response is not XML",
    Schema 101 "the response is not a VAST document",
    Version 102 "the VAST version is not supported",
    Unexpected 200 "a kind of ad that was not asked for",
    Linearity 201 "another linearity was expected",
    Duration 202 "another duration was expected",
    Size 203 "another size was expected",
    CategoryMissing 204 "the ad does not say its category",
    CategoryBlocked 205 "the ad's category is blocked",
    BreakShortened 206 "the break was shortened",
    Wrapper 300 "the wrapper cannot be followed",
    Timeout 301 "the ad server timed out or failed",
    WrapperLimit 302 "too many wrappers",
    NoAd 303 "no ad in the response",
    UnitTimeout 304 "the ad unit did not start in time",
    Linear 400 "the linear ad cannot be shown",
    MediaNotFound 401 "the media file was not found",
    MediaTimeout 402 "the media file took too long",
    NoMedia 403 "no supported media file",
    MediaDisplay 405 "the media file cannot be displayed",
    MezzanineMissing 406 "the mezzanine file is missing",
    MezzanineFetched 407 "the mezzanine file is still being prepared",
    ConditionalRefused 408 "conditional ads are refused",
    InteractiveNotRun 409 "the interactive file was not run",
    VerificationNotRun 410 "the verification was not run",
    MezzanineBelow 411 "the mezzanine file is below what is asked for",
    NonLinear 500 "the overlay cannot be shown",
    NonLinearSize 501 "the overlay is too large",
    NonLinearFetch 502 "the overlay could not be fetched",
    NonLinearType 503 "the overlay's type is not supported",
    Companion 600 "the companion cannot be shown",
    CompanionSize 601 "the companion does not fit",
    CompanionRequired 602 "a required companion cannot be shown",
    CompanionFetch 603 "the companion could not be fetched",
    CompanionType 604 "the companion's type is not supported",
    Undefined 900 "undefined error",
    Vpaid 901 "the VPAID unit failed",
    Interactive 902 "the interactive file failed",
    BreakSchema 1000 "the VMAP document breaks its schema",
    BreakVersion 1001 "the VMAP version is not supported",
    BreakXml 1002 "the VMAP document cannot be parsed",
    BreakType 1003 "the type of the ad break is not supported",
    BreakAnswer 1004 "the ad document of the break is of no use",
    BreakTemplate 1005 "the template type of the ad document is not supported",
    BreakExtract 1006 "no ad document can be read out of the break's answer",
    BreakTimeout 1007 "the ad document of the break came too late",
    BreakFetch 1008 "the ad document of the break cannot be had",
    SdkEmpty 1009 "the first response is empty",
    SdkUnknown 1010 "the first response is of an unknown kind",
    SdkNetwork 1012 "the ads request failed",
}

impl AdErrorCode {
    /// The rule that makes this a failure; what has none of its own is in the list of REQ-3.
    const fn rule(self) -> RuleId {
        match self {
            AdErrorCode::NoAd | AdErrorCode::SdkEmpty => rule!("REQ-6"),
            AdErrorCode::WrapperLimit => rule!("REQ-8"),
            AdErrorCode::MediaTimeout => rule!("REQ-9"),
            AdErrorCode::Duration | AdErrorCode::Size => rule!("SEL-10"),
            AdErrorCode::CategoryMissing | AdErrorCode::CategoryBlocked => rule!("SEL-6"),
            AdErrorCode::BreakShortened => rule!("SEL-4"),
            AdErrorCode::MezzanineMissing | AdErrorCode::MezzanineFetched | AdErrorCode::MezzanineBelow => {
                rule!("SEL-13")
            }
            AdErrorCode::ConditionalRefused => rule!("SEL-11"),
            AdErrorCode::NoMedia => rule!("SEL-8"),
            AdErrorCode::BreakSchema | AdErrorCode::BreakVersion | AdErrorCode::BreakXml => rule!("VMAP-16"),
            AdErrorCode::BreakType => rule!("VMAP-8"),
            AdErrorCode::BreakTemplate => rule!("VMAP-12"),
            AdErrorCode::BreakAnswer
            | AdErrorCode::BreakExtract
            | AdErrorCode::BreakTimeout
            | AdErrorCode::BreakFetch => rule!("VMAP-15"),
            AdErrorCode::Xml
            | AdErrorCode::Schema
            | AdErrorCode::Version
            | AdErrorCode::Unexpected
            | AdErrorCode::Linearity
            | AdErrorCode::Wrapper
            | AdErrorCode::Timeout
            | AdErrorCode::UnitTimeout
            | AdErrorCode::Linear
            | AdErrorCode::MediaNotFound
            | AdErrorCode::MediaDisplay
            | AdErrorCode::InteractiveNotRun
            | AdErrorCode::NonLinear
            | AdErrorCode::Undefined
            | AdErrorCode::Vpaid
            | AdErrorCode::Interactive
            | AdErrorCode::SdkUnknown
            | AdErrorCode::SdkNetwork => rule!("REQ-3"),
            AdErrorCode::VerificationNotRun => rule!("ADX-3"),
            AdErrorCode::NonLinearSize | AdErrorCode::NonLinearFetch | AdErrorCode::NonLinearType => {
                rule!("ADX-21")
            }
            AdErrorCode::CompanionRequired => rule!("ADX-13"),
            AdErrorCode::Companion
            | AdErrorCode::CompanionSize
            | AdErrorCode::CompanionFetch
            | AdErrorCode::CompanionType => rule!("ADX-14"),
        }
    }
}

impl Failure {
    /// A failure without a place.
    pub(super) fn new(code: AdErrorCode, why: impl Into<Text>) -> Failure {
        Failure {
            code,
            why: why.into(),
            at: None,
            rule: code.rule(),
            audience: Audience::All,
            told: None,
            refused: None,
        }
    }

    /// A failure at a place of a document.
    pub(super) fn at(code: AdErrorCode, why: impl Into<Text>, at: Text) -> Failure {
        Failure { at: Some(at), ..Failure::new(code, why) }
    }

    /// The same, at this place if it has none.
    pub(super) fn or_at(self, at: Option<Text>) -> Failure {
        Failure { at: self.at.or(at), ..self }
    }

    /// The same by another rule than the one that its code stands for.
    pub(super) fn by(self, rule: RuleId) -> Failure {
        Failure { rule, ..self }
    }

    /// The code that the page hears.
    pub(super) fn page_code(&self) -> AdErrorCode {
        self.told.unwrap_or(self.code)
    }

    /// The same, told to the page by another code.
    pub(super) fn told_as(self, told: AdErrorCode) -> Failure {
        Failure { told: Some(told), ..self }
    }

    /// The same, heard of by others.
    pub(super) fn heard_by(self, audience: Audience) -> Failure {
        Failure { audience, ..self }
    }
}

/// The code of media that cannot be had or played.
pub(super) const fn of_media(fault: MediaFault) -> AdErrorCode {
    match fault {
        MediaFault::NotFound | MediaFault::Network | MediaFault::NotRunning => AdErrorCode::MediaNotFound,
        MediaFault::Decode | MediaFault::Unsupported => AdErrorCode::MediaDisplay,
    }
}
