//! The ads that were shown, by the lines of a trace that names trackers itself: `beacon` lines and
//! documented events.
//!
//! This is how playsim writes a trace. Without documents, which trackers an ad has is known only
//! from those that were called.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Session;
use super::line::Line;
use super::lines::{seconds, text};
use super::placed::{Placed, placed};
use super::showing::{COURSE, LAST, Moment, Showing, TrackerCall, is_among};
use playsim_api::{AdLine, EventName, Kind, PageLine, Value};
use playsim_base::escape;
use playsim_base::time::{Span, Time};
use playsim_trace::PlayerIndex;
use playsim_vast::{TrackedEvent, TrackingEvent};

/// The trackers of playback, which only a linear ad has, or only before its end.
const OF_PLAYBACK: [TrackingEvent; 12] = [
    TrackingEvent::Impression,
    TrackingEvent::CreativeView,
    TrackingEvent::Loaded,
    TrackingEvent::Progress,
    TrackingEvent::Skip,
    TrackingEvent::CloseLinear,
    TrackingEvent::Pause,
    TrackingEvent::Resume,
    TrackingEvent::Mute,
    TrackingEvent::Unmute,
    TrackingEvent::ClickTracking,
    TrackingEvent::Error,
];

/// Where the ads of one slot follow one another: a player, and its break of linear ads if the trace
/// has breaks.
type Slot = (Option<PlayerIndex>, Option<usize>);

/// The ad of a slot.
#[derive(Debug, Default)]
struct Current {
    /// Its index in the showings.
    index: usize,
    ad: Option<Arc<str>>,
    is_over: bool,
    is_paused: bool,
    is_stalled: bool,
}

/// The state gathered from the lines.
struct Gathered<'s, 'a> {
    session: &'s Session<'a>,
    showings: Vec<Showing>,
    current: BTreeMap<Slot, Current>,
    /// The length of the ad that was made ready last, and whether a unit plays it.
    ready: BTreeMap<Slot, (Option<Span>, bool)>,
}

/// Returns the linear ads that were shown.
pub(super) fn showings(session: &Session<'_>) -> Vec<Showing> {
    let mut gathered = Gathered {
        session,
        showings: Vec::new(),
        current: BTreeMap::new(),
        ready: BTreeMap::new(),
    };
    let owners = (0..session.trace.players.len()).filter_map(|number| u16::try_from(number).ok());
    for owner in owners.map(|number| Some(PlayerIndex(number))).chain([None]) {
        let own = session
            .trace
            .records
            .iter()
            .filter(|record| record.player == owner);
        let mut lines = own.map(Line::of);
        for (index, line) in session
            .lines()
            .filter(|(_, record)| record.player == owner)
            .map(|(index, _)| index)
            .zip(placed(session.trace, &mut lines))
        {
            gathered.take(index, line);
        }
    }
    let mut showings = gathered.showings;
    showings
        .iter_mut()
        .for_each(|showing| showing.settle(session.is_own));
    showings.sort_by_key(|showing| showing.first);
    showings
}

impl Gathered<'_, '_> {
    fn take(&mut self, index: usize, line: Placed<'_>) {
        let record = line.record;
        let slot = (record.player, line.in_break);
        let moment = Moment {
            record: index,
            at: record.at,
        };
        if record.is(AdLine::Fill) || record.is(AdLine::Vpaid) || record.is(AdLine::Simid) {
            self.fill(slot, index);
        }
        if record.is(AdLine::Seek) || record.is(PageLine::Rate) {
            self.showings
                .iter_mut()
                .for_each(|showing| showing.is_steady &= showing.to.is_some());
        }
        let to = record
            .data
            .get("position")
            .and_then(Value::as_number)
            .and_then(seconds);
        if let Some(to) = to.filter(|_| record.is(AdLine::Seek)) {
            self.change(slot, |showing| showing.positions.push((record.at, to)));
        }
        if record.is(AdLine::Waiting) || record.is(AdLine::Playing) {
            self.stand(slot, record.at, |current| {
                current.is_stalled = record.is(AdLine::Waiting)
            });
        }
        if let Some(event @ (EventName::AdPause | EventName::AdResume)) = record.event() {
            self.stand(slot, record.at, |current| {
                current.is_paused = event == EventName::AdPause
            });
        }
        match record.event() {
            Some(EventName::AdImpression) => self.begin(slot, index, None, !line.is_linear),
            Some(EventName::VpaidStart) => self.change(slot, |showing| showing.is_scripted = true),
            Some(EventName::AdStart) => {
                self.change(slot, |showing| showing.from = showing.from.or(Some(moment)))
            }
            Some(EventName::AdComplete | EventName::AdSkip | EventName::AdError) => {
                self.end(slot, moment)
            }
            _ => {}
        }
        if record.kind == Kind::Beacon {
            self.beacon(slot, index, line);
        }
        if record.ends_break() {
            self.end(slot, moment);
        }
    }

    fn change(&mut self, slot: Slot, change: impl FnOnce(&mut Showing)) {
        if let Some(current) = self.current.get(&slot).filter(|current| !current.is_over)
            && let Some(showing) = self.showings.get_mut(current.index)
        {
            change(showing);
        }
    }

    /// Handles a change that may stop the playhead of the ad, or let it advance again.
    fn stand(&mut self, slot: Slot, at: Time, change: impl FnOnce(&mut Current)) {
        let Some(current) = self.current.get_mut(&slot) else {
            return;
        };
        let before = current.is_paused || current.is_stalled;
        change(current);
        let now = current.is_paused || current.is_stalled;
        self.change(slot, |showing| match (before, now) {
            (false, true) => showing.still.push((at, Time::MAX)),
            (true, false) => showing
                .still
                .last_mut()
                .into_iter()
                .for_each(|(_, to)| *to = at),
            (true, true) | (false, false) => {}
        });
    }

    fn end(&mut self, slot: Slot, moment: Moment) {
        self.change(slot, |showing| showing.to = showing.to.or(Some(moment)));
        if let Some(current) = self.current.get_mut(&slot) {
            current.is_over = true;
        }
    }

    /// Handles an ad line about the next ad, or about the one that plays.
    fn fill(&mut self, slot: Slot, index: usize) {
        let record = &self.session.trace.records[index];
        if record.is(AdLine::Fill) {
            let length = record
                .data
                .get("duration")
                .and_then(Value::as_number)
                .and_then(seconds);
            self.ready.insert(slot, (length, false));
        } else {
            self.ready.entry(slot).or_default().1 = true;
            self.change(slot, |showing| showing.is_scripted = true);
        }
    }

    fn begin(&mut self, slot: Slot, index: usize, ad: Option<Arc<str>>, is_overlay: bool) {
        let record = &self.session.trace.records[index];
        let (length, is_scripted) = self.ready.get(&slot).copied().unwrap_or_default();
        let is_whole = self.session.trace.records[..index]
            .iter()
            .any(|record| !record.kind.is_frame());
        self.current.insert(
            slot,
            Current {
                index: self.showings.len(),
                ad: ad.clone(),
                ..Current::default()
            },
        );
        self.showings.push(Showing {
            name: ad.map_or_else(
                || "the ad".to_owned(),
                |ad| format!("ad {}", escape::line(&ad)),
            ),
            first: index,
            from: None,
            length,
            is_scripted,
            is_steady: record.kind == Kind::Event,
            is_whole,
            is_overlay,
            ..Showing::default()
        });
    }

    fn beacon(&mut self, slot: Slot, index: usize, line: Placed<'_>) {
        let record = line.record;
        let event = TrackedEvent::of(&record.name);
        let Some(url) = text(&record, "url") else {
            return;
        };
        if !is_among(&event, &OF_PLAYBACK) && !is_among(&event, &COURSE) {
            return;
        }
        let ad = text(&record, "ad");
        let has_events = self
            .session
            .hears(Kind::Event, EventName::AdImpression.name());
        let current = self.current.get(&slot);
        let is_other = current.is_none_or(|current| {
            // The ads of a wrapper chain have names of their own; events say where the next one
            // begins.
            let is_named_otherwise =
                !has_events && ad.is_some() && current.ad.is_some() && ad != current.ad;
            is_named_otherwise
                || current.is_over
                    && is_among(&event, &[TrackingEvent::Impression, TrackingEvent::Start])
        });
        if is_other && (has_events || event == TrackingEvent::Error) {
            // Without an ad it is not a tracker of one: errors of tags, trackers of units that did
            // not start.
            return;
        }
        if is_other {
            self.begin(slot, index, ad.clone(), !line.is_linear);
        }
        let Some(current) = self.current.get_mut(&slot) else {
            return;
        };
        if current.is_over && event == TrackingEvent::Error {
            return;
        }
        current.ad = current.ad.take().or(ad);
        let is_last = is_among(&event, &LAST) && !has_events;
        let hop = record.data.integer("hop").unwrap_or_default();
        // The documents, if they are known, say which trackers the ad has.
        let known = self.session.spots().tracker(&url);
        let key = known
            .as_ref()
            .map_or_else(|| format!("{hop} {url}").into(), |known| known.key.clone());
        let code = known
            .as_ref()
            .and_then(|known| known.code.clone())
            .or_else(|| code_in(&url));
        let index_of = current.index;
        current.is_over |= is_last;
        let showing = &mut self.showings[index_of];
        if let Some(ad) = &current.ad {
            showing.name = format!("ad {}", escape::line(ad));
        }
        let all = &self.session.spots().all;
        let is_its_own = |spot: &usize| {
            all[*spot]
                .named
                .iter()
                .any(|it| it.hops == 0 && *it.key == *key)
        };
        let spots = known.into_iter().flat_map(|known| known.spots);
        if let Some(spot) = spots
            .filter(is_its_own)
            .rfind(|spot| all[*spot].record < index)
            && showing.known.is_none()
        {
            showing.named = Some(all[spot].named.clone());
            showing.known = Some(spot);
            showing.skip_from = all[spot].skip_from;
            showing.is_scripted |= all[spot].is_scripted;
        }
        showing.calls.push(TrackerCall {
            record: index,
            turn: 0,
            at: record.at,
            event,
            url,
            key,
            is_shared: false,
            code,
        });
        if is_last {
            showing.to = showing.to.or(Some(Moment {
                record: index,
                at: record.at,
            }));
        }
    }
}

/// Returns the code of a linear ad that a URL seems to have: the only number of three digits that
/// begins with a 4.
fn code_in(url: &str) -> Option<Arc<str>> {
    let numbers = url.split(|letter: char| !letter.is_ascii_digit());
    let mut codes = numbers.filter(|number| number.len() == 3 && number.starts_with('4'));
    codes
        .next()
        .filter(|_| codes.next().is_none())
        .map(Arc::from)
}
