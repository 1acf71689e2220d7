//! Where the content stands and how it moves, and the beat of its time updates.
//!
//! A position is known only where the script read it: two readings with nothing between that moves the
//! playhead must differ by exactly the time that was spent playing.
//!
//! Rules: INV-15, INV-22.

use super::{Findings, has_argument, is, media, of_each_player, returned};
use crate::api::{Decimal, Kind, Value};
use crate::time::{Span, Time};
use crate::trace::{Record, Trace};

/// Position within 0 and duration; it moves only while playing, and by the time that passed. Rule INV-15.
pub(super) fn moves_when_playing(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut course = Course::default();
        for record in lines {
            course.take(record);
            let reads = record.cause.is_none() && !has_argument(record);
            let read = if reads { returned(record, "currentTime") } else { None };
            if let Some(position) = number(read) {
                course.read(record, position, findings);
            }
        }
    });
}

/// What is known of one player's position.
#[derive(Default)]
struct Course {
    /// The last position that was read, unless something has moved it since.
    known: Option<(Time, Decimal)>,
    duration: Option<Decimal>,
    playing_since: Option<Time>,
    played: Span,
    /// How often playing began or went on since: each may round the position down once.
    starts: i64,
    rate: Rate,
}

/// How fast the content plays. Rule MEL-22.
struct Rate {
    in_force: Decimal,
    /// What the surroundings have asked for last.
    asked: Decimal,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate { in_force: Decimal::ONE, asked: Decimal::ONE }
    }
}

impl Course {
    fn take(&mut self, record: &Record) {
        if record.kind == Kind::State {
            if let Some(since) = self.playing_since.take() {
                self.played += record.at - since;
            }
            self.playing_since = is(record, Kind::State, "playing").then_some(record.at);
            self.starts += 1;
        }
        if matches!(media(record), "loadstart" | "emptied" | "error") || is_other_item(record) {
            self.duration = None;
        }
        if media(record) == "durationchange" {
            self.duration = number(record.data.get("duration"));
            // A start position behind the end is moved to the end.
            self.known = None;
        }
        if moves(record) {
            self.known = None;
        }
        match (record.kind, &*record.name) {
            (Kind::Page, "rate") => {
                self.rate.asked = number(record.data.get("rate")).unwrap_or(Decimal::ONE);
            }
            // A new source plays at its own speed.
            (Kind::Media | Kind::Event, "loadstart") => self.rate = Rate::default(),
            (Kind::Media | Kind::Event, "emptied") => self.rate.asked = Decimal::ONE,
            (Kind::Media | Kind::Event, "ratechange") => {
                self.known = None;
                self.rate.in_force = self.rate.asked;
            }
            _ => {}
        }
    }

    fn read(&mut self, record: &Record, position: Decimal, findings: &mut Findings) {
        if position < Decimal::default() || self.duration.is_some_and(|duration| position > duration) {
            findings.add(record, format!("the position is {position}, outside of the content"));
        }
        if let Some(since) = &mut self.playing_since {
            self.played += record.at - *since;
            *since = record.at;
        }
        if let Some((at, before)) = self.known
            && !self.explains(before, position)
        {
            let played = self.played;
            let text = format!(
                "the position is {position}; it was {before} at {at} and {played} s were played since"
            );
            findings.add(record, text);
        }
        self.known = Some((record.at, position));
        self.played = Span::ZERO;
        self.starts = 0;
    }

    /// Whether the time that was played leads from one position to another.
    fn explains(&self, before: Decimal, position: Decimal) -> bool {
        let advanced = position.millionths().saturating_sub(before.millionths());
        let played = Decimal::seconds(self.played.micros()).millionths();
        if self.rate.in_force == Decimal::ONE {
            return advanced == played;
        }
        // Positions are whole microseconds, and nothing comes early. On a live stream nobody passes the edge.
        let due = i128::from(played) * i128::from(self.rate.in_force.millionths()) / 1_000_000;
        let is_live = self.duration.is_none();
        let lack = due - i128::from(advanced);
        lack >= -1 && (is_live || lack <= i128::from(self.starts) + 1)
    }
}

fn number(value: Option<&Value>) -> Option<Decimal> {
    if let Some(Value::Number(number)) = value { Some(*number) } else { None }
}

/// Whether a line may tell of another item; its load may begin later.
fn is_other_item(record: &Record) -> bool {
    match (record.kind, &*record.name) {
        (Kind::Event, "skipped") | (Kind::User, "next" | "previous") => true,
        // From the end of a playlist `play()` goes to its first item.
        (Kind::Call, "next" | "previous" | "playByIndex" | "play") | (Kind::User, "play") => true,
        _ => false,
    }
}

/// Whether a line may move the playhead: a seek, a stop, a replay, another item.
fn moves(record: &Record) -> bool {
    match (record.kind, &*record.name) {
        (Kind::Media | Kind::Event, "seeking" | "seeked" | "loadstart" | "emptied") => true,
        (Kind::Event, "stopped" | "skipped") => true,
        (Kind::Call, "currentTime" | "currentChapter") => has_argument(record),
        (Kind::Call, "stop" | "next" | "previous" | "playByIndex" | "destroy" | "src" | "loadPlaylist") => {
            true
        }
        (Kind::User, "seek" | "next" | "previous") => true,
        // Another item without media, and the first moment at which getters answer at all.
        (Kind::State, "initial" | "destroyed") => true,
        _ => false,
    }
}

/// The default of `timeupdate.period`.
const PERIOD: Span = Span::from_millis(250);
/// No two are closer by chance. Rule MEL-15.
const CLOSEST: Span = Span::from_millis(15);

/// The gaps between periodic time updates are the period, or by chance up to a quarter shorter. Rule INV-22.
pub(super) fn even_time_updates(trace: &Trace, findings: &mut Findings) {
    let gaps = gaps(trace);
    of_each_player(trace, |lines| {
        let mut beat = Beat { gaps, last: None, odd: None, is_playing: false };
        for record in lines {
            beat.take(record, findings);
        }
        // What follows the last one of a livelock was not told any more.
        if trace.outcome() != "livelock" {
            beat.settle(findings);
        }
    });
}

/// The shortest gap and the longest.
type Gaps = (Span, Span);

/// What the header says.
fn gaps(trace: &Trace) -> Gaps {
    let knobs = trace.records.first().and_then(|header| header.data.get("knobs"));
    let Some(Value::Map(knobs)) = knobs else { return (PERIOD, PERIOD) };
    let text = knobs.get("timeupdate.period").and_then(Value::as_text);
    let seconds = text.and_then(|text| Decimal::read(text.trim_end_matches('s')));
    let micros = seconds.and_then(|seconds| u64::try_from(seconds.millionths()).ok());
    let period = micros.map_or(PERIOD, Span::from_micros);
    let is_jittered = knobs.get("timeupdate.jitter").is_some();
    (if is_jittered { (period - period.share(1, 4)).max(CLOSEST) } else { period }, period)
}

/// The time updates of one player.
struct Beat<'a> {
    gaps: Gaps,
    /// When the last came, or the moment from which they count; `None`: none is due.
    last: Option<Time>,
    /// One off the beat: a pause, a seek, a stall or the end must follow in the same instant.
    odd: Option<(&'a Record, Time)>,
    is_playing: bool,
}

impl<'a> Beat<'a> {
    fn take(&mut self, record: &'a Record, findings: &mut Findings) {
        if self.odd.is_some_and(|(_, at)| at < record.at) {
            self.settle(findings);
        }
        match (record.kind, &*record.name) {
            (Kind::Event, "timeupdate") => self.update(record, findings),
            (Kind::State, name) => {
                self.rest(record, findings);
                self.is_playing = name == "playing";
                self.last = self.is_playing.then_some(record.at);
            }
            // From a seek to its end nothing is due; then it counts anew.
            (Kind::Media | Kind::Event, "seeking") if self.is_playing => self.rest(record, findings),
            (Kind::Media | Kind::Event, "seeked") if self.is_playing => {
                self.odd = None;
                self.last = Some(record.at);
            }
            (Kind::Media | Kind::Event, "seeked") => self.odd = None,
            (Kind::Event, "pause" | "ended" | "stopped") => self.odd = None,
            _ => {}
        }
    }

    /// Time updates, each by the one before.
    fn update(&mut self, record: &'a Record, findings: &mut Findings) {
        for (seq, at) in record.each() {
            let Some(last) = self.last else { return };
            self.settle(findings);
            let gap = at - last;
            let (shortest, longest) = self.gaps;
            if (shortest..=longest).contains(&gap) {
                self.last = Some(at);
            } else if gap < shortest {
                self.odd = Some((record, at));
            } else {
                findings.add_at(record, seq, at, format!("timeupdate comes {gap} s after the one before"));
                self.last = Some(at);
            }
        }
    }

    /// They stop here: none may have been missed, and one off the beat has its reason.
    fn rest(&mut self, record: &Record, findings: &mut Findings) {
        self.odd = None;
        if let Some(last) = self.last.take()
            && record.at - last > self.gaps.1
        {
            findings.add(record, format!("no timeupdate came since {last}"));
        }
    }

    /// One off the beat that nothing explained.
    fn settle(&mut self, findings: &mut Findings) {
        if let Some((record, at)) = self.odd.take() {
            findings.add_at(record, record.seq, at, "timeupdate comes off its beat");
        }
    }
}
