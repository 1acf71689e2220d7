//! How what stands behind a knob is written: lengths of time, numbers, words.
//!
//! Rule CLK-1.

use super::*;

/// What stands behind a knob: how it is written.
pub(super) trait Written: Copy {
    fn read(text: &str) -> Option<Self>;
    fn write(self) -> String;
    fn takes() -> Takes;
}

impl Written for Span {
    fn read(text: &str) -> Option<Span> {
        // Nothing at all needs no unit.
        if text == "0" { Some(Span::ZERO) } else { Span::read(text).ok() }
    }

    fn write(self) -> String {
        self.in_seconds()
    }

    fn takes() -> Takes {
        Takes::Length
    }
}

impl Written for u32 {
    fn read(text: &str) -> Option<u32> {
        text.parse().ok()
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Number
    }
}

impl Written for SeekPolicy {
    fn read(text: &str) -> Option<SeekPolicy> {
        SeekPolicy::read(text)
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Form(SeekPolicy::TAKES)
    }
}

macro_rules! words {
    ($($choice:ident)*) => {$(
        impl Written for $choice {
            fn read(text: &str) -> Option<$choice> {
                $choice::read(text)
            }

            fn write(self) -> String {
                self.name().to_owned()
            }

            fn takes() -> Takes {
                Takes::Words($choice::ALL.iter().map(|choice| (choice.name(), choice.gist())).collect())
            }
        }
    )*};
}

words! {
    AdEndScope AdEngine AdErrorScope AdTagUrl AfterStartError BeforeStartScope CatchUp Detection DispatchMode
    EndedVsPostroll FullscreenEvent FullscreenToggle GestureViolation Jitter LateAnswer MacroSet MacroSpelling MidrollHold
    NoClass OnItemError OutstreamAfter PauseDuringLoad PlayReturns PlayWithPreroll PlaylistPrerolls
    PropertyCalls PushAdsSource SeekDuringAd SeekedCause SimidExpand SimidFailed SimidNavigation Switch TimeTypeRequired VolumeOutOfRange VpaidStart
}
