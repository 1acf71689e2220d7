//! Reading a trace from JSON lines: ours, or one recorded from a real player.
//!
//! Of a line only `t`, `kind` and `name` must be there. Lines without `seq` are numbered as they stand.
//! What a line says is kept as it is, so that a trace of ours is written again byte for byte; numbers with
//! more than six decimals, as a browser's floats have them, are rounded. What lines say of one another
//! (times and numbers that rise, causes that come first) is not asked here: that is for the judge.
//!
//! Every line is a record of its own, time updates too. Where turns begin is not written in a line; it is
//! taken from time, player and kind, and is exact for what page code and the network start.
//!
//! Rules: TRACE-1, TRACE-2, TRACE-4, TRACE-5.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Digest, PlayerIndex, Record, Trace, VERSION};
use crate::api::{Fields, Kind, Text, Value};
use crate::json::{self, Entries};
use crate::number::Decimal;
use crate::place::Place;
use crate::rules::{self, RuleId};
use crate::time::Time;
use crate::words;

/// The deepest nesting of data; no documented data come near it.
const MAX_DEPTH: usize = 64;

/// The keys of a line.
const KEYS: [&str; 8] = ["t", "seq", "player", "kind", "name", "data", "cause", "rule"];

const ONE_A_LINE: &str = "a trace has one object on each line";

/// What is wrong with a trace's text, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {message}")]
pub struct TraceError {
    /// The file's name as it was given.
    pub file: Arc<str>,
    /// Where the offending text begins.
    pub place: Place,
    /// What was found and what was due, with a proposal where there is one.
    pub message: String,
}

/// A byte of the text, and what is wrong there.
type Wrong = (usize, String);

/// Reads a trace from JSON lines; blank lines are passed over.
///
/// # Errors
///
/// The first thing that is wrong, with its place.
pub fn read_jsonl(name: &str, text: &str) -> Result<Trace, TraceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read(text).map_err(|(byte, message)| TraceError {
        file: name.into(),
        place: Place::of_byte(text, byte),
        message,
    })
}

fn read(text: &str) -> Result<Trace, Wrong> {
    let mut reader = Reader { text, records: Vec::new(), players: Vec::new() };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            reader.line(line.trim(), start + (line.len() - line.trim_start().len()))?;
        }
        start += line.len();
    }
    if reader.records.is_empty() {
        return Err((0, "there is no line in this trace".to_owned()));
    }
    let digest = digest(&reader.records);
    Ok(Trace { records: reader.records, players: reader.players, digest })
}

/// What the outcome says; zero if there is none, as in a recording.
fn digest(records: &[Record]) -> Digest {
    let outcome = records.last().filter(|record| record.kind == Kind::Outcome);
    let text = outcome.and_then(|record| record.data.get("digest")).and_then(Value::as_text);
    text.and_then(|text| u128::from_str_radix(text, 16).ok()).map(Digest).unwrap_or_default()
}

struct Reader<'a> {
    text: &'a str,
    records: Vec<Record>,
    players: Vec<Arc<str>>,
}

impl<'a> Reader<'a> {
    /// A line whose object begins at a byte.
    fn line(&mut self, line: &'a str, start: usize) -> Result<(), Wrong> {
        let Entries(entries) = serde_json::from_str(line).map_err(|error| {
            let (at, message) = json::fault(self.text, start, &error);
            match line.chars().next() {
                Some('{') => (at, format!("this is no JSON object: {message}; {ONE_A_LINE}")),
                Some('[') => (start, format!("this is a list; {ONE_A_LINE}, without commas between them")),
                Some(_) | None => (start, format!("this is no JSON object; {ONE_A_LINE}")),
            }
        })?;
        let mut raw: [Option<&RawValue>; KEYS.len()] = [None; KEYS.len()];
        for (key, value) in entries {
            let at = || json::key_before(self.text, self.start(value)).start;
            let Some(index) = KEYS.iter().position(|known| *known == key) else {
                return Err((at(), words::unknown("field of a line", &key, KEYS)));
            };
            if raw[index].replace(value).is_some() {
                return Err((at(), format!("\"{key}\" stands in this line twice")));
            }
        }
        let record = self.record(raw, start)?;
        if record.kind == Kind::Header {
            check_header(&record).map_err(|message| (start, message))?;
        }
        self.records.push(record);
        Ok(())
    }

    fn record(&mut self, raw: [Option<&'a RawValue>; KEYS.len()], start: usize) -> Result<Record, Wrong> {
        let [t, seq, player, kind, name, data, cause, rule] =
            raw.map(|value| value.filter(|value| value.get() != "null"));
        let missing = |key: &str, like: &str| {
            let message = format!("this line has no \"{key}\"; it needs one, like \"{key}\":{like}");
            (start, message)
        };
        let at = self.whole(t.ok_or_else(|| missing("t", "1500000"))?, "t", "microseconds, like 1500000")?;
        let kind = self.kind(kind.ok_or_else(|| missing("kind", "\"event\""))?)?;
        let name = self.string(name.ok_or_else(|| missing("name", "\"play\""))?, "name")?;
        let number = |raw: Option<&'a RawValue>, key| raw.map(|raw| self.number(raw, key)).transpose();
        let (seq, cause) = (number(seq, "seq")?, number(cause, "cause")?);
        let player = match player {
            Some(raw) => Some(self.player(raw)?),
            None => None,
        };
        let data = data.map_or(Ok(Fields::NONE), |raw| self.data(raw))?;
        let mut record = Record {
            at: Time::from_micros(at),
            seq: seq.unwrap_or_else(|| self.records.last().map_or(0, |last| last.seq.saturating_add(1))),
            cause,
            rule: rule.map(|raw| self.rule(raw)).transpose()?,
            player,
            opens_turn: false,
            kind,
            name: name.into(),
            data: if kind == Kind::Call { data.into_iter().map(as_given).collect() } else { data },
            run: None,
        };
        record.opens_turn = opens_turn(&record, self.records.last());
        Ok(record)
    }

    fn start(&self, raw: &RawValue) -> usize {
        json::range(self.text, raw.get()).start
    }

    fn string(&self, raw: &RawValue, key: &str) -> Result<String, Wrong> {
        serde_json::from_str(raw.get())
            .map_err(|_| (self.start(raw), format!("\"{key}\" is {}; it is a text", shown(raw))))
    }

    fn whole(&self, raw: &RawValue, key: &str, of: &str) -> Result<u64, Wrong> {
        let number = raw.get().parse();
        number.map_err(|_| (self.start(raw), format!("\"{key}\" is {}; it is whole {of}", shown(raw))))
    }

    /// The running number of a line.
    fn number(&self, raw: &RawValue, key: &str) -> Result<u32, Wrong> {
        let number = raw.get().parse();
        let due = "it is the number of a line, like 7";
        number.map_err(|_| (self.start(raw), format!("\"{key}\" is {}; {due}", shown(raw))))
    }

    fn kind(&self, raw: &RawValue) -> Result<Kind, Wrong> {
        let word = self.string(raw, "kind")?;
        let known = || Kind::ALL.iter().map(|kind| kind.name());
        let unknown = || words::unknown("kind", &word, known().collect::<Vec<_>>());
        Kind::read(&word).ok_or_else(|| (self.start(raw), unknown()))
    }

    fn rule(&self, raw: &RawValue) -> Result<RuleId, Wrong> {
        let word = self.string(raw, "rule")?;
        RuleId::read(&word).ok_or_else(|| {
            let known: Vec<String> = rules::all().map(|id| id.to_string()).collect();
            let meant = words::nearest(&word, known.iter().map(String::as_str));
            let proposal = meant.map_or_else(
                || "`playsim rules` lists them".to_owned(),
                |meant| format!("did you mean \"{meant}\"?"),
            );
            (self.start(raw), format!("no rule is named \"{word}\"; {proposal}"))
        })
    }

    fn player(&mut self, raw: &RawValue) -> Result<PlayerIndex, Wrong> {
        let id = self.string(raw, "player")?;
        let index = self.players.iter().position(|known| **known == *id).unwrap_or_else(|| {
            self.players.push(id.into());
            self.players.len() - 1
        });
        let index = u16::try_from(index);
        index.map(PlayerIndex).map_err(|_| (self.start(raw), "these are too many players".to_owned()))
    }

    fn data(&self, raw: &'a RawValue) -> Result<Fields, Wrong> {
        if let Value::Map(fields) = self.value(raw, 0)? {
            return Ok(fields);
        }
        let message = format!("\"data\" is {}; it is an object, like {{\"code\":303}}", shown(raw));
        Err((self.start(raw), message))
    }

    fn value(&self, raw: &'a RawValue, depth: usize) -> Result<Value, Wrong> {
        if depth > MAX_DEPTH {
            return Err((self.start(raw), format!("data nest at most {MAX_DEPTH} deep")));
        }
        let piece = raw.get();
        let fault = |error: serde_json::Error| json::fault(self.text, self.start(raw), &error);
        Ok(match piece.as_bytes().first() {
            Some(b'{') => {
                let Entries(entries) = serde_json::from_str(piece).map_err(fault)?;
                let fields = entries
                    .into_iter()
                    .map(|(key, value)| Ok((Text::from(key), self.value(value, depth + 1)?)));
                Value::Map(fields.collect::<Result<Fields, Wrong>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(piece).map_err(fault)?;
                let items = items.into_iter().map(|item| self.value(item, depth + 1));
                Value::List(items.collect::<Result<Vec<Value>, Wrong>>()?)
            }
            Some(b'"') => Value::from(serde_json::from_str::<String>(piece).map_err(fault)?),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') => Value::Null,
            Some(_) | None => Value::Number(Decimal::read_rounded(piece).ok_or_else(|| {
                (self.start(raw), format!("{} is too large a number for a trace", shown(raw)))
            })?),
        })
    }
}

/// What a call was given or gave: values that JSON lacks are texts in a line. A text of the same letters
/// is written in the same way.
fn as_given((key, value): (Text, Value)) -> (Text, Value) {
    (key, with_special(value))
}

fn with_special(value: Value) -> Value {
    match value {
        Value::Text(text) => match (&*text, text.strip_prefix("function ")) {
            ("Infinity", _) => Value::Infinity,
            ("-Infinity", _) => Value::NegativeInfinity,
            (_, Some(name)) => Value::Function(name.to_owned().into()),
            (_, None) => Value::Text(text),
        },
        Value::List(items) => Value::List(items.into_iter().map(with_special).collect()),
        Value::Map(fields) => Value::Map(fields.into_iter().map(as_given).collect()),
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::Function(_) => value,
    }
}

/// Whether a line begins a turn, as far as lines say.
fn opens_turn(record: &Record, last: Option<&Record>) -> bool {
    let is_answer = record.kind == Kind::Net && !matches!(&*record.name, "request" | "timeout");
    let is_scripted = record.cause.is_none() && !matches!(record.kind, Kind::Event | Kind::Listener);
    let here = (record.at, record.player);
    is_answer || is_scripted || last.is_none_or(|last| (last.at, last.player) != here)
}

fn check_header(record: &Record) -> Result<(), String> {
    if &*record.name != "playsim-trace" {
        return Err(format!("the header is named \"{}\"; that of a trace is \"playsim-trace\"", record.name));
    }
    match record.data.get("version").and_then(Value::as_integer) {
        Some(version) if version == i64::from(VERSION) => Ok(()),
        Some(version) => {
            Err(format!("this is a trace of version {version}; this playsim reads version {VERSION}"))
        }
        None => Err(format!("the header has no \"version\"; this playsim reads version {VERSION}")),
    }
}

/// A piece of the text for a message, never longer than a line.
fn shown(raw: &RawValue) -> String {
    const LONGEST: usize = 60;
    let piece = raw.get();
    match piece.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &piece[..end]),
        None => piece.to_owned(),
    }
}

#[cfg(test)]
mod tests;
