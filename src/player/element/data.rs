//! How data arrive: what is at hand, what it is good for, what loading tells of itself.
//!
//! Media without a bandwidth script are complete with their metadata. With one, data come from the place
//! that was asked for to the end; a seek to what is not at hand asks anew, and lets go of what was there. A
//! scripted stall keeps data away for a while all the same. Loading does not wait for `play()`.
//!
//! Rules: MEL-3 to MEL-5, MEL-13, MEL-17, MEL-25.

use crate::api::Cause;
use crate::media::{Arrival, MediaInfo, Playhead, Rate, Stall, Supply};
use crate::player::rhythm::Rhythm;
use crate::time::{Position, Span, Time};

/// Loading that hears nothing for so long has stalled. Rule MEL-5.
pub(super) const STALLED_AFTER: Span = Span::from_secs(3);
/// A first picture takes so much media. Rule MEL-3.
const FRAME: Span = Span::from_millis(40);
/// With so much media ahead there is enough to go on. Rules MEL-3, MEL-17.
const ENOUGH_TO_GO_ON: Span = Span::from_secs(1);

/// What the data at hand were announced to be good for: HTML's ready state. Rule MEL-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(in crate::player) enum Ready {
    /// Nothing is known.
    #[default]
    Nothing,
    /// The metadata are there.
    Metadata,
    /// One picture can be shown.
    Current,
    /// It can play on for a while.
    Future,
    /// It can play to the end.
    Enough,
}

/// The data of one load.
#[derive(Debug, Clone)]
pub(super) struct Data {
    pub(super) ready: Ready,
    /// Whether the first picture was announced. Rule MEL-3.
    pub(super) has_shown: bool,
    /// What led to the data that come, or to their absence.
    pub(super) cause: Cause,
    flow: Option<Box<Flow>>,
    /// The stalls that were not met yet, ascending: each comes once for each load. Rule MEL-17.
    stalls: Vec<Stall>,
    /// Which of them lies ahead of the playhead.
    next_stall: usize,
    /// Until when a stall keeps data away.
    short_until: Option<Time>,
    /// When loading counts as stalled. Rule MEL-5.
    stalled_at: Option<Time>,
}

/// Data that come by a bandwidth script. Rule MEL-25.
#[derive(Debug, Clone)]
struct Flow {
    supply: Supply,
    /// The end of the media.
    end: Position,
    /// The request that is under way, or is over.
    arrival: Arrival,
    is_complete: bool,
    /// When it was said last that it has stalled. Rule MEL-5.
    stalled: Option<Time>,
    last_progress: Time,
    /// The wait from there to the next.
    interval: Span,
}

/// What loading tells of itself at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::player) struct Told {
    pub(in crate::player) stalled: bool,
    pub(in crate::player) progress: bool,
    pub(in crate::player) suspend: bool,
}

impl Default for Data {
    fn default() -> Data {
        Data {
            ready: Ready::Nothing,
            has_shown: false,
            cause: Cause::Script,
            flow: None,
            stalls: Vec::new(),
            next_stall: 0,
            short_until: None,
            stalled_at: None,
        }
    }
}

impl Data {
    /// Nothing yet: an answer is waited for. Rule MEL-5.
    pub(super) fn asked(now: Time, cause: Cause) -> Data {
        Data { cause, stalled_at: Some(now + STALLED_AFTER), ..Data::default() }
    }

    /// The metadata are here, and data begin to arrive for the place where playing starts.
    pub(super) fn arriving(
        now: Time,
        info: &MediaInfo,
        start: Position,
        rhythm: &mut Rhythm,
        cause: Cause,
    ) -> Data {
        let mut data = Data { ready: Ready::Metadata, cause, stalls: info.stalls.clone(), ..Data::default() };
        if let Some(delivery) = &info.delivery {
            let arrival = Arrival { began: now, from: start };
            let supply = Supply::new(delivery, info.duration);
            let interval = rhythm.next();
            let end = info.duration.end();
            let (is_complete, stalled, last_progress) = (false, None, now);
            let flow = Flow { supply, end, arrival, is_complete, stalled, last_progress, interval };
            data.flow = Some(Box::new(flow));
            data.ask(now, start);
        }
        data.find_next_stall(start);
        data
    }

    /// Asks for the data from a place on. What is there at once is complete without a word. Rule MEL-4.
    fn ask(&mut self, now: Time, from: Position) {
        let Some(flow) = &mut self.flow else { return };
        flow.arrival = Arrival { began: now, from };
        flow.is_complete = flow.supply.complete_at(flow.arrival).is_some_and(|at| at <= now);
        flow.last_progress = now;
        self.stalled_at = if flow.is_complete { None } else { flow.next_stalled(now) };
    }

    /// The position is to be another one: what is not at hand there is asked for, and what kept data away
    /// is over. `cause` names what moved it.
    pub(super) fn aim(&mut self, now: Time, target: Position, cause: Cause) {
        self.find_next_stall(target);
        if self.short_until.take().is_some() {
            self.stalled_at = None;
        }
        let is_at_hand = self.flow.as_ref().is_none_or(|flow| flow.holds(now, target));
        if !is_at_hand {
            self.cause = cause;
            self.ask(now, target);
        }
    }

    pub(super) fn is_delivered(&self) -> bool {
        self.flow.is_some()
    }

    /// What the data at hand are good for.
    pub(super) fn level(&self, now: Time, position: Position, rate: Rate) -> Ready {
        if self.short_until.is_some() {
            return Ready::Current;
        }
        let Some(flow) = &self.flow else { return Ready::Enough };
        let reach = flow.reach(now);
        if reach >= flow.end {
            return Ready::Enough;
        }
        let ahead = reach - position;
        if ahead < FRAME {
            Ready::Metadata
        } else if ahead < ENOUGH_TO_GO_ON {
            Ready::Current
        } else if flow.supply.keeps_up(flow.arrival, now, position, rate) {
            Ready::Enough
        } else {
            Ready::Future
        }
    }

    /// When data bring something by themselves, as long as the position stays in front of them.
    ///
    /// While a seek is held, nothing is looked for on its behalf.
    pub(super) fn next(&self, position: Position, seek_is_held: bool) -> Option<Time> {
        let mut marks = [self.short_until, self.stalled_at, None, None, None];
        if let Some(flow) = self.flow.as_ref().filter(|flow| !flow.is_complete) {
            let wanted = match self.ready {
                Ready::Nothing | Ready::Metadata => Some(FRAME),
                Ready::Current => Some(ENOUGH_TO_GO_ON),
                Ready::Future | Ready::Enough => None,
            };
            let is_looked_for = self.short_until.is_none() && !seek_is_held;
            marks[2] = wanted
                .filter(|_| is_looked_for)
                .and_then(|ahead| flow.supply.ready_at(flow.arrival, position + ahead));
            marks[3] = flow.next_progress();
            marks[4] = flow.supply.complete_at(flow.arrival);
        }
        marks.into_iter().flatten().min()
    }

    /// What loading has to tell at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(super) fn moves(&mut self, now: Time, rhythm: &mut Rhythm) -> Told {
        let mut told = Told::default();
        // Data that come at this very instant are not late. CLK-3
        if self.short_until.is_some_and(|until| until <= now) {
            self.short_until = None;
            self.stalled_at = None;
        }
        if let Some(flow) = self.flow.as_mut().filter(|flow| !flow.is_complete) {
            if flow.supply.complete_at(flow.arrival).is_some_and(|at| at <= now) {
                flow.is_complete = true;
                self.stalled_at = None;
                told = Told { stalled: false, progress: true, suspend: true };
            } else if flow.next_progress().is_some_and(|at| at <= now) {
                told.progress = flow.supply.moves(flow.last_progress, now);
                flow.last_progress = now;
                flow.interval = rhythm.next();
            }
        }
        if self.stalled_at.is_some_and(|at| at <= now) {
            told.stalled = true;
            self.stalled_at = self.flow.as_deref_mut().and_then(|flow| {
                flow.stalled = Some(now);
                flow.next_stalled(now)
            });
        }
        told
    }

    /// The last instant at which a playhead that advances still has data, if it runs dry.
    pub(super) fn dry_at(&self, now: Time, head: &Playhead) -> Option<Time> {
        let flow = self.flow.as_ref().filter(|flow| !flow.is_complete)?;
        flow.supply.dry_at(flow.arrival, head, now)
    }

    /// What a seek passes over may still come. Rule MEL-17.
    fn find_next_stall(&mut self, position: Position) {
        self.next_stall = self.stalls.partition_point(|stall| stall.at < position);
    }

    /// Where data run out by script next. Rule MEL-17.
    pub(super) fn next_stall(&self) -> Option<Position> {
        self.stalls.get(self.next_stall).map(|stall| stall.at)
    }

    /// Data have run out where the playhead is: by script, or because they came too slowly. Rule MEL-17.
    pub(super) fn run_out(&mut self, now: Time, position: Position, cause: Cause) {
        self.ready = Ready::Current;
        self.cause = cause;
        if self.next_stall().is_some_and(|at| at <= position) {
            let length = self.stalls.remove(self.next_stall).length;
            self.short_until = Some(now + length);
            self.stalled_at = (length > STALLED_AFTER).then(|| now + STALLED_AFTER);
        }
    }
}

impl Flow {
    fn reach(&self, now: Time) -> Position {
        if self.is_complete { self.end } else { self.supply.reach(self.arrival, now) }
    }

    fn holds(&self, now: Time, position: Position) -> bool {
        (self.arrival.from..=self.reach(now)).contains(&position)
    }

    /// When it counts as stalled, if nobody said so since data moved last. Rule MEL-5.
    fn next_stalled(&self, now: Time) -> Option<Time> {
        let is_said = self.stalled.is_some_and(|said| !self.supply.moves(said, now));
        let since = if is_said { self.supply.next_data(now)? } else { now };
        self.supply.silent_at(since, STALLED_AFTER)
    }

    /// When the next `progress` is due: not before data move again. Rule MEL-4.
    fn next_progress(&self) -> Option<Time> {
        let moves = self.supply.next_data(self.last_progress)?;
        Some(moves.max(self.last_progress + self.interval))
    }
}
