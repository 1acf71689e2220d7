//! Reads traces from JSON lines, written by playsim or recorded from a real player.
//!
//! Only `t`, `kind` and `name` of a line are required. Lines without `seq` are numbered in order.
//! Names that no table contains are accepted, and so are traces whose lines do not name their
//! breaks. Everything else in a line is kept unchanged, so that a trace written by playsim is
//! written again byte for byte; only numbers with more than six decimals, such as a browser's
//! floats, are rounded. Consistency between lines (ascending times and numbers, causes before
//! effects) is checked by the invariants, not here.
//!
//! Every line becomes a record of its own, time updates included. Lines do not say where turns
//! begin; that is derived from time, player and kind, and is exact for turns that page code or the
//! network starts.
//!
//! Rules: TRACE-1, TRACE-2, TRACE-4, TRACE-5.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Digest, PlayerIndex, RECORDING_VERSION, Record, Trace, VERSION};
use playsim_api::{BreakNumber, Fields, HeaderLine, Kind, LineName, StateLine, Text, Value};
use playsim_base::escape;
use playsim_base::json::{self, Stopped};
use playsim_base::number::Decimal;
use playsim_base::place::Place;
use playsim_base::time::Time;
use playsim_base::words;
use playsim_rules::{self as rules, RuleId};

/// The maximum nesting depth of data; documented data are far below it.
const MAX_DEPTH: usize = 64;

/// The keys of a line.
const KEYS: [&str; 9] = [
    "t", "seq", "player", "break", "kind", "name", "data", "cause", "rule",
];

/// How much memory the data of a trace may take: some, whatever its size, and a multiple of it.
/// Traces of players take much less; a file of nothing but small numbers would take many times its
/// size.
const LEAST_DATA: usize = 1 << 20;
const DATA_PER_BYTE: usize = 3;

/// The size of the head of a shared string.
const SHARED: usize = 2 * size_of::<usize>();

const ONE_A_LINE: &str = "a trace has one object per line";

/// An error in a trace, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {message}")]
pub struct TraceError {
    /// The name of the file as given.
    pub file: Arc<str>,
    /// Where the offending text begins.
    pub place: Place,
    /// The error: the value, the expected ones, and a suggestion where there is one.
    pub message: String,
}

/// A byte offset and the error there.
type Wrong = (usize, String);

/// Reads a trace from JSON lines. Blank lines are ignored.
///
/// # Errors
///
/// The first error, with its place.
pub fn read_jsonl(name: &str, text: &str) -> Result<Trace, TraceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read(text).map_err(|(byte, message)| TraceError {
        file: name.into(),
        place: Place::of_byte(text, byte),
        message,
    })
}

fn read(text: &str) -> Result<Trace, Wrong> {
    let most = text
        .len()
        .saturating_mul(DATA_PER_BYTE)
        .saturating_add(LEAST_DATA);
    let mut reader = Reader {
        text,
        records: Vec::with_capacity(memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1),
        players: Vec::new(),
        newest: BTreeMap::new(),
        destroyed: BTreeSet::new(),
        left: most,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            reader.line(line.trim(), start + (line.len() - line.trim_start().len()))?;
        }
        start += line.len();
    }
    if reader.records.is_empty() {
        return Err((0, "the trace is empty".to_owned()));
    }
    let digest = digest(&reader.records);
    Ok(Trace {
        records: reader.records,
        players: reader.players,
        digest,
    })
}

/// Returns the digest in the outcome line, or zero if there is none, as in a recording.
fn digest(records: &[Record]) -> Digest {
    let outcome = records.last().filter(|record| record.kind == Kind::Outcome);
    let text = outcome
        .and_then(|record| record.data.get("digest"))
        .and_then(Value::as_text);
    text.and_then(|text| u128::from_str_radix(text, 16).ok())
        .map(Digest)
        .unwrap_or_default()
}

struct Reader<'a> {
    text: &'a str,
    records: Vec<Record>,
    players: Vec<Arc<str>>,
    /// The newest player with each ID.
    newest: BTreeMap<Arc<str>, PlayerIndex>,
    /// The players that are gone: their container may get another one.
    destroyed: BTreeSet<PlayerIndex>,
    /// How many bytes of memory are left for the data of this trace.
    left: usize,
}

impl<'a> Reader<'a> {
    /// Reads a line whose object begins at byte `start`.
    fn line(&mut self, line: &'a str, start: usize) -> Result<(), Wrong> {
        match line.bytes().next() {
            Some(b'{') => {}
            Some(b'[') => {
                return Err((
                    start,
                    format!("this is a list; {ONE_A_LINE}, without commas between them"),
                ));
            }
            Some(_) | None => {
                return Err((start, format!("this is not a JSON object; {ONE_A_LINE}")));
            }
        }
        let mut raw: [Option<&RawValue>; KEYS.len()] = [None; KEYS.len()];
        let walked = json::each_part(line, |key, value| {
            let at = || json::key_before(self.text, self.start(value)).start;
            let key = key.unwrap_or_default();
            let Some(index) = KEYS.iter().position(|known| *known == key) else {
                return Err((at(), words::unknown("field of a line", &key, KEYS)));
            };
            match raw[index].replace(value) {
                Some(_) => Err((at(), format!("duplicate key \"{}\"", escape::shown(&key)))),
                None => Ok(()),
            }
        });
        walked.map_err(|stopped| match stopped {
            Stopped::Syntax(error) => {
                let (at, message) = json::fault(self.text, start, &error);
                (
                    at,
                    format!("this is not a JSON object: {message}; {ONE_A_LINE}"),
                )
            }
            Stopped::Refused(wrong) => wrong,
        })?;
        let record = self.record(raw, start)?;
        if record.kind == Kind::Header {
            check_header(&record).map_err(|message| (start, message))?;
        }
        self.records.push(record);
        Ok(())
    }

    fn record(
        &mut self,
        raw: [Option<&'a RawValue>; KEYS.len()],
        start: usize,
    ) -> Result<Record, Wrong> {
        let [t, seq, player, in_break, kind, name, data, cause, rule] =
            raw.map(|value| value.filter(|value| value.get() != "null"));
        let missing = |key: &str, like: &str| {
            let message =
                format!("this line has no \"{key}\"; it needs one, like \"{key}\":{like}");
            (start, message)
        };
        let at = self.whole(
            t.ok_or_else(|| missing("t", "1500000"))?,
            "t",
            "a whole number of microseconds, like 1500000",
        )?;
        let kind = self.kind(kind.ok_or_else(|| missing("kind", "\"event\""))?)?;
        let name = self.string(name.ok_or_else(|| missing("name", "\"play\""))?, "name")?;
        let number =
            |raw: Option<&'a RawValue>, key| raw.map(|raw| self.number(raw, key)).transpose();
        let (seq, cause) = (number(seq, "seq")?, number(cause, "cause")?);
        let player = match player {
            Some(raw) => Some(self.player(
                raw,
                StateLine::from_name(&name).filter(|_| kind == Kind::State),
            )?),
            None => None,
        };
        let data = data.map_or(Ok(Fields::NONE), |raw| self.data(raw))?;
        let mut record = Record {
            at: Time::from_micros(at),
            seq: seq.unwrap_or_else(|| {
                self.records
                    .last()
                    .map_or(0, |last| last.seq.saturating_add(1))
            }),
            cause,
            rule: rule.map(|raw| self.rule(raw)).transpose()?,
            player,
            in_break: in_break.map(|raw| self.break_number(raw)).transpose()?,
            opens_turn: false,
            kind,
            name: LineName::from_name(kind, &name)
                .map_or_else(|| name.into(), |name| name.name().into()),
            data: if kind == Kind::Call {
                data.map(with_special)
            } else {
                data
            },
            run: None,
        };
        record.opens_turn = opens_turn(&record, self.records.last());
        Ok(record)
    }

    fn start(&self, raw: &RawValue) -> usize {
        json::range(self.text, raw.get()).start
    }

    fn string(&self, raw: &RawValue, key: &str) -> Result<String, Wrong> {
        serde_json::from_str(raw.get()).map_err(|_| {
            (
                self.start(raw),
                format!("\"{key}\" is {}; it must be a string", shown(raw)),
            )
        })
    }

    fn whole(&self, raw: &RawValue, key: &str, of: &str) -> Result<u64, Wrong> {
        let number = raw.get().parse();
        number.map_err(|_| {
            (
                self.start(raw),
                format!("\"{key}\" is {}; it must be {of}", shown(raw)),
            )
        })
    }

    /// Reads a sequence number.
    fn number(&self, raw: &RawValue, key: &str) -> Result<u32, Wrong> {
        let number = raw.get().parse();
        let due = "it must be the number of a line, like 7";
        number.map_err(|_| {
            (
                self.start(raw),
                format!("\"{key}\" is {}; {due}", shown(raw)),
            )
        })
    }

    fn break_number(&self, raw: &RawValue) -> Result<BreakNumber, Wrong> {
        let number = raw.get().parse().ok().and_then(BreakNumber::new);
        number.ok_or_else(|| {
            let due = "it must be the number of a break of its player, counted from 1";
            (
                self.start(raw),
                format!("\"break\" is {}; {due}", shown(raw)),
            )
        })
    }

    fn kind(&self, raw: &RawValue) -> Result<Kind, Wrong> {
        let word = self.string(raw, "kind")?;
        let known = || Kind::ALL.iter().map(|kind| kind.name());
        let unknown = || words::unknown("kind", &word, known().collect::<Vec<_>>());
        Kind::from_name(&word).ok_or_else(|| (self.start(raw), unknown()))
    }

    fn rule(&self, raw: &RawValue) -> Result<RuleId, Wrong> {
        let word = self.string(raw, "rule")?;
        word.parse::<RuleId>().map_err(|_| {
            let word = escape::shown(&word);
            let known: Vec<String> = rules::all().map(|id| id.to_string()).collect();
            let meant = words::nearest(&word, known.iter().map(String::as_str));
            let proposal = meant.map_or_else(
                || "`playsim rules` lists them".to_owned(),
                |meant| format!("did you mean \"{meant}\"?"),
            );
            (
                self.start(raw),
                format!("unknown rule \"{word}\"; {proposal}"),
            )
        })
    }

    /// Reads the player of a line, given the state that the line says it enters.
    fn player(&mut self, raw: &RawValue, state: Option<StateLine>) -> Result<PlayerIndex, Wrong> {
        let id = self.string(raw, "player")?;
        let known = self.newest.get(&*id).copied().filter(|known| {
            // A new player in the container of one that is gone.
            state != Some(StateLine::Created) || !self.destroyed.contains(known)
        });
        let player = match known {
            Some(known) => known,
            None => {
                let index = u16::try_from(self.players.len());
                let player = PlayerIndex(
                    index.map_err(|_| (self.start(raw), "too many players".to_owned()))?,
                );
                let id: Arc<str> = id.into();
                self.players.push(Arc::clone(&id));
                self.newest.insert(id, player);
                player
            }
        };
        if state == Some(StateLine::Destroyed) {
            self.destroyed.insert(player);
        }
        Ok(player)
    }

    fn data(&mut self, raw: &'a RawValue) -> Result<Fields, Wrong> {
        if let Value::Map(fields) = self.value(raw, 0)? {
            return Ok(fields);
        }
        let message = format!(
            "\"data\" is {}; it must be an object, like {{\"code\":303}}",
            shown(raw)
        );
        Err((self.start(raw), message))
    }

    fn value(&mut self, raw: &'a RawValue, depth: usize) -> Result<Value, Wrong> {
        if depth > MAX_DEPTH {
            return Err((
                self.start(raw),
                format!("data are nested deeper than {MAX_DEPTH} levels, the limit"),
            ));
        }
        let piece = raw.get();
        Ok(match piece.as_bytes().first() {
            Some(b'{') => {
                let mut fields: Vec<(Text, Value)> = Vec::new();
                self.each_part(piece, |reader, name, value| {
                    let name = name.unwrap_or_default();
                    reader.take(
                        room::<(Text, Value)>(fields.len()) + SHARED + name.len(),
                        value,
                    )?;
                    fields.push((name.into(), reader.value(value, depth + 1)?));
                    Ok(())
                })?;
                fields.shrink_to_fit();
                Value::Map(fields.into_iter().collect())
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.each_part(piece, |reader, _, value| {
                    reader.take(room::<Value>(items.len()), value)?;
                    items.push(reader.value(value, depth + 1)?);
                    Ok(())
                })?;
                items.shrink_to_fit();
                Value::List(items)
            }
            Some(b'"') => {
                self.take(SHARED + piece.len(), raw)?;
                let text = serde_json::from_str::<String>(piece);
                Value::from(text.map_err(|error| json::fault(self.text, self.start(raw), &error))?)
            }
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') => Value::Null,
            Some(_) | None => Value::Number(Decimal::parse_rounded(piece).ok_or_else(|| {
                (
                    self.start(raw),
                    format!("the number {} is too large for a trace", shown(raw)),
                )
            })?),
        })
    }

    /// Takes some of the memory that is left.
    fn take(&mut self, bytes: usize, raw: &RawValue) -> Result<(), Wrong> {
        let Some(left) = self.left.checked_sub(bytes) else {
            let message = format!(
                "from here on, the data of this trace would take more than {DATA_PER_BYTE} times its size, the limit; \
                 they have too many small values"
            );
            return Err((self.start(raw), message));
        };
        self.left = left;
        Ok(())
    }

    fn each_part(
        &mut self,
        piece: &'a str,
        mut each: impl FnMut(&mut Reader<'a>, Option<String>, &'a RawValue) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        let walked = json::each_part(piece, |name, value| each(self, name, value));
        walked.map_err(|stopped| match stopped {
            Stopped::Syntax(error) => {
                json::fault(self.text, json::range(self.text, piece).start, &error)
            }
            Stopped::Refused(wrong) => wrong,
        })
    }
}

/// Converts an argument or return value: values that JSON lacks are written as strings. A string
/// with the same characters is written identically.
fn with_special(value: Value) -> Value {
    let Value::Text(text) = &value else {
        return value.map_parts(with_special);
    };
    match (&**text, text.strip_prefix("function ")) {
        ("Infinity", _) => Value::Infinity,
        ("-Infinity", _) => Value::NegativeInfinity,
        (_, Some(name)) => Value::Function(name.to_owned().into()),
        (_, None) => value,
    }
}

/// Returns whether a line begins a turn. Lines do not make this clear in every case.
fn opens_turn(record: &Record, last: Option<&Record>) -> bool {
    let is_answer = record.kind == Kind::Net && !record.is_sent_or_missed();
    let is_scripted =
        record.cause.is_none() && !matches!(record.kind, Kind::Event | Kind::Listener);
    let here = (record.at, record.player);
    is_answer || is_scripted || last.is_none_or(|last| (last.at, last.player) != here)
}

fn check_header(record: &Record) -> Result<(), String> {
    let Some(LineName::Header(line)) = record.line_name() else {
        let [trace, recording] = [HeaderLine::Trace, HeaderLine::Recording].map(HeaderLine::name);
        let name = escape::shown(&record.name);
        return Err(format!(
            "the header is named \"{name}\"; it must be named \"{trace}\" or, for a recording, \"{recording}\""
        ));
    };
    let (what, due) = match line {
        HeaderLine::Trace => ("trace", VERSION),
        HeaderLine::Recording => ("recording", RECORDING_VERSION),
    };
    match record.data.integer("version") {
        Some(version) if version == i64::from(due) => Ok(()),
        Some(version) => Err(format!(
            "this is a {what} of version {version}; this playsim reads version {due}"
        )),
        None => Err(format!(
            "the header has no \"version\"; this playsim reads version {due}"
        )),
    }
}

/// Returns how much room the next of some items takes. A long list doubles its room when it grows.
const fn room<T>(items: usize) -> usize {
    if items < 8 {
        size_of::<T>()
    } else {
        2 * size_of::<T>()
    }
}

/// Returns a piece of the input as messages show it.
fn shown(raw: &RawValue) -> String {
    escape::shown(raw.get())
}

#[cfg(test)]
mod tests;
