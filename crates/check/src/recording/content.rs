//! Where the content is, by the lines of its media element.

use playsim_api::EventName;
use playsim_base::time::{Span, Time};
use playsim_trace::Record;

/// The position of the content. Its input is the lines about it, in order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentClock {
    last: Option<(Time, Span)>,
    is_playing: bool,
    /// Whether its element has just been given a source: until it plays or a seek is done, its
    /// position says nothing.
    is_loading: bool,
}

impl ContentClock {
    /// Takes a line of its media element, which has this position.
    pub fn take(&mut self, line: &Record, position: Span) {
        let event = line.media_event();
        match event {
            Some(EventName::Playing) => self.is_playing = true,
            Some(
                EventName::Pause
                | EventName::Ended
                | EventName::Waiting
                | EventName::Error
                | EventName::Emptied
                | EventName::LoadStart,
            ) => self.stop(line.at),
            _ => {}
        }
        self.is_loading |= matches!(
            event,
            Some(EventName::Emptied | EventName::LoadStart | EventName::Abort)
        );
        self.is_loading &= !matches!(event, Some(EventName::Playing | EventName::Seeked));
        if !self.is_loading {
            self.last = Some((line.at, position));
        }
    }

    /// Its film comes on screen, and plays from where it was.
    pub fn show(&mut self, at: Time) {
        self.last = Some((at, self.at(at).unwrap_or_default()));
        self.is_playing = true;
    }

    /// It does not go on. Time that was played until then counts; the position of an element
    /// without a source is 0.
    pub fn stop(&mut self, at: Time) {
        self.last = self.at(at).map(|position| (at, position));
        self.is_playing = false;
    }

    /// Returns its position at a time that is not before the last line; `None` before the first
    /// one.
    #[must_use]
    pub fn at(&self, now: Time) -> Option<Span> {
        let (at, position) = self.last?;
        Some(if self.is_playing {
            position + (now - at)
        } else {
            position
        })
    }

    /// Returns when the last line came that said where it is.
    #[must_use]
    pub fn told(&self) -> Option<Time> {
        self.last.map(|(at, _)| at)
    }
}
