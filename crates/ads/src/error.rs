//! Error codes of ads and their messages.
//!
//! One row for each code that can occur. The numbers are those of VAST, VMAP and the third-party
//! SDK, the messages are ours. A failure gets its code where it occurs; only media faults are
//! mapped to codes here.
//!
//! Rules: REQ-3, REQ-5, REQ-6, REQ-8, REQ-9, REQ-16, SEL-4 to SEL-13, VMAP-8, VMAP-12, VMAP-15,
//! VMAP-16; VAST 4.3 section 2.3.6, VMAP 1.0.1 section 2.5.

use playsim_api::media::MediaFault;
use playsim_api::{Text, Value};
use playsim_rules::knobs::{AdEngine, KnobReader, UnfetchedMedia, UnshowableMedia};
use playsim_rules::{self as rules, RuleId};

/// Why an ad or a whole ad tag cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Failure {
    pub(super) code: AdErrorCode,
    /// The reason, for the trace.
    pub(super) why: Text,
    /// The place in a document, as `file:line:column`.
    pub(super) at: Option<Text>,
    /// The rule that makes it a failure.
    pub(super) rule: RuleId,
    /// Where the failure is reported.
    pub(super) audience: Audience,
    /// How far the ad had come.
    pub(super) reached: Reached,
    /// The code that the page gets instead of `code`, if it is another one.
    pub(super) page_code: Option<AdErrorCode>,
    /// The inner error that the third-party SDK reports, if there is one. Rule PLAY-24.
    pub(super) inner: Option<u16>,
    /// If there are several media files: those that cannot be played, each with the reason.
    pub(super) refused: Option<Value>,
}

/// The codes of media that fail, as the knobs say.
#[derive(Debug, Clone, Copy)]
pub(super) struct MediaCodes {
    unshowable: UnshowableMedia,
    unfetched: UnfetchedMedia,
}

impl MediaCodes {
    pub(super) fn of(knobs: &KnobReader) -> MediaCodes {
        MediaCodes {
            unshowable: knobs.ad_unshowable_media_code(),
            unfetched: knobs.ad_unfetched_media_code(),
        }
    }
}

/// Where a failure is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Audience {
    /// To the page by `adError`, and to the `Error` URLs.
    All,
    /// To the page only.
    Page,
    /// To the `Error` URLs only.
    Addresses,
}

/// How far an ad had come when it failed. Rule PRD-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reached {
    /// It was not chosen yet.
    Choice,
    /// It was chosen, but its media could not be fetched.
    Fetch,
    /// It was chosen.
    Media,
    /// Its impression was called.
    Impression,
}

macro_rules! codes {
    ($($variant:ident $code:literal $rule:ident $message:literal,)*) => {
        /// A code that an ad or a tag fails with. Rule REQ-5.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) enum AdErrorCode {
            $(#[doc = $message] $variant,)*
        }

        /// Every code that `adError` may carry, with its message. Rule REQ-5.
        pub const AD_ERRORS: &[(u16, &str)] = &[$(($code, $message)),*];

        impl AdErrorCode {
            /// The number.
            pub(super) const fn number(self) -> u16 {
                match self { $(AdErrorCode::$variant => $code,)* }
            }

            /// The message of `adError`.
            pub(super) const fn message(self) -> &'static str {
                match self { $(AdErrorCode::$variant => $message,)* }
            }

            /// The rule that makes this a failure; codes without a rule of their own are covered by
            /// REQ-3.
            const fn rule(self) -> RuleId {
                match self { $(AdErrorCode::$variant => rules::$rule,)* }
            }

            /// The code with this number; unlisted numbers give the undefined error.
            pub(super) const fn of(number: u16) -> AdErrorCode {
                match number { $($code => AdErrorCode::$variant,)* _ => AdErrorCode::Undefined }
            }
        }
    };
}

codes! {
    Xml 100 REQ_3 "the response is not XML",
    Schema 101 REQ_3 "the response violates the VAST schema",
    Version 102 REQ_3 "the VAST version is not supported",
    Unexpected 200 REQ_3 "unexpected ad type",
    Linearity 201 REQ_3 "unexpected linearity",
    Duration 202 SEL_10 "unexpected duration",
    Size 203 SEL_10 "unexpected size",
    CategoryMissing 204 SEL_6 "the ad has no category",
    CategoryBlocked 205 SEL_6 "the ad's category is blocked",
    BreakShortened 206 SEL_4 "the break was shortened",
    Wrapper 300 REQ_3 "the wrapper cannot be followed",
    Timeout 301 REQ_3 "the ad server timed out or failed",
    WrapperLimit 302 REQ_8 "too many wrappers",
    NoAd 303 REQ_6 "no ad in the response",
    UnitTimeout 304 REQ_3 "the ad unit did not start in time",
    Linear 400 REQ_3 "the linear ad cannot be shown",
    MediaNotFound 401 REQ_3 "the media file was not found",
    MediaTimeout 402 REQ_9 "the media file took too long",
    NoMedia 403 SEL_8 "no supported media file",
    MediaDisplay 405 REQ_3 "the media file cannot be displayed",
    MezzanineMissing 406 SEL_13 "the mezzanine file is missing",
    MezzanineFetched 407 SEL_13 "the mezzanine file is still being prepared",
    ConditionalRefused 408 SEL_11 "conditional ads are not accepted",
    InteractiveNotRun 409 REQ_3 "the interactive file was not run",
    VerificationNotRun 410 ADX_3 "the verification was not run",
    MezzanineBelow 411 SEL_13 "the mezzanine file is below the required quality",
    NonLinear 500 REQ_3 "the overlay cannot be shown",
    NonLinearSize 501 ADX_21 "the overlay is too large",
    NonLinearFetch 502 ADX_21 "the overlay could not be fetched",
    NonLinearType 503 ADX_21 "the overlay's type is not supported",
    Companion 600 ADX_14 "the companion cannot be shown",
    CompanionSize 601 ADX_14 "the companion does not fit",
    CompanionRequired 602 ADX_13 "a required companion cannot be shown",
    CompanionFetch 603 ADX_14 "the companion could not be fetched",
    CompanionType 604 ADX_14 "the companion's type is not supported",
    Undefined 900 REQ_3 "undefined error",
    Vpaid 901 REQ_3 "the VPAID unit failed",
    Interactive 902 REQ_3 "the interactive file failed",
    BreakSchema 1000 VMAP_16 "the VMAP document violates its schema",
    BreakVersion 1001 VMAP_16 "the VMAP version is not supported",
    BreakXml 1002 VMAP_16 "the VMAP document cannot be parsed",
    BreakType 1003 VMAP_8 "the type of the ad break is not supported",
    BreakAnswer 1004 VMAP_15 "the ad document of the break cannot be used",
    BreakTemplate 1005 VMAP_12 "the template type of the ad document is not supported",
    BreakExtract 1006 VMAP_15 "no ad document can be extracted from the break's response",
    BreakTimeout 1007 VMAP_15 "the ad document of the break came too late",
    BreakFetch 1008 VMAP_15 "the ad document of the break cannot be fetched",
    SdkEmpty 1009 REQ_6 "the first response is empty",
    SdkUnknown 1010 REQ_3 "the first response is of an unknown type",
    SdkNetwork 1012 REQ_3 "the ads request failed",
}

/// The SDK's code for a refused autoplay. Rule PLAY-24.
const AUTOPLAY_DISALLOWED: u16 = 1205;

impl Failure {
    /// Creates a failure without a place.
    pub(super) fn new(code: AdErrorCode, why: impl Into<Text>) -> Failure {
        Failure {
            code,
            why: why.into(),
            at: None,
            rule: code.rule(),
            audience: Audience::All,
            reached: Reached::Choice,
            page_code: None,
            inner: None,
            refused: None,
        }
    }

    /// Creates a failure at a place of a document.
    pub(super) fn at(code: AdErrorCode, why: impl Into<Text>, at: Text) -> Failure {
        Failure {
            at: Some(at),
            ..Failure::new(code, why)
        }
    }

    /// Sets the place unless the failure already has one.
    pub(super) fn or_at(self, at: Option<Text>) -> Failure {
        Failure {
            at: self.at.or(at),
            ..self
        }
    }

    /// Sets another rule than the usual one of the code.
    pub(super) fn by(self, rule: RuleId) -> Failure {
        Failure { rule, ..self }
    }

    /// The code that the page gets.
    pub(super) fn page_code(&self) -> AdErrorCode {
        self.page_code.unwrap_or(self.code)
    }

    /// Sets another code for the page.
    pub(super) fn with_page_code(self, code: AdErrorCode) -> Failure {
        Failure {
            page_code: Some(code),
            ..self
        }
    }

    /// Marks the failure as one of an ad that was already chosen.
    pub(super) fn of_media(self) -> Failure {
        Failure {
            reached: Reached::Media,
            ..self
        }
    }

    /// Marks the failure as one of an ad whose media could not be fetched.
    pub(super) fn unfetched(self) -> Failure {
        Failure {
            reached: Reached::Fetch,
            ..self
        }
    }

    /// The failure of media that cannot be fetched or played before the ad starts. Rules REQ-3,
    /// PRD-20.
    pub(super) fn of_loading(fault: MediaFault, why: String, codes: MediaCodes) -> Failure {
        if let MediaFault::Refused(code) = fault {
            return Failure::of_page(code).of_media();
        }
        if fault.is_of_network() {
            let failure = |code| Failure::new(code, why).unfetched();
            return match codes.unfetched {
                UnfetchedMedia::ByTime => failure(AdErrorCode::MediaNotFound),
                UnfetchedMedia::Display => failure(AdErrorCode::MediaDisplay).by(rules::PRD_45),
                UnfetchedMedia::Unsupported => failure(AdErrorCode::NoMedia).by(rules::PRD_45),
            };
        }
        let failure = match codes.unshowable {
            UnshowableMedia::Display => Failure::new(AdErrorCode::MediaDisplay, why),
            UnshowableMedia::NotFound => {
                Failure::new(AdErrorCode::MediaNotFound, why).by(rules::PRD_20)
            }
            UnshowableMedia::Linear => Failure::new(AdErrorCode::Linear, why).by(rules::PRD_20),
            UnshowableMedia::Unsupported => {
                Failure::new(AdErrorCode::NoMedia, why).by(rules::PRD_20)
            }
        };
        Failure {
            reached: Reached::Media,
            ..failure
        }
    }

    /// The failure of an ad that the page does not play, for a reason of its own. Rule REQ-3.
    fn of_page(code: u16) -> Failure {
        Failure::new(AdErrorCode::of(code), MediaFault::REFUSAL).by(rules::REQ_3)
    }

    /// The failure of media while it plays. It was found, and in time, so 401 and 402 do not apply.
    /// Rules BRK-24, PRD-20.
    pub(super) fn of_playing(fault: MediaFault, why: String, codes: MediaCodes) -> Failure {
        if let MediaFault::Refused(code) = fault {
            return Failure::of_page(code);
        }
        if fault.is_of_network() {
            let failure = |code| Failure::new(code, why);
            return match codes.unfetched {
                UnfetchedMedia::ByTime => failure(AdErrorCode::Linear).by(rules::BRK_24),
                UnfetchedMedia::Display => failure(AdErrorCode::MediaDisplay).by(rules::PRD_45),
                UnfetchedMedia::Unsupported => failure(AdErrorCode::MediaTimeout).by(rules::PRD_45),
            };
        }
        match codes.unshowable {
            UnshowableMedia::Display | UnshowableMedia::NotFound => {
                Failure::new(AdErrorCode::MediaDisplay, why).by(rules::BRK_24)
            }
            UnshowableMedia::Linear => Failure::new(AdErrorCode::Linear, why).by(rules::PRD_20),
            UnshowableMedia::Unsupported => {
                Failure::new(AdErrorCode::NoMedia, why).by(rules::PRD_20)
            }
        }
    }

    /// The failure of an ad that the browser does not let start. Rule PLAY-24.
    pub(super) fn of_refused_start(why: &'static str, engine: AdEngine) -> Failure {
        let why = format!("the browser does not let the ad start: {why}");
        let inner = match engine {
            AdEngine::InHouse => None,
            AdEngine::Sdk => Some(AUTOPLAY_DISALLOWED),
        };
        Failure {
            inner,
            ..Failure::new(AdErrorCode::Linear, why)
                .by(rules::PLAY_24)
                .of_media()
        }
    }

    /// Sets where the failure is reported.
    pub(super) fn with_audience(self, audience: Audience) -> Failure {
        Failure { audience, ..self }
    }
}
