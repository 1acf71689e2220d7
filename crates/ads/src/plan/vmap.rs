//! VMAP: a response that lists the breaks of an item instead of ads.
//!
//! How its breaks reach the item, without this module knowing the player:
//!
//! ```text
//!   pre-roll break ── requests a tag ─── VMAP response ──► BreakSchedule, kept by the break
//!                                                              │ taken by the player
//!   AdSchedule ◄───────────────────────────────────────────────┘
//!      │  start, end, cue points: looked up like those of ad objects
//!      └──► BreakPlan with a VmapBreak ──► AdBreak: its source, its forms, its trackers, its codes
//! ```
//!
//! This file has one break of such a document. `schedule` decides when breaks are due, `source`
//! says where a break's ads come from. Their use by a break is in `ad_break::course::vmap`.
//!
//! Rules: VMAP; VMAP 1.0.1 sections 2.3 to 2.6.

use std::sync::Arc;

use playsim_api::{BreakKind, Fields, Text, Value};
use playsim_base::place::Place;
use playsim_vast::Document;
use playsim_vast::vmap::{AdSource, Break, BreakType, TimeOffset};

pub(crate) mod schedule;
mod source;

/// A form of ads. Rule VMAP-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AdForm {
    /// In place of the content.
    Linear,
    /// Over the content.
    NonLinear,
    /// Next to the player.
    Display,
}

/// Which other forms a VMAP break may take, because there is space for them. Rules VMAP-7, VMAP-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Room {
    /// No other break with linear ads is open.
    pub linear: bool,
    /// There is content, now or later, without an overlay over it.
    pub overlay: bool,
    /// There is free space next to the player.
    pub display: bool,
}

impl Room {
    pub(crate) fn has(self, kind: BreakKind) -> bool {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => self.linear,
            BreakKind::Overlay => self.overlay,
            BreakKind::Display => self.display,
        }
    }
}

/// One occurrence of a break of a VMAP document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VmapBreak {
    document: Arc<Document>,
    /// The name of the document in messages.
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
    index: usize,
    /// How often it has occurred before, 0 for the first time. Rule VMAP-5.
    nth: u32,
    /// The forms that it accepts and that can be shown in its place, in order of preference.
    pub(crate) forms: Vec<AdForm>,
    /// The kind of break that it is with linear ads.
    slot: BreakKind,
}

impl VmapBreak {
    /// The break in the document.
    pub(crate) fn row(&self) -> &Break {
        &self.document.breaks[self.index]
    }

    /// The source of its ads, if it has one.
    pub(crate) fn ad_source(&self) -> Option<&AdSource> {
        self.row().source.as_ref()
    }

    /// Whether it is a repetition. Rule VMAP-5.
    pub(super) fn is_repeated(&self) -> bool {
        self.nth > 0
    }

    /// The preferred form; `None` if no accepted form can be shown. Rules VMAP-7, VMAP-8.
    pub(crate) fn form(&self) -> Option<AdForm> {
        self.forms.first().copied()
    }

    /// The kind of break that it is with this form of ads.
    pub(crate) fn kind_of(&self, form: AdForm) -> BreakKind {
        match form {
            AdForm::Linear => self.slot,
            AdForm::NonLinear => BreakKind::Overlay,
            AdForm::Display => BreakKind::Display,
        }
    }

    /// A place of the document, as `file:line:column`.
    pub(crate) fn place(&self, at: Place) -> Text {
        at.in_file(&self.name).into()
    }

    /// The fields for the first line of the break. Rule VMAP-3.
    pub(crate) fn fields(&self) -> Fields {
        describe(self.row())
            .with_some("time", self.is_repeated().then(|| self.nth + 1))
            .with("at", self.place(self.row().at))
    }
}

/// The fields of a break for a trace line: its id, when it is due, its types.
pub(crate) fn describe(row: &Break) -> Fields {
    let types = row
        .types
        .iter()
        .map(|kind| Value::from(Text::from(kind.word().to_owned())))
        .collect();
    Fields::with_room(5)
        .with_some("id", row.id.as_ref().map(Text::from))
        .with_some(
            "offset",
            row.time_offset.as_ref().map(TimeOffset::to_string),
        )
        .with("types", Value::List(types))
        .with_some("repeat", row.repeat_after)
}

impl AdForm {
    /// The form for a type in a document; `None` if the type is unknown. Rule VMAP-8.
    fn of(kind: &BreakType) -> Option<AdForm> {
        match kind {
            BreakType::Linear => Some(AdForm::Linear),
            BreakType::NonLinear => Some(AdForm::NonLinear),
            BreakType::Display => Some(AdForm::Display),
            BreakType::Other(_) => None,
        }
    }

    /// The word in a trace.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            AdForm::Linear => "linear",
            AdForm::NonLinear => "nonlinear",
            AdForm::Display => "display",
        }
    }
}
