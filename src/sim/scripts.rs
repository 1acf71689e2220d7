//! Scripts of the page: when they are there, and the queue arrays that they drain.
//!
//! There are two, the player's and the one of outstream units, and each has an array of its own. Before its
//! script is there nothing of the API works but a push. What waits in the array is initialised when the
//! script arrives; what is pushed from then on, in a task of its own. An entry that was handled leaves the array.
//!
//! Rules: LOAD-1 to LOAD-5, QUEUE-1 to QUEUE-6.

use std::collections::VecDeque;

use super::*;
use crate::api::{ApiError, Output, Text, UnitKind};
use crate::page::Page;
use crate::rules::RuleId;
use crate::words;

/// Both scripts of a page.
#[derive(Debug, Clone)]
pub(super) struct Scripts {
    player: Script,
    outstream: Script,
}

/// One of them, with its queue array.
#[derive(Debug, Clone)]
struct Script {
    is_here: bool,
    queue: VecDeque<Entry>,
}

/// An entry of a queue array. Rule QUEUE-1.
#[derive(Debug, Clone)]
struct Entry {
    value: Value,
    on_ready: Option<Arc<str>>,
    /// The line of its push.
    pushed: u32,
}

impl Scripts {
    /// Those that are there from the start, and no entries. Rule LOAD-2.
    pub(super) fn new(page: &Page) -> Scripts {
        let script = |after| Script { is_here: after == Some(Span::ZERO), queue: VecDeque::new() };
        Scripts { player: script(page.script_after), outstream: script(page.outstream_script_after) }
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
    /// When scripts arrive that are not there from the start. Rule LOAD-2.
    pub(super) fn arrivals(&self) -> impl Iterator<Item = (Time, UnitKind)> {
        let page = &self.scenario.page;
        let after =
            [(page.script_after, UnitKind::Player), (page.outstream_script_after, UnitKind::Outstream)];
        let late = |(after, unit): (Option<Span>, UnitKind)| {
            let after = after.filter(|after| *after > Span::ZERO)?;
            Some((Time::ZERO + after, unit))
        };
        after.into_iter().filter_map(late)
    }
}

impl Simulation {
    /// Whether what a script brings is there. Rule LOAD-1.
    ///
    /// # Errors
    ///
    /// `script_not_loaded`.
    pub(super) fn needs_script(&self, unit: UnitKind) -> Result<(), ApiError> {
        if self.scripts.of(unit).is_here {
            return Ok(());
        }
        let (script, queue) = (unit.name(), unit.queue());
        let text = format!("the {script} script is not there yet; until then only a push on {queue} works");
        Err(ApiError { code: "script_not_loaded", text: text.into(), rule: rule!("LOAD-1") })
    }

    /// Whether it is time to ask for a player that cannot be found. Rule LOAD-1.
    ///
    /// # Errors
    ///
    /// `script_not_loaded`.
    pub(super) fn needs_any_script(&self) -> Result<(), ApiError> {
        if self.scripts.outstream.is_here || self.scripts.player.is_here {
            return self.needs_script(UnitKind::Player);
        }
        let text = "no script is there yet; until then only a push on a queue array works";
        Err(ApiError { code: "script_not_loaded", text: text.into(), rule: rule!("LOAD-1") })
    }

    /// A push on a queue array: it gives the array's length. Rules QUEUE-1, QUEUE-3, QUEUE-5.
    pub(super) fn push(&mut self, unit: UnitKind, value: &Value, on_ready: Option<&Arc<str>>, cause: Cause) {
        let length = self.scripts.of(unit).queue.len() + 1;
        let entry = shown(value, on_ready);
        let has_callback = entry.as_map().is_some_and(|fields| fields.get("onReady").is_some());
        let rule = Some(if has_callback { rule!("QUEUE-1") } else { rule!("QUEUE-5") });
        let data = Fields::one("args", Value::List(vec![entry])).with("returns", length);
        let (player, kind, name) = (None, Kind::Call, push_name(unit).into());
        let pushed = self.tape.write(self.now, NewLine { cause, rule, player, kind, name, data });
        let script = self.scripts.of_mut(unit);
        script.queue.push_back(Entry { value: value.clone(), on_ready: on_ready.cloned(), pushed });
        if script.is_here {
            self.out.begin(index(self.seats.len()).0, Cause::Line(pushed), self.now);
            self.out.put(rule!("QUEUE-3"), Output::Entry(unit));
        }
    }

    /// A script arrives and drains its array, or has been there already. Rules LOAD-2, LOAD-4, LOAD-5, QUEUE-2.
    pub(super) fn script_arrives(&mut self, unit: UnitKind, cause: Cause) {
        let rule = match unit {
            UnitKind::Player => rule!("LOAD-2"),
            UnitKind::Outstream => rule!("LOAD-4"),
        };
        let data = Fields::one("unit", unit.name());
        let line =
            NewLine { cause, rule: Some(rule), player: None, kind: Kind::Page, name: "script".into(), data };
        let cause = Cause::Line(self.tape.write(self.now, line));
        self.last_change = self.now;
        let script = self.scripts.of_mut(unit);
        if std::mem::replace(&mut script.is_here, true) {
            let text = format!("the {} script is there already; nothing changes", unit.name());
            self.say(cause, rule!("LOAD-5"), "script_loaded_twice", text, None);
            return;
        }
        while let Some(entry) = self.scripts.of_mut(unit).queue.pop_front() {
            self.init_entry(unit, &entry, rule!("QUEUE-2"), cause);
        }
    }

    /// The turn of an entry that was pushed behind the script. Rules QUEUE-3, QUEUE-6.
    pub(super) fn take_entry(&mut self, unit: UnitKind) {
        if let Some(entry) = self.scripts.of_mut(unit).queue.pop_front() {
            self.init_entry(unit, &entry, rule!("QUEUE-3"), Cause::Line(entry.pushed));
        }
    }

    /// Initialises what an entry says; a bad one stops no other. Rules QUEUE-2, QUEUE-4.
    fn init_entry(&mut self, unit: UnitKind, entry: &Entry, rule: RuleId, cause: Cause) {
        let given = |key| entry.value.as_map()?.get(key).filter(|value| **value != Value::Undefined);
        let (Some(div), Some(config)) = (given("div"), given("obj")) else {
            let missing = if given("div").is_none() { "div" } else { "obj" };
            let text = format!(
                "an entry of {} has no \"{missing}\" and is passed over; it needs div and obj",
                unit.queue()
            );
            let meant = entry.value.as_map().and_then(|fields| misspelt(fields, missing));
            self.say(cause, rule!("QUEUE-4"), "bad_queue_entry", text, meant);
            return;
        };
        self.init(unit, div, config, entry.on_ready.as_ref(), rule, cause);
    }

    /// What waits in an array at the end of a run waits for ever. Rule LOAD-3.
    pub(super) fn tell_of_queues(&mut self) {
        self.tape.begin_turn();
        for unit in UnitKind::ALL.iter().copied() {
            let script = self.scripts.of(unit);
            let waiting = script.queue.len();
            let Some(first) = script.queue.front() else { continue };
            let pushed = first.pushed;
            if script.is_here {
                continue;
            }
            let entries =
                if waiting == 1 { "one entry waits".into() } else { format!("{waiting} entries wait") };
            let text = format!("{entries} in {}, and the {} script never came", unit.queue(), unit.name());
            // The outcome stands at the last change. CLK-7
            self.now = self.last_change;
            self.say(Cause::Line(pushed), rule!("LOAD-3"), "queue_never_drained", text, None);
        }
    }

    /// Writes a diagnostic of the page.
    fn say(&mut self, cause: Cause, rule: RuleId, code: &'static str, text: String, meant: Option<Text>) {
        self.out.begin(index(self.seats.len()).0, cause, self.now);
        self.out.diag_with(rule, code, text, meant);
        self.write_diagnostics();
    }
}

/// A step is an action, whatever its listeners make of it; but a script arrives as all answers do. Rule CLK-2.
pub(super) fn class(act: &StepAct) -> Class {
    match act {
        StepAct::Script(_) => Class::Net,
        StepAct::Init { .. }
        | StepAct::Element { .. }
        | StepAct::Queue { .. }
        | StepAct::Do { .. }
        | StepAct::User(_)
        | StepAct::Page(_)
        | StepAct::Edit(_)
        | StepAct::Read(_) => Class::Action,
    }
}

/// The entry as it was pushed.
fn shown(value: &Value, on_ready: Option<&Arc<str>>) -> Value {
    match (value.as_map(), on_ready) {
        (Some(fields), Some(name)) => {
            Value::Map(fields.clone().with("onReady", Value::Function(name.into())))
        }
        (Some(_) | None, _) => value.clone(),
    }
}

const fn push_name(unit: UnitKind) -> &'static str {
    match unit {
        UnitKind::Player => "_player_queue.push",
        UnitKind::Outstream => "_outstream_queue.push",
    }
}

/// The field that was meant, if another one looks like it.
fn misspelt(fields: &Fields, missing: &'static str) -> Option<Text> {
    let is_like = |key: &str| key == "config" && missing == "obj" || words::nearest(key, [missing]).is_some();
    let known = ["div", "obj", "onReady"];
    let looks_alike = fields.iter().any(|(key, _)| !known.contains(&&**key) && is_like(key));
    looks_alike.then_some(Text::Static(missing))
}
