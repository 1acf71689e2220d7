//! What a profile claims about a product, and the evidence for it.
//!
//! A claim cannot be written without its evidence: the macro that makes the tables has no such
//! form, and an empty one does not compile. What is not known is a claim too: the knob keeps its
//! default, and the table says why.

use playsim_base::named::named;

named! {
    /// The kind of evidence for a claim.
    EvidenceKind {
        Source "source" "Read in the product's source.",
        Document "document" "Stated by its documentation, or by a standard.",
        Issue "issue" "Said in a public issue, by its maintainers or by people who saw it.",
    }
}

/// The evidence for a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaimEvidence {
    /// Its kind.
    pub kind: EvidenceKind,
    /// The product or standard, with its version where it has one: `fluid-player 3.58.0`.
    pub of: &'static str,
    /// Where: a file, section, page or issue.
    pub place: &'static str,
    /// What it says there.
    pub says: &'static str,
}

/// What is known about a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The knob that decides it.
    pub knob: &'static str,
    /// The value of the product, and how that is known; otherwise why it is not, and the knob keeps
    /// its default.
    pub known: Result<(&'static str, ClaimEvidence), &'static str>,
}

impl Claim {
    /// Makes a claim with its evidence, none of which may be empty. An issue has a number.
    pub(super) const fn known(
        knob: &'static str,
        value: &'static str,
        from: ClaimEvidence,
    ) -> Claim {
        assert!(!from.of.is_empty() && !from.place.is_empty() && !from.says.is_empty());
        assert!(!matches!(from.kind, EvidenceKind::Issue) || has_digit(from.place.as_bytes()));
        Claim {
            knob,
            known: Ok((value, from)),
        }
    }

    /// Makes the claim that something is not known.
    pub(super) const fn not_known(knob: &'static str, why: &'static str) -> Claim {
        assert!(!why.is_empty());
        Claim {
            knob,
            known: Err(why),
        }
    }

    /// Returns the knob and its value, if that is known.
    #[must_use]
    pub fn setting(&self) -> Option<(&'static str, &'static str)> {
        self.known.ok().map(|(value, _)| (self.knob, value))
    }
}

const fn has_digit(text: &[u8]) -> bool {
    match text {
        [first, rest @ ..] => first.is_ascii_digit() || has_digit(rest),
        [] => false,
    }
}

/// Makes tables of claims. `in` is what all rows of a table are about, unless a row says `of`
/// something else:
///
/// ```text
/// TABLE in "product 1.0" {
///     source "knob" = "value", "file", "what it says there";
///     issue of "another 2.0" "knob" = "value", "issue 7", "what is said there";
///     not_known "knob", "why";
/// }
/// ```
macro_rules! claims {
    ($(
        $(#[$meta:meta])*
        $table:ident in $of:literal {
            $($kind:ident $(of $other:literal)? $knob:literal
                $(= $value:literal, $place:literal)?, $says:literal;)*
        }
    )*) => {$(
        $(#[$meta])*
        pub(super) const $table: &[$crate::knobs::profiles::claim::Claim] = &[$(
            claims!(@row $kind [$($other)? $of] $knob $(= $value, $place)?, $says),
        )*];
    )*};
    (@row not_known [$of:literal] $knob:literal, $why:literal) => {
        $crate::knobs::profiles::claim::Claim::not_known($knob, $why)
    };
    (@row $kind:ident [$of:literal $($table_of:literal)?]
        $knob:literal = $value:literal, $place:literal, $says:literal
    ) => {
        $crate::knobs::profiles::claim::Claim::known(
            $knob,
            $value,
            $crate::knobs::profiles::claim::ClaimEvidence {
                kind: claims!(@kind $kind),
                of: $of,
                place: $place,
                says: $says,
            },
        )
    };
    (@kind source) => { $crate::knobs::profiles::claim::EvidenceKind::Source };
    (@kind document) => { $crate::knobs::profiles::claim::EvidenceKind::Document };
    (@kind issue) => { $crate::knobs::profiles::claim::EvidenceKind::Issue };
}

pub(super) use claims;
