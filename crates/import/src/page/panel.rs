//! The details of a row: below the picture, or beside it where there is room. One is open at a
//! time, by its address.

use maud::{Markup, html};

use super::mark::statements;
use super::tables::maybe;
use super::{View, code, outcome, sentence};
use crate::evidence::Certainty;
use crate::verdict::{AdVerdict, TagResult, TagVerdict, is_found, played, reason, words};
use playsim_base::html::Text;
use playsim_base::time::Time;
use playsim_base::words::{counted, seconds};
use playsim_report::comparison::StepKind;

pub(super) fn tag(view: &View<'_>, id: &str, tag: &TagVerdict) -> Markup {
    let mut said = vec![(tag.certainty, sentence(&words(tag)))];
    if let Some(reason) = reason(view.evidence, tag) {
        said.push((Certainty::Inferred, sentence(&reason)));
    } else if let Some(ground) = is_found(view.evidence, tag) {
        said.push((
            view.evidence.finding(tag.document).certainty,
            sentence(&format!("it is a tag: {ground}")),
        ));
    }
    if tag.together {
        said.push((
            Certainty::Seen,
            "It was asked at once with others.".to_owned(),
        ));
    }
    if let TagResult::GivenUp { .. } = tag.outcome {
        said.push((
            Certainty::Unknown,
            "Whether it would have answered later.".to_owned(),
        ));
    }
    let step = view.step(StepKind::Tag, tag.asked, &tag.url);
    let differs = step.filter(|step| step.verdict.is_difference());
    let facts = html! {
        dt { "Asked" } dd { "at " (seconds(tag.asked.micros())) " s, entry " (tag.entry) }
        @if tag.took.is_some() { dt { "Took" } dd { (maybe(tag.took)) " s" } }
        dt { "Answer" } dd { @if let Some(status) = tag.status { (status) ", " } (Text(&tag.answer.to_string())) }
        @if !tag.hops.is_empty() { dt { "On its way" } dd { (counted(tag.hops.len(), "request")) ", listed in the table of tags" } }
        @if let Some(step) = differs {
            dt { "By its document" }
            dd {
                @if let Some(seen) = &step.simulated {
                    "from " (seconds(seen.from_us)) @if let Some(to) = seen.to_us { " to " (seconds(to)) } " s in the simulation, "
                    (Text(&seen.outcome.to_string()))
                } @else { "not asked" }
                @if let Some(note) = &step.note { "; " (Text(note)) }
            }
        }
        dt { "Address" } dd { (code(&tag.url)) }
    };
    panel(id, &format!("Tag {}", tag.number), &said, facts)
}

pub(super) fn ad(view: &View<'_>, id: &str, ad: &AdVerdict, seen_until: Time) -> Markup {
    let (entry, by) = &ad.shown_by;
    let began = format!(
        "it was on the screen from {} s on, as {by} shows (entry {entry})",
        seconds(ad.start.micros())
    );
    let (how_sure, ended) = outcome::ended(ad);
    let mut said = vec![
        (Certainty::Seen, sentence(&began)),
        (how_sure, sentence(&ended)),
    ];
    said.extend(played(ad).map(|why| (ad.played.certainty(), sentence(&why))));
    let facts = html! {
        @if let Some(length) = ad.documented { dt { "By its document" } dd { (seconds(length.micros())) " s" } }
        @if seen_until > ad.start {
            dt { "Last pixel" } dd { "after " (seconds((seen_until - ad.start).micros())) " s" }
        }
        dt { "Document" } dd { "entry " (view.evidence.answer(ad.document).number) " " (code(&view.evidence.answer(ad.document).url)) }
    };
    panel(
        id,
        &format!("Ad {}", ad.id.as_deref().unwrap_or("without an id")),
        &said,
        facts,
    )
}

fn panel(id: &str, title: &str, said: &[(Certainty, String)], facts: Markup) -> Markup {
    html! {
        div class="pan" id=(id) {
            h4 { (Text(title)) }
            (statements(said))
            dl { (facts) }
            a class="close" href="#page" { "Close" }
        }
    }
}
