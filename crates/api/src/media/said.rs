//! The messages of units, from one table for each kind of unit.

/// Makes two enums of a table: the names of messages, as [`named!`](playsim_base::named::named)
/// does, and the messages with their data. Each field of the data has the value that it has if the
/// sender says nothing of it.
macro_rules! messages {
    ($(#[$of_kind:meta])* $kind:ident, $(#[$of_said:meta])* $said:ident {
        $($message:ident $name:literal $gist:literal $rule:ident $({
            $($(#[$of_field:meta])* $field:ident: $of:ty = $default:expr,)*
        })?,)*
    }) => {
        playsim_base::named::named! {
            $(#[$of_kind])*
            $kind {
                $($message $name $gist,)*
            }
        }

        impl $kind {
            /// The rule that it follows.
            #[must_use]
            pub const fn rule(self) -> playsim_rules::RuleId {
                match self {
                    $($kind::$message => playsim_rules::$rule,)*
                }
            }
        }

        $(#[$of_said])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $said {
            $(#[doc = $gist] $message $({ $($(#[$of_field])* $field: $of,)* })?,)*
        }

        impl $said {
            /// Which message it is.
            #[must_use]
            pub const fn kind(&self) -> $kind {
                match self {
                    $($said::$message { .. } => $kind::$message,)*
                }
            }
        }

        impl From<$kind> for $said {
            fn from(kind: $kind) -> $said {
                match kind {
                    $($kind::$message => $said::$message $({ $($field: $default,)* })?,)*
                }
            }
        }
    };
}

pub(super) use messages;
