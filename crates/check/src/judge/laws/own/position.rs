//! The position of the content, its movement, and the period of its time updates.
//!
//! A position is known only where the script reads it. If nothing between two readings moves the
//! playhead, they must differ by exactly the time spent playing.
//!
//! Rules: INV-15, INV-22.

use super::{has_argument, returned};
use crate::judge::line::Line;
use crate::judge::{Findings, Session};
use playsim_api::{
    Call, Decimal, EventName, Kind, LineName, PageLine, Query, StateLine, UserLine, Value,
};
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::{Jitter, Knobs};
use playsim_trace::Record;

/// The position is between 0 and the duration; it moves only while playing, and by the time that
/// passed. Rule INV-15.
pub(crate) fn moves_when_playing(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        let mut course = Course::default();
        for record in lines.records() {
            course.take(record);
            let reads = record.cause.is_none() && !has_argument(record);
            let read = if reads {
                returned(record, Query::CurrentTime)
            } else {
                None
            };
            // The media element says where it continues, too.
            let goes_on = || {
                record
                    .data
                    .get("position")
                    .filter(|_| record.kind == Kind::Media)
            };
            let read = read
                .or_else(|| goes_on().filter(|_| record.media_event() == Some(EventName::Playing)));
            if let Some(position) = read.and_then(Value::as_number) {
                course.read(record, position, findings);
            }
        }
    }
}

/// The known position of one player.
#[derive(Default)]
struct Course {
    /// The last position read, unless something has moved the playhead since.
    known: Option<(Time, Decimal)>,
    duration: Option<Decimal>,
    playing_since: Option<Time>,
    played: Span,
    /// How often playback has started or resumed since; each time may round the position down once.
    starts: i64,
    rate: Rate,
    is_ad: bool,
    /// Whether a seek waits for the end of the ad. Before the content has metadata no event says
    /// that it is done.
    is_held: bool,
}

/// The speed of the content. Rule MEL-22.
struct Rate {
    in_force: Decimal,
    /// The rate that the page has requested last.
    asked: Decimal,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate {
            in_force: Decimal::ONE,
            asked: Decimal::ONE,
        }
    }
}

impl Course {
    fn take(&mut self, record: &Line<'_>) {
        if record.kind == Kind::State {
            if let Some(since) = self.playing_since.take() {
                self.played += record.at - since;
            }
            self.playing_since = record.is(StateLine::Playing).then_some(record.at);
            self.starts += 1;
            self.is_ad = [
                StateLine::AdLoading,
                StateLine::AdPlaying,
                StateLine::AdPaused,
            ]
            .into_iter()
            .any(|state| record.is(state));
            if !self.is_ad && std::mem::take(&mut self.is_held) {
                self.known = None;
            }
        }
        let (event, name) = (record.media_event(), record.line_name());
        if matches!(
            event,
            Some(EventName::LoadStart | EventName::Emptied | EventName::Error)
        ) || name.is_some_and(may_be_other_item)
        {
            self.duration = None;
        }
        if event == Some(EventName::DurationChange) {
            self.duration = record.data.get("duration").and_then(Value::as_number);
            // A start position beyond the end is moved to the end.
            self.known = None;
        }
        let is_moving_call = matches!(
            name,
            Some(LineName::Call(Call::CurrentTime | Call::CurrentChapter))
        );
        if event.is_some_and(is_moving_event)
            || name.is_some_and(is_moving)
            || is_moving_call && has_argument(record)
        {
            self.known = None;
            self.is_held |= self.is_ad;
        }
        if name == Some(PageLine::Rate.into()) {
            self.rate.asked = record
                .data
                .get("rate")
                .and_then(Value::as_number)
                .unwrap_or(Decimal::ONE);
        }
        match event {
            // A new source starts at its own speed.
            Some(EventName::LoadStart) => self.rate = Rate::default(),
            Some(EventName::Emptied) => self.rate.asked = Decimal::ONE,
            Some(EventName::RateChange) => {
                self.known = None;
                // The media line contains the rate; the event that page code observes does not.
                self.rate.in_force = record
                    .data
                    .get("rate")
                    .and_then(Value::as_number)
                    .unwrap_or(self.rate.asked);
            }
            _ => {}
        }
    }

    fn read(&mut self, record: &Record, position: Decimal, findings: &mut Findings<'_>) {
        if position < Decimal::default()
            || self.duration.is_some_and(|duration| position > duration)
        {
            findings.broken(
                record,
                format!("the position is {position}, outside the content"),
            );
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
                "the position is {position}, but it was {before} at {at}, and {played} s have been played since"
            );
            findings.broken(record, text);
        }
        self.known = Some((record.at, position));
        self.played = Span::ZERO;
        self.starts = 0;
    }

    /// Returns whether the time spent playing accounts for the change from one position to another.
    fn explains(&self, before: Decimal, position: Decimal) -> bool {
        let advanced = position.millionths().saturating_sub(before.millionths());
        let played = Decimal::seconds(self.played.micros()).millionths();
        if self.rate.in_force == Decimal::ONE {
            return advanced == played;
        }
        // Positions are whole microseconds, and nothing happens early. The live edge cannot be
        // passed.
        let due = i128::from(played) * i128::from(self.rate.in_force.millionths()) / 1_000_000;
        let is_live = self.duration.is_none();
        let lack = due - i128::from(advanced);
        // In a microsecond of the clock, the position advances by this many.
        let step = i128::from(self.rate.in_force.millionths().div_euclid(1_000_000)) + 1;
        lack >= -1 && (is_live || lack <= (i128::from(self.starts) + 1) * step)
    }
}

/// Whether a line may switch to another item, which may load later.
fn may_be_other_item(name: LineName) -> bool {
    matches!(
        name,
        LineName::Event(EventName::Skipped)
            | LineName::User(UserLine::Next | UserLine::Previous)
            | LineName::Call(Call::Next | Call::Previous | Call::PlayByIndex)
            // At the end of a playlist, `play()` starts the first item.
            | LineName::Call(Call::Play)
            | LineName::User(UserLine::Play)
    )
}

/// Whether a line moves the playhead: a seek, a stop, a replay, another item.
fn is_moving(name: LineName) -> bool {
    matches!(
        name,
        LineName::Call(Call::Stop | Call::Next | Call::Previous | Call::PlayByIndex)
            | LineName::Call(Call::Destroy | Call::Src | Call::LoadPlaylist)
            | LineName::User(UserLine::Seek | UserLine::Next | UserLine::Previous)
            // These mark another item without media, and the first moment at which getters return
            // values at all.
            | LineName::State(StateLine::Initial | StateLine::Destroyed)
    )
}

/// Whether an event, of the player or of its media element, moves the playhead.
fn is_moving_event(event: EventName) -> bool {
    matches!(
        event,
        EventName::Seeking
            | EventName::Seeked
            | EventName::LoadStart
            | EventName::Emptied
            | EventName::Stopped
            | EventName::Skipped
            // Another rendition; that of a live stream may have another window.
            | EventName::Resize
            | EventName::QualityChange
    )
}

/// The smallest gap between two time updates, even with random jitter. Rule MEL-15.
const CLOSEST: Span = Span::from_millis(15);

/// The gaps between periodic time updates equal the period, or with jitter up to a quarter less.
/// Rule INV-22.
pub(crate) fn even_time_updates(session: &Session<'_>, findings: &mut Findings<'_>) {
    let gaps = gaps(&session.knobs);
    for lines in session.players() {
        let mut beat = Beat {
            gaps,
            last: None,
            odd: None,
            is_playing: false,
        };
        for record in lines.records() {
            beat.take(record, findings);
        }
        // The cause of the last one may still have been queued.
        if !session.trace.is_cut_short() {
            beat.settle(findings);
        }
    }
}

/// The shortest and the longest gap.
type Gaps = (Span, Span);

/// Returns the gaps that the knobs allow.
fn gaps(knobs: &Knobs) -> Gaps {
    let period = knobs.timeupdate_period;
    match knobs.timeupdate_jitter {
        Jitter::None => (period, period),
        Jitter::Seeded => ((period - period.share(1, 4)).max(CLOSEST), period),
    }
}

/// The periodic time updates of one player.
struct Beat<'a> {
    gaps: Gaps,
    /// The time of the last one, or the time from which the period counts; `None` if none is due.
    last: Option<Time>,
    /// One that was out of step; a pause, a seek, a stall or the end must follow at the same
    /// instant.
    odd: Option<(&'a Record, Time)>,
    is_playing: bool,
}

impl<'a> Beat<'a> {
    fn take(&mut self, record: &'a Line<'_>, findings: &mut Findings<'_>) {
        if self.odd.is_some_and(|(_, at)| at < record.at) {
            self.settle(findings);
        }
        if record.kind == Kind::State {
            self.rest(record, findings);
            self.is_playing = record.is(StateLine::Playing);
            self.last = self.is_playing.then_some(record.at);
        }
        match record.media_event() {
            Some(EventName::TimeUpdate) => self.update(record, findings),
            // None is due during a seek; the period starts again after it.
            Some(EventName::Seeking) if self.is_playing => self.rest(record, findings),
            Some(EventName::Seeked) if self.is_playing => {
                self.odd = None;
                self.last = Some(record.at);
            }
            Some(EventName::Seeked | EventName::Pause | EventName::Ended | EventName::Stopped) => {
                self.odd = None;
            }
            Some(_) | None => {}
        }
    }

    /// Handles time updates, comparing each with the one before.
    fn update(&mut self, record: &'a Record, findings: &mut Findings<'_>) {
        for (_, at) in record.each() {
            let Some(last) = self.last else { return };
            self.settle(findings);
            let gap = at - last;
            let (shortest, longest) = self.gaps;
            if (shortest..=longest).contains(&gap) {
                self.last = Some(at);
            } else if gap < shortest {
                self.odd = Some((record, at));
            } else {
                findings.broken_at(
                    record,
                    at,
                    format!("timeupdate fires {gap} s after the previous one"),
                );
                self.last = Some(at);
            }
        }
    }

    /// Handles a line that stops them: none may have been missed, and one out of step is accounted
    /// for.
    fn rest(&mut self, record: &Record, findings: &mut Findings<'_>) {
        self.odd = None;
        if let Some(last) = self.last.take()
            && record.at - last > self.gaps.1
        {
            findings.broken(record, format!("no timeupdate has fired since {last}"));
        }
    }

    /// Reports one that was out of step without a reason.
    fn settle(&mut self, findings: &mut Findings<'_>) {
        if let Some((record, at)) = self.odd.take() {
            findings.broken_at(record, at, "timeupdate fires out of step with its period");
        }
    }
}
