//! The basis of the answer: recorded or given values, and assumptions.

use maud::{Markup, html};

use super::{WhatIfPage, mark};
use crate::plan::Base;
use playsim_base::html::Text;
use playsim_base::number::Decimal;
use playsim_base::words::counted;
use playsim_scenario::{AnswerScript, ScriptedAnswer};

/// The knob for the limit of a tag.
const LIMIT: &str = "ad.timeout";
/// The most tags that are listed.
const MOST: usize = 50;

/// One fact.
struct Ground {
    what: String,
    value: String,
    /// How sure it is: `seen`, `inferred`, `unknown`, `assumed`, or `given` with the tags.
    sure: &'static str,
}

pub(super) fn section(page: &WhatIfPage<'_>) -> Markup {
    let grounds = grounds(page);
    html! {
        @if !grounds.is_empty() {
            table class="list basis" {
                thead { tr { th scope="col" { "what" } th scope="col" { "value" } th scope="col" { "where from" } } }
                tbody {
                    @for it in &grounds {
                        tr {
                            th scope="row" colspan=[it.value.is_empty().then_some(2)] { (Text(&it.what)) }
                            @if !it.value.is_empty() { td { (Text(&it.value)) } }
                            td { (mark(it.sure)) }
                        }
                    }
                }
            }
        }
        @if let Some(it) = page.recording.filter(|it| !it.notes.is_empty()) {
            h3 { "How the recording was read" }
            ul class="stm" { @for (note, sure) in it.notes { li { (mark(sure)) p { (Text(note)) "." } } } }
        }
        @let notes = page.table.without_effect.iter().cloned().chain(page.table.notes());
        @for note in notes { p class="note" { "Note: " (Text(&note)) "." } }
    }
}

fn grounds(page: &WhatIfPage<'_>) -> Vec<Ground> {
    let table = page.table;
    let mut grounds = Vec::new();
    let mut add = |what: String, value: String, sure| grounds.push(Ground { what, value, sure });
    let base = page.scenario.and_then(|scenario| Base::new(scenario).ok());
    let answers = if page.recording.is_some() {
        "seen"
    } else {
        "given"
    };
    for tag in table.tags.iter().take(MOST) {
        let what = format!("{}, {}", tag.tag, tag.address);
        match base.as_ref().and_then(|base| base.answer(tag.tag)) {
            Some(answer) if tag.silent_until_us.is_some() => {
                let value = format!(
                    "{}; what it would have answered later, nobody saw",
                    said(answer)
                );
                add(what, value, "unknown");
            }
            Some(answer) => add(what, said(answer), answers),
            None => add(
                what,
                "no answer of exactly this URL is known".to_owned(),
                "unknown",
            ),
        }
    }
    if table.tags.len() > MOST {
        add(
            counted(table.tags.len() - MOST, "more tag"),
            String::new(),
            answers,
        );
    }
    for it in &table.varied {
        if let Some(now) = it.now.as_ref().filter(|_| !it.is_configuration()) {
            let is_knob = it.name.starts_with("ad.");
            add(
                format!("{} now", it.name),
                now.clone(),
                if is_knob {
                    knob(page, &it.name)
                } else {
                    answers
                },
            );
        }
    }
    for (name, value) in &table.knobs {
        if table.varied.iter().all(|it| it.name != *name) {
            add(name.clone(), value.clone(), knob(page, name));
        }
    }
    for it in &table.fixed {
        add(it.name.clone(), it.value.clone(), "assumed");
    }
    for it in &table.given_prices {
        add(
            format!("price of {}", it.tag),
            format!("{} for 1,000 impressions", it.cpm),
            "assumed",
        );
    }
    for it in &table.assumed {
        add(it.clone(), String::new(), "assumed");
    }
    grounds
}

/// Returns how sure a knob of the scenario is: a recording shows only the limit of a tag, all
/// others are options.
fn knob(page: &WhatIfPage<'_>, name: &str) -> &'static str {
    match page.recording {
        Some(it) if name == LIMIT => it.limit,
        Some(_) => "assumed",
        None => "given",
    }
}

/// Returns the answer of a tag, and its delay.
fn said(answer: &AnswerScript) -> String {
    let after = Decimal::seconds(answer.after.micros());
    match &answer.answer {
        ScriptedAnswer::Body { status, name, text } => {
            let body = match (&**name, text.len()) {
                (_, 0) => "without a body".to_owned(),
                ("", length) => format!("with {length} bytes"),
                (name, _) => name.to_owned(),
            };
            format!("status {status}, {body}, after {after} s")
        }
        ScriptedAnswer::Redirect { status, to } => {
            format!("status {status} to {to}, after {after} s")
        }
        ScriptedAnswer::Fails(fault) => format!("{}, after {after} s", fault.why()),
        ScriptedAnswer::Silence if answer.after.micros() > 0 => format!("nothing within {after} s"),
        ScriptedAnswer::Silence => "nothing".to_owned(),
    }
}
