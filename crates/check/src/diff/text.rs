//! Reads traces in text form, which is not complete.
//!
//! It contains neither sequence numbers nor causes: a line's number is its line in the file, and
//! its cause is the input under which it is indented. Data are not parsed but kept as the words in
//! which they are written.
//!
//! Rule TRACE-7.

use std::borrow::Cow;
use std::sync::Arc;

use playsim_api::{BreakNumber, EventName, Fields, HeaderLine, Kind, NetLine, Outcome, Text};
use playsim_base::number::Decimal;
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_base::words;
use playsim_rules::RuleId;
use playsim_trace::{Digest, PlayerIndex, Record, Run, Trace, TraceError, VERSION};

/// How every trace in text form begins.
pub const BEGINNING: &str = "playsim trace ";

/// The longest run of time updates that is read as a run; a longer one, which no real trace has,
/// stays a line of words.
const LONGEST_RUN: u32 = 1_000_000;

/// The records of a trace in text form, and the words of each.
pub(super) struct Read {
    pub(super) trace: Trace,
    pub(super) words: Vec<String>,
}

/// Reads a trace in text form.
///
/// # Errors
///
/// If it is not a trace, has another version, or contains a line that belongs to no time.
pub(super) fn read(name: &str, text: &str) -> Result<Read, TraceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong = |line: u32, message: String| TraceError {
        file: name.into(),
        place: Place { line, column: 1 },
        message,
    };
    let head = text.lines().next().unwrap_or_default();
    let Some(rest) = head.strip_prefix(BEGINNING) else {
        return Err(wrong(
            1,
            format!(
                "this is not a trace; a trace in text form begins with \"{BEGINNING}{VERSION}\""
            ),
        ));
    };
    let version = rest.split_whitespace().next().unwrap_or_default();
    if version != VERSION.to_string() {
        let message =
            format!("this is a trace of version {version}; this playsim reads version {VERSION}");
        return Err(wrong(1, message));
    }
    let mut page = TextReader::new(text);
    page.push(1, Kind::Header, HeaderLine::Trace.name(), head.to_owned());
    for (number, line) in (2..).zip(text.lines().skip(1)) {
        if !line.trim().is_empty() && !page.line(number, line) {
            return Err(wrong(
                number,
                "no line with a time precedes this line".to_owned(),
            ));
        }
    }
    let trace = Trace {
        records: page.records,
        players: page.players,
        digest: Digest::default(),
    };
    Ok(Read {
        trace,
        words: page.words,
    })
}

struct TextReader {
    records: Vec<Record>,
    words: Vec<String>,
    players: Vec<Arc<str>>,
    /// The width of the player column, if a line without a player has shown it.
    width: Option<usize>,
    /// The time and player of the input that the current lines belong to, and its line number.
    below: Option<(Time, Option<PlayerIndex>, Option<u32>)>,
}

impl TextReader {
    fn new(text: &str) -> TextReader {
        let of_page = text
            .lines()
            .filter_map(time)
            .find(|(_, rest)| rest.starts_with("      "));
        let width = of_page.map(|(_, rest)| rest.len() - rest.trim_start().len() - 4);
        TextReader {
            records: Vec::new(),
            words: Vec::new(),
            players: Vec::new(),
            width,
            below: None,
        }
    }

    /// Reads a line. Returns `false` if it belongs to no input.
    fn line(&mut self, number: u32, line: &str) -> bool {
        if let Some((at, rest)) = time(line) {
            let (container, words) = self.split(rest);
            let player = (!container.is_empty()).then(|| self.player(&container));
            let is_clock = words == "@";
            self.below = Some((at, player, (!is_clock).then_some(number)));
            if !is_clock {
                self.words(number, &words);
            }
            return true;
        }
        if self.below.is_none() {
            return false;
        }
        let words = line.trim();
        match (words.strip_prefix("= "), self.words.last_mut()) {
            (Some(returned), Some(call)) => {
                call.push_str("  = ");
                call.push_str(returned);
            }
            (Some(_) | None, _) => self.words(number, words),
        }
        true
    }

    /// Splits a line after its time into container and words.
    fn split(&self, rest: &str) -> (String, String) {
        let column = rest.get(2..).unwrap_or_default();
        let end = self
            .width
            .and_then(|width| words::offset_of_column(column, width));
        let cut = end
            .filter(|end| column[*end..].starts_with("  "))
            .or_else(|| column.find("  "));
        let (container, words) = column.split_at(cut.unwrap_or(0));
        (container.trim().to_owned(), words.trim().to_owned())
    }

    fn player(&mut self, container: &str) -> PlayerIndex {
        let index = self
            .players
            .iter()
            .position(|known| **known == *container)
            .unwrap_or_else(|| {
                self.players.push(container.into());
                self.players.len() - 1
            });
        PlayerIndex(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Reads a line in words.
    fn words(&mut self, number: u32, words: &str) {
        let (words, rule) = match words.rsplit_once("  [") {
            Some((before, id)) => match id
                .strip_suffix(']')
                .and_then(|id| id.parse::<RuleId>().ok())
            {
                Some(rule) => (before, Some(rule)),
                None => (words, None),
            },
            None => (words, None),
        };
        let (number_of_break, words) = without_break_number(words);
        let words = words.as_ref();
        let (kind, name) = meaning(words);
        let run = if kind == Kind::Event {
            run(words)
        } else {
            None
        };
        let words = if run.is_some() { name } else { words };
        self.push(number, kind, name, words.to_owned());
        if let Some(record) = self.records.last_mut() {
            (record.rule, record.run, record.in_break) = (rule, run, number_of_break);
        }
    }

    fn push(&mut self, number: u32, kind: Kind, name: &str, words: String) {
        let (at, player, head) = self.below.unwrap_or((Time::ZERO, None, None));
        self.records.push(Record {
            at,
            seq: number,
            cause: head.filter(|head| *head != number),
            rule: None,
            player,
            in_break: None,
            opens_turn: false,
            kind,
            name: Text::from(name.to_owned()),
            data: Fields::NONE,
            run: None,
        });
        self.words.push(words);
    }
}

/// Splits a line into the time at its beginning and the rest.
fn time(line: &str) -> Option<(Time, &str)> {
    let trimmed = line.trim_start();
    let end = trimmed.find(' ').unwrap_or(trimmed.len());
    Some((
        Time::from_micros(seconds(&trimmed[..end])?),
        &trimmed[end..],
    ))
}

/// Parses a time as traces write it, with six decimals, into microseconds.
fn seconds(word: &str) -> Option<u64> {
    let (_, decimals) = word.split_once('.')?;
    let number = word
        .parse::<Decimal>()
        .ok()
        .filter(|_| decimals.len() == 6)?;
    u64::try_from(number.millionths()).ok()
}

/// Returns the number of a break, as in `* break begin pre #1`, and the words without it. The
/// number depends only on how many breaks came before.
fn without_break_number(words: &str) -> (Option<BreakNumber>, Cow<'_, str>) {
    let number = || {
        let (before, rest) = words.strip_prefix("* break ")?.split_once(" #")?;
        let (digits, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let number = digits.parse().ok().and_then(BreakNumber::new)?;
        // It follows the name and the kind.
        (before.split(' ').count() == 2).then(|| (number, format!("* break {before}{after}")))
    };
    match number() {
        Some((number, words)) => (Some(number), Cow::Owned(words)),
        None => (None, Cow::Borrowed(words)),
    }
}

/// Returns the kind and name of a line, from its sign and its first words.
fn meaning(words: &str) -> (Kind, &str) {
    let (sign, rest) = words.split_at(words.find(' ').unwrap_or(words.len()));
    let rest = rest.trim_start();
    let first = rest.split(' ').next().unwrap_or_default();
    match sign {
        ">" => (Kind::Call, &first[..first.find('(').unwrap_or(first.len())]),
        "?" => (Kind::Net, NetLine::Request.name()),
        "<" => {
            let second = rest.split("  ").nth(1).unwrap_or_default();
            let is_status = second.starts_with(|letter: char| letter.is_ascii_digit());
            let is_redirect = rest
                .split("  ")
                .nth(2)
                .is_some_and(|third| third.starts_with("-> "));
            let name = if is_redirect {
                NetLine::Redirect
            } else {
                NetLine::Response
            };
            (Kind::Net, if is_status { name.name() } else { second })
        }
        "!" => (Kind::Beacon, first),
        "~" => (Kind::Diag, first),
        ":" => (Kind::Listener, first),
        "^" => (Kind::User, first),
        "*" => {
            let name = rest[first.len()..]
                .trim_start()
                .split(' ')
                .next()
                .unwrap_or_default();
            (Kind::from_name(first).unwrap_or(Kind::Ad), name)
        }
        _ if Outcome::from_name(sign).is_some() => (Kind::Outcome, sign),
        _ => (Kind::Event, sign),
    }
}

/// Parses the run in a line such as `timeupdate  36 times, every 0.250000, to 9.000000`. A single
/// time update is a run of one.
fn run(words: &str) -> Option<Run> {
    if words == EventName::TimeUpdate.name() {
        return Some(Run {
            step: Span::ZERO,
            count: 1,
        });
    }
    let (count, rest) = words
        .strip_prefix("timeupdate  ")?
        .split_once(" times, every ")?;
    let (step, _) = rest.split_once(", to ")?;
    let count = count
        .parse()
        .ok()
        .filter(|count| (1..=LONGEST_RUN).contains(count))?;
    Some(Run {
        step: Span::from_micros(seconds(step)?),
        count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
playsim trace 1  profile default  seed 0
     0.000000  main  > play()
                     requestAd
                       > getTitle()
                       = \"One\"
                     * ad fill wp=0 pod=0
     0.250000  main  @
                     timeupdate  3 times, every 0.250000, to 0.750000  [MEL-15]
     1.000000  main  < film.mp4  timeout
     1.000000        idle  main ended
";

    #[test]
    fn a_line_has_the_time_and_the_input_above_it() {
        let Read { trace, words } = read("a.trace", TEXT).expect("it is a trace");
        let lines: Vec<_> = trace
            .records
            .iter()
            .zip(&words)
            .map(|(record, words)| (record.seq, record.at.micros(), record.cause, words.as_str()))
            .collect();
        assert_eq!(
            lines,
            [
                (1, 0, None, "playsim trace 1  profile default  seed 0"),
                (2, 0, None, "> play()"),
                (3, 0, Some(2), "requestAd"),
                (4, 0, Some(2), "> getTitle()  = \"One\""),
                (6, 0, Some(2), "* ad fill wp=0 pod=0"),
                (8, 250_000, None, "timeupdate"),
                (9, 1_000_000, None, "< film.mp4  timeout"),
                (10, 1_000_000, None, "idle  main ended"),
            ]
        );
        let updates = &trace.records[5];
        assert_eq!(
            updates.run,
            Some(Run {
                step: Span::from_millis(250),
                count: 3
            })
        );
        assert_eq!(updates.rule, "MEL-15".parse::<RuleId>().ok());
        let kinds: Vec<_> = trace
            .records
            .iter()
            .map(|record| (record.kind, &*record.name))
            .collect();
        assert_eq!(kinds[3], (Kind::Call, "getTitle"));
        assert_eq!(kinds[4], (Kind::Ad, "fill"));
        assert_eq!(kinds[6], (Kind::Net, "timeout"));
        assert_eq!(kinds[7], (Kind::Outcome, "idle"));
        assert_eq!(trace.players, [Arc::from("main")]);
    }

    #[test]
    fn wide_characters_of_a_container_take_two_columns() {
        let json = "{\"t\":0,\"seq\":1,\"player\":\"広告 a  b\",\"kind\":\"call\",\"name\":\"play\"}\n\
                    {\"t\":0,\"seq\":2,\"player\":\"c\",\"kind\":\"call\",\"name\":\"pause\",\"cause\":1}\n\
                    {\"t\":5,\"seq\":3,\"kind\":\"net\",\"name\":\"timeout\",\"data\":{\"url\":\"f.mp4\"}}\n";
        let trace = playsim_trace::read_jsonl("a.jsonl", json).expect("it is a trace");
        let mut shown = String::from("playsim trace 1\n");
        let filter = playsim_trace::Filter {
            view: playsim_trace::View::All,
            ..Default::default()
        };
        playsim_trace::write_text(&trace, &filter, false, &mut shown).expect("writing cannot fail");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1], "     0.000000  広告 a  b  > play");
        assert_eq!(lines[2], "     0.000000  c          > pause");
        // The column is found again, although a container has two blanks in it.
        let Read { trace: read, words } = super::read("a.trace", &shown).expect("it is a trace");
        assert_eq!(
            read.players,
            [Arc::from("広告 a  b"), Arc::from("c")],
            "{shown}"
        );
        assert_eq!(words[1], "> play");
    }

    #[test]
    fn a_file_that_is_not_a_trace_is_reported() {
        let wrong = |text: &str| {
            read("a.trace", text)
                .err()
                .expect("it is not a trace")
                .to_string()
        };
        assert_eq!(
            wrong(""),
            "a.trace:1:1: this is not a trace; a trace in text form begins with \"playsim trace 1\""
        );
        assert_eq!(
            wrong("playsim trace 2  profile x"),
            "a.trace:1:1: this is a trace of version 2; this playsim reads version 1"
        );
        assert_eq!(
            wrong("playsim trace 1\n\n   requestAd\n"),
            "a.trace:3:1: no line with a time precedes this line"
        );
    }
}
