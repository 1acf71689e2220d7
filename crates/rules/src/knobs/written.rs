//! How the values of knobs are parsed and written.

use super::{AskAhead, ByteSize, CompleteAt, Limit, RateLimit, SeekPolicy, Takes};
use playsim_base::time::Span;

/// The type of a knob's value: how it is parsed and written.
pub(super) trait Written: Copy {
    fn read(text: &str) -> Option<Self>;
    fn write(self) -> String;
    fn takes() -> Takes;

    /// Returns whether the written value parses back to the same value.
    fn can_be_written(self) -> bool {
        true
    }
}

impl Written for Span {
    fn read(text: &str) -> Option<Span> {
        // Zero needs no unit.
        if text == "0" {
            Some(Span::ZERO)
        } else {
            text.parse().ok()
        }
    }

    fn write(self) -> String {
        self.in_seconds()
    }

    fn can_be_written(self) -> bool {
        self <= Span::LONGEST
    }

    fn takes() -> Takes {
        Takes::Length
    }
}

impl Written for Limit {
    fn read(text: &str) -> Option<Limit> {
        text.parse::<Limit>().ok()
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Limit
    }

    fn can_be_written(self) -> bool {
        self.length().is_none_or(Span::can_be_written)
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

macro_rules! forms {
    ($($form:ident)*) => {$(
        impl Written for $form {
            fn read(text: &str) -> Option<$form> {
                text.parse().ok()
            }

            fn write(self) -> String {
                self.to_string()
            }

            fn takes() -> Takes {
                Takes::Form($form::TAKES)
            }

            fn can_be_written(self) -> bool {
                self.to_string().parse() == Ok(self)
            }
        }
    )*};
}

forms! { AskAhead ByteSize CompleteAt RateLimit SeekPolicy }

/// The type of a knob that chooses between behaviours.
pub(super) trait Choice: Written {
    /// The first of its values.
    const DEFAULT: Self;
    /// The decision that the knob makes, in one sentence.
    const ABOUT: &'static str;
}

/// Makes the types of knobs that choose between behaviours, each with what the knob decides and a
/// table of the values, as in [`named!`](playsim_base::named::named). The first value is the
/// default.
macro_rules! choices {
    ($(
        $(#[$meta:meta])*
        $about:literal
        $choice:ident { $first:ident $($values:tt)* }
    )*) => {$(
        playsim_base::named::named! {
            #[doc = $about]
            $(#[$meta])*
            $choice { $first $($values)* }
        }

        impl $crate::knobs::written::Written for $choice {
            fn read(text: &str) -> Option<$choice> {
                $choice::from_name(text)
            }

            fn write(self) -> String {
                self.name().to_owned()
            }

            fn takes() -> $crate::knobs::Takes {
                let words = $choice::ALL.iter().map(|choice| (choice.name(), choice.gist()));
                $crate::knobs::Takes::Words(words.collect())
            }
        }

        impl $crate::knobs::written::Choice for $choice {
            const DEFAULT: $choice = $choice::$first;
            const ABOUT: &'static str = $about;
        }
    )*};
}

pub(super) use choices;
