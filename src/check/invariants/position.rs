//! Where the content stands and how it moves, and the beat of its time updates.
//!
//! A position is known only where the script read it: two readings with nothing between that moves the
//! playhead must differ by exactly the time that was spent playing.
//!
//! Rules: INV-15, INV-22.

use super::{Findings, has_argument, is, of_each_player, returned};
use crate::api::{Decimal, Kind, Value};
use crate::time::{Span, Time};
use crate::trace::{Record, Trace};

/// Position within 0 and duration; it moves only while playing, and by the time that passed. Rule INV-15.
pub(super) fn moves_when_playing(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut known: Option<(Time, Decimal)> = None;
        let mut duration: Option<Decimal> = None;
        let mut played = Span::ZERO;
        let mut playing_since: Option<Time> = None;
        for record in lines {
            if record.kind == Kind::State {
                if let Some(since) = playing_since.take() {
                    played += record.at - since;
                }
                playing_since = is(record, Kind::State, "playing").then_some(record.at);
            }
            if is(record, Kind::Media, "loadstart") || is_other_item(record) {
                duration = None;
            }
            if is(record, Kind::Media, "durationchange") {
                duration = number(record.data.get("duration"));
                // A start position behind the end is moved to the end.
                known = None;
            }
            if moves(record) {
                known = None;
            }
            let reads = record.cause.is_none() && !has_argument(record);
            let read = if reads { returned(record, "currentTime") } else { None };
            let Some(position) = number(read) else { continue };
            if position < Decimal::default() || duration.is_some_and(|duration| position > duration) {
                findings.add(record, format!("the position is {position}, outside of the content"));
            }
            if let Some(since) = &mut playing_since {
                played += record.at - *since;
                *since = record.at;
            }
            if let Some((at, before)) = known {
                let due = before.millionths().saturating_add(Decimal::seconds(played.micros()).millionths());
                if position.millionths() != due {
                    let text = format!(
                        "the position is {position}; it was {before} at {at} and {played} s were played since"
                    );
                    findings.add(record, text);
                }
            }
            known = Some((record.at, position));
            played = Span::ZERO;
        }
    });
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
        (Kind::Media, "seeking" | "seeked" | "loadstart" | "emptied") => true,
        (Kind::Event, "seeked" | "stopped" | "skipped") => true,
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

/// The gaps between periodic time updates are the period. Rule INV-22.
pub(super) fn even_time_updates(trace: &Trace, findings: &mut Findings) {
    let period = period(trace);
    of_each_player(trace, |lines| {
        let mut beat = Beat { period, last: None, odd: None, is_playing: false };
        for record in lines {
            beat.take(record, findings);
        }
        // A livelock ends before everything was told.
        if trace.outcome() != "livelock" {
            beat.settle(findings);
        }
    });
}

/// What the header says.
fn period(trace: &Trace) -> Span {
    let knobs = trace.records.first().and_then(|header| header.data.get("knobs"));
    let Some(Value::Map(knobs)) = knobs else { return PERIOD };
    let text = knobs.get("timeupdate.period").and_then(Value::as_text);
    let seconds = text.and_then(|text| Decimal::read(text.trim_end_matches('s')));
    let micros = seconds.and_then(|seconds| u64::try_from(seconds.millionths()).ok());
    micros.map_or(PERIOD, Span::from_micros)
}

/// The time updates of one player.
struct Beat<'a> {
    period: Span,
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
            (Kind::Media, "seeking") if self.is_playing => self.rest(record, findings),
            (Kind::Event, "seeked") if self.is_playing => {
                self.odd = None;
                self.last = Some(record.at);
            }
            (Kind::Event, "seeked" | "pause" | "ended" | "stopped") => self.odd = None,
            _ => {}
        }
    }

    /// Time updates, each by the one before.
    fn update(&mut self, record: &'a Record, findings: &mut Findings) {
        for (seq, at) in record.each() {
            let Some(last) = self.last else { return };
            self.settle(findings);
            let gap = at - last;
            if gap == self.period {
                self.last = Some(at);
            } else if gap < self.period {
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
            && record.at - last > self.period
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
