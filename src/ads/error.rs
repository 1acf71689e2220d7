//! Error codes of ads and their words.
//!
//! One row a code that is raised; the numbers are VAST's, the words are ours. What raises a code stands
//! where it is raised; here is also which code a fault of media is.
//!
//! Rules: REQ-3, REQ-5, REQ-6, REQ-8, REQ-9, REQ-16; VAST 4.3 section 2.3.6.

use crate::api::Text;
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
}

macro_rules! codes {
    ($($variant:ident $code:literal $message:literal,)*) => {
        /// A code that ads fail with. Rule REQ-5.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum AdErrorCode {
            $(#[doc = $message] $variant,)*
        }

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
    Wrapper 300 "the wrapper cannot be followed",
    Timeout 301 "the ad server timed out or failed",
    WrapperLimit 302 "too many wrappers",
    NoAd 303 "no ad in the response",
    Linear 400 "the linear ad cannot be shown",
    MediaNotFound 401 "the media file was not found",
    MediaTimeout 402 "the media file took too long",
    NoMedia 403 "no supported media file",
    MediaDisplay 405 "the media file cannot be displayed",
    NonLinear 500 "the overlay cannot be shown",
    NonLinearSize 501 "the overlay is too large",
    NonLinearFetch 502 "the overlay cannot be had",
    NonLinearType 503 "the type of the overlay is not supported",
    Companion 600 "the companion cannot be shown",
    CompanionSize 601 "the companion is too large",
    CompanionRequired 602 "a required companion cannot be shown",
    CompanionFetch 603 "the companion cannot be had",
    CompanionType 604 "the type of the companion is not supported",
    Undefined 900 "undefined error",
}

impl AdErrorCode {
    /// The rule that makes this a failure; what has none of its own is in the list of REQ-3.
    const fn rule(self) -> RuleId {
        match self {
            AdErrorCode::NoAd => rule!("REQ-6"),
            AdErrorCode::WrapperLimit => rule!("REQ-8"),
            AdErrorCode::MediaTimeout => rule!("REQ-9"),
            AdErrorCode::Xml
            | AdErrorCode::Schema
            | AdErrorCode::Version
            | AdErrorCode::Unexpected
            | AdErrorCode::Linearity
            | AdErrorCode::Wrapper
            | AdErrorCode::Timeout
            | AdErrorCode::Linear
            | AdErrorCode::MediaNotFound
            | AdErrorCode::NoMedia
            | AdErrorCode::MediaDisplay
            | AdErrorCode::NonLinear
            | AdErrorCode::Undefined => rule!("REQ-3"),
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
        Failure { code, why: why.into(), at: None, rule: code.rule() }
    }

    /// A failure at a place of a document.
    pub(super) fn at(code: AdErrorCode, why: impl Into<Text>, at: Text) -> Failure {
        Failure { at: Some(at), ..Failure::new(code, why) }
    }

    /// The same by another rule than the one that its code stands for.
    pub(super) fn by(self, rule: RuleId) -> Failure {
        Failure { rule, ..self }
    }
}

/// The code of media that cannot be had or played.
pub(super) const fn of_media(fault: MediaFault) -> AdErrorCode {
    match fault {
        MediaFault::NotFound | MediaFault::Network | MediaFault::NotRunning => AdErrorCode::MediaNotFound,
        MediaFault::Decode | MediaFault::Unsupported => AdErrorCode::MediaDisplay,
    }
}
