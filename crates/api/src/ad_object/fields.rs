//! The fields of an ad object, the ad types that use each of them, and the reports about unused
//! ones.
//!
//! Rules: AD-1, AD-8, AD-12, AD-19, PA-1.

use super::{AdOrigin, AdPlacement};
use crate::{Fields, Text, Value};
use playsim_base::words;

/// One field of an ad object.
struct FieldRow {
    name: &'static str,
    /// Its description.
    about: &'static str,
    /// The ad types that use it; empty for all.
    of: &'static [AdPlacement],
    /// Whether `playAd` uses it.
    on_command: bool,
    /// Whether it says when a break of its type starts.
    starts: bool,
}

const fn field(
    name: &'static str,
    about: &'static str,
    of: &'static [AdPlacement],
    on_command: bool,
) -> FieldRow {
    FieldRow {
        name,
        about,
        of,
        on_command,
        starts: false,
    }
}

const FIELDS: &[FieldRow] = &[
    field(
        "adType",
        "0 for pre-roll, 1 mid-roll, 2 post-roll, 3 overlay.",
        &[],
        true,
    ),
    field(
        "adTimeType",
        "The unit of the times: `s` or `%`.",
        &[],
        true,
    ),
    field(
        "mobile",
        "Ad tags; used on mobile devices only if `desktop` has tags.",
        &[],
        true,
    ),
    field("desktop", "Ad tags for desktops.", &[], true),
    field("adTagUrl", "Another name for `mobile`.", &[], true),
    FieldRow {
        starts: true,
        ..field(
            "cuepoints",
            "When the mid-roll starts.",
            &[AdPlacement::Mid],
            false,
        )
    },
    FieldRow {
        starts: true,
        ..field(
            "overlayStartAt",
            "When the overlay starts.",
            &[AdPlacement::Overlay],
            false,
        )
    },
    field(
        "overlayDuration",
        "How long the overlay is shown.",
        &[AdPlacement::Overlay],
        true,
    ),
    field(
        "pod",
        "The pod of the break that the ad belongs to.",
        &[],
        false,
    ),
];

/// The names of all fields, each with its description.
pub fn ad_fields() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    FIELDS.iter().map(|row| (row.name, row.about))
}

/// A field that has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadField {
    /// The name as written.
    pub name: Text,
    /// Why it has no effect.
    pub text: String,
    /// The field that was probably intended.
    pub meant: Option<&'static str>,
}

/// The fields of an ad object that have no effect, in the order in which they are written. Rule
/// AD-19.
///
/// `kind` is `None` if the type cannot be read; then only unknown names are reported.
pub fn unread(
    fields: &Fields,
    kind: Option<AdPlacement>,
    origin: AdOrigin,
) -> impl Iterator<Item = UnreadField> {
    let absent = |value: &Value| matches!(value, Value::Undefined | Value::Null);
    fields.iter().filter_map(move |(name, value)| {
        let Some(row) = FIELDS.iter().find(|row| row.name == &**name) else {
            let known = FIELDS.iter().map(|row| row.name);
            let meant = words::nearest(name, known.clone());
            let text = format!("unknown ad field \"{name}\"; it has no effect");
            return Some(UnreadField { name: name.clone(), text, meant });
        };
        if absent(value) {
            return None;
        }
        let kind = kind?;
        let (why, meant) = if !row.of.is_empty() && !row.of.contains(&kind) {
            (format!("{name} has no effect on {}", kind.in_words()), kind.counterpart(row))
        } else if origin == AdOrigin::Command && !row.on_command {
            (
                format!(
                    "{name} has no effect in playAd(), which plays the ad at once, in a break of its own"
                ),
                None,
            )
        } else {
            return None;
        };
        Some(UnreadField { name: name.clone(), text: why, meant })
    })
}

impl AdPlacement {
    const fn in_words(self) -> &'static str {
        match self {
            AdPlacement::Pre => "a pre-roll",
            AdPlacement::Mid => "a mid-roll",
            AdPlacement::Post => "a post-roll",
            AdPlacement::Overlay => "an overlay",
        }
    }

    /// The field of this type that corresponds to one of another type.
    fn counterpart(self, row: &FieldRow) -> Option<&'static str> {
        let of_this = |other: &&FieldRow| row.starts && other.starts && other.of.contains(&self);
        FIELDS.iter().find(of_this).map(|other| other.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(fields: &Fields, kind: Option<AdPlacement>, origin: AdOrigin) -> Vec<String> {
        unread(fields, kind, origin)
            .map(|unread| unread.text)
            .collect()
    }

    #[test]
    fn a_field_of_another_type_is_reported_with_its_counterpart() {
        let ad = Fields::one("adType", 3)
            .with("cuepoints", 5)
            .with("overlayDuration", 4);
        assert_eq!(
            texts(&ad, Some(AdPlacement::Overlay), AdOrigin::Settings),
            ["cuepoints has no effect on an overlay"]
        );
        assert_eq!(
            texts(&ad, Some(AdPlacement::Post), AdOrigin::Settings),
            [
                "cuepoints has no effect on a post-roll",
                "overlayDuration has no effect on a post-roll"
            ]
        );
        assert_eq!(
            texts(&ad, Some(AdPlacement::Mid), AdOrigin::Command),
            [
                "cuepoints has no effect in playAd(), which plays the ad at once, in a break of its own",
                "overlayDuration has no effect on a mid-roll"
            ]
        );
        let null = Fields::one("adType", 3).with("cuepoints", Value::Null);
        assert_eq!(
            texts(&null, Some(AdPlacement::Overlay), AdOrigin::Settings),
            <[&str; 0]>::default()
        );
    }

    #[test]
    fn an_unknown_name_is_reported_even_if_the_type_is_invalid() {
        let ad = Fields::one("adType", 9)
            .with("cuePoint", 5)
            .with("colour", Value::Null);
        let reported: Vec<(String, Option<&str>)> = unread(&ad, None, AdOrigin::Settings)
            .map(|unread| (unread.name.to_string(), unread.meant))
            .collect();
        assert_eq!(
            reported,
            [
                ("cuePoint".to_owned(), Some("cuepoints")),
                ("colour".to_owned(), None)
            ]
        );
    }
}
