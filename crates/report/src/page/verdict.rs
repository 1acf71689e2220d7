//! The verdict: one sentence with the number that matters and its cause, and at most four key
//! figures.

use std::fmt::Write;

use super::View;
use super::fate::{Fate, ordinal, took, words};
use super::frame::Figure;
use super::scale::{grouped, seconds, short};
use crate::waterfall::{
    AdBreakKind, AdBreakOutcome, AdBreakReport, AdEnd, Played, Tag, TagOutcome,
};
use playsim_api::{EventName, Kind};
use playsim_base::words::counted;
use playsim_trace::Record;
use playsim_vast::TrackingEvent;

/// The shortest wait that is worth a word: this many microseconds, and this part of the whole in
/// percent.
const WORTH: (u64, u64) = (50_000, 10);

/// A tag of the report: the index of its break, and its own.
pub(super) type TagPlace = (usize, usize);

/// The headline of the page.
pub(super) struct Verdict {
    /// The sentence, as plain text.
    pub(super) sentence: String,
    /// The tag that it names: its row is open from the beginning.
    pub(super) tag: Option<TagPlace>,
}

impl Verdict {
    pub(super) fn of(view: &View<'_>) -> Verdict {
        let mut verdict = match &real_breaks(view)[..] {
            [] => Verdict {
                sentence: without_breaks(view),
                tag: None,
            },
            [(index, it)] => of_break(view, *index, it),
            several => of_breaks(view, several),
        };
        let sentence = &mut verdict.sentence;
        if let Some(error) = records(view, EventName::PlaybackError)
            .next()
            .filter(|_| !view.report.breaks.is_empty())
        {
            let _ = write!(
                sentence,
                " The content failed after {} s.",
                seconds(error.at.micros())
            );
        }
        if let Some(end) = view.trace.outcome().filter(|_| view.trace.is_cut_short()) {
            let _ = write!(sentence, " The run was stopped ({}).", end.name());
        }
        verdict
    }
}

/// Returns the breaks that could show ads: not those in which only a schedule was requested.
fn real_breaks<'a>(view: &View<'a>) -> Vec<(usize, &'a AdBreakReport)> {
    let breaks = view.report.breaks.iter().enumerate();
    breaks
        .filter(|(_, it)| it.outcome != AdBreakOutcome::Scheduled || !it.played.is_empty())
        .collect()
}

fn records<'a>(view: &View<'a>, name: EventName) -> impl Iterator<Item = &'a Record> {
    view.trace
        .records
        .iter()
        .filter(move |record| record.is(name))
}

/// Returns when the first ad of a break began.
pub(super) fn first_start(it: &AdBreakReport) -> Option<u64> {
    it.played.iter().filter_map(|ad| ad.start_us).min()
}

/// Returns how long the viewer waited: until the first ad, or until the break gave up.
pub(super) fn waited(it: &AdBreakReport) -> Option<u64> {
    let decided = || it.tags.iter().filter_map(|tag| tag.decided_us).max();
    Some(
        first_start(it)
            .or(it.end_us)
            .or_else(decided)?
            .saturating_sub(it.begin_us),
    )
}

/// Returns the tag that failed and cost most, with the time that it cost.
fn costliest(it: &AdBreakReport) -> Option<(usize, u64)> {
    let failed = it
        .tags
        .iter()
        .enumerate()
        .filter(|(_, tag)| Fate::of(tag).is_failure());
    let cost = failed.filter_map(|(index, tag)| Some((index, took(tag)?)));
    // Of equal ones, the first.
    cost.rev().max_by_key(|(_, cost)| *cost)
}

/// Returns the same if it is worth a word.
pub(super) fn waste(it: &AdBreakReport) -> Option<(usize, u64)> {
    let whole = waited(it)?;
    costliest(it).filter(|(_, cost)| {
        *cost >= WORTH.0 && cost.saturating_mul(100) >= whole.saturating_mul(WORTH.1)
    })
}

fn of_break(view: &View<'_>, index: usize, it: &AdBreakReport) -> Verdict {
    let mut sentence = match it.kind {
        AdBreakKind::Pre => String::new(),
        AdBreakKind::Mid
        | AdBreakKind::Post
        | AdBreakKind::Overlay
        | AdBreakKind::Display
        | AdBreakKind::Command
        | AdBreakKind::Other(_) => format!("{}: ", view.label(it)),
    };
    let wasted = waste(it);
    sentence.push_str(&outcome(view, it));
    if let Some((tag, cost)) = wasted {
        let _ = write!(sentence, "; {}", lost(view, it, tag, cost, "of it "));
    }
    let mut sentence = capital(&sentence);
    sentence.push('.');
    sentence.push_str(&ends(it));
    let failed = || costliest(it).map(|(tag, _)| tag);
    let empty = || (!it.tags.is_empty()).then_some(it.tags.len() - 1);
    let tag = wasted.map(|(tag, _)| tag).or_else(|| {
        if first_start(it).is_some() {
            None
        } else {
            failed().or_else(empty)
        }
    });
    Verdict {
        sentence,
        tag: tag.map(|tag| (index, tag)),
    }
}

/// Returns `2.000 s of it were lost waiting for tag 4`.
fn lost(view: &View<'_>, it: &AdBreakReport, tag: usize, cost: u64, of_it: &str) -> String {
    let (time, which) = (seconds(cost), number(it, tag));
    let failed = &it.tags[tag];
    match Fate::of(failed) {
        Fate::TimedOut => format!("{time} s {of_it}were lost waiting for {which}"),
        Fate::Filled
        | Fate::Scheduled
        | Fate::Empty
        | Fate::Status
        | Fate::Connection
        | Fate::Unreadable
        | Fate::Blocked
        | Fate::Refused
        | Fate::Loop
        | Fate::TooDeep
        | Fate::Broken
        | Fate::NoMedia
        | Fate::Failed
        | Fate::NotAsked
        | Fate::Undecided => {
            let why = failed.code.map_or_else(
                || words(failed, view.report),
                |code| format!("{code}, {}", words(failed, view.report)),
            );
            format!("{time} s {of_it}were spent on {which} ({why})")
        }
    }
}

/// Returns `tag 4`, with its pod where there are several.
pub(super) fn number(it: &AdBreakReport, tag: usize) -> String {
    let tag = &it.tags[tag];
    let wp = u64::from(tag.wp) + 1;
    if it.tags.iter().any(|other| other.pod > 0) {
        return format!("tag {wp} of pod {}", u64::from(tag.pod) + 1);
    }
    format!("tag {wp}")
}

fn outcome(view: &View<'_>, it: &AdBreakReport) -> String {
    let Some(first) = it.played.iter().find(|ad| ad.start_us.is_some()) else {
        return unfilled(view, it);
    };
    let after = seconds(waited(it).unwrap_or_default());
    let same_pod = it.tags.iter().filter(|tag| tag.pod == first.pod);
    match (first.wp, same_pod.count()) {
        (_, 0 | 1) => format!("filled by its only tag after {after} s"),
        (0, of) => format!("filled by the first of {of} tags after {after} s"),
        (wp, of) => {
            let nth = usize::try_from(wp).unwrap_or(usize::MAX).saturating_add(1);
            format!(
                "filled by the {} of {of} tags after {after} s",
                ordinal(nth)
            )
        }
    }
}

fn unfilled(view: &View<'_>, it: &AdBreakReport) -> String {
    let wait = waited(it)
        .map(|wait| format!(" after {} s", seconds(wait)))
        .unwrap_or_default();
    if it.tags.iter().any(|tag| tag.outcome == TagOutcome::Filled) {
        return format!("an ad was ready, but none started ({})", it.outcome);
    }
    match (&it.outcome, &it.tags[..]) {
        (_, []) => "no ad: there was no tag to request".to_owned(),
        (AdBreakOutcome::NoFill, [tag]) => {
            format!(
                "no ad: the only tag gave none{wait} ({})",
                words(tag, view.report)
            )
        }
        (AdBreakOutcome::NoFill, tags) => {
            format!("no ad: none of {} tags filled{wait}", tags.len())
        }
        (AdBreakOutcome::Aborted, _) => format!("no ad: the break was broken off{wait}"),
        (_, _) => "no ad: the run ended before the break was decided".to_owned(),
    }
}

/// Returns how the ads of a break ended, if not as they should.
fn ends(it: &AdBreakReport) -> String {
    let shown = |ad: &Played| {
        let length = ad.end_us?.saturating_sub(ad.start_us?);
        let how = match ad.end.as_ref()? {
            AdEnd::Skip => "was skipped",
            AdEnd::Error => "failed",
            AdEnd::Cut => "was cut",
            AdEnd::Complete | AdEnd::NotStarted | AdEnd::Other(_) => return None,
        };
        Some(format!(
            " The ad {how} after {} s.",
            short(length / 1_000 * 1_000)
        ))
    };
    it.played.iter().find_map(shown).unwrap_or_default()
}

fn of_breaks(view: &View<'_>, breaks: &[(usize, &AdBreakReport)]) -> Verdict {
    let filled = breaks
        .iter()
        .filter(|(_, it)| first_start(it).is_some())
        .count();
    let of = breaks.len();
    let mut sentence = match filled {
        0 => format!("None of {of} ad breaks filled"),
        2 if of == 2 => "Both ad breaks filled".to_owned(),
        _ if filled == of => format!("All {of} ad breaks filled"),
        _ => format!("{filled} of {of} ad breaks filled"),
    };
    let wastes = breaks
        .iter()
        .filter_map(|(index, it)| waste(it).map(|(tag, cost)| (*index, *it, tag, cost)));
    let mut named = None;
    if let Some((index, it, tag, cost)) = wastes.rev().max_by_key(|(_, _, _, cost)| *cost) {
        let _ = write!(
            sentence,
            "; {} in the {}",
            lost(view, it, tag, cost, ""),
            lower(&view.label(it))
        );
        named = Some((index, tag));
    } else if let Some((index, it)) = breaks.iter().find(|(_, it)| first_start(it).is_none()) {
        let _ = write!(
            sentence,
            "; the {} had {}",
            lower(&view.label(it)),
            unfilled(view, it)
        );
        named = it.tags.len().checked_sub(1).map(|tag| (*index, tag));
    }
    sentence.push('.');
    Verdict {
        sentence,
        tag: named,
    }
}

fn without_breaks(view: &View<'_>) -> String {
    let edits: Vec<&Record> = edits(view).collect();
    if let Some(error) = records(view, EventName::PlaybackError).next() {
        return format!("The content failed after {} s.", seconds(error.at.micros()));
    }
    let schedules: usize = view.report.schedules.iter().map(|it| it.breaks.len()).sum();
    if schedules > 0 {
        return format!(
            "A schedule of {} was received, and none of them began.",
            counted(schedules, "ad break")
        );
    }
    if let Some(scheduled) = view.report.breaks.first() {
        return format!(
            "{}: a schedule of ad breaks was requested, and no ad break followed.",
            view.label(scheduled)
        );
    }
    let edited = match (
        edits.len(),
        edits.iter().filter(|record| is_refused(record)).count(),
    ) {
        (0, _) => String::new(),
        (all, 0) => format!("{}, none of them refused. ", counted(all, "edit call")),
        (all, refused) => format!("{}, {refused} of them refused. ", counted(all, "edit call")),
    };
    let content = match (
        records(view, EventName::Start).next(),
        records(view, EventName::Ended).next(),
    ) {
        (Some(start), ended) => {
            let end = if ended.is_some() {
                " and played to its end"
            } else {
                ""
            };
            format!(
                "No ad break took place; the content started after {} s{end}.",
                seconds(start.at.micros())
            )
        }
        (None, _) if !edited.is_empty() => String::new(),
        (None, _) => "No ad break took place, and no content started.".to_owned(),
    };
    format!("{edited}{content}").trim_end().to_owned()
}

/// Returns the answers of edit calls.
fn edits<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Record> {
    view.trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Edit && record.data.get("status").is_some())
}

fn is_refused(record: &Record) -> bool {
    record.data.get("errors").is_some()
        || record
            .data
            .integer("status")
            .is_some_and(|status| status >= 400)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// Returns the key figures.
pub(super) fn figures(view: &View<'_>) -> Vec<Figure> {
    let breaks = real_breaks(view);
    let mut figures = match &breaks[..] {
        [] => of_session(view),
        [(_, it)] => of_one(it),
        several => of_several(several),
    };
    if !breaks.is_empty() {
        figures.extend(of_ads(&breaks));
        figures.extend(of_pixels(view));
    }
    figures
}

fn of_one(it: &AdBreakReport) -> Vec<Figure> {
    let mut figures = Vec::new();
    let what = if first_start(it).is_some() {
        "until the first ad"
    } else {
        "until the break gave up"
    };
    figures.extend(waited(it).map(|wait| Figure::new(seconds(wait), "s", what)));
    if let (Some((index, cost)), Some(whole)) = (waste(it), waited(it).filter(|whole| *whole > 0)) {
        let tag: &Tag = &it.tags[index];
        let late = tag
            .requests
            .iter()
            .find_map(|request| Some(request.late_us?.saturating_sub(request.timed_out_us?)));
        let how = match (Fate::of(tag), late) {
            (Fate::TimedOut, Some(late)) => {
                format!(", whose answer came {} s too late", seconds(late))
            }
            (Fate::TimedOut, None) => ", which never answered".to_owned(),
            _ => String::new(),
        };
        let label = format!("of it for {}{how}", super::fate::host(tag));
        let percent = cost
            .saturating_mul(100)
            .checked_div(whole)
            .unwrap_or_default()
            .min(100);
        figures.push(Figure {
            is_bad: true,
            ..Figure::new(percent.to_string(), "%", label)
        });
    } else if !it.tags.is_empty() {
        let tried = it
            .tags
            .iter()
            .filter(|tag| tag.outcome != TagOutcome::NotAsked)
            .count();
        figures.push(Figure::new(
            tried.to_string(),
            format!("of {}", it.tags.len()),
            "tags were tried",
        ));
    }
    figures
}

fn of_several(breaks: &[(usize, &AdBreakReport)]) -> Vec<Figure> {
    let filled = breaks
        .iter()
        .filter(|(_, it)| first_start(it).is_some())
        .count();
    let wait: u64 = breaks
        .iter()
        .filter_map(|(_, it)| waited(it))
        .fold(0, u64::saturating_add);
    vec![
        Figure::new(
            filled.to_string(),
            format!("of {}", breaks.len()),
            "ad breaks filled",
        ),
        Figure::new(
            seconds(wait),
            "s",
            "until the first ads of all breaks together",
        ),
    ]
}

fn of_ads(breaks: &[(usize, &AdBreakReport)]) -> Option<Figure> {
    let shown: Vec<&Played> = breaks
        .iter()
        .flat_map(|(_, it)| &it.played)
        .filter(|ad| ad.start_us.is_some())
        .collect();
    if shown.is_empty() {
        return None;
    }
    let complete = shown
        .iter()
        .filter(|ad| ad.end == Some(AdEnd::Complete))
        .count();
    let length = |ad: &&Played| Some(ad.end_us?.saturating_sub(ad.start_us?));
    let length: u64 = shown.iter().filter_map(length).fold(0, u64::saturating_add);
    let label = format!("ads played to their end, {} s shown", seconds(length));
    Some(Figure::new(
        complete.to_string(),
        format!("of {}", shown.len()),
        label,
    ))
}

fn of_pixels(view: &View<'_>) -> Option<Figure> {
    let fired: usize = view.report.breaks.iter().map(|it| it.beacons.len()).sum();
    let unfired: usize = view.report.breaks.iter().map(|it| it.uncalled.len()).sum();
    let errors = view
        .report
        .breaks
        .iter()
        .flat_map(|it| &it.beacons)
        .filter(|beacon| beacon.event == TrackingEvent::Error)
        .count();
    let label = match errors {
        0 => "pixels fired".to_owned(),
        1 => "pixels fired, 1 of them an error".to_owned(),
        _ => format!("pixels fired, {errors} of them errors"),
    };
    let of = if unfired > 0 {
        format!("of {}", grouped((fired + unfired) as u64))
    } else {
        String::new()
    };
    (fired + unfired > 0).then(|| Figure::new(grouped(fired as u64), of, label))
}

/// The figures of a run without an ad break.
fn of_session(view: &View<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    if let Some(start) = records(view, EventName::Start).next() {
        figures.push(Figure::new(
            seconds(start.at.micros()),
            "s",
            "until the content started",
        ));
    }
    let edits: Vec<&Record> = edits(view).collect();
    if !edits.is_empty() {
        let accepted = edits.iter().filter(|record| !is_refused(record)).count();
        figures.push(Figure::new(
            accepted.to_string(),
            format!("of {}", edits.len()),
            "edit calls accepted",
        ));
    }
    let failures = view
        .trace
        .records
        .iter()
        .filter(|record| super::lines::is_failure(record))
        .count();
    figures.push(Figure {
        is_bad: failures > 0,
        ..Figure::new(grouped(failures as u64), "", "failures in the trace")
    });
    let lines: u64 = view
        .trace
        .records
        .iter()
        .map(|record| u64::from(record.lines()))
        .sum();
    figures.push(Figure::new(grouped(lines), "", "lines in the trace"));
    figures
}
