//! The text form of traces, for reading and review.
//!
//! An input starts at the left margin, and its consequences are indented below it. Sequence numbers
//! are left out to keep diffs small: an additional event changes only one line. Runs of time
//! updates take one line. Strings from documents and scenarios are escaped one by one, so that each
//! stays on its line. Rule TRACE-9.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::{Filter, PlayerIndex, RECORDING_VERSION, Record, Trace, VERSION};
use playsim_api::{BreakNumber, Fields, HeaderLine, Kind, MakingLine, NetLine, Purpose, Value};
use playsim_base::escape;
use playsim_base::time::Time;
use playsim_base::words::{padded, width};

/// The indentation of the consequences of an input, without the player column.
const INDENT: usize = 17;

/// Writes the lines that the filter shows.
///
/// # Errors
///
/// If the sink fails.
pub fn write_text(trace: &Trace, filter: &Filter, why: bool, sink: &mut impl Write) -> fmt::Result {
    let mut page = TextWriter::new(trace, why);
    for record in trace.records.iter().filter(|record| filter.shows(record)) {
        page.record(record, sink)?;
    }
    Ok(())
}

struct TextWriter<'a> {
    trace: &'a Trace,
    why: bool,
    /// The width of the player column, as a terminal shows it.
    width: usize,
    /// The time and player of the input that the current lines belong to.
    below: Option<(Time, Option<PlayerIndex>)>,
}

impl<'a> TextWriter<'a> {
    fn new(trace: &'a Trace, why: bool) -> TextWriter<'a> {
        let ids = trace.players.iter().map(|id| width(&escape::line(id)));
        let width = ids.max().unwrap_or(0).clamp(4, 20);
        TextWriter {
            trace,
            why,
            width,
            below: None,
        }
    }

    fn record(&mut self, record: &Record, sink: &mut impl Write) -> fmt::Result {
        if record.kind == Kind::Header {
            header(record, sink)
        } else if record.kind == Kind::Outcome {
            writeln!(
                sink,
                "{:13}  {:width$}  {}",
                record.at,
                "",
                outcome(record),
                width = self.width
            )
        } else {
            self.line(record, sink)
        }
    }

    fn line(&mut self, record: &Record, sink: &mut impl Write) -> fmt::Result {
        let here = (record.at, record.player);
        let container = escape::line(self.trace.container(record).map_or("", |id| id));
        let (width, container) = (self.width, padded(&container, self.width));
        let is_input = record.opens_turn && is_input(record);
        if is_input {
            write!(sink, "{:13}  {container}  ", record.at)?;
        } else {
            if record.opens_turn || self.below != Some(here) {
                writeln!(sink, "{:13}  {container}  @", record.at)?;
            }
            let deeper = if record.kind == Kind::Call { 2 } else { 0 };
            write!(sink, "{:indent$}", "", indent = INDENT + width + deeper)?;
        }
        // A run of several time updates has no single time.
        self.below = (record.lines() == 1).then_some(here);
        words(record, record.in_break, sink)?;
        if self.why
            && let Some(rule) = record.rule
        {
            write!(sink, "  [{rule}]")?;
        }
        sink.write_char('\n')?;
        if let Some(returned) = shown_return(record) {
            let deeper = if is_input { 0 } else { 2 };
            writeln!(
                sink,
                "{:indent$}= {returned}",
                "",
                indent = INDENT + width + deeper
            )?;
        }
        Ok(())
    }
}

/// Returns a line in words, without its time and player, followed by the result of a call. The
/// number of a break is left out because it depends only on how many breaks came before.
#[must_use]
pub fn line_words(record: &Record) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = if record.kind == Kind::Header {
        header(record, &mut text)
    } else if record.kind == Kind::Outcome {
        text.write_str(&outcome(record))
    } else if record.run.is_some() {
        text.write_str(&name(record))
    } else {
        words(record, None, &mut text)
    };
    if let Some(returned) = shown_return(record) {
        let _ = write!(text, "  = {returned}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// Writes a line in words, for a break with its number if given.
fn words(record: &Record, number: Option<BreakNumber>, sink: &mut impl Write) -> fmt::Result {
    let name = name(record);
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
                    write!(
                        sink,
                        "  {} times, every {}, to {}",
                        run.count,
                        run.step,
                        record.until()
                    )
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
            let url = record.data.get("url").map_or_else(String::new, shown);
            write!(sink, "! {name} {url}")?;
            // An ad without wrappers has only one hop, which is not worth printing.
            match record.data.integer("hop") {
                Some(hop) if hop > 0 => write!(sink, "  hop={hop}")?,
                Some(_) | None => {}
            }
            how(record, sink)
        }
        Kind::Edit => edit(record, sink),
        Kind::Diag => {
            write!(sink, "~ {name}")?;
            rest(&record.data, &["text"], sink)
        }
        Kind::Break => {
            let kind = record.data.get("kind").map_or_else(String::new, shown);
            write!(sink, "* break {name} {kind}")?;
            if let Some(number) = number {
                write!(sink, " #{number}")?;
            }
            rest(&shown_of_break(&record.data), &[], sink)
        }
        Kind::Media
        | Kind::Native
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

/// Returns its name for display. Some names come from page code.
fn name(record: &Record) -> Cow<'_, str> {
    escape::line(&record.name)
}

/// Returns the result of a call. An initialiser always returns the handle, which is not worth
/// printing.
fn shown_return(record: &Record) -> Option<String> {
    let is_shown = record.kind == Kind::Call && !record.is(MakingLine::Player);
    let returned = record.data.get("returns").filter(|_| is_shown);
    returned.map(|value| shortened(&format!("{value:#}")))
}

/// Returns whether the line is an input, which starts at the left margin.
fn is_input(record: &Record) -> bool {
    record.kind.is_act() || (record.kind == Kind::Net && !record.is_sent_or_missed())
}

fn header(record: &Record, sink: &mut impl Write) -> fmt::Result {
    if record.is(HeaderLine::Recording) {
        return recording_head(record, sink);
    }
    write!(sink, "playsim trace {VERSION}  ")?;
    setting(record, sink)?;
    sink.write_char('\n')
}

/// Writes the head of a recording: the player, its versions, the browser.
fn recording_head(record: &Record, sink: &mut impl Write) -> fmt::Result {
    write!(sink, "recording {RECORDING_VERSION}")?;
    for key in ["player", "case", "browser"] {
        if let Some(value) = record.data.get(key) {
            write!(sink, "  {key} {}", shown(value))?;
        }
    }
    if let Some(Value::Map(versions)) = record.data.get("versions") {
        for (name, version) in versions.iter() {
            write!(sink, "  {} {}", escape::line(name), shown(version))?;
        }
    }
    sink.write_char('\n')
}

/// Writes the setting in the header: profile, changed knobs, seed. Rule TRACE-6.
pub(super) fn setting(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let text = |key| record.data.get(key).map_or_else(String::new, shown);
    write!(sink, "profile {}", text("profile"))?;
    if let Some(Value::Map(knobs)) = record.data.get("knobs") {
        for (name, value) in knobs.iter() {
            write!(sink, "  {}={}", escape::line(name), shown(value))?;
        }
    }
    write!(sink, "  seed {}", text("seed"))
}

fn outcome(record: &Record) -> String {
    let mut words = name(record).into_owned();
    if let Some(limit) = record.data.get("limit") {
        let _ = write!(words, "  {}", shown(limit));
    }
    if let Some(Value::Map(states)) = record.data.get("states") {
        for (player, state) in states.iter() {
            let _ = write!(words, "  {} {}", escape::line(player), shown(state));
        }
    }
    if let Some(Value::List(circle)) = record.data.get("circle") {
        let lines: Vec<String> = circle.iter().map(shown).collect();
        let _ = write!(words, "  goes round: {}", lines.join(", "));
    }
    words
}

fn call(record: &Record, sink: &mut impl Write) -> fmt::Result {
    write!(sink, "> ")?;
    if let Some(through) = record.data.get("through") {
        write!(sink, "{}.", shown(through))?;
    }
    write!(sink, "{}", name(record))?;
    if let Some(Value::List(args)) = record.data.get("args") {
        let args: Vec<String> = args.iter().map(argument).collect();
        write!(sink, "({})", args.join(", "))?;
    }
    if let Some(error) = record.data.get("error") {
        write!(sink, "  error {}", shown(error))?;
        if let Some(text) = record.data.get("text") {
            write!(sink, " {text:#}")?;
        }
    }
    Ok(())
}

fn net(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let url = record.data.get("url").map_or_else(String::new, shown);
    match NetLine::from_name(&record.name) {
        Some(NetLine::Request) => {
            write!(sink, "? {url}")?;
            match record
                .data
                .get("purpose")
                .filter(|_| record.purpose() != Some(Purpose::AdTag))
            {
                Some(purpose) => write!(sink, "  {}", shown(purpose)),
                None => Ok(()),
            }
        }
        Some(NetLine::Response) => {
            write!(sink, "< {url}")?;
            for key in ["status", "file"] {
                if let Some(value) = record.data.get(key) {
                    write!(sink, "  {}", shown(value))?;
                }
            }
            Ok(())
        }
        Some(NetLine::Redirect) => {
            let field = |key| record.data.get(key).map_or_else(String::new, shown);
            write!(sink, "< {url}  {}  -> {}", field("status"), field("to"))
        }
        Some(NetLine::Failed | NetLine::Timeout | NetLine::Late | NetLine::Dropped) | None => {
            write!(sink, "< {url}  {}", name(record))?;
            how(record, sink)
        }
    }
}

/// Writes how a request failed.
fn how(record: &Record, sink: &mut impl Write) -> fmt::Result {
    match record.data.get("how") {
        Some(how) => write!(sink, "  {}", shown(how)),
        None => Ok(()),
    }
}

/// Writes all fields: those in `bare` first, as values only, then the others as `key=value`.
fn rest(fields: &Fields, bare: &[&str], sink: &mut impl Write) -> fmt::Result {
    let is_bare = |key: &str| bare.contains(&key);
    for (key, value) in fields.iter().filter(|(key, _)| !is_bare(key)) {
        write!(sink, " {}={}", escape::line(key), word(value))?;
    }
    for (key, value) in fields.iter().filter(|(key, _)| is_bare(key)) {
        match &**key {
            "message" | "text" | "why" => write!(sink, " {value:#}")?,
            _ => write!(sink, " {}", shown(value))?,
        }
    }
    Ok(())
}

/// Writes an edit call with its fields, or its response; of errors, the field and the code.
fn edit(record: &Record, sink: &mut impl Write) -> fmt::Result {
    let name = name(record);
    match record.data.get("fields") {
        Some(_) => write!(sink, "> edit {name}")?,
        None => write!(sink, "< edit {name}")?,
    }
    for (key, value) in record.data.iter() {
        match (&**key, value) {
            ("fields", Value::Map(fields)) => {
                for (name, text) in fields.iter() {
                    write!(sink, " {}={}", escape::line(name), word(text))?;
                }
            }
            ("errors", Value::List(errors)) => {
                for error in errors.iter().filter_map(Value::as_map) {
                    let part = |key| error.get(key).map_or_else(String::new, shown);
                    write!(sink, "  {} {}", part("field"), part("code"))?;
                }
            }
            ("status", status) => write!(sink, "  {}", shown(status))?,
            (_, value) => write!(sink, " {}={}", escape::line(key), word(value))?,
        }
    }
    Ok(())
}

/// Returns a value, without quotes where it is unambiguous.
fn word(value: &Value) -> String {
    match value.as_text() {
        Some(text) if !text.is_empty() && !text.contains([' ', '"', '=']) => {
            escape::line(text).into_owned()
        }
        Some(_) | None => format!("{value:#}"),
    }
}

/// Returns a break's fields without those printed elsewhere: its tags have request lines below it.
fn shown_of_break(data: &Fields) -> Fields {
    let is_shown = |key: &str| !["kind", "engine", "waterfalls"].contains(&key);
    data.iter()
        .filter(|(key, _)| is_shown(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Shortens a long value, such as a whole document, to a readable length; JSON lines contain all of
/// it.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 160;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!(
            "{}... ({} characters)",
            &value[..end],
            value.chars().count()
        ),
        None => value.to_owned(),
    }
}

/// Returns a string as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value
        .as_text()
        .map_or_else(|| value.to_string(), ToString::to_string)
}

/// Returns the same for display: on one line, and without control characters for a terminal. Rule
/// TRACE-9.
fn shown(value: &Value) -> String {
    value.as_text().map_or_else(
        || format!("{value:#}"),
        |text| escape::line(text).into_owned(),
    )
}

/// Returns an argument as page code would write it.
fn argument(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::NaN => "NaN".to_owned(),
        Value::Infinity => "Infinity".to_owned(),
        Value::NegativeInfinity => "-Infinity".to_owned(),
        Value::Function(name) => escape::line(name).into_owned(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(argument).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", escape::line(key), argument(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => format!("{value:#}"),
    }
}
