//! Which break the lines of a trace belong to, asserted over all scenario fixtures.

use std::collections::BTreeMap;

use playsim::api::{AdLine, BreakLine, BreakNumber, Kind, LineName};
use playsim::check;
use playsim::report::waterfall::Waterfalls;
use playsim::trace::{PlayerIndex, Record, Trace};

use super::Absence;
use super::every_trace::{law, traces};
use crate::scenarios::cases::Played;

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "each line of a break has the break's number",
        rules: &["TRACE-1"],
        check: each_line_has_a_number,
    },
    Absence {
        name: "a trace without numbers has the same breaks",
        rules: &["TRACE-1"],
        check: numbers_can_be_guessed,
    },
];

/// Decisions that are made while no break is open.
const OUTSIDE: &[AdLine] = &[
    AdLine::DropBreak,
    AdLine::LoopOver,
    AdLine::NoBreak,
    AdLine::NotItsTurn,
    AdLine::NotMonetized,
    AdLine::ScheduleOver,
    AdLine::WaitBreak,
    AdLine::Waterfall,
];

/// Whether a line must have a break; `None`: it may or may not.
fn must_have_a_number(record: &Record) -> Option<bool> {
    match record.line_name() {
        // A pre-roll is passed over before its break is opened, or once its answer is there.
        // PRD-34, PRD-9
        Some(LineName::Ad(AdLine::PassPreRoll)) => None,
        Some(LineName::Ad(name)) => Some(!OUTSIDE.contains(&name)),
        Some(LineName::Net(_)) => Some(record.data.get("wp").is_some()),
        // The `adEnd` of a schedule whose pre-roll is dropped. VMAP-22
        Some(LineName::Event(event)) if event.name() == "adEnd" => None,
        Some(LineName::Event(event)) => Some(event.is_of_ads()),
        Some(_) | None if matches!(record.kind, Kind::Diag | Kind::Ui | Kind::Media) => None,
        Some(_) | None => Some(matches!(record.kind, Kind::Break | Kind::Beacon)),
    }
}

fn each_line_has_a_number() -> Result<(), String> {
    law(|_, trace| {
        let mut begun: BTreeMap<Option<PlayerIndex>, u32> = BTreeMap::new();
        for record in &trace.records {
            let problem = |what: &str| Err(format!("line {} ({}) {what}", record.seq, record.name));
            let number = record.in_break.map_or(0, BreakNumber::get);
            let known = begun.entry(record.player).or_default();
            if record.is(BreakLine::Begin) {
                *known += 1;
                if number != *known {
                    return problem("is not numbered in turn");
                }
            }
            match must_have_a_number(record) {
                Some(true) if number == 0 => return problem("has no break"),
                Some(false) if number > 0 => return problem("has a break"),
                _ if number > *known => return problem("belongs to a break that has not begun"),
                _ => {}
            }
        }
        Ok(())
    })
}

/// The digest tells the two apart, as it should.
fn report(trace: &Trace) -> Waterfalls {
    Waterfalls {
        digest: String::new(),
        ..Waterfalls::of(trace)
    }
}

fn numbers_can_be_guessed() -> Result<(), String> {
    let mut wrong = Vec::new();
    for (name, Played { scenario, trace }) in traces()? {
        // Where several mid-rolls load at a time, nothing but the number tells them apart.
        if scenario.knobs.asks_ahead() {
            continue;
        }
        let mut bare = trace.clone();
        bare.records
            .iter_mut()
            .for_each(|record| record.in_break = None);
        let findings = check::invariants(&bare);
        if report(&bare) != report(trace) || !findings.is_empty() {
            let reported = findings
                .first()
                .map_or_else(String::new, |finding| format!(": {finding}"));
            wrong.push(format!("{name}{reported}"));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n"))
    }
}
