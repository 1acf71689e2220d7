//! What would have changed the result: the recorded answers, played with other settings.

use maud::{Markup, html};

use super::View;
use super::drawing::{Bar, bar};
use super::mark::said;
use crate::evidence::Certainty;
use crate::verdict::short;
use playsim_base::html::Text;
use playsim_base::time::{Span, Time};
use playsim_base::words::seconds;
use playsim_report::alternative::{Alternative, AlternativeResult};
use playsim_report::page::frame::Section;
use playsim_report::page::scale::Scale;

/// Returns the alternatives with their bars, and the command that tries more of them.
pub(super) fn section(
    view: &View<'_>,
    all: &[Alternative],
    proposal: Option<&str>,
) -> Option<Section> {
    let command = proposal.filter(|_| view.simulated.is_some())?;
    let given_up = view.verdict.limit.as_ref().and_then(|limit| limit.upper);
    let body = html! {
        @if all.len() > 1 { (table(view, all)) }
        p class="lead" {
            @if all.len() > 1 { "This plays the recording with more timeouts:" } @else {
                "Not asked yet. This plays the recording with other timeouts:"
            }
        }
        pre { (Text(command)) }
        p { "With " code { "--format html -o what-if.html" } " the answer is a page." }
        @if let Some(upper) = given_up {
            p class="muted" {
                "The page gave up after " (seconds(upper.micros())) " s: what a tag would have answered later, no \
                 setting can show, unless the recording has the late answer."
            }
        }
    };
    Some(Section::new(
        "help",
        "What would have changed the result",
        body,
    ))
}

/// Returns the length of the ad of a tag, as its document says.
fn length(view: &View<'_>, tag: Option<&str>) -> Span {
    let breaks = || view.verdict.breaks.iter();
    let document = breaks()
        .flat_map(|it| &it.tags)
        .find(|it| Some(&*it.url) == tag)
        .map(|it| it.document);
    let of_tag = |ad: usize| view.evidence.documents.get(ad).map(|it| it.tag) == document;
    let ad = breaks()
        .flat_map(|it| &it.ads)
        .find(|ad| document.is_some() && of_tag(ad.document));
    ad.and_then(|ad| ad.documented).unwrap_or_default()
}

fn table(view: &View<'_>, all: &[Alternative]) -> Markup {
    let end = |it: &Alternative| match &it.result {
        AlternativeResult::Picture { after, tag } => *after + length(view, tag.as_deref()),
        AlternativeResult::Nothing | AlternativeResult::Unknown => Span::ZERO,
    };
    let last = all.iter().map(end).max().unwrap_or_default();
    let scale = Scale::linear(0, last.micros());
    html! {
        p class="lead" {
            "The answers of this recording, played by a player that follows the rules, with one setting changed. Bars begin with the \
             break and run to the end of the ad, " (seconds(last.micros())) " s at most."
        }
        table class="list alt" {
            thead { tr {
                th scope="col" { "change" }
                th scope="col" { "first picture" }
                th scope="col" class="num" { "after, s" }
                th scope="col" class="num" { "change, s" }
                th scope="col" class="line" { "time line" }
            } }
            tbody { @for (nth, it) in all.iter().enumerate() { (row(view, &scale, it, (nth > 0).then(|| &all[0]))) } }
        }
    }
}

/// Writes an alternative; `base` is how it is now.
fn row(view: &View<'_>, scale: &Scale, it: &Alternative, base: Option<&Alternative>) -> Markup {
    let shown = match &it.result {
        AlternativeResult::Picture { tag: Some(url), .. } => format!("ad of {}", short(url)),
        AlternativeResult::Picture { tag: None, .. } => "content, no ad".to_owned(),
        AlternativeResult::Nothing => "none".to_owned(),
        AlternativeResult::Unknown => "cannot say".to_owned(),
    };
    let certainty = match it.result {
        AlternativeResult::Unknown => Certainty::Unknown,
        AlternativeResult::Picture { .. } | AlternativeResult::Nothing => Certainty::Inferred,
    };
    let after = it.result.after();
    let change = base
        .and_then(|base| Some((after?, base.result.after()?)))
        .map(|(after, before)| {
            if after < before {
                format!("\u{2212}{}", seconds((before - after).micros()))
            } else {
                format!("+{}", seconds((after - before).micros()))
            }
        });
    html! {
        tr class=[base.is_none().then_some("cur")] {
            th scope="row" { (Text(&it.change)) }
            td class="wrap" data-l="first picture " { (said(certainty, &shown)) }
            td class="num" data-l="after " { @if let Some(after) = after { (seconds(after.micros())) } }
            td class="num" data-l="change " { @if let Some(change) = &change { (change) } }
            td class="line" {
                svg class="plot" height="32" aria-hidden="true" {
                    @if let AlternativeResult::Picture { after, tag } = &it.result {
                        (bar(scale, Bar::Hollow, Time::ZERO, Time::ZERO + *after))
                        @if tag.is_some() {
                            (bar(scale, Bar::Ad, Time::ZERO + *after, Time::ZERO + *after + length(view, tag.as_deref())))
                        }
                    }
                }
            }
        }
    }
}
