//! The course of an item: `start`, `ended`, `stopped`, and its index in the playlist.
//!
//! Rules: INV-6, INV-7, INV-9, INV-16, INV-18.

use super::ads::OTHER_ITEM;
use super::{has_argument, returned};
use crate::judge::line::Line;
use crate::judge::placed::Placed;
use crate::judge::{Findings, Session};
use playsim_api::{
    Call, Code, EventName, Kind, LineName, NetLine, Purpose, Query, StateLine, UserLine, Value,
};
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::{BeforeStartScope, EndedVsPostroll};
use playsim_trace::Record;

/// There is a `play` between two `ended`. Rule INV-6.
pub(crate) fn ended_after_play(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        let mut played = false;
        for record in lines.records() {
            match record.event() {
                Some(EventName::Play) => played = true,
                Some(EventName::Ended) if !std::mem::take(&mut played) => {
                    findings.broken(record, "ended fires without a preceding play");
                }
                _ => {}
            }
        }
    }
}

/// `start` never comes before the item's `play`, and once per load or `stop()`; `beforeStart` comes
/// once per item start, directly before an ad or the start.
///
/// Rule INV-7.
pub(crate) fn start_after_play(session: &Session<'_>, findings: &mut Findings<'_>) {
    let once_for_an_item = session.knobs.before_start_scope == BeforeStartScope::Item;
    for lines in session.players() {
        let (mut played, mut started, mut announced) = (false, false, false);
        let mut before: Option<&Record> = None;
        for record in lines.records() {
            if record.event().is_some()
                && session.is_complete
                && let Some(before) = before.take()
            {
                let is_start = matches!(
                    record.event(),
                    Some(EventName::AdImpression | EventName::AdError | EventName::Start)
                ) && record.at == before.at;
                if !is_start && record.event() != Some(EventName::DestroyBefore) {
                    findings.broken(
                        before,
                        "neither an ad nor the video starts directly after beforeStart",
                    );
                }
            }
            if record.is(EventName::BeforeStart) {
                before = Some(record);
            }
            if matches!(
                record.media_event(),
                Some(EventName::LoadStart | EventName::Stopped)
            ) {
                (played, started) = (false, false);
            }
            started &= session.is_complete || !brings_another(record);
            announced &= !matches!(
                record.media_event(),
                Some(EventName::LoadStart | EventName::Emptied | EventName::Stopped)
            ) && !is_other_source(record);
            match record.event() {
                Some(EventName::Play) => played = true,
                Some(EventName::Start) if !played => {
                    findings.broken(record, "start fires before the item's play")
                }
                Some(EventName::Start) if std::mem::replace(&mut started, true) => {
                    findings.broken(record, "start fires twice for one load");
                }
                Some(EventName::BeforeStart)
                    if std::mem::replace(&mut announced, true)
                        && once_for_an_item
                        && session.is_complete =>
                {
                    findings.broken(record, "beforeStart fires twice for one item start");
                }
                _ => {}
            }
        }
    }
}

/// Returns whether a line of a recording, which may not hear how media load, may bring another
/// item.
fn brings_another(record: &Line<'_>) -> bool {
    matches!(
        record.event(),
        Some(
            EventName::LoadedMetadata
                | EventName::Skipped
                | EventName::PlaylistStart
                | EventName::Ready
        )
    ) || matches!(record.kind, Kind::Call | Kind::User) && OTHER_ITEM.contains(&&*record.name)
        || record.is(EventName::Emptied)
}

/// Returns whether page code sets another source, or a list of sources arrives. Either may have
/// nothing to load.
fn is_other_source(record: &Line<'_>) -> bool {
    let is_list = || record.purpose() == Some(Purpose::Playlist);
    let is_found = || record.data.get("status") == Some(&Value::from(200));
    (record.is(Call::Src) && has_argument(record) && record.data.get("error").is_none())
        || (record.is(NetLine::Response) && is_list() && is_found())
}

/// There are as many `stopped` as `stop()` calls that took effect. Rule INV-9.
pub(crate) fn stopped_by_calls(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.trace.is_cut_short() {
        // Some of them may still have been queued.
        return;
    }
    for lines in session.players() {
        let (mut calls, mut events, mut last) = (0, 0, None);
        // A recording may end between a call and its event.
        let mut called = Time::ZERO;
        // Before it is ready, and after it is destroyed, a player of a recording ignores calls
        // without saying so.
        let mut is_usable = session.is_complete;
        for record in lines.records() {
            is_usable |= record.is(EventName::Ready);
            if record.is(EventName::DestroyBefore) || record.is(Call::Destroy) {
                is_usable = session.is_complete;
                events = if session.is_complete { events } else { calls };
            }
            if record.is(Call::Stop) && !is_usable {
                continue;
            }
            if record.is(Call::Stop) && record.data.get("error").is_none() {
                calls += 1;
                called = record.at;
            } else if record.is(Code::NotReady) {
                let call = record.cause.and_then(|cause| session.trace.record(cause));
                calls -= i32::from(call.is_some_and(|call| call.is(Call::Stop)));
            } else if [record.event(), record.dropped_event()].contains(&Some(EventName::Stopped)) {
                events += 1;
                if events > calls {
                    findings.broken(record, "stopped fires without a call to stop()");
                    events = calls;
                }
            }
            last = Some(record);
        }
        let is_shown = session.is_complete || session.end > called;
        if let Some(last) = last.filter(|_| events < calls && is_shown) {
            findings.broken(
                last,
                format!(
                    "{calls} calls to stop() took effect, but only {events} stopped events fired"
                ),
            );
        }
    }
}

/// `currentIndex` is within the list, or -1 when it is empty. Rule INV-16.
pub(crate) fn index_in_list(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        let mut before: Option<&Record> = None;
        for record in lines.records() {
            if let Some(index) = returned(record, Query::CurrentIndex)
                && index.as_integer().is_none_or(|index| index < -1)
            {
                findings.broken(
                    record,
                    format!("currentIndex is {index}, not an index or -1"),
                );
            }
            let pair = |index: &Record, length: &Record| {
                Some((
                    returned(index, Query::CurrentIndex)?.as_integer()?,
                    returned(length, Query::PlaylistLength)?.as_integer()?,
                ))
            };
            let same_moment =
                |before: &&Record| before.at == record.at && before.cause == record.cause;
            let pair = before
                .filter(same_moment)
                .and_then(|before| pair(before, record).or_else(|| pair(record, before)));
            if let Some((index, length)) = pair {
                let is_right = if length == 0 {
                    index == -1
                } else {
                    (0..length).contains(&index)
                };
                if !is_right {
                    findings.broken(
                        record,
                        format!("currentIndex is {index} in a list of {length}"),
                    );
                }
            }
            before = Some(record);
        }
    }
}

/// Whether the index in the playlist may be another one after a line.
fn may_be_other_index(name: LineName) -> bool {
    matches!(
        name,
        LineName::Event(EventName::LoadStart | EventName::Emptied | EventName::Skipped)
            | LineName::MediaEvent(EventName::LoadStart | EventName::Emptied)
            | LineName::Call(Call::PlayByIndex | Call::Next | Call::Previous)
            | LineName::User(UserLine::Next | UserLine::Previous)
    )
}

/// The diagnostics of a list whose items are judged anew. Rule PL-23.
const LIST_CHANGES: &[Code] = &[
    Code::ItemBack,
    Code::ItemExcludedGeo,
    Code::ItemExcludedKillDate,
    Code::ItemExcludedNoRendition,
    Code::ItemExcludedPlan,
    Code::ItemExcludedPublish,
    Code::ItemExcludedRejected,
];

/// Acts that are this near before a list is complete may be why it continues.
const NEAR: Span = Span::from_millis(100);

/// Returns whether a list continues on its own after a line that says that it is complete.
fn goes_on(lines: &[Placed<'_>], complete: usize) -> bool {
    let line = |place: usize| &lines[place].record;
    let at = line(complete).at;
    let is_act = |line: &&Line<'_>| matches!(line.kind, Kind::Call | Kind::User);
    let before = (0..complete)
        .rev()
        .map(line)
        .take_while(|line| line.at + NEAR >= at);
    let mut after = (complete + 1..lines.len())
        .map(line)
        .take_while(|line| !is_act(line));
    before.filter(is_act).count() == 0 && after.any(|line| line.is(EventName::Skipped))
}

/// `playlistComplete` comes only right after an `ended` of the last item. Rule INV-18.
pub(crate) fn complete_after_ended(session: &Session<'_>, findings: &mut Findings<'_>) {
    // A post-roll with all its events may come between them. END-2
    let may_wait = session.knobs.ended_vs_postroll == EndedVsPostroll::Before;
    // A call may load another item behind the last one.
    let hears_calls = session.hears(Kind::Call, Call::Next.name());
    for lines in session.players() {
        let mut before = None;
        let mut place = (None, None);
        let mut read_at = None;
        // The index at the last `ended`, because its listeners may change it before
        // `playlistComplete` is delivered. So may those of the time update before it: what is read
        // at this instant may be the next index.
        let mut ended_at = place;
        // Whether the list has changed since: then it may be complete later, when its next item
        // would have loaded. PL-23
        let mut is_changed = false;
        for (index, record) in lines.records().enumerate() {
            // The value that was read is valid until the next change.
            match record.line_name() {
                Some(LineName::Call(Call::CurrentIndex)) => {
                    place.0 = returned(record, Query::CurrentIndex).and_then(Value::as_integer);
                    read_at = Some(record.at);
                }
                Some(LineName::Call(Call::PlaylistLength)) => {
                    place.1 = returned(record, Query::PlaylistLength).and_then(Value::as_integer);
                }
                // There may be another list, and before this line there was none.
                Some(LineName::State(StateLine::Initial)) => place = (None, None),
                Some(name) if may_be_other_index(name) => place.0 = None,
                // There is another list, or one from which something may have been left out.
                Some(
                    LineName::Call(Call::Src | Call::LoadPlaylist)
                    | LineName::Net(NetLine::Response),
                ) => {
                    place = (None, None);
                }
                Some(_) | None => {}
            }
            // An item has left the list, or returned to it. PL-23
            if LIST_CHANGES.iter().any(|code| record.is(*code)) {
                place = (None, None);
                ended_at = place;
                is_changed = true;
            }
            if record.kind != Kind::Event {
                continue;
            }
            if record.is(EventName::Ended) {
                is_changed = false;
                ended_at = if read_at == Some(record.at) {
                    (None, None)
                } else {
                    place
                };
            }
            if record.is(EventName::PlaylistComplete) {
                if !is_changed && hears_calls && goes_on(lines.placed(), index) {
                    findings.broken(
                        record,
                        "playlistComplete fires, and the list goes on with another item",
                    );
                }
                if before != Some(EventName::Ended) && !is_changed {
                    findings.broken(record, "playlistComplete does not directly follow ended");
                } else if let (Some(index), Some(length)) = ended_at
                    && index + 1 != length
                {
                    findings.broken(
                        record,
                        format!("playlistComplete fires after index {index} in a list of {length}"),
                    );
                }
            }
            if !may_wait
                || matches!(
                    record.event(),
                    Some(
                        EventName::Ended
                            | EventName::Play
                            | EventName::Start
                            | EventName::PlaylistComplete
                    )
                )
            {
                before = record.event();
            }
        }
    }
}
