//! When and where the breaks of small documents are due.
//!
//! Rules: VMAP-4 to VMAP-6, VMAP-17, VMAP-18.

use super::*;
use playsim_vast as vast;

const FILM: Item<'static> = Item {
    duration: Some(Span::from_secs(20)),
    cues: &[],
};

fn schedule(breaks: &str) -> BreakSchedule {
    let text: Arc<str> = format!("<VMAP version='1.0'>{breaks}</VMAP>").into();
    BreakSchedule::of(
        &vast::read(&text).into(),
        &"a.xml".into(),
        &text,
        CuePercent::On,
    )
    .schedule
}

fn due(offset: &str) -> String {
    format!("<AdBreak timeOffset='{offset}' breakType='linear'/>")
}

fn seconds(schedule: &BreakSchedule, item: Item<'_>) -> Vec<u64> {
    schedule
        .places(item)
        .iter()
        .map(|at| at.micros() / 1_000_000)
        .collect()
}

fn at(schedule: &BreakSchedule, seconds: u64) -> Vec<RowAt> {
    let placed = schedule.placed(FILM.duration, FILM.cues);
    schedule.at(Position::from_secs(seconds), &placed, FILM)
}

#[test]
fn times_and_percentages_are_due_within_the_content_and_its_edges_are_start_and_end() {
    let offsets = [
        "00:00:05", "50%", "00:00:20", "00:00:19", "0%", "100%", "00:00:00", "101%",
    ];
    let mut breaks = schedule(&offsets.map(due).concat());
    assert_eq!(seconds(&breaks, FILM), [5, 10, 19]);
    assert_eq!(breaks.out_of_reach(FILM, true), ["00:00:20", "101%"]);
    let live = Item {
        duration: None,
        cues: &[],
    };
    assert_eq!(seconds(&breaks, live), [5, 20, 19]);
    assert_eq!(breaks.out_of_reach(live, true), ["50%", "101%"]);
    let starts = std::iter::from_fn(|| breaks.next_start(FILM)).count();
    let ends = std::iter::from_fn(|| breaks.next_end(FILM)).count();
    assert_eq!((starts, ends), (2, 1));
    breaks.give_back_end(FILM);
    assert!(breaks.next_end(FILM).is_some());
    assert!(breaks.next_end(FILM).is_none());
}

#[test]
fn a_percentage_is_exact_to_the_microsecond() {
    let breaks = schedule(&due("33%"));
    let item = Item {
        duration: Some(Span::from_micros(10_000_001)),
        cues: &[],
    };
    assert_eq!(breaks.places(item), [Position::from_micros(3_300_001)]);
}

#[test]
fn a_break_repeats_until_the_content_ends() {
    let repeated = "<AdBreak timeOffset='start' breakType='linear' repeatAfter='00:00:08'/>\
        <AdBreak timeOffset='25%' breakType='linear' repeatAfter='00:00:05'/>\
        <AdBreak timeOffset='end' breakType='linear' repeatAfter='00:00:05'/>";
    let breaks = schedule(repeated);
    assert_eq!(seconds(&breaks, FILM), [8, 16, 5, 10, 15]);
    let at = |seconds| at(&breaks, seconds);
    assert_eq!(at(16), [RowAt { row: 0, nth: 2 }]);
    assert_eq!(at(5), [RowAt { row: 1, nth: 0 }]);
    assert_eq!(at(7), []);
    let endless =
        schedule("<AdBreak timeOffset='00:00:01' breakType='linear' repeatAfter='00:00:00.001'/>");
    assert_eq!(
        endless
            .places(Item {
                duration: None,
                cues: &[]
            })
            .len() as u64,
        MAX_TIMES
    );
}

#[test]
fn at_one_position_repetitions_come_last() {
    let breaks = schedule(&format!(
        "<AdBreak timeOffset='00:00:02' breakType='linear' repeatAfter='00:00:03'/>{0}{0}",
        due("00:00:05")
    ));
    let at = at(&breaks, 5);
    assert_eq!(
        at,
        [
            RowAt { row: 1, nth: 0 },
            RowAt { row: 2, nth: 0 },
            RowAt { row: 0, nth: 1 }
        ]
    );
}

#[test]
fn positions_count_opportunities_unless_there_are_other_offsets() {
    let cues = [Position::from_secs(4), Position::from_secs(9)];
    let item = Item {
        cues: &cues,
        ..FILM
    };
    let mut breaks = schedule(&["#1", "#2", "#3", "#4", "#5"].map(due).concat());
    assert_eq!(seconds(&breaks, item), [4, 9]);
    assert!(breaks.next_start(item).is_some() && breaks.next_end(item).is_some());
    assert_eq!(breaks.out_of_reach(item, true), ["#5"]);
    let text: Arc<str> = format!(
        "<VMAP version='1.0'>{}</VMAP>",
        ["#1", "00:00:03", "#2"].map(due).concat()
    )
    .into();
    let read = BreakSchedule::of(
        &vast::read(&text).into(),
        &"a.xml".into(),
        &text,
        CuePercent::On,
    );
    let (mixed, unplaced, ignored) = (read.schedule, read.unplaced, read.ignored);
    assert_eq!((mixed.len(), unplaced.len(), ignored), (1, 0, vec![0, 2]));
}

#[test]
fn breaks_without_a_valid_offset_or_type_are_set_apart() {
    let text: Arc<str> = "<VMAP version='1.0'><AdBreak breakType='linear'/>\
        <AdBreak timeOffset='soon' breakType='linear'/><AdBreak timeOffset='start'/>\
        <AdBreak timeOffset='start' breakType='hologram'/></VMAP>"
        .into();
    let read = BreakSchedule::of(
        &vast::read(&text).into(),
        &"a.xml".into(),
        &text,
        CuePercent::On,
    );
    let (mut breaks, unplaced) = (read.schedule, read.unplaced);
    assert_eq!(unplaced, [0, 1, 2]);
    assert_eq!(
        breaks.next_start(FILM).map(|it| it.form()),
        Some(None),
        "1003 is reported when it is due"
    );
}
