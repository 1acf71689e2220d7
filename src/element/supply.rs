//! How data arrive: what is at hand, how much of it, and what loading tells of itself.
//!
//! Media without a bandwidth script are complete with their metadata. A scripted stall takes them away for
//! a while all the same. With a script, data come from the place that was asked for on; a seek to a place
//! that is not at hand asks anew and lets go of what was there. With `preload` at `metadata`, loading rests
//! once there is enough to begin with, until somebody plays.
//!
//! Rules: MEL-3 to MEL-5, MEL-13, MEL-17, MEL-20, MEL-25, LIVE-1 to LIVE-3.

use super::*;
use crate::media::{Arrival, Live, Stall, Supply};
use crate::time::Span;

/// Loading that hears nothing for so long has stalled. Rule MEL-5.
pub(super) const STALLED_AFTER: Span = Span::from_secs(3);
/// From one `progress` to the next. Rule MEL-4.
const PROGRESS_INTERVAL: Span = Span::from_millis(350);
/// A first frame takes so much media. Rule MEL-3.
const FRAME: Span = Span::from_millis(40);
/// With so much media ahead there is enough to go on. Rules MEL-3, MEL-17.
const ENOUGH_TO_GO_ON: Span = Span::from_secs(1);

/// Media whose metadata are here.
#[derive(Debug, Clone)]
pub(super) struct Media {
    pub(super) info: Arc<MediaInfo>,
    supply: Option<Supply>,
    flow: Flow,
    /// Data before this position are not at hand.
    held_from: Position,
    /// The stalls that were not met yet, ascending.
    stalls: Vec<Stall>,
    /// Until when a stall keeps data away.
    short_until: Option<Time>,
    /// When loading counts as stalled. Rule MEL-5.
    stalled_at: Option<Time>,
    last_progress: Time,
    /// When the metadata came: a live stream's window is counted from here. Rule LIVE-3.
    began: Time,
}

/// Whether data are coming.
#[derive(Debug, Clone, Copy)]
enum Flow {
    /// All is there, from `held_from` to the end.
    Complete,
    Arriving(Arrival),
    /// Loading rests; data reach this far.
    Resting(Position),
}

impl Media {
    pub(super) fn new(now: Time, info: Arc<MediaInfo>, start: Position) -> Media {
        let from = start.min(info.duration.end());
        let supply = info.delivery.as_ref().map(|delivery| Supply::new(delivery, info.duration));
        let mut media = Media {
            flow: Flow::Complete,
            held_from: if supply.is_some() { from } else { Position::ZERO },
            stalls: info.stalls.clone(),
            info,
            supply,
            short_until: None,
            stalled_at: None,
            last_progress: now,
            began: now,
        };
        media.ask(now, from);
        if let Some(Live { stops_at: Some(stop), back_at, .. }) = media.info.live {
            let stalled = stop + STALLED_AFTER;
            media.stalled_at = Some(stalled).filter(|at| stop > now && back_at.is_none_or(|back| back > *at));
        }
        media
    }

    /// Asks for the data from a position on.
    fn ask(&mut self, now: Time, from: Position) {
        let Some(supply) = &self.supply else { return };
        let arrival = Arrival { began: now, from };
        if supply.complete_at(arrival).is_some_and(|at| at <= now) {
            self.flow = Flow::Complete;
            return;
        }
        self.flow = Flow::Arriving(arrival);
        self.last_progress = now;
        self.stalled_at = supply.silent_at(now, STALLED_AFTER);
    }

    /// The nearest place that can be sought. Rules MEL-13, LIVE-3.
    pub(super) fn nearest(&self, now: Time, target: Position) -> Position {
        match self.info.live {
            None => target.min(self.info.duration.end()),
            Some(live) => {
                let edge = self.edge(live, now);
                let earliest = Position::ZERO + (edge - (Position::ZERO + live.window));
                target.clamp(earliest, edge)
            }
        }
    }

    /// A seek goes to a place: what is not at hand there is asked for, and what kept data away is over.
    pub(super) fn aim(&mut self, now: Time, target: Position) {
        if self.short_until.take().is_some() {
            self.stalled_at = None;
        }
        let is_at_hand = self.supply.is_none() || (self.held_from..=self.reach(now)).contains(&target);
        if !is_at_hand {
            self.held_from = target;
            self.ask(now, target);
        }
    }

    /// How far the data at hand reach.
    fn reach(&self, now: Time) -> Position {
        match (&self.supply, self.flow) {
            (Some(supply), Flow::Arriving(arrival)) => supply.reach(arrival, now),
            (_, Flow::Resting(reach)) => reach,
            (None, Flow::Arriving(_)) | (_, Flow::Complete) => self.info.duration.end(),
        }
    }

    /// What the data at hand are good for at a position.
    fn level(&self, now: Time, head: &Playhead) -> Ready {
        let position = head.position(now);
        if self.short_until.is_some() {
            return Ready::Current;
        }
        if let Some(live) = self.info.live {
            let is_dry = !live.runs(now) && position >= self.edge(live, now);
            return if is_dry { Ready::Current } else { Ready::Enough };
        }
        let reach = self.reach(now);
        if reach >= self.info.duration.end() {
            return Ready::Enough;
        }
        match (reach - position, &self.supply, self.flow) {
            (ahead, ..) if ahead < FRAME => Ready::Metadata,
            (ahead, ..) if ahead < ENOUGH_TO_GO_ON => Ready::Current,
            (_, Some(supply), Flow::Arriving(arrival))
                if supply.keeps_up(arrival, now, position, head.rate()) =>
            {
                Ready::Enough
            }
            _ => Ready::Future,
        }
    }

    /// The live edge: it stands still while the stream does not run. Rule LIVE-3.
    fn edge(&self, live: Live, now: Time) -> Position {
        let stopped = match live.stops_at {
            Some(stop) => now.min(live.back_at.unwrap_or(Time::MAX)) - stop.max(self.began),
            None => Span::ZERO,
        };
        Position::ZERO + live.window + (now - self.began - stopped)
    }

    /// When a playhead that advances runs out of data, by the bandwidth or the end of a live stream.
    pub(super) fn dry_at(&self, now: Time, head: &Playhead) -> Option<Time> {
        if let Some(live) = self.info.live {
            let stop = live.stops_at.filter(|stop| live.back_at.is_none_or(|back| now.max(*stop) < back))?;
            let dry = head.reaches(self.edge(live, stop).max(head.position(now)))?.max(stop);
            return live.back_at.is_none_or(|back| dry < back).then_some(dry);
        }
        match (&self.supply, self.flow) {
            (Some(supply), Flow::Arriving(arrival)) => supply.dry_at(arrival, head, now),
            (Some(_), Flow::Resting(reach)) => head.reaches(reach.max(head.position(now))),
            (None, _) | (Some(_), Flow::Complete) => None,
        }
    }

    /// Where data run out by script next, from a position on. Rule MEL-17.
    pub(super) fn next_stall(&self, position: Position) -> Option<Position> {
        let ahead = self.stalls.partition_point(|stall| stall.at < position);
        // At the end all is shown: a stall there is met no more.
        self.stalls.get(ahead).map(|stall| stall.at).filter(|at| *at < self.info.duration.end())
    }

    /// A stall is met: it comes once for each load. Rule MEL-17.
    pub(super) fn meet_stall(&mut self, now: Time, at: Position) {
        if let Some(index) = self.stalls.iter().position(|stall| stall.at == at) {
            let length = self.stalls.remove(index).length;
            self.short_until = Some(now + length);
            self.stalled_at = (length > STALLED_AFTER).then(|| now + STALLED_AFTER);
        }
    }

    /// When the next `progress` is due: not before data move again. Rule MEL-4.
    fn next_progress(&self, supply: &Supply) -> Option<Time> {
        let moves = supply.next_data(self.last_progress)?;
        Some(moves.max(self.last_progress + PROGRESS_INTERVAL))
    }

    /// When data bring something, besides what a playhead runs into. Rules MEL-3 to MEL-5, MEL-17.
    fn next_mark(&self, now: Time, head: &Playhead, ready: Ready) -> Option<Time> {
        let mut marks = [self.short_until, self.stalled_at, None, None, None, None];
        if let Some(live) = self.info.live
            && ready <= Ready::Current
        {
            marks[2] = live.back_at.filter(|_| !live.runs(now));
        }
        if let (Some(supply), Flow::Arriving(arrival)) = (&self.supply, self.flow) {
            let wanted = match ready {
                // What a stall keeps away is not looked for, nor what a live stream has not sent yet.
                _ if self.short_until.is_some() || self.info.live.is_some() => None,
                Ready::Nothing | Ready::Metadata => Some(FRAME),
                Ready::Current => Some(ENOUGH_TO_GO_ON),
                Ready::Future | Ready::Enough => None,
            };
            marks[3] = wanted.and_then(|ahead| supply.ready_at(arrival, head.position(now) + ahead));
            marks[4] = self.next_progress(supply);
            marks[5] = supply.complete_at(arrival);
        }
        marks.into_iter().flatten().min()
    }
}

impl MediaElement {
    /// What the data at hand let the ready state be.
    pub(super) fn level(&self, now: Time) -> Ready {
        match &self.resource {
            Resource::Here(media) => media.level(now, &self.head),
            Resource::Nothing | Resource::Deferred(_) | Resource::Asked { .. } => Ready::Nothing,
        }
    }

    /// Whether everything is there. A live stream goes on and on.
    pub(super) fn is_complete(&self) -> bool {
        let is_complete = |media: &Media| matches!(media.flow, Flow::Complete) && media.info.live.is_none();
        matches!(&self.resource, Resource::Here(media) if is_complete(media))
    }

    pub(super) fn live_edge(&self, now: Time) -> Option<Position> {
        let Resource::Here(media) = &self.resource else { return None };
        media.info.live.map(|live| media.edge(live, now))
    }

    /// It is to be played: what was put off is loaded.
    pub(super) fn want_data(&mut self, now: Time, out: &mut Outbox) {
        self.attributes.is_wanted = true;
        self.ask_deferred(now, out);
        if let Resource::Here(media) = &mut self.resource
            && let Flow::Resting(reach) = media.flow
        {
            media.ask(now, reach);
            self.resume_arrival(out);
        }
    }

    /// Data come again, if some are asked for.
    pub(super) fn resume_arrival(&mut self, out: &Outbox) {
        if let Resource::Here(media) = &self.resource {
            self.supplied = out.cause();
            let is_loading = matches!(media.flow, Flow::Arriving(_)) || media.info.live.is_some();
            self.network = if is_loading { Network::Loading } else { Network::Idle };
        }
    }

    /// When data bring something by themselves.
    pub(super) fn next_data_mark(&self, now: Time) -> Option<Time> {
        match &self.resource {
            Resource::Asked { stalled_at, .. } => *stalled_at,
            Resource::Here(media) if self.error.is_none() => {
                // A seek that finishes looks again by itself.
                let finishes = matches!(self.seek, Some(Seek::Finishing(..)));
                let ready = if finishes { Ready::Enough } else { self.ready };
                media.next_mark(now, &self.head, ready)
            }
            Resource::Nothing | Resource::Deferred(_) | Resource::Here(_) => None,
        }
    }

    /// What data bring at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(super) fn data_move(&mut self, now: Time, out: &mut Outbox) {
        let moving = std::mem::replace(&mut self.resource, Resource::Nothing);
        self.resource = match moving {
            Resource::Asked { request, stalled_at } if stalled_at.is_some_and(|at| at <= now) => {
                self.fire(rule!("MEL-5"), EventName::Stalled, out);
                Resource::Asked { request, stalled_at: None }
            }
            Resource::Here(mut media) => {
                if self.error.is_none() {
                    self.media_moves(now, &mut media, out);
                }
                Resource::Here(media)
            }
            other @ (Resource::Nothing | Resource::Deferred(_) | Resource::Asked { .. }) => other,
        };
        self.note_data(now, out);
        self.rest_if_enough(now, out);
    }

    fn media_moves(&mut self, now: Time, media: &mut Media, out: &mut Outbox) {
        if media.stalled_at.is_some_and(|at| at <= now) {
            self.fire(rule!("MEL-5"), EventName::Stalled, out);
            // Not again before data have moved.
            let again = |supply: &Supply| supply.silent_at(supply.next_data(now)?, STALLED_AFTER);
            media.stalled_at = media.supply.as_ref().and_then(again);
        }
        if media.short_until.is_some_and(|until| until <= now) {
            media.short_until = None;
            media.stalled_at = None;
            self.finish_loading(rule!("MEL-17"), out);
        }
        if let (Some(supply), Flow::Arriving(arrival)) = (&media.supply, media.flow) {
            if supply.complete_at(arrival).is_some_and(|at| at <= now) {
                media.flow = Flow::Complete;
                media.stalled_at = None;
                self.finish_loading(rule!("MEL-4"), out);
            } else if media.next_progress(supply).is_some_and(|at| at <= now) {
                if supply.moves(media.last_progress, now) {
                    self.fire(rule!("MEL-4"), EventName::Progress, out);
                }
                media.last_progress = now;
            }
        }
    }

    /// All is there that was asked for. Rule MEL-4.
    fn finish_loading(&mut self, rule: RuleId, out: &mut Outbox) {
        self.network = Network::Idle;
        self.fire(rule, EventName::Progress, out);
        self.fire(rule, EventName::Suspend, out);
    }

    /// With `preload` at `metadata`, what nobody plays is not loaded any further.
    fn rest_if_enough(&mut self, now: Time, out: &mut Outbox) {
        let is_enough = self.ready >= Ready::Future && self.is_paused && self.attributes.rests();
        let Resource::Here(media) = &mut self.resource else { return };
        if is_enough && matches!(media.flow, Flow::Arriving(_)) {
            media.flow = Flow::Resting(media.reach(now));
            media.stalled_at = None;
            self.finish_loading(rule!("MEL-4"), out);
        }
    }
}
