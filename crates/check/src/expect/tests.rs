//! Expectations checked against a small trace written by hand.

use super::*;
use playsim_api::{Because, Cause, Code, Line, LineName, Outcome};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_trace::{NewLine, PlayerIndex, Tape};

fn line(name: impl Into<LineName>, data: Fields) -> NewLine {
    line_of(Line::new(name, data))
}

fn line_of(line: Line) -> NewLine {
    let player = Some(PlayerIndex(0));
    NewLine {
        cause: Cause::Script,
        rule: None,
        player,
        in_break: None,
        line,
    }
}

/// A trace with reads at 1 s and 2 s, a failed call at 3 s, three time updates from 4 s on, and
/// events around them.
fn trace() -> Trace {
    let mut tape = Tape::new();
    let player = tape.add_player("main".into());
    let mut write = |secs, line| {
        tape.write(Time::from_secs(secs), line);
    };
    write(0, line(EventName::RequestAd, Fields::NONE));
    write(
        0,
        line(EventName::AdStart, Fields::one("wp", 1).with("pod", 0)),
    );
    write(1, line(Call::CurrentTime, Fields::one("returns", 44)));
    write(2, line(Call::CurrentTime, Fields::one("returns", 45)));
    write(3, line(Call::SetAd, Fields::one("error", "bad_argument")));
    write(
        3,
        line_of(Line::new(
            Code::VolumeRange,
            Fields::one("text", "too loud"),
        )),
    );
    let updates = playsim_api::TimeUpdates {
        first: Time::from_secs(4),
        step: Span::from_millis(250),
        count: 3,
    };
    tape.write_updates(
        updates,
        Because {
            rule: rules::MEL_15,
            cause: Cause::Script,
        },
        player,
    );
    tape.write(Time::from_secs(5), line(EventName::AdEnd, Fields::NONE));
    tape.finish(
        Time::from_secs(6),
        rules::CLK_7,
        Outcome::Idle,
        Fields::NONE,
    )
}

fn judge(expectation: Expectation) -> Option<String> {
    expectations(&[expectation], &trace())
        .first()
        .map(ToString::to_string)
}

fn event(event: EventName, times: Option<u32>, data: Fields) -> Expectation {
    Expectation::Event {
        event,
        times,
        data: Value::Map(data),
    }
}

#[test]
fn an_event_is_expected_a_number_of_times_or_at_least_once() {
    assert_eq!(
        judge(event(EventName::TimeUpdate, Some(3), Fields::NONE)),
        None
    );
    assert_eq!(
        judge(event(EventName::TimeUpdate, None, Fields::NONE)),
        None
    );
    assert_eq!(
        judge(event(EventName::TimeUpdate, Some(2), Fields::NONE)).unwrap(),
        "expectation 1: expected event timeupdate twice; \
         it fired 3 times, at 4.000000, 4.250000, 4.500000"
    );
    assert_eq!(
        judge(event(EventName::AdSkip, None, Fields::NONE)).unwrap(),
        "expectation 1: expected event adSkip at least once; \
         it never fired (the run ended at 6.000000: idle)"
    );
}

#[test]
fn an_event_has_at_least_the_expected_data() {
    assert_eq!(
        judge(event(EventName::AdStart, Some(1), Fields::one("wp", 1))),
        None
    );
    assert_eq!(
        judge(event(
            EventName::AdStart,
            Some(1),
            Fields::one("wp", 2).with("code", 303)
        ))
        .unwrap(),
        "expectation 1: expected event adStart with wp=2 code=303 once; \
         it fired at 0.000000 with wp=1 no code"
    );
    assert!(judge(event(EventName::AdStart, None, Fields::one("wp", "1"))).is_some());
}

#[test]
fn an_order_allows_others_between_and_names_the_first_that_is_missing() {
    let order = |names: &[EventName]| judge(Expectation::Order(names.to_vec()));
    assert_eq!(order(&[EventName::RequestAd, EventName::AdEnd]), None);
    assert_eq!(
        order(&[
            EventName::TimeUpdate,
            EventName::TimeUpdate,
            EventName::AdEnd
        ]),
        None
    );
    assert_eq!(order(&[]), None);
    assert_eq!(
        order(&[EventName::AdEnd, EventName::AdEnd]).unwrap(),
        "expectation 1: expected events in the order adEnd, adEnd; \
         event 2, adEnd, did not fire after adEnd at 5.000000; that was followed by nothing (the run ended at 6.000000: idle)"
    );
    assert_eq!(
        order(&[EventName::AdStart, EventName::RequestAd]).unwrap(),
        "expectation 1: expected events in the order adStart, requestAd; \
         event 2, requestAd, did not fire after adStart at 0.000000 (before that, it last fired at 0.000000); \
         that was followed by timeupdate 4.000000, adEnd 5.000000"
    );
    assert_eq!(
        order(&[EventName::Start]).unwrap(),
        "expectation 1: expected events in the order start; \
         start did not fire at all (the run ended at 6.000000: idle)"
    );
}

#[test]
fn an_unexpected_event_is_reported_with_its_times() {
    assert_eq!(judge(Expectation::Never(EventName::PlaybackError)), None);
    assert_eq!(
        judge(Expectation::Never(EventName::AdEnd)).unwrap(),
        "expectation 1: expected no adEnd event; it fired once, at 5.000000"
    );
}

#[test]
fn a_diagnostic_is_found_by_its_code() {
    let diag = |code: &str, times| {
        judge(Expectation::Diag {
            code: code.into(),
            times,
        })
    };
    assert_eq!(diag("volume_range", None), None);
    assert_eq!(diag("no_such", Some(0)), None);
    assert_eq!(
        diag("no_such", None).unwrap(),
        "expectation 1: expected diagnostic no_such at least once; \
         it was not reported; others were: volume_range 3.000000"
    );
}

#[test]
fn a_reading_is_that_of_its_time_or_the_last() {
    let read = |query, at: Option<u64>, is: i64| {
        judge(Expectation::Read {
            query,
            at: at.map(Time::from_secs),
            is: is.into(),
        })
    };
    assert_eq!(read(Query::CurrentTime, Some(1), 44), None);
    assert_eq!(read(Query::CurrentTime, None, 45), None);
    assert_eq!(
        read(Query::CurrentTime, Some(1), 45).unwrap(),
        "expectation 1: expected currentTime to be 45 at 1.000000; it was 44 at 1.000000"
    );
    assert_eq!(
        read(Query::CurrentTime, Some(9), 45).unwrap(),
        "expectation 1: expected currentTime to be 45 at 9.000000; \
         it was not read at that time, only at 1.000000, 2.000000"
    );
    assert_eq!(
        read(Query::Duration, Some(9), 45).unwrap(),
        "expectation 1: expected duration to be 45 at 9.000000; \
         it was never read; add a step that reads it: { at: 9s, read: [duration] }"
    );
}

#[test]
fn a_call_is_counted_with_its_outcome() {
    let call = |times, error: Option<&str>| {
        judge(Expectation::Call {
            call: Call::SetAd,
            times,
            error: error.map(Into::into),
        })
    };
    assert_eq!(call(Some(1), None), None);
    assert_eq!(call(None, Some("bad_argument")), None);
    assert_eq!(
        call(None, Some("not_ready")).unwrap(),
        "expectation 1: expected call setAd with error not_ready at least once; \
         it was made at 3.000000 with error bad_argument"
    );
}

#[test]
fn the_order_of_keys_does_not_count() {
    let (a, b) = (
        Fields::one("x", 1).with("y", 2),
        Fields::one("y", 2).with("x", 1),
    );
    assert!(same(&Value::Map(a), &Value::Map(b)));
    assert!(!same(&Value::Null, &Value::from(0)));
}

#[test]
fn at_most_one_of_several_events_fires() {
    assert_eq!(
        judge(Expectation::AtMostOne(vec![
            EventName::AdComplete,
            EventName::AdStart
        ])),
        None
    );
    let both = vec![EventName::AdEnd, EventName::AdSkip, EventName::AdStart];
    assert_eq!(
        judge(Expectation::AtMostOne(both)).unwrap(),
        "expectation 1: expected at most one of adEnd, adSkip, adStart; \
         these fired: adStart 0.000000, adEnd 5.000000"
    );
}

#[test]
fn an_event_follows_another_in_time() {
    let after = |event, comes, within| Expectation::After {
        event,
        comes,
        within: Span::from_secs(within),
    };
    assert_eq!(judge(after(EventName::AdStart, EventName::AdEnd, 5)), None);
    // What never fires has nothing to wait for.
    assert_eq!(judge(after(EventName::AdSkip, EventName::AdEnd, 0)), None);
    assert_eq!(
        judge(after(EventName::AdStart, EventName::AdEnd, 4)).unwrap(),
        "expectation 1: expected adEnd within 4s after each adStart; \
         after adStart at 0.000000 it fired only at 5.000000"
    );
    assert_eq!(
        judge(after(EventName::AdEnd, EventName::Play, 9)).unwrap(),
        "expectation 1: expected play within 9s after each adEnd; \
         after adEnd at 5.000000 it never fired (the run ended at 6.000000: idle)"
    );
    let mut cut = trace();
    cut.records.last_mut().expect("it has an outcome").name = Outcome::Until.name().into();
    let open =
        |within| expectations(&[after(EventName::AdEnd, EventName::Play, within)], &cut).len();
    assert_eq!(
        (open(9), open(1)),
        (0, 1),
        "at 6 s it is too late for one second, and not for nine"
    );
}
