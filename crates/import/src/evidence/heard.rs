//! Where the content was, as a recorder that hears media elements tells it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::recording::RequestRecording;
use playsim_api::{EventName, Kind, UiLine, Value};
use playsim_base::time::{Span, Time};
use playsim_check::recording::ContentClock;
use playsim_trace::Record;
use playsim_vast::names::{Named, Names};

/// What a recorder heard of films.
#[derive(Debug, Default)]
pub(crate) struct HeardFilms {
    /// The position of the content when each request was sent; `None` before it was loaded.
    pub(crate) positions: Vec<Option<Span>>,
    /// How long each film is.
    pub(crate) lengths: BTreeMap<Arc<str>, Span>,
    /// The content that was on the screen first.
    pub(crate) content: Option<Arc<str>>,
    /// When a film of an ad came on the screen, by its URL.
    shown: Vec<(Arc<str>, Time)>,
}

impl HeardFilms {
    /// Returns what is known of films; `None` if the recorder heard nothing of the content.
    pub(super) fn of(recording: &RequestRecording, names: &Names) -> Option<HeardFilms> {
        let mut heard = HeardFilms::default();
        let mut clock = ContentClock::default();
        let mut lines = recording.films.iter().peekable();
        for (index, it) in recording.exchanges.iter().enumerate() {
            while let Some((_, line)) = lines.next_if(|(sent, _)| *sent <= index) {
                heard.take(line, names, &mut clock);
            }
            heard.positions.push(clock.at(it.at()));
        }
        lines.for_each(|(_, line)| heard.take(line, names, &mut clock));
        heard.content.is_some().then_some(heard)
    }

    /// Returns how long the content is, if that was heard.
    pub(crate) fn length(&self) -> Option<Span> {
        self.lengths.get(self.content.as_ref()?).copied()
    }

    /// Returns when the film of an ad came on the screen, from a time on.
    pub(crate) fn shown(&self, film: &str, since: Time) -> Option<Time> {
        let mut all = self.shown.iter();
        all.find(|(src, at)| **src == *film && *at >= since)
            .map(|(_, at)| *at)
    }

    fn take(&mut self, line: &Record, names: &Names, clock: &mut ContentClock) {
        let Some(src) = line.data.text("src").filter(|src| !src.is_empty()) else {
            return;
        };
        if let Some(length) = length(line) {
            self.lengths.insert((&**src).into(), length);
        }
        let is_ad =
            |index: usize| matches!(names.all[index].what, Named::Media | Named::Interactive);
        if names.of(src).into_iter().any(is_ad) {
            if line.is(UiLine::Shown) {
                self.shown.push(((&**src).into(), line.at));
            }
            return;
        }
        self.content.get_or_insert_with(|| (&**src).into());
        if line.is(UiLine::Shown) {
            clock.show(line.at);
        } else if line.is(UiLine::Gone) {
            clock.stop(line.at);
        } else if let Some(position) = seconds(line, "position") {
            clock.take(line, position);
        }
    }
}

/// Returns how long a film is, if a line of its element tells that.
fn length(line: &Record) -> Option<Span> {
    let is_end = line.kind == Kind::Media && line.media_event() == Some(EventName::Ended);
    let length = seconds(line, "duration");
    length.or_else(|| seconds(line, "position").filter(|_| is_end))
}

fn seconds(line: &Record, key: &str) -> Option<Span> {
    let number = line.data.get(key).and_then(Value::as_number)?;
    let micros = u64::try_from(number.millionths()).ok()?;
    Some(Span::from_micros(micros))
}
