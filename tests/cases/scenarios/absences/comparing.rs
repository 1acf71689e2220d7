//! Rules about comparing two traces.

use playsim::api::EventName;
use playsim::check::compare;
use playsim::diff::{self, Side};
use playsim::recording::Recording;
use playsim::scenario;
use playsim::sim::{Simulation, play_observed};
use playsim::time::Span;
use playsim::trace::{Filter, Pattern, Trace, View, write_text};

use super::Absence;
use super::every_trace::law;
use super::support::{film, play};

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "a trace equals itself and its text form",
        rules: &["TRACE-7"],
        check: equal_to_itself,
    },
    Absence {
        name: "the first line that differs is shown with its causes on both sides",
        rules: &["TRACE-7"],
        check: first_difference,
    },
    Absence {
        name: "a trace has the lines that its scenario gives, and one that lacks a line has one finding",
        rules: &["TRACE-10"],
        check: as_predicted,
    },
];

fn as_predicted() -> Result<(), String> {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let text = film("{ at: 1s, do: pause }");
    let scenario = scenario::read("test.yaml", &text, &mut load);
    let scenario = scenario.map_err(|error| error.to_string())?;
    let trace = Simulation::new(&scenario)
        .map_err(|error| error.to_string())?
        .run();
    let judged = |trace: &Trace| {
        let recording = Recording::of(trace.clone())?;
        let predicted = play_observed(&scenario, trace).map_err(|error| error.to_string())?;
        Ok::<_, String>(compare::judge(&recording, &scenario, &predicted, None).findings)
    };
    let sound = judged(&trace)?;
    if !sound.is_empty() {
        return Err(format!("{sound:?}"));
    }
    let mut broken = trace.clone();
    broken.records.retain(|record| !record.is(EventName::Start));
    // A hole in the numbers would make it an excerpt, of which nothing is missing.
    let mut next = 0;
    for record in &mut broken.records {
        record.seq = next;
        next = record.last_seq() + 1;
    }
    match judged(&broken)?.as_slice() {
        [one] if one.seen == "missing: start" => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

fn side(trace: &Trace, view: View) -> Side {
    Side::of_trace(
        "trace",
        trace.clone(),
        &Filter {
            view,
            ..Filter::default()
        },
    )
}

fn equal_to_itself() -> Result<(), String> {
    law(|_, trace| {
        let mut text = String::new();
        write_text(trace, &Filter::default(), false, &mut text)
            .map_err(|error| error.to_string())?;
        let text =
            Side::of_text("text", &text, &Filter::default()).map_err(|error| error.to_string())?;
        for (first, second) in [
            (side(trace, View::All), side(trace, View::All)),
            (side(trace, View::Review), text),
        ] {
            let comparison = diff::compare(&first, &second, Span::ZERO);
            if !comparison.is_equal() || comparison.other_heads().is_some() {
                let mut reported = String::new();
                let _ = comparison.write(usize::MAX, &mut reported);
                return Err(reported);
            }
        }
        Ok(())
    })
}

fn first_difference() -> Result<(), String> {
    let (first, second) = (
        play(&film("{ at: 1s, do: pause }")),
        play(&film("{ at: 1s, do: stop }")),
    );
    let only_events = Filter {
        view: View::All,
        only: vec![Pattern::new("event")],
        not: Vec::new(),
    };
    let side = |trace: Trace| Side::of_trace("trace", trace, &only_events);
    let (first, second) = (side(first), side(second));
    let mut reported = String::new();
    let comparison = diff::compare(&first, &second, Span::ZERO);
    comparison
        .write(usize::MAX, &mut reported)
        .map_err(|error| error.to_string())?;
    let causes = reported
        .split_once("\n- trace has\n")
        .map_or("", |(_, causes)| causes);
    let (first, second) = causes
        .split_once("\n+ trace has\n")
        .ok_or(format!("no causes:\n{reported}"))?;
    let is_chain = |text: &str, event: &str, call: &str| {
        let lines: Vec<&str> = text.lines().collect();
        lines.len() >= 2
            && lines[0].contains(event)
            && lines[1].contains("<- seq")
            && lines[1].contains(call)
    };
    let are_chains = is_chain(first, "pause  [PAUSE-", "> pause()  [")
        && is_chain(second, "stopped  [STOP-", "> stop()  [");
    if are_chains { Ok(()) } else { Err(reported) }
}
