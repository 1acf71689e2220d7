//! The lines that a recorder would have heard of a simulated player.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Head, Hears, Recording};
use playsim_api::{
    AdLine, Fields, HeaderLine, Kind, LineName, NetLine, Purpose, StateLine, UiLine, Value,
};
use playsim_trace::{PlayerIndex, Record, Trace};

/// Returns a simulated trace with the lines that only recordings have: `ui shown` and `ui gone`.
///
/// Such a line has the number, the cause and the rule of the change of state that it follows from.
#[must_use]
pub fn heard(trace: &Trace) -> Trace {
    let mut screens: BTreeMap<PlayerIndex, Screen> = BTreeMap::new();
    let mut records = Vec::with_capacity(trace.records.len());
    for record in &trace.records {
        records.push(record.clone());
        if let Some(player) = record.player {
            screens
                .entry(player)
                .or_default()
                .follow(record, &mut records);
        }
    }
    Trace {
        records,
        players: trace.players.clone(),
        digest: trace.digest,
    }
}

/// The kinds of lines that a recorder hears.
const KINDS: [Kind; 7] = [
    Kind::Event,
    Kind::Call,
    Kind::User,
    Kind::Net,
    Kind::Ui,
    Kind::Page,
    Kind::Media,
];

impl Recording {
    /// Returns what a recorder that hears all kinds of lines would have made of a trace of playsim.
    /// Its lines keep their numbers.
    pub(crate) fn as_recorded(&self) -> Recording {
        let mut trace = heard(&self.trace);
        let mut films: BTreeMap<Option<PlayerIndex>, Value> = BTreeMap::new();
        let hears: Vec<Value> = KINDS.iter().map(|kind| kind.name().into()).collect();
        trace.records.retain_mut(|record| {
            if record.kind == Kind::Header {
                record.name = HeaderLine::Recording.name().into();
                record.data = Fields::one("hears", Value::List(hears.clone()));
            }
            // The element of the content is the only one whose lines a simulation writes.
            if record.is(NetLine::Request) && is_content(record) {
                films.extend(
                    record
                        .data
                        .get("url")
                        .map(|url| (record.player, url.clone())),
                );
            } else if record.kind == Kind::Media && record.data.get("src").is_none() {
                let film = films.get(&record.player).cloned();
                record.data = std::mem::take(&mut record.data).with_some("src", film);
            }
            record.in_break = None;
            KINDS.contains(&record.kind) || matches!(record.kind, Kind::Beacon | Kind::Header)
        });
        Recording {
            head: Head {
                hears: Hears::of(&trace).unwrap_or_default(),
                ..Head::default()
            },
            trace,
        }
    }
}

/// The film on the screen of a player, and those that may be next.
#[derive(Debug, Default)]
struct Screen {
    on: Option<Arc<str>>,
    content: Option<Arc<str>>,
    ad: Option<Arc<str>>,
}

impl Screen {
    fn follow(&mut self, record: &Record, records: &mut Vec<Record>) {
        let url = || record.data.text("url").map(|url| Arc::from(&**url));
        if record.is(NetLine::Request) && is_content(record) {
            self.content = url();
        } else if record.is(AdLine::SelectMedia) {
            self.ad = url();
        }
        let Some(LineName::State(state)) = record.line_name() else {
            return;
        };
        let is_ad = self.on.is_some() && self.on == self.ad;
        let on = match state {
            StateLine::AdPlaying => self.ad.clone(),
            StateLine::Playing => self.content.clone(),
            StateLine::AdPaused | StateLine::Buffering | StateLine::Paused => self.on.clone(),
            // The last picture of the content stays until an ad has one.
            StateLine::AdLoading => self.on.clone().filter(|_| !is_ad),
            StateLine::Created
            | StateLine::Initial
            | StateLine::Ended
            | StateLine::Failed
            | StateLine::Destroyed => None,
        };
        if on == self.on {
            return;
        }
        if let Some(gone) = std::mem::replace(&mut self.on, on) {
            records.push(line(record, UiLine::Gone, &gone));
        }
        if let Some(shown) = &self.on {
            records.push(line(record, UiLine::Shown, shown));
        }
    }
}

/// Returns whether a request is for the content: requests for ads' media name a tag of the
/// waterfall.
pub(crate) fn is_content(record: &Record) -> bool {
    record.purpose() == Some(Purpose::Media) && record.tag().is_none()
}

fn line(state: &Record, name: UiLine, src: &Arc<str>) -> Record {
    let data = Fields::one("src", src.to_string());
    let name = LineName::from(name);
    Record {
        kind: Kind::Ui,
        name: name.name().into(),
        data,
        run: None,
        opens_turn: false,
        ..state.clone()
    }
}
