//! The page's scripts: when they load, and the queue arrays that they process.
//!
//! There are two scripts, for players and for outstream units, each with its own array. Until its
//! script has loaded, the only part of the API that works is a push to the array. When the script
//! loads, it initialises the waiting entries; an entry pushed later is initialised in its own task.
//! A processed entry is removed from the array.
//!
//! Rules: LOAD-1 to LOAD-5, QUEUE-1 to QUEUE-6.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Simulation;
use super::digest::LineNumber;
use super::stage::Stage;
use playsim_api::page::Page;
use playsim_api::{
    ApiError, Cause, Class, Code, Fields, Line, MakingLine, Output, PageLine, Text, UnitKind, Value,
};
use playsim_base::time::{Span, Time};
use playsim_base::words;
use playsim_rules::{self as rules, RuleId};
use playsim_scenario::StepAct;
use playsim_trace::NewLine;

/// Both scripts of a page.
#[derive(Debug, Clone, Hash)]
pub(super) struct Scripts {
    player: Script,
    outstream: Script,
}

/// A script, with its queue array.
#[derive(Debug, Clone, Hash)]
struct Script {
    is_here: bool,
    queue: VecDeque<Entry>,
}

/// An entry of a queue array. Rule QUEUE-1.
#[derive(Debug, Clone, Hash)]
struct Entry {
    value: Value,
    on_ready: Option<Arc<str>>,
    /// The line of its push.
    pushed: LineNumber,
}

impl Scripts {
    /// Returns the scripts at the start, without entries. Rule LOAD-2.
    pub(super) fn new(page: &Page) -> Scripts {
        let script = |after| Script {
            is_here: after == Some(Span::ZERO),
            queue: VecDeque::new(),
        };
        Scripts {
            player: script(page.script_after),
            outstream: script(page.outstream_script_after),
        }
    }

    fn of(&self, unit: UnitKind) -> &Script {
        match unit {
            UnitKind::Player => &self.player,
            UnitKind::Outstream => &self.outstream,
        }
    }

    fn of_mut(&mut self, unit: UnitKind) -> &mut Script {
        match unit {
            UnitKind::Player => &mut self.player,
            UnitKind::Outstream => &mut self.outstream,
        }
    }
}

impl Stage {
    /// Returns the load times of the scripts that are not loaded from the start. Rule LOAD-2.
    pub(super) fn arrivals(&self) -> impl Iterator<Item = (Time, UnitKind)> {
        let page = &self.scenario.page;
        let after = [
            (page.script_after, UnitKind::Player),
            (page.outstream_script_after, UnitKind::Outstream),
        ];
        let late = |(after, unit): (Option<Span>, UnitKind)| {
            let after = after.filter(|after| *after > Span::ZERO)?;
            Some((Time::ZERO + after, unit))
        };
        after.into_iter().filter_map(late)
    }
}

impl Simulation {
    /// Checks that a script has loaded. Rule LOAD-1.
    ///
    /// # Errors
    ///
    /// `script_not_loaded`.
    pub(super) fn needs_script(&self, unit: UnitKind) -> Result<(), ApiError> {
        if self.scripts.of(unit).is_here {
            return Ok(());
        }
        let (script, queue) = (unit.name(), unit.queue());
        let text = format!(
            "the {script} script has not loaded yet; until then only a push to {queue} works"
        );
        Err(ApiError {
            code: Code::ScriptNotLoaded,
            text: text.into(),
            rule: rules::LOAD_1,
        })
    }

    /// Checks that the API is available when a player cannot be found. Rule LOAD-1.
    ///
    /// # Errors
    ///
    /// `script_not_loaded`.
    pub(super) fn needs_any_script(&self) -> Result<(), ApiError> {
        if self.scripts.outstream.is_here || self.scripts.player.is_here {
            return self.needs_script(UnitKind::Player);
        }
        let text = "no script has loaded yet; until then only a push to a queue array works";
        Err(ApiError {
            code: Code::ScriptNotLoaded,
            text: text.into(),
            rule: rules::LOAD_1,
        })
    }

    /// Pushes an entry to a queue array, which returns the array's length. Rules QUEUE-1, QUEUE-3,
    /// QUEUE-5.
    pub(super) fn push(
        &mut self,
        unit: UnitKind,
        value: &Value,
        on_ready: Option<&Arc<str>>,
        cause: Cause,
    ) {
        let length = self.scripts.of(unit).queue.len() + 1;
        let entry = shown(value, on_ready);
        let has_callback = entry
            .as_map()
            .is_some_and(|fields| fields.get("onReady").is_some());
        let rule = Some(if has_callback {
            rules::QUEUE_1
        } else {
            rules::QUEUE_5
        });
        let data = Fields::one("args", Value::List(vec![entry])).with("returns", length);
        let line = Line::new(pushed_to(unit), data);
        let pushed = self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: None,
                in_break: None,
                line,
            },
        );
        let script = self.scripts.of_mut(unit);
        script.queue.push_back(Entry {
            value: value.clone(),
            on_ready: on_ready.cloned(),
            pushed: LineNumber(pushed),
        });
        if script.is_here {
            self.out
                .begin(self.seats.next_index(), Cause::Line(pushed), self.now);
            self.out.put(rules::QUEUE_3, Output::Entry(unit));
        }
    }

    /// A script loads and processes its array, unless it has loaded before. Rules LOAD-2, LOAD-4,
    /// LOAD-5, QUEUE-2.
    pub(super) fn script_arrives(&mut self, unit: UnitKind, cause: Cause) {
        let rule = match unit {
            UnitKind::Player => rules::LOAD_2,
            UnitKind::Outstream => rules::LOAD_4,
        };
        let data = Fields::one("unit", unit.name());
        let line = Line::new(PageLine::Script, data);
        let line = NewLine {
            cause,
            rule: Some(rule),
            player: None,
            in_break: None,
            line,
        };
        let cause = Cause::Line(self.tape.write(self.now, line));
        self.last_change = self.now;
        let script = self.scripts.of_mut(unit);
        if std::mem::replace(&mut script.is_here, true) {
            let text = format!(
                "the {} script has already loaded; nothing changes",
                unit.name()
            );
            self.diag(cause, rules::LOAD_5, Code::ScriptLoadedTwice, text, None);
            return;
        }
        while let Some(entry) = self.scripts.of_mut(unit).queue.pop_front() {
            self.init_entry(unit, &entry, rules::QUEUE_2, cause);
        }
    }

    /// Initialises the next entry that was pushed after the script had loaded. Rules QUEUE-3,
    /// QUEUE-6.
    pub(super) fn take_entry(&mut self, unit: UnitKind) {
        if let Some(entry) = self.scripts.of_mut(unit).queue.pop_front() {
            self.init_entry(unit, &entry, rules::QUEUE_3, Cause::Line(entry.pushed.0));
        }
    }

    /// Initialises an entry. An invalid one does not stop the others. Rules QUEUE-2, QUEUE-4.
    fn init_entry(&mut self, unit: UnitKind, entry: &Entry, rule: RuleId, cause: Cause) {
        let given = |key| {
            entry
                .value
                .as_map()?
                .get(key)
                .filter(|value| **value != Value::Undefined)
        };
        let (Some(div), Some(config)) = (given("div"), given("obj")) else {
            let missing = if given("div").is_none() { "div" } else { "obj" };
            let text = format!(
                "an entry of {} has no \"{missing}\" and is skipped; it needs div and obj",
                unit.queue()
            );
            let meant = entry
                .value
                .as_map()
                .and_then(|fields| misspelt(fields, missing));
            self.diag(cause, rules::QUEUE_4, Code::BadQueueEntry, text, meant);
            return;
        };
        self.init(unit, div, config, entry.on_ready.as_ref(), rule, cause);
    }

    /// Writes a diagnostic for each array that still has entries at the end of a run. Rule LOAD-3.
    pub(super) fn report_queues(&mut self) {
        self.tape.begin_turn();
        for unit in UnitKind::ALL.iter().copied() {
            let script = self.scripts.of(unit);
            let waiting = script.queue.len();
            let Some(first) = script.queue.front() else {
                continue;
            };
            let LineNumber(pushed) = first.pushed;
            if script.is_here {
                continue;
            }
            let entries = if waiting == 1 {
                "one entry waits".into()
            } else {
                format!("{waiting} entries wait")
            };
            let text = format!(
                "{entries} in {}, but the {} script never loaded",
                unit.queue(),
                unit.name()
            );
            // The outcome has the time of the last change. CLK-7
            self.now = self.last_change;
            self.diag(
                Cause::Line(pushed),
                rules::LOAD_3,
                Code::QueueNeverDrained,
                text,
                None,
            );
        }
    }

    /// Writes a diagnostic of the page.
    fn diag(&mut self, cause: Cause, rule: RuleId, code: Code, text: String, meant: Option<Text>) {
        self.out.begin(self.seats.next_index(), cause, self.now);
        self.out.diag_with(rule, code, text, meant);
        self.write_diagnostics();
    }
}

/// Returns the class of a step: an action, except that a script loads like any network answer. Rule
/// CLK-2.
pub(super) fn class(act: &StepAct) -> Class {
    if matches!(act, StepAct::Script(_)) {
        Class::Net
    } else {
        Class::Action
    }
}

/// Returns the entry as it was pushed, for the trace.
fn shown(value: &Value, on_ready: Option<&Arc<str>>) -> Value {
    match (value.as_map(), on_ready) {
        (Some(fields), Some(name)) => {
            Value::Map(fields.clone().with("onReady", Value::Function(name.into())))
        }
        (Some(_) | None, _) => value.clone(),
    }
}

const fn pushed_to(unit: UnitKind) -> MakingLine {
    match unit {
        UnitKind::Player => MakingLine::PlayerEntry,
        UnitKind::Outstream => MakingLine::OutstreamEntry,
    }
}

/// Returns the missing field as a suggestion, if another field looks like it.
fn misspelt(fields: &Fields, missing: &'static str) -> Option<Text> {
    let is_like =
        |key: &str| key == "config" && missing == "obj" || words::nearest(key, [missing]).is_some();
    let known = ["div", "obj", "onReady"];
    let looks_alike = fields
        .iter()
        .any(|(key, _)| !known.contains(&&**key) && is_like(key));
    looks_alike.then_some(Text::Static(missing))
}
