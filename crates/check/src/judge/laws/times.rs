//! The times of quartiles, by the time that the ad has been played.
//!
//! The time counts from the ad's first picture. Pauses and stalls that the trace shows do not
//! count.
//!
//! Rule: TRK-6.

use crate::judge::lines::brief;
use crate::judge::showing::Showing;
use crate::judge::{Findings, Session, Sure};
use playsim_api::{EventName, Kind};
use playsim_base::time::Span;

/// Quartiles and `complete` are called when that share has been played. Rule TRK-6.
pub(super) fn by_played_time(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let sure_of_late = sure_of_late(session, showing);
        let Some(length) = showing.length.filter(|length| *length > Span::ZERO) else {
            continue;
        };
        for call in &showing.calls {
            let Some(quarters) = call.course() else {
                continue;
            };
            // Repeated calls are judged by TRK-1.
            if showing.is_again(call) {
                continue;
            }
            // After a seek the clock says nothing, but the position does.
            let played = if showing.is_steady {
                showing.played(call.at)
            } else {
                showing.position(call.at)
            };
            let Some(played) = played else { continue };
            let due = length.share(quarters as u64, 4);
            let (early, late) = (due - played, played - due);
            let from = showing.from.map_or(call.at, |from| from.at);
            let before_picture = from - call.at;
            let (by, side, sure) = if early > session.within {
                (early, "early", Sure::Certain)
            } else if let Some(sure) =
                sure_of_late.filter(|_| late > session.within && showing.is_steady)
            {
                (late, "late", sure)
            } else if quarters > 0 && before_picture > session.within {
                (before_picture, "early", Sure::Certain)
            } else {
                continue;
            };
            // The film may have another length than its document says.
            let sure = if showing.is_length_written {
                sure.max(Sure::Likely)
            } else {
                sure
            };
            let [by, played_s, length_s, due_s, within] =
                [by, played, length, due, session.within].map(brief);
            let seen = format!(
                "the {} of {} is called {by} s {side}: {played_s} s of {length_s} s have been played",
                call.event, showing.name
            );
            let due = format!("after {due_s} s, give or take {within} s");
            findings.add(call.record, sure, seen, due);
        }
    }
}

/// Returns how sure it is that a tracker is late; `None` if the trace does not contain the pauses
/// of ads, which make trackers late. Stalls are rare enough to be doubted only.
fn sure_of_late(session: &Session<'_>, showing: &Showing) -> Option<Sure> {
    // A recorder that hears the content's element need not hear that of the ad.
    let is_heard = !showing.positions.is_empty();
    let hears = |name: EventName| is_heard && session.hears(Kind::Media, name.name());
    // Of its own ads, playsim writes lines for both.
    let has_lines = showing.spot.is_none();
    match (
        has_lines
            || hears(EventName::Pause)
            || session.hears(Kind::Event, EventName::AdPause.name()),
        has_lines || hears(EventName::Waiting),
    ) {
        (true, true) => Some(Sure::Certain),
        (true, false) => Some(Sure::Depends),
        (false, _) => None,
    }
}
