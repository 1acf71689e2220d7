//! The parts of the page that ads can use besides the player.
//!
//! Rules: ADX-2, ADX-6, ADX-10, ADX-12, ADX-25.

use std::sync::Arc;

use super::{FieldRow, Opt, Shape, count, field_rows, list};
use crate::form::{List, Name, Parsed, Truth, Word, Words, entries};
use playsim_api::page::{CompanionSlot, Page, Sides, VendorFate, VerificationHost};

/// The fields of the page for it.
pub(super) const SIDES: &[FieldRow<Page>] = field_rows! { Page:
    "companions" sides.companions: COMPANIONS,
        "Where companion ads can be shown, in the order in which the places are filled.";
    "verification" sides.verification: VERIFICATION, "Who may verify ads.";
    "unreachable" sides.unreachable: list("a URL", Name, "[https://m.test/side.png]"),
        "URLs of images and pages of ads that cannot be loaded.";
    "viewability" sides.measures_view: Words(&[("measured", true), ("unknown", false)]),
        "Whether the player can measure how much of it is in view.";
    "navigation" sides.opens_pages: Words(&[("allowed", true), ("refused", false)]),
        "Whether a click can open a page.";
    "language" sides.language: Opt(LANGUAGE), "The language of the page, for ad captions, like en or pt-BR.";
};

const COMPANIONS: List<&Shape<CompanionSlot>> = list(
    "a companion slot",
    &SLOT,
    "[{ id: side, width: 300, height: 250 }]",
)
.distinct(
    |one, other| one.id.cmp(&other.id),
    |slot| format!("duplicate companion slot \"{}\"", slot.id),
);

const SLOT: Shape<CompanionSlot> = Shape::new(
    "a companion slot",
    "{ id: side, width: 300, height: 250 }",
    "A place for a companion ad.",
    || CompanionSlot {
        id: Arc::default(),
        width: 1,
        height: 1,
    },
    &[field_rows! { CompanionSlot:
        "id" id: Name => "id: side", "Its id, which a companion may ask for.";
        "width" width: count(1) => "width: 300", "Width in pixels.";
        "height" height: count(1) => "height: 250", "Height in pixels.";
    }],
);

const VERIFICATION: Shape<VerificationHost> = Shape::new(
    "verification",
    "{ omid: true, vendors: { doubleverify.com: refused } }",
    "Who may verify ads.",
    || Sides::default().verification,
    &[field_rows! { VerificationHost:
        "omid" omid: Truth, "Whether Open Measurement scripts can run.";
        "vendors" vendors: entries(FATE, "{ doubleverify.com: refused }"),
            "What happens to the verification scripts of these vendors.";
    }],
);

const FATE: Word<VendorFate> = Word {
    what: "",
    takes: "",
    all: VendorFate::ALL,
    name: VendorFate::name,
};

const TAG: &str = "a language, like en or pt-BR";

/// A language tag as pages write it: parts of letters and digits, with hyphens between.
const LANGUAGE: Parsed<Arc<str>> = Parsed {
    takes: TAG,
    made: Some(TAG),
    pattern: "^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$",
    read: |text| {
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphanumeric())
        };
        text.split('-').all(is_part).then(|| text.into())
    },
    write: |language| language.to_string(),
};
