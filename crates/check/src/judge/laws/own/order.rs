//! Numbers, times, causes, the end, and what occurs only once for a player.
//!
//! Rules: INV-3 to INV-5, CLK-7.

use crate::judge::{Findings, Session};
use playsim_api::{EventName, Kind, LineName, StateLine};
use playsim_base::time::Time;
use playsim_trace::Record;

/// Time never decreases, sequence numbers rise by one. Rule INV-3.
pub(crate) fn time_and_numbers(session: &Session<'_>, findings: &mut Findings<'_>) {
    let (mut seq, mut time) = (0, Time::ZERO);
    for record in &session.trace.records {
        // A trace that was filtered has gaps; no line has the number of an earlier one.
        let is_wrong = if session.is_complete {
            record.seq != seq
        } else {
            session.is_own && record.seq < seq
        };
        if is_wrong {
            let or_more = if session.is_complete { "" } else { " or more" };
            findings.broken(
                record,
                format!(
                    "the line has number {}; expected {seq}{or_more}",
                    record.seq
                ),
            );
        }
        if record.at + session.together() < time {
            findings.broken(
                record,
                format!("the time goes back from {time} to {}", record.at),
            );
        }
        seq = record.last_seq().saturating_add(1);
        time = record.until();
    }
}

/// No event precedes its cause, and every event has one. Rule INV-4.
pub(crate) fn causes(session: &Session<'_>, findings: &mut Findings<'_>) {
    for record in &session.trace.records {
        let Some(cause) = record.cause else {
            if !may_lack_cause(record) {
                findings.broken(
                    record,
                    format!("{} {} has no cause", record.kind.name(), record.name),
                );
            }
            continue;
        };
        match session.trace.record(cause) {
            Some(before) if cause < record.seq && before.at <= record.at => {}
            Some(_) | None => findings.broken(
                record,
                format!("its cause, line {cause}, does not precede it"),
            ),
        }
    }
}

/// A trace of playsim has a line that says how the run ended, which also views keep. Rule CLK-7.
pub(crate) fn end(session: &Session<'_>, findings: &mut Findings<'_>) {
    let last = session.trace.records.last();
    if let Some(last) = last.filter(|last| session.is_own && last.kind != Kind::Outcome) {
        findings.broken_at(
            last,
            last.until(),
            "the end of the trace is missing: after this line comes no outcome",
        );
    }
}

/// Returns whether a line needs no cause: it is a scripted input, or the header or outcome of the
/// trace.
fn may_lack_cause(record: &Record) -> bool {
    record.kind.is_act() || record.kind.is_frame()
}

/// At most one `ready`, at most one `destroyBefore`, no event after the teardown. Rule INV-5.
pub(crate) fn once_in_a_life(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        let (mut ready, mut leaving, mut destroyed) = (false, false, false);
        for record in lines.records() {
            destroyed |= record.is(StateLine::Destroyed);
            // Page code may make another player in the same container.
            let is_another = matches!(record.line_name(), Some(LineName::Making(_))) || leaving;
            if !session.is_complete && is_another && !record.is(EventName::DestroyBefore) {
                (ready, leaving) = (false, false);
            }
            if record.kind != Kind::Event {
                continue;
            }
            if destroyed {
                findings.broken(
                    record,
                    format!("{} fires after the player was destroyed", record.name),
                );
            }
            let twice = match record.event() {
                Some(EventName::Ready) => std::mem::replace(&mut ready, true),
                Some(EventName::DestroyBefore) => std::mem::replace(&mut leaving, true),
                _ => false,
            };
            if twice {
                findings.broken(record, format!("{} fires a second time", record.name));
                if !session.is_own {
                    // Page code may have made another player in its place.
                    findings.doubt();
                }
            }
        }
    }
}
