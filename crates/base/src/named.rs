//! Enums whose variants have a documented name: one row of a table each, from which the rest is
//! derived.

use crate::words;

/// A name that a table does not have; the message suggests one that it has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownName(String);

impl UnknownName {
    /// The error for a name that is not among the known ones, with the nearest of them.
    pub fn new<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> UnknownName {
        UnknownName(words::unknown("name", name, known))
    }
}

/// Why a string is not a value: what it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be {takes}")]
pub struct ParseError {
    /// The values that would be accepted.
    pub takes: &'static str,
}

/// Implements `FromStr` by a type's private function `read`, which gives `None` for any other
/// string.
#[doc(hidden)]
#[macro_export]
macro_rules! __from_str {
    ($type:ident, $takes:expr) => {
        impl std::str::FromStr for $type {
            type Err = $crate::named::ParseError;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                $type::read(text).ok_or($crate::named::ParseError { takes: $takes })
            }
        }
    };
}

pub use __from_str as from_str;

/// Makes enums from tables: the variants with their docs, the list of all, the name of a variant
/// and back.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($(
        $(#[$meta:meta])*
        $enum:ident {
            $($(#[$of_variant:meta])* $variant:ident $name:literal $gist:literal,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $enum {
            $(#[doc = $gist] $(#[$of_variant])* $variant,)*
        }

        impl $enum {
            /// All of them, in the order of the table.
            pub const ALL: &[$enum] = &[$($enum::$variant,)*];

            /// The documented name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)*
                }
            }

            /// Its description, a sentence.
            #[must_use]
            pub const fn gist(self) -> &'static str {
                match self {
                    $($enum::$variant => $gist,)*
                }
            }

            /// The variant with exactly this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$enum> {
                match name {
                    $($name => Some($enum::$variant),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $enum {
            type Err = $crate::named::UnknownName;

            fn from_str(name: &str) -> Result<$enum, Self::Err> {
                let known = || $enum::ALL.iter().map(|each| each.name());
                $enum::from_name(name).ok_or_else(|| $crate::named::UnknownName::new(name, known()))
            }
        }
    )*};
}

pub use __named as named;
