//! Traces as text: what people review.
//!
//! An input starts a line at the left, what it caused stands indented below. No running numbers, so one
//! inserted event changes one line; runs of time updates fold into one line.

use std::fmt::{self, Write};

use super::{Filter, PlayerIndex, Record, Trace, VERSION};
use crate::api::{Fields, Kind, Value};
use crate::time::Time;

/// Where what an input caused begins, without the column of the player.
const INDENT: usize = 17;

/// Writes the lines that the filter shows.
///
/// # Errors
///
/// Those of the sink.
pub fn write_text(trace: &Trace, filter: &Filter, why: bool, sink: &mut impl Write) -> fmt::Result {
    let mut page = Page::new(trace, why);
    for record in trace.records.iter().filter(|record| filter.shows(record)) {
        page.record(record, sink)?;
    }
    Ok(())
}

struct Page<'a> {
    trace: &'a Trace,
    why: bool,
    /// How wide the column of the player is.
    width: usize,
    /// Whose input, at what time, the lines at hand stand below.
    below: Option<(Time, Option<PlayerIndex>)>,
}

impl<'a> Page<'a> {
    fn new(trace: &'a Trace, why: bool) -> Page<'a> {
        let width = trace.players.iter().map(|id| id.chars().count()).max().unwrap_or(0).clamp(4, 20);
        Page { trace, why, width, below: None }
    }

    fn record(&mut self, record: &Record, sink: &mut impl Write) -> fmt::Result {
        if record.kind == Kind::Header {
            header(record, sink)
        } else if record.kind == Kind::Outcome {
            writeln!(sink, "{:13}  {:width$}  {}", record.at, "", outcome(record), width = self.width)
        } else {
            self.line(record, sink)
        }
    }

    fn line(&mut self, record: &Record, sink: &mut impl Write) -> fmt::Result {
        let here = (record.at, record.player);
        let container = self.trace.container(record).map_or("", |id| id);
        let width = self.width;
        let is_input = record.opens_turn && is_input(record);
        if is_input {
            write!(sink, "{:13}  {container:width$}  ", record.at)?;
        } else {
            if record.opens_turn || self.below != Some(here) {
                writeln!(sink, "{:13}  {container:width$}  @", record.at)?;
            }
            let deeper = if record.kind == Kind::Call { 2 } else { 0 };
            write!(sink, "{:indent$}", "", indent = INDENT + width + deeper)?;
        }
        // Below a run of several there is no one time to stand under.
        self.below = (record.lines() == 1).then_some(here);
        words(record, sink)?;
        if self.why
            && let Some(rule) = record.rule
        {
            write!(sink, "  [{rule}]")?;
        }
        sink.write_char('\n')?;
        if let Some(returned) = shown_return(record) {
            let deeper = if is_input { 0 } else { 2 };
            writeln!(sink, "{:indent$}= {returned}", "", indent = INDENT + width + deeper)?;
        }
        Ok(())
    }
}

/// A line of the text form without its time and player; what a call gives stands behind it.
#[must_use]
pub fn line_words(record: &Record) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = if record.kind == Kind::Header {
        header(record, &mut text)
    } else if record.kind == Kind::Outcome {
        text.write_str(&outcome(record))
    } else if record.run.is_some() {
        text.write_str(&record.name)
    } else {
        words(record, &mut text)
    };
    if let Some(returned) = shown_return(record) {
        let _ = write!(text, "  = {returned}");
    }
    text.truncate(text.trim_end().len());
    text
}

fn words(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let name = &record.name;
    match record.kind {
        Kind::Call => call(record, sink),
        Kind::User | Kind::Page => {
            write!(sink, "^ {name}")?;
            rest(&record.data, &[], sink)
        }
        Kind::Event => {
            write!(sink, "{name}")?;
            match record.run {
                Some(run) if run.count > 1 => {
                    write!(sink, "  {} times, every {}, to {}", run.count, run.step, record.until())
                }
                Some(_) | None => rest(&record.data, &["message"], sink),
            }
        }
        Kind::Listener => {
            write!(sink, ": {name}")?;
            rest(&record.data, &["binding"], sink)
        }
        Kind::State => write!(sink, "* state {name}"),
        Kind::Net => net(record, sink),
        Kind::Beacon => {
            let url = record.data.get("url").map_or_else(String::new, plain);
            write!(sink, "! {name} {url}")?;
            // Of an ad that came without a wrapper there is only one hop to speak of.
            match record.data.get("hop").and_then(Value::as_integer) {
                Some(hop) if hop > 0 => write!(sink, "  hop={hop}"),
                Some(_) | None => Ok(()),
            }
        }
        Kind::Edit => edit(record, sink),
        Kind::Diag => {
            write!(sink, "~ {name}")?;
            rest(&record.data, &["text"], sink)
        }
        Kind::Break => {
            let kind = record.data.get("kind").map_or_else(String::new, plain);
            write!(sink, "* break {name} {kind}")?;
            rest(&shown_of_break(&record.data), &[], sink)
        }
        Kind::Media
        | Kind::Ui
        | Kind::Ad
        | Kind::Analytics
        | Kind::Measurement
        | Kind::Header
        | Kind::Outcome => {
            write!(sink, "* {} {name}", record.kind.name())?;
            rest(&record.data, &[], sink)
        }
    }
}

/// What a call gives. An initialiser always gives the handle, which says nothing new.
fn shown_return(record: &Record) -> Option<String> {
    let is_initializer = &*record.name == "$player";
    let returned = record.data.get("returns").filter(|_| record.kind == Kind::Call && !is_initializer);
    returned.map(|value| shortened(&value.to_string()))
}

/// What happens to a player from outside stands at the left.
fn is_input(record: &Record) -> bool {
    let is_asked_or_missed = matches!(&*record.name, "request" | "timeout");
    matches!(record.kind, Kind::Call | Kind::User | Kind::Page | Kind::Edit)
        || (record.kind == Kind::Net && !is_asked_or_missed)
}

fn header(record: &Record, sink: &mut impl Write) -> fmt::Result {
    write!(sink, "playsim trace {VERSION}  ")?;
    setting(record, sink)?;
    sink.write_char('\n')
}

/// What the header says of the setting: profile, knobs that differ, seed. Rule TRACE-6.
pub(super) fn setting(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let text = |key| record.data.get(key).map_or_else(String::new, plain);
    write!(sink, "profile {}", text("profile"))?;
    if let Some(Value::Map(knobs)) = record.data.get("knobs") {
        for (name, value) in knobs.iter() {
            write!(sink, "  {name}={}", plain(value))?;
        }
    }
    write!(sink, "  seed {}", text("seed"))
}

fn outcome(record: &Record) -> String {
    let mut words = record.name.to_string();
    if let Some(limit) = record.data.get("limit") {
        let _ = write!(words, "  {}", plain(limit));
    }
    if let Some(Value::Map(states)) = record.data.get("states") {
        for (player, state) in states.iter() {
            let _ = write!(words, "  {player} {}", plain(state));
        }
    }
    words
}

fn call(record: &Record, sink: &mut impl Write) -> fmt::Result {
    write!(sink, "> ")?;
    if let Some(through) = record.data.get("through") {
        write!(sink, "{}.", plain(through))?;
    }
    write!(sink, "{}", record.name)?;
    if let Some(Value::List(args)) = record.data.get("args") {
        let args: Vec<String> = args.iter().map(argument).collect();
        write!(sink, "({})", args.join(", "))?;
    }
    if let Some(error) = record.data.get("error") {
        write!(sink, "  error {}", plain(error))?;
        if let Some(text) = record.data.get("text") {
            write!(sink, " {text}")?;
        }
    }
    Ok(())
}

fn net(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let url = record.data.get("url").map_or_else(String::new, plain);
    match &*record.name {
        "request" => {
            write!(sink, "? {url}")?;
            match record.data.get("purpose").map(plain).as_deref() {
                Some("ad-tag") | None => Ok(()),
                Some(purpose) => write!(sink, "  {purpose}"),
            }
        }
        "response" => {
            write!(sink, "< {url}")?;
            for key in ["status", "file"] {
                if let Some(value) = record.data.get(key) {
                    write!(sink, "  {}", plain(value))?;
                }
            }
            Ok(())
        }
        "redirect" => {
            let field = |key| record.data.get(key).map_or_else(String::new, plain);
            write!(sink, "< {url}  {}  -> {}", field("status"), field("to"))
        }
        what => {
            write!(sink, "< {url}  {what}")?;
            match record.data.get("how") {
                Some(how) => write!(sink, "  {}", plain(how)),
                None => Ok(()),
            }
        }
    }
}

/// All fields: those named first by value alone, and as `key=value` the others.
fn rest(fields: &Fields, bare: &[&str], sink: &mut impl Write) -> fmt::Result {
    let is_bare = |key: &str| bare.contains(&key);
    for (key, value) in fields.iter().filter(|(key, _)| !is_bare(key)) {
        write!(sink, " {key}={}", word(value))?;
    }
    for (key, value) in fields.iter().filter(|(key, _)| is_bare(key)) {
        match &**key {
            "message" | "text" | "why" => write!(sink, " {value}")?,
            _ => write!(sink, " {}", plain(value))?,
        }
    }
    Ok(())
}

/// An edit call with its fields one by one, or its answer; of mistakes the field and the code.
fn edit(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let name = &record.name;
    match record.data.get("fields") {
        Some(_) => write!(sink, "> edit {name}")?,
        None => write!(sink, "< edit {name}")?,
    }
    for (key, value) in record.data.iter() {
        match (&**key, value) {
            ("fields", Value::Map(fields)) => {
                for (name, text) in fields.iter() {
                    write!(sink, " {name}={}", word(text))?;
                }
            }
            ("errors", Value::List(errors)) => {
                for error in errors.iter().filter_map(Value::as_map) {
                    let part = |key| error.get(key).map_or_else(String::new, plain);
                    write!(sink, "  {} {}", part("field"), part("code"))?;
                }
            }
            ("status", status) => write!(sink, "  {}", plain(status))?,
            (_, value) => write!(sink, " {key}={}", word(value))?,
        }
    }
    Ok(())
}

/// A value without quotes where that is clear.
fn word(value: &Value) -> String {
    match value {
        Value::Text(text) if !text.is_empty() && !text.contains([' ', '"', '=']) => text.to_string(),
        Value::Text(_)
        | Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::List(_)
        | Value::Map(_)
        | Value::Function(_) => value.to_string(),
    }
}

/// A break's fields without those that are said elsewhere: its tags are asked one by one below it.
fn shown_of_break(data: &Fields) -> Fields {
    let is_shown = |key: &str| !["kind", "engine", "waterfalls"].contains(&key);
    data.iter().filter(|(key, _)| is_shown(key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// A long value cut to what can be looked at, such as a whole document; JSON lines hold all of it.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 160;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}... ({} characters)", &value[..end], value.chars().count()),
        None => value.to_owned(),
    }
}

/// A text as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_string(), ToString::to_string)
}

/// An argument as page code would write it.
fn argument(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::NaN => "NaN".to_owned(),
        Value::Infinity => "Infinity".to_owned(),
        Value::NegativeInfinity => "-Infinity".to_owned(),
        Value::Function(name) => name.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(argument).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key}: {}", argument(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.to_string(),
    }
}
