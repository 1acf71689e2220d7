//! The arrival of data: the buffered ranges, how far they suffice, and the events of loading.
//!
//! Media without a bandwidth script are complete with their metadata. With one, data arrive from
//! the requested position to the end; a seek to a position that is not buffered starts a new
//! request and drops the buffered data. A scripted stall withholds data for a while even if they
//! are buffered. Loading can pause, as it does with `preload` at `metadata` until playback is
//! requested.
//!
//! Rules: MEL-3 to MEL-5, MEL-13, MEL-17, MEL-25, MEL-26, LIVE-3.

use super::rhythm::{PROGRESS_INTERVAL, Rhythm};
use playsim_api::Cause;
use playsim_api::media::{Arrival, MediaInfo, Playhead, Rate, Stall, Supply};
use playsim_base::time::{Position, Span, Time};

/// Loading that receives nothing for this long has stalled. Rule MEL-5.
pub(super) const STALLED_AFTER: Span = Span::from_secs(3);
/// The amount of media needed for a first picture. Rule MEL-3.
const FRAME: Span = Span::from_millis(40);
/// The amount of buffered media ahead of the position that is enough to continue. Rules MEL-3,
/// MEL-17.
const ENOUGH_TO_GO_ON: Span = Span::from_secs(1);

/// The element's `readyState`: how far the buffered data suffice, as announced last. Rule MEL-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
#[repr(u8)]
pub(super) enum Ready {
    /// Nothing is known.
    #[default]
    Nothing = 0,
    /// The metadata have arrived.
    Metadata = 1,
    /// One picture can be shown.
    Current = 2,
    /// It can play on for a while.
    Future = 3,
    /// It can play to the end.
    Enough = 4,
}

/// The data of one load.
#[derive(Debug, Clone, Hash)]
pub(super) struct Data {
    /// The cause of the arrival of data, or of their absence.
    pub(super) cause: Cause,
    flow: Option<Box<Flow>>,
    /// The stalls not met yet, ascending: each comes once per load. Rule MEL-17.
    stalls: Vec<Stall>,
    /// The stall that withholds data.
    short: Option<Short>,
    /// When loading counts as stalled. Rule MEL-5.
    pub(super) stalled_at: Option<Time>,
    /// When `progress` last fired, or data were last requested if that was later. Rules MEL-4,
    /// MEL-26.
    last_progress: Time,
    /// The interval from there to the next `progress`.
    interval: Span,
}

/// A stall that has begun. Rule MEL-17.
#[derive(Debug, Clone, Copy, Hash)]
struct Short {
    /// Where.
    at: Position,
    until: Time,
}

/// Data that arrive by a bandwidth script. Rule MEL-25.
#[derive(Debug, Clone, Hash)]
struct Flow {
    supply: Supply,
    /// The end of the media.
    end: Position,
    /// Data before this position are not buffered.
    held_from: Position,
    /// The request in progress, or the last one.
    arrival: Arrival,
    stage: Stage,
    /// When it was last reported as stalled. Rule MEL-5.
    stalled: Option<Time>,
}

/// Whether data are arriving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Arriving,
    /// Loading pauses; data are buffered up to this position.
    Resting(Position),
    /// Everything has arrived, up to the end.
    Complete,
}

/// The events that loading fires at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Moves {
    pub(super) stalled: bool,
    pub(super) progress: bool,
    /// Nothing more is on its way: `suspend` fires.
    pub(super) suspend: bool,
}

/// The meaning of `progress`. Rule MEL-26, knob `progress.meaning`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProgressReports {
    /// Whether it reports data that arrive. Rule MEL-4.
    pub(super) of_arrival: bool,
    /// Since when playback has been waiting for data, if it is and if `progress` reports that.
    pub(super) waits_since: Option<Time>,
}

impl Default for Data {
    fn default() -> Data {
        Data {
            cause: Cause::Script,
            flow: None,
            stalls: Vec::new(),
            short: None,
            stalled_at: None,
            last_progress: Time::ZERO,
            interval: PROGRESS_INTERVAL,
        }
    }
}

impl Data {
    /// Data of a load that waits for its response. Rule MEL-5.
    pub(super) fn asked(now: Time, cause: Cause) -> Data {
        Data {
            cause,
            stalled_at: Some(now + STALLED_AFTER),
            last_progress: now,
            ..Data::default()
        }
    }

    /// The metadata have arrived, and data begin to arrive from the position where playback starts.
    /// A live stream already has the data that it needs to start. Rule LIVE-3.
    pub(super) fn arriving(
        &self,
        now: Time,
        info: &MediaInfo,
        start: Position,
        rhythm: &mut Rhythm,
        cause: Cause,
    ) -> Data {
        // A wait that began before continues. MEL-26
        let (last_progress, interval) = (self.last_progress, self.interval);
        let mut data = Data {
            cause,
            stalls: info.stalls.clone(),
            last_progress,
            interval,
            ..Data::default()
        };
        if let Some(live) = info.live {
            data.stalls
                .iter_mut()
                .for_each(|stall| stall.at = stall.at + live.window);
        }
        if let Some(delivery) = &info.delivery {
            let came = if info.live.is_some() {
                ENOUGH_TO_GO_ON
            } else {
                Span::ZERO
            };
            let flow = Flow {
                supply: Supply::new(delivery, info.duration),
                end: info.duration.end(),
                held_from: start,
                arrival: Arrival {
                    began: now,
                    from: start,
                },
                stage: Stage::Arriving,
                stalled: None,
            };
            data.flow = Some(Box::new(flow));
            data.interval = rhythm.next();
            data.ask(now, start + came);
        }
        data
    }

    /// Requests the data from a position on. Data that are available immediately are complete
    /// without any event. Rule MEL-4.
    fn ask(&mut self, now: Time, from: Position) {
        let Some(flow) = &mut self.flow else { return };
        flow.arrival = Arrival { began: now, from };
        let is_complete = flow
            .supply
            .complete_at(flow.arrival)
            .is_some_and(|at| at <= now);
        flow.stage = if is_complete {
            Stage::Complete
        } else {
            Stage::Arriving
        };
        self.last_progress = now;
        self.stalled_at = if is_complete {
            None
        } else {
            flow.next_stalled(now)
        };
    }

    /// The position moves to `target`: data that are not buffered there are requested, and a stall
    /// that withheld data elsewhere is over. `cause` is the line that moved the position.
    pub(super) fn aim(&mut self, now: Time, target: Position, cause: Cause) {
        if self.short.take_if(|short| short.at != target).is_some() {
            self.stalled_at = None;
        }
        if let Some(flow) = self.flow.as_mut().filter(|flow| !flow.holds(now, target)) {
            flow.held_from = target;
            self.cause = cause;
            self.ask(now, target);
        }
    }

    /// Lets loading pause. Returns whether data were arriving.
    pub(super) fn rest(&mut self, now: Time) -> bool {
        let Some(flow) = self
            .flow
            .as_mut()
            .filter(|flow| flow.stage == Stage::Arriving)
        else {
            return false;
        };
        flow.stage = Stage::Resting(flow.reach(now));
        self.stalled_at = None;
        true
    }

    /// Resumes loading where it paused. Returns whether it had paused.
    pub(super) fn resume(&mut self, now: Time, cause: Cause) -> bool {
        let stage = self.flow.as_ref().map(|flow| flow.stage);
        let Some(Stage::Resting(reach)) = stage else {
            return false;
        };
        self.cause = cause;
        self.ask(now, reach);
        true
    }

    pub(super) fn is_delivered(&self) -> bool {
        self.flow.is_some()
    }

    /// Whether nothing is on its way that has been requested.
    pub(super) fn is_idle(&self) -> bool {
        self.short.is_none() && self.arriving_flow().is_none()
    }

    /// How far the buffered data suffice.
    pub(super) fn level(&self, now: Time, position: Position, rate: Rate) -> Ready {
        if self.short.is_some() {
            return Ready::Current;
        }
        let Some(flow) = &self.flow else {
            return Ready::Enough;
        };
        let reach = flow.reach(now);
        if reach >= flow.end {
            return Ready::Enough;
        }
        let ahead = reach - position;
        if ahead < FRAME {
            Ready::Metadata
        } else if ahead < ENOUGH_TO_GO_ON {
            Ready::Current
        } else if flow.stage == Stage::Arriving
            && flow.supply.keeps_up(flow.arrival, now, position, rate)
        {
            Ready::Enough
        } else {
            Ready::Future
        }
    }

    /// The time of the next change in the data, provided that the position stays where it is in
    /// relation to them. `awaited`: the ready state to be raised by data that arrive, if there is
    /// one.
    pub(super) fn next(
        &self,
        position: Position,
        awaited: Option<Ready>,
        progress_reports: ProgressReports,
    ) -> Option<Time> {
        let withheld = self.short.map(|short| short.until);
        let mut marks = [
            withheld,
            self.stalled_at,
            self.next_progress(progress_reports),
            None,
            None,
        ];
        if let Some(flow) = self.arriving_flow() {
            let wanted = match awaited.filter(|_| self.short.is_none()) {
                Some(Ready::Nothing | Ready::Metadata) => Some(FRAME),
                Some(Ready::Current) => Some(ENOUGH_TO_GO_ON),
                Some(Ready::Future | Ready::Enough) | None => None,
            };
            marks[3] =
                wanted.and_then(|ahead| flow.supply.ready_at(flow.arrival, position + ahead));
            marks[4] = flow.supply.complete_at(flow.arrival);
        }
        marks.into_iter().flatten().min()
    }

    /// The events that loading fires at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(super) fn moves(
        &mut self,
        now: Time,
        progress_reports: ProgressReports,
        rhythm: &mut Rhythm,
    ) -> Moves {
        let (waits, arrival) = (
            self.next_of_wait(progress_reports),
            self.next_of_arrival(progress_reports),
        );
        let is_due = |at: Option<Time>| at.is_some_and(|at| at <= now);
        let has_moved = is_due(arrival) && self.has_moved(now);
        let mut moves = Moves {
            progress: is_due(waits) || has_moved,
            ..Moves::default()
        };
        // Data that arrive at this very instant are not late. CLK-3
        if self.short.take_if(|short| short.until <= now).is_some() {
            self.stalled_at = None;
            // Unless more is on its way, the withheld data complete the data once more.
            moves.suspend = self.is_idle();
            moves.progress |= moves.suspend && progress_reports.of_arrival;
        }
        if let Some(flow) = self
            .flow
            .as_mut()
            .filter(|flow| flow.stage == Stage::Arriving)
            && flow
                .supply
                .complete_at(flow.arrival)
                .is_some_and(|at| at <= now)
        {
            flow.stage = Stage::Complete;
            self.stalled_at = None;
            moves.progress |= progress_reports.of_arrival;
            moves.suspend = true;
        }
        if is_due(waits) || is_due(arrival) {
            self.last_progress = now;
            self.interval = rhythm.next();
        }
        if self.stalled_at.is_some_and(|at| at <= now) {
            moves.stalled = true;
            self.stalled_at = self.flow.as_deref_mut().and_then(|flow| {
                flow.stalled = Some(now);
                flow.next_stalled(now)
            });
        }
        moves
    }

    /// When the next `progress` is due. Rules MEL-4, MEL-26.
    fn next_progress(&self, progress_reports: ProgressReports) -> Option<Time> {
        [
            self.next_of_arrival(progress_reports),
            self.next_of_wait(progress_reports),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// The flow of data, while it is incomplete.
    fn arriving_flow(&self) -> Option<&Flow> {
        self.flow
            .as_deref()
            .filter(|flow| flow.stage == Stage::Arriving)
    }

    /// Whether data have arrived since `progress` last fired.
    fn has_moved(&self, now: Time) -> bool {
        self.arriving_flow()
            .is_some_and(|flow| flow.supply.moves(self.last_progress, now))
    }

    /// When `progress` is due for data that arrive: not before more of them arrive. Rule MEL-4.
    fn next_of_arrival(&self, progress_reports: ProgressReports) -> Option<Time> {
        let flow = self
            .arriving_flow()
            .filter(|_| progress_reports.of_arrival)?;
        let moves = flow.supply.next_data(self.last_progress)?;
        Some(moves.max(self.last_progress + self.interval))
    }

    /// When `progress` is due because the player waits. If nothing is known that will end the wait,
    /// as while waiting for metadata, `progress` stops once loading counts as stalled; otherwise a
    /// run would never end. Rule MEL-26.
    fn next_of_wait(&self, progress_reports: ProgressReports) -> Option<Time> {
        let since = progress_reports.waits_since?;
        let last = self.last_progress.max(since);
        let is_in_vain = self.short.is_none()
            && self
                .arriving_flow()
                .is_none_or(|flow| flow.supply.next_data(last).is_none());
        Some(last + self.interval).filter(|at| !is_in_vain || *at < since + STALLED_AFTER)
    }

    /// The last instant at which an advancing playhead still has data, if it runs out of them.
    pub(super) fn dry_at(&self, now: Time, head: &Playhead) -> Option<Time> {
        let flow = self.flow.as_ref()?;
        match flow.stage {
            Stage::Arriving => flow.supply.dry_at(flow.arrival, head, now),
            Stage::Resting(reach) => head.reaches(reach.max(head.position(now))),
            Stage::Complete => None,
        }
    }

    /// The position of the next scripted stall at or after `position`. Stalls that a seek skips may
    /// still come. Rule MEL-17.
    pub(super) fn next_stall(&self, position: Position) -> Option<Position> {
        let ahead = self.stalls.partition_point(|stall| stall.at < position);
        self.stalls.get(ahead).map(|stall| stall.at)
    }

    /// Begins a stall, which comes once per load. Rule MEL-17.
    pub(super) fn meet_stall(&mut self, now: Time, at: Position) {
        if let Some(index) = self.stalls.iter().position(|stall| stall.at == at) {
            let length = self.stalls.remove(index).length;
            self.short = Some(Short {
                at,
                until: now + length,
            });
            self.stalled_at = (length > STALLED_AFTER).then(|| now + STALLED_AFTER);
        }
    }
}

impl Flow {
    /// The position up to which data are buffered.
    fn reach(&self, now: Time) -> Position {
        match self.stage {
            Stage::Arriving => self.supply.reach(self.arrival, now),
            Stage::Resting(reach) => reach,
            Stage::Complete => self.end,
        }
    }

    fn holds(&self, now: Time, position: Position) -> bool {
        (self.held_from..=self.reach(now)).contains(&position)
    }

    /// When it counts as stalled, unless that was already reported since data last arrived. Rule
    /// MEL-5.
    fn next_stalled(&self, now: Time) -> Option<Time> {
        let is_said = self
            .stalled
            .is_some_and(|said| !self.supply.moves(said, now));
        let since = if is_said {
            self.supply.next_data(now)?
        } else {
            now
        };
        self.supply.silent_at(since, STALLED_AFTER)
    }
}
