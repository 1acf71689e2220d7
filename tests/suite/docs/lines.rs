//! The tables of what the lines of a trace contain, made of the types of records.

use std::fmt::Write;

use playsim::api::{Kind, LineName};
use playsim::trace::record::{RecordField, RecordShape};

/// What the section of a kind says besides.
const BESIDES: &[(Kind, &str)] = &[
    (
        Kind::Call,
        "The names are those of the calls, getters and properties of [the API](calls-and-events.md).",
    ),
    (
        Kind::Event,
        "A record is read as `RecordView::Event(EventRecord)`; `EventRecord::payload` reads its data.",
    ),
];

/// The kinds that have a chapter of their own, since they are many.
const OF_ADS: [Kind; 3] = [Kind::Ad, Kind::Break, Kind::Beacon];

/// Returns a section for each kind of line: of those about ads, or of the others.
pub(crate) fn tables(is_about_ads: bool) -> String {
    let mut text = String::new();
    for kind in Kind::ALL
        .iter()
        .filter(|kind| OF_ADS.contains(kind) == is_about_ads)
    {
        let _ = write!(text, "\n## `{kind}`\n\n{}\n", kind.gist());
        if let Some((_, besides)) = BESIDES.iter().find(|(of, _)| of == kind) {
            let _ = write!(text, "\n{besides}\n");
        }
        text.push_str("\n| name | data | | in Rust |\n|---|---|---|---|\n");
        for shape in RecordShape::of_kind(*kind) {
            rows(*kind, shape, &mut text);
        }
    }
    text.push('\n');
    text
}

/// Writes the names of a row, then its data: a name with the variant that it is, data with the view
/// that reads them.
fn rows(kind: Kind, shape: &RecordShape, text: &mut String) {
    // A media event has the name of one that page code hears, and is not described twice.
    let is_described = |name: &LineName| !matches!(name, LineName::MediaEvent(_));
    let names: Vec<LineName> = shape
        .names()
        .filter(is_described)
        .filter(|name| !taken(kind, shape, *name))
        .collect();
    if names.is_empty() || shape.is_open() && !any(kind).is_empty() {
        let _ = writeln!(text, "| {} | | {} | |", any(kind), shape.gist);
    } else {
        for name in names {
            let _ = writeln!(
                text,
                "| `{}` | | {} | `{}` |",
                name.name(),
                name.gist(),
                name.variant()
            );
        }
    }
    let of = if kind == Kind::Event {
        "Payload"
    } else {
        "RecordView"
    };
    let mut view = format!("`{of}::{}({})`", shape.title, shape.type_name);
    for RecordField {
        key,
        takes,
        is_optional,
        gist,
        ..
    } in shape.fields
    {
        let may = if *is_optional { ", optional" } else { "" };
        let _ = writeln!(
            text,
            "| | `{key}` {takes}{may} | {gist} | {} |",
            std::mem::take(&mut view)
        );
    }
    if shape.fields.is_empty() {
        let _ = writeln!(text, "| | | | {view} |");
    }
}

/// Whether a row above has this name.
fn taken(kind: Kind, shape: &RecordShape, name: LineName) -> bool {
    let above = RecordShape::of_kind(kind).take_while(|other| other.title != shape.title);
    above
        .flat_map(RecordShape::names)
        .any(|other| other == name)
}

/// What the name of a line is where no table has it.
fn any(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "any of them",
        Kind::Listener => "what was heard",
        Kind::Beacon => "the tracker",
        Kind::Analytics => "the category",
        Kind::Edit => "the route",
        Kind::Media => "an event",
        Kind::Native => "its own",
        Kind::Header
        | Kind::User
        | Kind::Page
        | Kind::Event
        | Kind::State
        | Kind::Ui
        | Kind::Ad
        | Kind::Break
        | Kind::Net
        | Kind::Diag
        | Kind::Measurement
        | Kind::Outcome => "",
    }
}
