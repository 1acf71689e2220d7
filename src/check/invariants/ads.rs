//! One linear ad at a time: what may come while it is on, and how it ends.
//!
//! An overlay leaves content playing; while one is open, ad events may be its own, and nothing here is
//! judged.
//!
//! Rules: INV-8, INV-10, INV-13, INV-14.

use super::{Findings, event, is, of_each_player, returned, text};
use crate::api::{Kind, Value};
use crate::trace::{Record, Trace};

/// What the lines so far say about breaks and ads of one player.
#[derive(Debug, Default)]
struct Screen {
    /// How many breaks are open.
    breaks: u32,
    overlays: u32,
    /// Whether a linear ad is on: from its impression to its end.
    ad_is_on: bool,
}

impl Screen {
    /// Takes what a line changes before it is judged.
    fn begin(&mut self, record: &Record) {
        if is(record, Kind::Break, "begin") {
            self.breaks += 1;
            self.overlays += u32::from(is_overlay(record));
        }
    }

    /// Takes what a line changes after it was judged.
    fn end(&mut self, record: &Record) {
        match (record.kind, &*record.name) {
            (Kind::Event, "adImpression") => self.ad_is_on = self.overlays == 0,
            (Kind::Event, "adComplete" | "adSkip" | "adError") => self.ad_is_on = false,
            (Kind::Break, "end") => {
                self.breaks = self.breaks.saturating_sub(1);
                self.overlays = self.overlays.saturating_sub(u32::from(is_overlay(record)));
                self.ad_is_on = false;
            }
            _ => {}
        }
    }
}

fn is_overlay(record: &Record) -> bool {
    text(record, "kind").is_some_and(|kind| **kind == *"overlay")
}

/// No content `play`, `pause`, `timeupdate`, `seeked`, `lastSecond` while an ad is on. Rule INV-8.
///
/// Whether one is on, `getAdInProgress()` says too: read by the script between inputs, it must agree.
pub(super) fn no_content_events(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut screen = Screen::default();
        for record in lines {
            screen.begin(record);
            let name = event(record);
            if screen.ad_is_on && matches!(name, "play" | "pause" | "timeupdate" | "seeked" | "lastSecond") {
                findings.add(record, format!("{name} comes while an ad is on"));
            }
            let read = returned(record, "getAdInProgress").and_then(Value::as_bool);
            if let Some(says) = read.filter(|_| record.cause.is_none() && screen.overlays == 0)
                && says != screen.ad_is_on
            {
                findings
                    .add(record, format!("getAdInProgress() is {says}; the events say {}", screen.ad_is_on));
            }
            screen.end(record);
        }
    });
}

/// `adError` only inside a break, `playbackerror` only outside ads. Rule INV-10.
pub(super) fn errors_in_their_place(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut screen = Screen::default();
        for record in lines {
            screen.begin(record);
            match event(record) {
                "adError" if screen.breaks == 0 => findings.add(record, "adError comes outside of any break"),
                "playbackerror" if screen.ad_is_on => {
                    findings.add(record, "playbackerror comes while an ad is on")
                }
                _ => {}
            }
            screen.end(record);
        }
    });
}

/// The steps of an ad in their order.
const QUARTILES: [&str; 3] = ["adFirstQuartile", "adMidpoint", "adThirdQuartile"];

/// An impression is followed by one of complete, skip and error; quartiles in order, once. Rule INV-13.
pub(super) fn one_way_through(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut screen = Screen::default();
        let (mut started, mut quartiles) = (false, 0);
        for record in lines {
            screen.begin(record);
            let (on, name) = (screen.ad_is_on, event(record));
            let wrong = match name {
                _ if screen.overlays > 0 => None,
                "adImpression" if on => Some("while the ad before it is on"),
                "adImpression" => {
                    (started, quartiles) = (false, 0);
                    None
                }
                "adStart" if !on || std::mem::replace(&mut started, true) => {
                    Some("without an impression of its own")
                }
                // It may stand in the place of `adStart`. BRK-2
                "vpaidStart" if !on => Some("without an impression of its own"),
                "vpaidStart" => {
                    started = true;
                    None
                }
                "adFirstQuartile" | "adMidpoint" | "adThirdQuartile" => {
                    let is_next = on && started && QUARTILES.get(quartiles) == Some(&name);
                    quartiles += usize::from(is_next);
                    (!is_next).then_some("out of its order")
                }
                "adComplete" if !on => Some("without an ad"),
                "adComplete" if quartiles < QUARTILES.len() => Some("before all quartiles"),
                "adSkip" | "adPause" | "adResume" if !on => Some("without an ad"),
                _ => None,
            };
            if let Some(wrong) = wrong {
                findings.add(record, format!("{name} comes {wrong}"));
            }
            let is_left = is(record, Kind::Break, "end") && on;
            if is_left && text(record, "outcome").is_none_or(|outcome| **outcome != *"aborted") {
                findings.add(record, "the break ends, and its ad was neither completed, skipped nor failed");
            }
            screen.end(record);
        }
    });
}

/// An ad is resumed no more often than it was paused, and each in turn. Rule INV-14.
pub(super) fn resumed_when_paused(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut paused = false;
        for record in lines {
            match event(record) {
                "adImpression" => paused = false,
                "adPause" if std::mem::replace(&mut paused, true) => {
                    findings.add(record, "adPause comes while the ad is paused");
                }
                "adResume" if !std::mem::take(&mut paused) => {
                    findings.add(record, "adResume comes without an adPause");
                }
                _ => {}
            }
        }
    });
}
