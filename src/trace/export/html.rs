//! A trace as a web page: what was played, how it ended, and a table of its lines in which causes are links.
//!
//! Rules: TRACE-4, TRACE-8.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::left_out::LeftOut;
use super::{container, header, integer, outcome, plain, scenario, setting_words};
use crate::api::{AdLine, BeaconLine, EventName, Kind, LineName, NetLine};
use crate::html::{escape, facts, head, page};
use crate::trace::{Filter, Record, Trace, line_words};

/// The length above which a value is collapsed until the reader opens it.
const LONGEST: usize = 300;

/// Writes the lines that the filter shows as one self-contained page; with `why`, each with its rule.
///
/// # Errors
///
/// If the sink fails.
pub fn write_html(trace: &Trace, filter: &Filter, why: bool, sink: &mut impl Write) -> fmt::Result {
    let is_line = |record: &&Record| !record.kind.is_frame();
    let lines: Vec<&Record> =
        trace.records.iter().filter(is_line).filter(|record| filter.shows(record)).collect();
    let shown: BTreeSet<u32> = lines.iter().map(|record| record.seq).collect();
    let mut body = facts(frame(trace));
    let errors = lines.iter().filter(|record| is_error(record)).count();
    write!(body, "<h2>{} rows, {errors} of them errors</h2>\n<table>\n", lines.len())?;
    let mut columns = vec!["seq", "time", "player", "break", "kind", "name", "data", "cause"];
    columns.extend(why.then_some("rule"));
    body.push_str(&head(&columns));
    body.push_str("<tbody>\n");
    for record in lines {
        row(trace, record, &shown, why, &mut body)?;
    }
    body.push_str("</tbody>\n</table>\n<footer>\n");
    for sentence in LeftOut::of(trace, filter, &shown).sentences() {
        writeln!(body, "<p>{}</p>", escape(&sentence))?;
    }
    body.push_str("</footer>\n");
    let scenario = scenario(trace);
    let title = if scenario.is_empty() { "playsim trace".to_owned() } else { scenario };
    sink.write_str(&page(&title, &body))
}

/// Returns the header and the outcome.
fn frame(trace: &Trace) -> Vec<(&'static str, String)> {
    let mut facts = vec![("setting", setting_words(trace))];
    if let Some(digest) = header(trace).and_then(|header| header.data.get("digest")) {
        facts.push(("scenario's digest", plain(digest)));
    }
    if let Some(outcome) = outcome(trace) {
        facts.push(("outcome", format!("{} at {} s", line_words(outcome), outcome.at)));
        facts.push(("digest", trace.digest.to_string()));
    }
    facts
}

fn row(trace: &Trace, record: &Record, shown: &BTreeSet<u32>, why: bool, html: &mut String) -> fmt::Result {
    let is_decision = matches!(record.kind, Kind::Ad | Kind::Break);
    let classes = [
        (record.opens_turn, "turn"),
        (is_decision && !is_error(record), "decision"),
        (is_error(record), "error"),
    ];
    let classes: Vec<&str> = classes.into_iter().filter(|(is, _)| *is).map(|(_, class)| class).collect();
    let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
    let seq = record.seq;
    write!(html, "<tr id=\"seq-{seq}\"{class}><td class=\"number\"><a href=\"#seq-{seq}\">{seq}</a></td>")?;
    write!(html, "<td class=\"number\">{}</td><td>{}</td>", record.at, escape(container(trace, record)))?;
    let number = record.in_break.map_or_else(String::new, |number| number.to_string());
    write!(html, "<td class=\"number\">{number}</td>")?;
    write!(html, "<td>{}</td><td>{}</td><td class=\"data\">", record.kind.name(), escape(&record.name))?;
    data(record, html)?;
    html.push_str("</td><td>");
    if let Some(cause) = record.cause {
        // A run of time updates has only one row.
        match trace.record(cause).filter(|cause| shown.contains(&cause.seq)) {
            Some(row) => write!(html, "<a href=\"#seq-{}\">{cause} {}</a>", row.seq, escape(&row.name))?,
            None => write!(html, "{cause}")?,
        }
    }
    html.push_str("</td>");
    if why {
        html.push_str("<td>");
        if let Some(rule) = record.rule {
            write!(html, "<abbr title=\"{}\">{rule}</abbr>", escape(rule.row().gist))?;
        }
        html.push_str("</td>");
    }
    html.push_str("</tr>\n");
    Ok(())
}

fn data(record: &Record, html: &mut String) -> fmt::Result {
    if let Some(run) = record.run.filter(|run| run.count > 1) {
        write!(html, "{} times, every {}, to {}", run.count, run.step, record.until())?;
    }
    for (index, (key, value)) in record.data.iter().enumerate() {
        let (gap, key, value) = (if index == 0 { "" } else { " " }, escape(key), plain(value));
        write!(html, "{gap}<span class=\"key\">{key}=</span>")?;
        let length = value.chars().count();
        if length > LONGEST {
            let value = escape(&value);
            write!(html, "<details><summary>{length} characters</summary><pre>{value}</pre></details>")?;
        } else {
            html.push_str(&escape(&value));
        }
    }
    Ok(())
}

/// Returns whether a line reports a failure.
pub(super) fn is_error(record: &Record) -> bool {
    let has = |key| record.data.get(key).is_some();
    record.line_name().is_some_and(|name| ERRORS.contains(&name))
        || record.kind == Kind::Net && integer(record, "status").is_some_and(|status| status >= 400)
        || matches!(record.kind, Kind::Call | Kind::Listener) && has("error")
        || record.kind == Kind::Edit && has("errors")
}

/// The names of lines that report an error.
const ERRORS: &[LineName] = &[
    LineName::Event(EventName::AdError),
    LineName::Event(EventName::PlaybackError),
    LineName::Net(NetLine::Timeout),
    LineName::Net(NetLine::Failed),
    LineName::Ad(AdLine::NoFill),
    LineName::Ad(AdLine::Reject),
    LineName::Ad(AdLine::Failed),
    LineName::MediaEvent(EventName::Error),
    LineName::Beacon(BeaconLine::Error),
];
