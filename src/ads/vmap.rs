//! VMAP: an answer that says which breaks an item has, in place of ads.
//!
//! How it comes into force, without ads knowing the player:
//!
//! ```text
//!   pre-roll break ── asks a tag ── the answer is VMAP ──► BreakSchedule, kept by the break
//!                                                              │ taken by whoever feeds the break
//!   AdSchedule ◄───────────────────────────────────────────────┘
//!      │  start, end, cue points: asked for as those of ad objects are
//!      └──► BreakPlan with a VmapBreak ──► AdBreak: its source, its forms, its trackers, its codes
//! ```
//!
//! This file knows one break of such a document. `schedule` knows when breaks are due, `answer` judges the
//! document, `source` asks who has a break's ads, `form` settles what kind of ads is shown, `telling` calls
//! the trackers.
//!
//! Rules: VMAP; VMAP 1.0.1 sections 2.3 to 2.6.

use std::sync::Arc;

use super::BreakKind;
use super::pod::Admission;
use crate::api::{Fields, Text, Value};
use crate::knobs::{ChainedWrapper, PodRefused};
use crate::place::Place;
use crate::vast::Document;
use crate::vast::vmap::{AdSource, Break, BreakType, TimeOffset};

mod answer;
mod form;
mod schedule;
mod source;
mod telling;

pub use schedule::BreakSchedule;
pub(super) use schedule::{Item, RowAt};
pub(super) use source::said_by_source;
pub(super) use telling::VmapCourse;

/// A form of ads. Rule VMAP-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdForm {
    /// In place of the content.
    Linear,
    /// Over the content.
    NonLinear,
    /// Beside the player.
    Display,
}

/// What there is room for besides what a VMAP break is: it turns into nothing else. Rules VMAP-7, VMAP-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Room {
    /// No other break of linear ads is there.
    pub linear: bool,
    /// There is content, or will be, and no overlay over it.
    pub overlay: bool,
    /// There is room beside the player.
    pub display: bool,
}

impl Room {
    fn has(self, kind: BreakKind) -> bool {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => self.linear,
            BreakKind::Overlay => self.overlay,
            BreakKind::Display => self.display,
        }
    }
}

/// One break of a VMAP document, as it comes once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VmapBreak {
    document: Arc<Document>,
    /// What messages call the document.
    name: Arc<str>,
    text: Arc<str>,
    index: usize,
    /// How often it has come before: 0 is the first time. Rule VMAP-5.
    nth: u32,
    /// The forms that it wants and that can be shown where it stands, the preferred one first.
    forms: Vec<AdForm>,
    /// The kind of break that its linear ads make.
    slot: BreakKind,
}

impl VmapBreak {
    /// What the document says of it.
    pub(super) fn row(&self) -> &Break {
        &self.document.breaks[self.index]
    }

    /// Who has its ads, if anybody has.
    pub(super) fn ad_source(&self) -> Option<&AdSource> {
        self.row().source.as_ref()
    }

    /// Whether it has come before. Rule VMAP-5.
    pub(super) fn is_repeated(&self) -> bool {
        self.nth > 0
    }

    /// The form that it prefers; `None`: nothing that it wants can be shown. Rules VMAP-7, VMAP-8.
    pub(super) fn form(&self) -> Option<AdForm> {
        self.forms.first().copied()
    }

    /// The kind of break that a form of ads makes of it.
    pub(super) fn kind_of(&self, form: AdForm) -> BreakKind {
        match form {
            AdForm::Linear => self.slot,
            AdForm::NonLinear => BreakKind::Overlay,
            AdForm::Display => BreakKind::Display,
        }
    }

    /// A place of the document, as `file:line:column`.
    pub(super) fn place(&self, at: Place) -> Text {
        format!("{}:{at}", self.name).into()
    }

    /// What its ad source lets the first document hold. Rule VMAP-11.
    pub(super) fn admission(&self) -> Admission {
        // Not said means yes: the standard has two defaults for the one and none for the other.
        let source = self.ad_source();
        let says = |said: fn(&AdSource) -> Option<bool>| source.and_then(said).unwrap_or(true);
        Admission {
            wrappers: (!says(|it| it.follow_redirects)).then_some(ChainedWrapper::Ignore),
            many: (!says(|it| it.allow_multiple_ads)).then_some(PodRefused::Ignore),
        }
    }

    /// What a break's first line says of it. Rule VMAP-3.
    pub(super) fn fields(&self) -> Fields {
        describe(self.row())
            .with_some("time", self.is_repeated().then(|| self.nth + 1))
            .with("at", self.place(self.row().at))
    }
}

/// A break as fields of a trace line: its name, when it is due, what it wants.
fn describe(row: &Break) -> Fields {
    let types = row.types.iter().map(|kind| Value::from(Text::from(kind.word().to_owned()))).collect();
    Fields::with_room(5)
        .with_some("id", row.id.as_ref().map(Text::from))
        .with_some("offset", row.time_offset.as_ref().map(TimeOffset::to_string))
        .with("types", Value::List(types))
        .with_some("repeat", row.repeat_after)
}

impl AdForm {
    /// The form of a kind that a document names; `None`: none that is known. Rule VMAP-8.
    fn of(kind: &BreakType) -> Option<AdForm> {
        match kind {
            BreakType::Linear => Some(AdForm::Linear),
            BreakType::NonLinear => Some(AdForm::NonLinear),
            BreakType::Display => Some(AdForm::Display),
            BreakType::Other(_) => None,
        }
    }

    /// The word that VMAP has for it.
    const fn word(self) -> &'static str {
        match self {
            AdForm::Linear => "linear",
            AdForm::NonLinear => "nonlinear",
            AdForm::Display => "display",
        }
    }
}
