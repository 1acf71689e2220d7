//! The details of a tag: outcome, meaning, who has to act, error URLs that were called, and rules;
//! the place in the document, the requests, and the chain of causes.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::Figure;
use super::bars::{BarKind, answer};
use crate::dictionary;
use crate::page::axis::bar;
use crate::page::fate::{Fate, host, took};
use crate::page::lines::TagLines;
use crate::page::scale::{Scale, X, millis, seconds};
use crate::page::verdict::{first_start, waited};
use crate::page::{chain, line_link, pixels_id, prose};
use crate::waterfall::{Beacon, Rejected, Tag, TagOutcome, TagRequest};
use playsim_base::html::{Text, head};
use playsim_base::words::counted;
use playsim_trace::session::TagPosition;
use playsim_vast::TrackingEvent;

/// The most entries of one list.
const MOST: usize = 30;
/// The most causes of a code, and remedies, that are listed; `playsim code` has all.
const MOST_ADVICE: usize = 2;
/// The least width of a bar on the axis of one tag.
const NARROW: X = X(300);

pub(super) fn tag(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate) -> Markup {
    let (who, how) = fate.who_acts(&host(tag));
    let lines = figure.view.lines.breaks.get(figure.index);
    let (pod, wp) = (tag.pod, tag.wp);
    let lines = lines.and_then(|lines| lines.tags.get(&TagPosition { pod, wp }));
    html! {
        dl {
            dt { "What" } dd { (happened(tag)) }
            dt { "Means" } dd { (means(figure, tag, fate)) (late(tag)) }
            dt { "Who acts" } dd { b { (who) } (if who == "Nobody" { ", " } else { ": " }) (Text(&how)) }
            (reported(figure, tag, fate))
        }
        div {
            (code(tag, fate))
            @if let Some(lines) = lines { (rules(figure, lines)) }
            @if let Some(place) = &tag.at { (figure.view.documents.excerpt(place)) }
            (noted(tag))
        }
        (requests(figure, tag, fate))
        @if let Some(decision) = lines.and_then(|lines| lines.decision) {
            details.full.why { summary { "Cause by cause" } (chain::list(figure.view, decision, true)) }
        }
    }
}

fn happened(tag: &Tag) -> Markup {
    html! {
        @match (tag.outcome, &tag.message, &tag.reason) {
            (TagOutcome::NoFill, Some(message), Some(reason)) => { (Text(&capital(message))) ": " (Text(reason)) "." }
            (TagOutcome::NoFill, Some(text), None) | (TagOutcome::NoFill, None, Some(text)) => {
                (Text(&capital(text))) "."
            }
            (TagOutcome::NoFill, None, None) => "It gave no ad.",
            (TagOutcome::Filled, ..) if tag.hops > 1 => { "An ad was found after " (tag.hops) " documents." }
            (TagOutcome::Filled, ..) => "Its document has an ad that can be shown.",
            (TagOutcome::Scheduled, ..) => "The answer says when ad breaks come, and has no ads itself.",
            (TagOutcome::NotAsked, ..) => "It was never requested.",
            (TagOutcome::Unknown, ..) => "It depends on a document that is not given.",
            (TagOutcome::Undecided, ..) => "It was requested, and nothing was decided.",
        }
    }
}

/// Returns the meaning of the code, its usual causes, and remedies.
fn code(tag: &Tag, fate: Fate) -> Markup {
    let Some((number, entry)) = tag
        .code
        .and_then(|code| Some((code, dictionary::of_ad_error(code)?)))
    else {
        return html! {};
    };
    html! {
        h3 { "Code " span class=(fate.tone()) { (number) } }
        p.small {
            (entry.family.title()) ": " (Text(entry.title)) "."
            @if fate.is_failure() { " " (Text(entry.meaning)) }
        }
        @if fate.is_failure() {
            @for (name, texts) in [("Often", entry.causes), ("Helps", entry.remedies)] {
                @if !texts.is_empty() {
                    ul.notes.small { @for text in texts.iter().take(MOST_ADVICE) { li { b { (name) } " " (Text(text)) } } }
                }
            }
        }
    }
}

fn means(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate) -> Markup {
    let it = figure.it;
    let share = |cost: u64| {
        let whole = waited(it).filter(|whole| *whole > 0 && cost > 0)?;
        Some(
            cost.saturating_mul(100)
                .checked_div(whole)
                .unwrap_or_default()
                .min(100),
        )
    };
    html! {
        @match (fate, took(tag)) {
            (Fate::Filled, Some(cost)) => { "Its first ad was ready " (seconds(cost)) " s after it was requested." }
            (Fate::Scheduled, Some(cost)) => {
                "It arrived after " (seconds(cost)) " s. Ads come when its breaks are due."
            }
            (Fate::Filled | Fate::Scheduled, None) => "It needed no request of its own.",
            (Fate::NotAsked, _) => "It cost nothing and earned nothing.",
            (Fate::Empty, Some(cost)) => { "An ordinary no-fill. It cost " (seconds(cost)) " s and nothing else." }
            (Fate::Undecided, _) => "Whether it would have filled cannot be said.",
            (_, Some(cost)) => {
                "The viewer waited " (seconds(cost)) " s for it"
                @if let Some(percent) = share(cost) {
                    ", " (percent) " % of the time "
                    (if first_start(it).is_some() { "until the first ad" } else { "before the break gave up" })
                }
                "."
            }
            (_, None) => "It gave nothing to show.",
        }
    }
}

fn late(tag: &Tag) -> Markup {
    let late = |request: &TagRequest| Some(request.late_us?.saturating_sub(request.timed_out_us?));
    html! {
        @if let Some(late) = tag.requests.iter().find_map(late) {
            " The answer came " (seconds(late)) " s too late and was not read, so none of its pixels fired."
        }
    }
}

/// Returns the error URLs that were called.
fn reported(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate) -> Markup {
    if !matches!(tag.outcome, TagOutcome::NoFill)
        && tag.rejected.is_empty()
        && tag.faults.is_empty()
    {
        return html! {};
    }
    let is_own = |beacon: &&Beacon| {
        beacon.event == TrackingEvent::Error
            && (beacon.pod, beacon.wp) == (Some(tag.pod), Some(tag.wp))
    };
    let errors: Vec<&Beacon> = figure.it.beacons.iter().filter(is_own).collect();
    let codes: BTreeSet<u16> = errors.iter().filter_map(|beacon| beacon.code).collect();
    let codes: Vec<String> = codes.iter().map(u16::to_string).collect();
    let has_no_document =
        matches!(fate, Fate::Status | Fate::Connection | Fate::TimedOut) && tag.hops <= 1;
    html! {
        dt { "Told" }
        dd {
            @if errors.is_empty() {
                "Nobody: no error URL was called."
                @if has_no_document { " Without a document there is none to call." }
            } @else {
                (counted(errors.len(), "error URL"))
                @if !codes.is_empty() { " with " (codes.join(", ")) }
                ", see " a href={ "#" (pixels_id(figure.index)) } { "pixels" } "."
            }
        }
    }
}

fn rules(figure: &Figure<'_, '_>, lines: &TagLines) -> Markup {
    let decision = lines
        .decision
        .filter(|decision| Some(*decision) != lines.first);
    let ends = [lines.first, decision].into_iter().flatten();
    html! {
        @if lines.rules.is_empty() {
            h3 { "Trace" }
        } @else {
            h3 { "Rule" }
            ul.notes.small { @for rule in &lines.rules { li { b { (rule) } " " (prose(rule.row().gist)) } } }
        }
        p.small {
            @for (index, seq) in ends.enumerate() {
                (if index == 0 { "Trace " } else { " to " }) (line_link(figure.view, seq))
            }
        }
    }
}

/// Returns the ads that were not used, faults, and deviations that were tolerated.
fn noted(tag: &Tag) -> Markup {
    let notes = notes(tag);
    html! {
        @if !notes.is_empty() {
            h3 { "Noted" }
            ul.notes {
                @for (note, at) in notes.iter().take(MOST) {
                    li { (Text(note)) @if let Some(at) = at { " " code { (Text(at)) } } }
                }
            }
        }
        @if notes.len() > MOST { p.small.muted { (notes.len() - MOST) " more" } }
    }
}

/// Returns sentences, each with its place.
fn notes(tag: &Tag) -> Vec<(String, Option<&str>)> {
    let ad = |id: &Option<String>| {
        id.as_ref()
            .map(|id| format!("ad {id} "))
            .unwrap_or_default()
    };
    let code = |code: Option<u16>| code.map(|code| format!(" ({code})")).unwrap_or_default();
    let why = |reason: &Option<String>| {
        reason
            .clone()
            .unwrap_or_else(|| "no reason given".to_owned())
    };
    // The last one is why the tag failed, which is said above.
    let is_said = |it: &Rejected| it.reason == tag.reason && it.at == tag.at;
    let rejected = tag.rejected.iter().filter(|it| !is_said(it)).map(|it| {
        (
            format!(
                "{}not used{}: {}",
                ad(&it.ad),
                code(it.code),
                why(&it.reason)
            ),
            it.at.as_deref(),
        )
    });
    let ignored = tag.ignored.iter().map(|it| {
        (
            format!("{}ignored: {}", ad(&it.ad), why(&it.reason)),
            it.at.as_deref(),
        )
    });
    let faults = tag.faults.iter().map(|it| {
        (
            format!("{}{}: {}", it.what.word(), code(it.code), why(&it.reason)),
            it.at.as_deref(),
        )
    });
    let warnings = tag
        .warnings
        .iter()
        .map(|it| (format!("tolerated: {}", it.text), it.at.as_deref()));
    rejected
        .chain(ignored)
        .chain(faults)
        .chain(warnings)
        .collect()
}

/// Returns all requests of a tag on an axis of their own.
fn requests(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate) -> Markup {
    let Some(first) = tag.requests.first() else {
        return html! {};
    };
    let over = |request: &TagRequest| {
        let end = tag.decided_us.or(figure.it.end_us);
        request
            .over_us()
            .or(end)
            .unwrap_or(request.asked_us)
            .max(request.asked_us)
    };
    let last = tag
        .requests
        .iter()
        .map(|request| request.late_us.unwrap_or(0).max(over(request)))
        .max();
    let scale = Scale::tight(first.asked_us, last.unwrap_or(first.asked_us));
    let axis = format!(
        "{} to {}, its own scale",
        seconds(first.asked_us),
        seconds(last.unwrap_or_default())
    );
    let decided = tag.until_decided().count();
    html! {
        div.full {
            table.hops {
                (head(&["hop", "address", ">took, ms", "answer", &axis]))
                tbody {
                    @for (index, request) in tag.requests.iter().enumerate().take(MOST) {
                        @let class = BarKind::of(request, fate, index + 1 == decided).class();
                        @let (from, to) = (scale.start(request.asked_us), scale.end(over(request)));
                        tr {
                            td data-l="hop " { @match request.hop { Some(hop) => { (hop) } None => "media" } }
                            td { code { (Text(&request.url)) } }
                            td.num data-l="ms " {
                                @if let Some(over) = request.over_us() { (millis(over.saturating_sub(request.asked_us))) }
                            }
                            td { span class=[is_bad(request).then_some("bad")] { (Text(&answer(request))) } }
                            td.hp {
                                svg aria-hidden="true" {
                                    (bar(class, (from, to), (4, 10), NARROW, html! {}))
                                    @if let Some(late) = request.late_us {
                                        rect.b-late x=(to) y="4" width=(to.to(scale.end(late))) height="10" {}
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if tag.requests.len() > MOST {
                p.small.muted { (counted(tag.requests.len() - MOST, "more request")) " are not listed." }
            }
        }
    }
}

fn is_bad(request: &TagRequest) -> bool {
    let status = request.status.is_some_and(|status| status >= 400);
    status || request.timed_out_us.is_some() || request.fault.is_some()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
