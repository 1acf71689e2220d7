//! The table of recordings as a web page: what changed, the tags, the recordings that show what
//! went wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::{Markup, html};

use super::figures::{RecordedTag, SetFigures};
use super::row::{OutcomeKind, RecordedCount};
use super::table::RecordingTable;
use super::words::{chance, interval, of_set, percent, quantile, short};
use playsim_base::escape;
use playsim_base::html::Page;
use playsim_base::words::counted;
use playsim_report::page::PARTS_STYLE;
use playsim_report::page::frame::{self, Figure, Section, Sections};
use playsim_report::page::glyphs::{ARROW, DEFINITIONS};

mod courses;
mod dots;
mod picture;

use picture::{TimeAxis, shares};

/// The style of the page, in addition to what pages of reports have in common.
const STYLE: &str = include_str!("page.css");

impl RecordingTable {
    /// Returns the page. `command` is the command that gives the same bytes; `links` are the pages
    /// of recordings.
    #[must_use]
    pub fn page(&self, command: &str, links: &Links) -> Page {
        let changes = self
            .before
            .as_ref()
            .map(|_| Section::new("changes", "What changed", changes(self, links)));
        let first = dots::body(self).map(|body| Section::new("first", "Until the first ad", body));
        let others = [
            Section::new("tags", "Tags", tags(self)),
            Section::new("courses", "Recordings", courses::body(self, links)),
            Section::new("recordings", "Recordings by tag", recordings(self, links)),
        ];
        let sections: Sections = changes.into_iter().chain(first).chain(others).collect();
        let title = title(self);
        let body = html! {
            (DEFINITIONS)
            header {
                p.eyebrow { b.about { "recorded" } " · " (plain(&eyebrow(self))) }
                h1 { (plain(&title)) }
                (frame::figures(&figures(self)))
                (sections.links())
            }
            main { (sections) }
            footer {
                p { "This command writes the same page from the same recordings:" }
                pre { (plain(command)) }
            }
        };
        let style = format!("{PARTS_STYLE}{STYLE}").into();
        Page {
            title,
            style,
            script: None,
            has_images: false,
            body,
        }
    }
}

/// The pages of recordings, by the names of these.
#[derive(Debug, Clone, Default)]
pub struct Links(BTreeMap<String, String>);

impl Links {
    /// Adds the page of a recording: its address, relative to the page with the table.
    pub fn add(&mut self, name: impl Into<String>, address: impl Into<String>) {
        self.0.insert(name.into(), address.into());
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the name of a recording, which leads to its page if it has one.
    fn name(&self, name: &str) -> Markup {
        html! {
            @match self.0.get(name) {
                Some(address) => { a.names href=(address) { (plain(name)) } },
                None => { span.names { (plain(name)) } }
            }
        }
    }

    fn names(&self, names: &[Arc<str>]) -> Markup {
        html! {
            @for (index, name) in names.iter().enumerate() { @if index > 0 { ", " } (self.name(name)) }
        }
    }
}

/// Returns a text without control characters; characters that are special in HTML are escaped by
/// the template.
fn plain(text: &str) -> String {
    escape::line(text).into_owned()
}

fn eyebrow(table: &RecordingTable) -> String {
    let count = |set: &SetFigures| {
        counted(
            usize::try_from(set.recordings).unwrap_or(usize::MAX),
            "recording",
        )
    };
    match &table.before {
        Some(before) => format!("{} against {} before", count(&table.set), count(before)),
        None => count(&table.set),
    }
}

/// Returns the first change beyond chance, or how many recordings have an ad.
fn title(table: &RecordingTable) -> String {
    let certain = table.changes.iter().filter(|it| it.is_beyond_chance);
    let worse = certain.clone().find(|it| it.is_worse() == Some(true));
    if let Some(change) = worse.or_else(|| certain.clone().next()) {
        let subject = table
            .subject(change)
            .map_or("All tags", |tag| short(&tag.url));
        return format!(
            "{subject}: {}, {}",
            change.figure.words(),
            change.in_short()
        );
    }
    let end = if table.before.is_some() {
        "; no difference is beyond chance"
    } else {
        ""
    };
    format!("{}{end}", of_set(&table.set))
}

fn figures(table: &RecordingTable) -> Vec<Figure> {
    let (set, before) = (&table.set, table.before.as_ref());
    let was =
        |text: Option<String>| text.map_or_else(String::new, |text| format!("; before {text}"));
    let mut figures = Vec::new();
    if set.first_ad_median.is_some() {
        let was = was(before.map(|it| quantile(it.first_ad_median)));
        figures.push(Figure::new(
            quantile(set.first_ad_median),
            "s",
            format!("until the first ad, in the median{was}"),
        ));
    }
    if set.with_ad.count + set.without_ad.count > 0 {
        let was = was(before.map(|it| format!("{} %", percent(it.share_with_ad.share))));
        figures.push(Figure::new(
            percent(set.share_with_ad.share),
            "%",
            format!("of the recordings show an ad{was}"),
        ));
    }
    let given_up = |tags: &[RecordedTag]| {
        tags.iter()
            .map(|tag| tag.count(OutcomeKind::GivenUp))
            .sum::<u64>()
    };
    let before_up = before.map(|_| given_up(&table.tags_before).to_string());
    figures.push(Figure::new(
        given_up(&table.tags).to_string(),
        "",
        format!("times the page gave up on a tag{}", was(before_up)),
    ));
    let was = was(before.map(|it| it.lost_impressions.to_string()));
    figures.push(Figure::new(
        set.lost_impressions.to_string(),
        "",
        format!("impressions were lost{was}"),
    ));
    figures
}

fn changes(table: &RecordingTable, links: &Links) -> Markup {
    let certain: Vec<_> = table
        .changes
        .iter()
        .filter(|it| it.is_beyond_chance)
        .collect();
    let others = table.changes.len() - certain.len();
    html! {
        p.lead { "Only what chance alone makes less often than once in 100, the least likely first. Intervals: "
            (table.confidence_percent) " %." }
        @if certain.is_empty() { p { "Nothing differs beyond chance." } }
        ol.changes {
            @for (index, change) in certain.iter().enumerate() {
                li {
                    span.rank aria-hidden="true" { (index + 1) }
                    p {
                        b {
                            @match change.tag.zip(table.subject(change)) {
                                Some((index, tag)) => { a href={ "#tag-" (index + 1) } { (plain(short(&tag.url))) } },
                                None => "All recordings",
                            }
                            ": " (change.figure.words())
                        }
                        ", " (change.sentence()) ". "
                        @let names = table.shown_by(change);
                        @if !names.is_empty() { "See " (links.names(names)) }
                    }
                    span.how {
                        @match change.is_worse() {
                            Some(true) => span.bad { "worse" },
                            Some(false) => span.good { "better" },
                            None => span.muted { "other" },
                        }
                        span.muted { " · by chance " (chance(change.chance)) }
                    }
                }
            }
        }
        @if others > 0 { p.muted { (counted(others, "more difference")) " within chance." } }
    }
}

/// A number of now, with that of before below it.
fn number(label: &str, now: &str, before: Option<String>, is_bad: bool) -> Markup {
    html! {
        td.num.bad[is_bad] data-l=(label) {
            // A blank keeps the line below in its place.
            @if now.is_empty() && before.is_some() { "\u{a0}" } @else { (now) }
            @if let Some(before) = before { span.was { (before) } }
        }
    }
}

fn tags(table: &RecordingTable) -> Markup {
    let all = || table.tags.iter().chain(&table.tags_before);
    let shown: Vec<OutcomeKind> = OutcomeKind::ALL
        .into_iter()
        .filter(|it| it.is_usual() || all().any(|tag| tag.count(*it) > 0))
        .collect();
    let axis = TimeAxis::of(all());
    let left_out = |set: &SetFigures, of: &str| {
        html! {
            @if !set.left_out.is_empty() {
                tr.left {
                    th scope="row" { "left out" (of) }
                    td.num data-l="files" { (set.left_out.len()) }
                    td.wrap colspan=(shown.len() + 8) {
                        "in no sum: "
                        @for it in &set.left_out { span { code { (plain(&it.name)) } " " (plain(&it.reason)) ". " } }
                    }
                }
            }
        }
    };
    html! {
        p.lead {
            "A tag is a URL without what changes. "
            @if table.before.is_some() { "Below a number, that of before; red is worse beyond chance. " }
            "Given up: the page stopped waiting, so that what came is unknown; it counts as at least that long."
        }
        div.scroll tabindex="0" role="group" aria-label="Tags" {
            table.list.days {
                caption.off { "Tags, with what became of them and how long they took" }
                thead { tr {
                    th scope="col" { "tag" }
                    th.num scope="col" { "asked" }
                    @for it in &shown { th.num scope="col" { (it.words()) } }
                    th scope="col" { "shares" }
                    th scope="col" { "codes" }
                    th.num scope="col" { "median, s" }
                    th.num scope="col" { "95 %, s" }
                    th.lat scope="col" { (axis.head()) span.off { "latency" } }
                    th.num scope="col" { "of the wait, %" }
                    th.num scope="col" { "lost" }
                } }
                tbody {
                    @for (index, tag) in table.tags.iter().enumerate() { (row(table, index, tag, &shown, &axis)) }
                    (left_out(&table.set, ""))
                    @if let Some(before) = &table.before { (left_out(before, " before")) }
                }
            }
        }
        (picture::key(table.before.is_some()))
    }
}

fn row(
    table: &RecordingTable,
    index: usize,
    tag: &RecordedTag,
    shown: &[OutcomeKind],
    axis: &TimeAxis,
) -> Markup {
    use super::change::ChangedFigure::{Latency, LostImpressions, Outcome};
    let before = table.tags_before.get(index);
    let worse = |figure| {
        table.changes.iter().any(|it| {
            it.tag == Some(index)
                && it.figure == figure
                && it.is_beyond_chance
                && it.is_worse() == Some(true)
        })
    };
    let was = |of: &dyn Fn(&RecordedTag) -> String| before.map(of);
    let count = |it: &RecordedTag, outcome| {
        if it.asked.count == 0 {
            String::new()
        } else {
            it.count(outcome).to_string()
        }
    };
    let wait = |it: &RecordedTag| it.share_of_wait.map_or_else(String::new, percent);
    let lost = |it: &RecordedTag| {
        if it.impressions == 0 {
            String::new()
        } else {
            it.lost_impressions.count.to_string()
        }
    };
    html! {
        tr id={ "row-" (index + 1) } {
            th scope="row" { a href={ "#tag-" (index + 1) } { (plain(short(&tag.url))) } }
            (number("asked", &tag.asked.count.to_string(), was(&|it| it.asked.count.to_string()), false))
            @for outcome in shown {
                (number(outcome.words(), &count(tag, *outcome), was(&|it| count(it, *outcome)), worse(Outcome(*outcome))))
            }
            td.bars { (shares(tag)) @if let Some(before) = before { (shares(before)) } }
            td.cd { (codes(tag, before)) }
            (number("median, s", &quantile(tag.median), was(&|it| quantile(it.median)), worse(Latency)))
            (number("95 %, s", &quantile(tag.p95), was(&|it| quantile(it.p95)), false))
            td.lat { (axis.row(tag, before)) }
            (number("of the wait, %", &wait(tag), was(&wait), false))
            (number("lost", &lost(tag), was(&lost), worse(LostImpressions)))
        }
    }
}

fn codes(tag: &RecordedTag, before: Option<&RecordedTag>) -> Markup {
    let is_new = |code: u16| {
        before
            .is_some_and(|it| it.asked.count > 0 && it.codes.iter().all(|other| other.code != code))
    };
    html! {
        @for it in &tag.codes {
            span.new[is_new(it.code)] { b { (it.code) } "×" (it.count.count) @if is_new(it.code) { " new" } } " "
        }
        @if let Some(before) = before {
            span.was { @for it in &before.codes { (it.code) "×" (it.count.count) " " } }
        }
    }
}

/// For each tag the recordings that show its outcomes, the longest wait first.
fn recordings(table: &RecordingTable, links: &Links) -> Markup {
    let line = |what: &str, it: &RecordedCount, detail: &str| {
        html! {
            @if it.count > 0 {
                tr {
                    th scope="row" { (what) }
                    td.num { (it.count) }
                    td { (detail) @if !detail.is_empty() { " " } (links.names(&it.recordings)) }
                }
            }
        }
    };
    let of = |tag: &RecordedTag| {
        html! {
            @for it in &tag.outcomes { (line(it.outcome.words(), &it.count, "")) }
            @for it in &tag.failures { (line(&it.kind.words(), &it.count, "")) }
            @for it in &tag.codes { (line(&format!("code {}", it.code), &it.count, "")) }
            (line("lost impressions", &tag.lost_impressions, &format!("of {}:", tag.impressions)))
            (line("slowest", &tag.asked, ""))
        }
    };
    let latency = |tag: &RecordedTag| {
        let each = [("median", tag.median), ("95 %", tag.p95)];
        let each = each
            .into_iter()
            .filter(|(_, it)| it.is_some())
            .map(|(name, it)| {
                let within = interval(it);
                let within = if within.is_empty() {
                    "too few for an interval".to_owned()
                } else {
                    within
                };
                format!("{name} {} s ({within})", quantile(it))
            });
        each.collect::<Vec<_>>().join(", ")
    };
    html! {
        p.lead { "For each tag at most five recordings that show it, the longest wait first."
            @if links.is_empty() { " To look at one: " code { "playsim waterfall RECORDING --format html" } } }
        @for (index, tag) in table.tags.iter().enumerate() {
            details.tag id={ "tag-" (index + 1) } {
                summary { (ARROW) (plain(short(&tag.url))) }
                p.small { (latency(tag)) }
                table { tbody { (of(tag)) } }
                @if let Some(before) = table.tags_before.get(index).filter(|it| it.asked.count > 0) {
                    p.small.muted { "before: " (latency(before)) }
                    table { tbody { (of(before)) } }
                }
            }
        }
        (whole(&table.set, "", links))
        @if let Some(before) = &table.before { (whole(before, " before", links)) }
    }
}

fn whole(set: &SetFigures, of: &str, links: &Links) -> Markup {
    html! {
        @for (what, it) in [("without an ad", &set.without_ad), ("cannot tell", &set.unknown)] {
            @if it.count > 0 {
                p.small { (it.count) " " (what) (of) ": " (links.names(&it.recordings)) }
            }
        }
    }
}
