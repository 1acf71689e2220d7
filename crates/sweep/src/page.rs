//! The answer of a sweep as one web page: the sentence that answers the question, outcomes, charts,
//! all rows, and the basis of the answer.
//!
//! It is one file that loads nothing and has no script.
//!
//! Rules: TRACE-8, TRACE-9.

use std::fmt;

use maud::{Markup, html};

use super::table::{SweepRow, Table, TippingPoint};
use super::text::{in_words, tip_value};
use playsim_base::html::{Page, Text};
use playsim_base::words::{counted, seconds};
use playsim_report::page::frame::{self, Figure, Section, Sections};
use playsim_report::page::glyphs::{DEFINITIONS, glyph};
use playsim_report::page::{PARTS_STYLE, SURE_STYLE, grouped};
use playsim_scenario::Scenario;

mod along;
mod basis;
mod dots;
mod estimate;
mod plot;
mod rows;

use along::Along;
use estimate::{cents, tenths};

/// The style of the page, in addition to what pages of reports have in common.
const STYLE: &str = include_str!("page/page.css");
/// A heading with more characters is smaller.
const LONG: usize = 110;
/// The most tipping points that are listed.
const MOST_TIPS: usize = 200;

/// The recording that a scenario was made of. How sure something is, is said by `seen`, `inferred`,
/// `unknown` or `assumed`.
#[derive(Debug, Clone, Copy)]
pub struct RecordedBasis<'a> {
    /// Its name.
    pub name: &'a str,
    /// How it was read, each sentence with how sure it is.
    pub notes: &'a [(String, &'static str)],
    /// How sure the limit is that the recorded player has for a tag.
    pub limit: &'static str,
}

/// The page of a sweep.
#[derive(Debug, Clone, Copy)]
pub struct WhatIfPage<'a> {
    table: &'a Table,
    scenario: Option<&'a Scenario>,
    recording: Option<RecordedBasis<'a>>,
    command: Option<&'a str>,
}

impl<'a> WhatIfPage<'a> {
    /// The page of a table.
    #[must_use]
    pub const fn new(table: &'a Table) -> WhatIfPage<'a> {
        WhatIfPage {
            table,
            scenario: None,
            recording: None,
            command: None,
        }
    }

    /// With the scenario that was played, so that the page can say what each tag answers.
    #[must_use]
    pub const fn with_scenario(self, scenario: &'a Scenario) -> WhatIfPage<'a> {
        WhatIfPage {
            scenario: Some(scenario),
            ..self
        }
    }

    /// With the recording that the scenario was made of.
    #[must_use]
    pub const fn with_recording(self, recording: RecordedBasis<'a>) -> WhatIfPage<'a> {
        WhatIfPage {
            recording: Some(recording),
            ..self
        }
    }

    /// With the command line that writes the same page.
    #[must_use]
    pub const fn with_command(self, command: &'a str) -> WhatIfPage<'a> {
        WhatIfPage {
            command: Some(command),
            ..self
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, sink: &mut impl fmt::Write) -> fmt::Result {
        self.page().write(sink)
    }

    /// Returns the page, whose body can be shown in another frame.
    #[must_use]
    pub fn page(&self) -> Page {
        let sections = self.sections();
        let (title, rest) = self.answer();
        let body = html! {
            (DEFINITIONS)
            header {
                span class="eyebrow" { b class="about" { "simulated" } @for part in self.origin() { " \u{b7} " (Text(&part)) } }
                h1 class=[(title.chars().count() > LONG).then_some("long")] { (Text(&title)) }
                @if !rest.is_empty() { p class="sub" { (Text(&rest)) } }
                @if let Some(now) = self.now() { p class="sub muted" { (Text(&now)) } }
                (frame::figures(&self.figures()))
                (sections.links())
            }
            main { (sections) }
            footer {
                @if let Some(command) = self.command {
                    p { "This command writes the same page:" }
                    pre { (Text(command)) }
                }
                p { "A first picture is counted from the beginning of the first ad break." }
            }
        };
        let style = format!("{PARTS_STYLE}{SURE_STYLE}{STYLE}");
        Page {
            title,
            style: style.into(),
            script: None,
            has_images: false,
            body,
        }
    }

    /// Returns the origin of the answers, and the settings.
    fn origin(&self) -> Vec<String> {
        let table = self.table;
        let answers = match self.recording {
            Some(it) => format!("with the recorded answers of {}", it.name),
            None => counted(table.tags.len(), "tag"),
        };
        let knobs = table
            .knobs
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let runs = table.runs.map(|runs| {
            let each = if table.rows.len() > 1 {
                " for each row"
            } else {
                ""
            };
            format!("{} sessions{each}, seed {}", grouped(runs), table.seed)
        });
        let parts = [answers, table.player()]
            .into_iter()
            .chain(knobs)
            .chain(runs);
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// Returns the sentence that answers the question, and the others.
    fn answer(&self) -> (String, String) {
        let mut sentences = self.table.answer.iter().cloned();
        let first = sentences.next().unwrap_or_else(|| self.only());
        let mut rest: Vec<String> = sentences.collect();
        if let (true, Some(given)) = (self.recording.is_some(), self.given()) {
            rest.push(format!("This rests on what is assumed: {given}."));
        }
        if self.recording.is_some() && self.table.runs.is_none() {
            rest.push(
                "A recording is one page view: another one may have other latencies.".to_owned(),
            );
        }
        (first, rest.join(" "))
    }

    /// Returns what all rows share that was given and not recorded, in words.
    fn given(&self) -> Option<String> {
        let given: Vec<String> = self
            .table
            .fixed
            .iter()
            .map(|it| format!("{} is {}", it.name, it.value))
            .collect();
        (!given.is_empty()).then(|| given.join(", "))
    }

    /// Returns what to expect where there is nothing to compare with.
    fn only(&self) -> String {
        let table = self.table;
        match table.rows.first() {
            Some(SweepRow {
                figures: Some(it), ..
            }) if table.rows.len() == 1 => format!(
                "{} % of the sessions show an ad ({} %: {} to {}).",
                tenths(it.filled.share.millionths()),
                table.confidence_percent,
                tenths(it.filled.low.millionths()),
                tenths(it.filled.high.millionths())
            ),
            Some(SweepRow {
                outcome: Some(it), ..
            }) if table.rows.len() == 1 => {
                let words = in_words(it);
                let mut letters = words.chars();
                let first = letters
                    .next()
                    .map(|first| first.to_uppercase().to_string())
                    .unwrap_or_default();
                format!("{first}{}.", letters.as_str())
            }
            _ => {
                let names: Vec<&str> = table.varied.iter().map(|it| &*it.name).collect();
                format!("What happens by {}.", names.join(" and "))
            }
        }
    }

    /// Returns how it is now, in a line.
    fn now(&self) -> Option<String> {
        let now = self.table.now.as_ref()?;
        let values = rows::name(self.table, now);
        let outcome = now.outcome.as_ref().map(in_words);
        let figures = now.figures.as_ref().map(|it| {
            format!(
                "{} % of the sessions show an ad",
                tenths(it.filled.share.millionths())
            )
        });
        let names: Vec<&str> = self.table.varied.iter().map(|it| &*it.name).collect();
        let said = outcome.or(figures)?;
        Some(match &names[..] {
            [] => format!("Now: {said}."),
            [name] => format!("Now, with {name} {values}: {said}."),
            _ => format!("Now, with {values}: {said}."),
        })
    }

    fn figures(&self) -> Vec<Figure> {
        let table = self.table;
        let (row, is_now) = match (&table.now, &table.rows[..]) {
            (Some(now), _) => (now, ", now"),
            (None, [only]) => (only, ""),
            (None, _) => return Vec::new(),
        };
        let label = |what: &str| format!("{what}{is_now}");
        let mut figures = Vec::new();
        let frame = |us: u64, what: &str| Figure::new(seconds(us), "s", label(what));
        let ends = |it: [playsim_base::number::Decimal; 2], words: &dyn Fn(i64) -> String| {
            format!(
                "{} to {}",
                words(it[0].millionths()),
                words(it[1].millionths())
            )
        };
        if let Some(outcome) = row.outcome.as_ref().filter(|outcome| !outcome.is_unknown()) {
            let (filled, of) = (
                outcome.breaks_filled.to_string(),
                format!("of {}", outcome.breaks),
            );
            figures.push(Figure::new(filled, of, label("breaks with an ad")));
            figures.extend(
                outcome
                    .first_frame
                    .map(|it| frame(it.after_us, "until the first picture")),
            );
            figures.extend(row.earned.map(|it| {
                Figure::new(
                    cents(it.millionths()),
                    "",
                    label("earned by 1,000 sessions like it"),
                )
            }));
        }
        if let Some(it) = row.figures.as_ref().filter(|it| it.unknown.count == 0) {
            let interval = ends([it.filled.low, it.filled.high], &tenths);
            let what = label(&format!("of the sessions show an ad; {interval}"));
            figures.push(Figure::new(tenths(it.filled.share.millionths()), "%", what));
            for quantile in it.first_frame.iter().filter(|it| it.percent < 99) {
                let what = format!(
                    "until the first picture, in {} % of the sessions at most",
                    quantile.percent
                );
                figures.push(frame(quantile.us, &what));
            }
            figures.extend(it.revenue.as_ref().map(|it| {
                let interval = ends([it.low, it.high], &cents);
                let currency = it.currency.clone().unwrap_or_default();
                Figure::new(
                    cents(it.per_mille.millionths()),
                    currency,
                    label(&format!("earned by 1,000 sessions; {interval}")),
                )
            }));
        }
        figures
    }

    fn sections(&self) -> Sections {
        let table = self.table;
        let charts = match Along::of(table) {
            Some(along) => plot::charts(&along),
            None => dots::picture(table),
        };
        let picture = if table.runs.is_some() {
            "What to expect"
        } else {
            "What happens"
        };
        let basis = match self.recording {
            Some(_) => "What is recorded and what is assumed",
            None => "What is given and what is assumed",
        };
        let sections = [
            Section::new("picture", picture, charts),
            Section::new("reasons", "Why they differ", self.reasons()),
            Section::new("rows", "All values", rows::section(table)),
            Section::new("tips", "Tipping points", self.tips()),
            Section::new("basis", basis, basis::section(self)),
        ];
        sections.into_iter().collect()
    }

    /// Says which setting makes which difference.
    fn reasons(&self) -> Markup {
        if self.table.reasons.is_empty() {
            return html! {};
        }
        let first = self
            .table
            .rows
            .first()
            .map(|row| row.values.join(" "))
            .unwrap_or_default();
        html! {
            p class="lead" { "From " (Text(&first)) ". Without any one of the settings named, the difference is gone; a setting that makes only a part of it is marked partly." }
            table class="list" {
                thead { tr { th scope="col" { "configuration" } th scope="col" { "differs in" } th scope="col" { "because of" } } }
                tbody {
                    @for it in &self.table.reasons {
                        tr {
                            th scope="row" { (Text(&it.configuration)) }
                            td { (Text(&it.lines.join(", "))) }
                            td {
                                @match &it.because[..] {
                                    [] => "several settings together, none alone",
                                    all => { @if it.is_partial { "partly " } @for (nth, it) in all.iter().enumerate() { @if nth > 0 { " and " } code { (Text(it)) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the tipping points between outcomes that are known.
    fn known_tips(&self) -> impl Iterator<Item = &'a TippingPoint> {
        self.table
            .tipping_points
            .iter()
            .filter(|tip| !tip.before.is_unknown() && !tip.after.is_unknown())
    }

    fn tips(&self) -> Markup {
        let tips: Vec<&TippingPoint> = self.known_tips().collect();
        if tips.is_empty() {
            return html! {};
        }
        let others = |tip: &TippingPoint| {
            let others = tip
                .others
                .iter()
                .map(|it| format!("{}={}", it.name, it.value));
            others.collect::<Vec<_>>().join(", ")
        };
        let has_others = tips.iter().any(|tip| !tip.others.is_empty());
        html! {
            p class="lead" {
                "Where the viewer or the advertiser gets something else, exact to the last digit; "
                (grouped(self.table.tried_between)) " values between the rows were tried."
            }
            table class="list" {
                thead {
                    tr {
                        @if has_others { th scope="col" { "with" } }
                        th scope="col" { "from" } th scope="col" { "on" } th scope="col" { "below" }
                    }
                }
                tbody {
                    @for tip in tips.iter().take(MOST_TIPS) {
                        tr {
                            @if has_others { td { (Text(&others(tip))) } }
                            th scope="row" { (tip_value(tip)) }
                            td data-l="on: " { (in_words(&tip.after)) }
                            td data-l="below: " { (in_words(&tip.before)) }
                        }
                    }
                }
            }
            @if tips.len() > MOST_TIPS { p class="muted" { (tips.len() - MOST_TIPS) " more left out." } }
        }
    }
}

/// Returns the mark of how sure something is: a word with a shape.
fn mark(word: &str) -> Markup {
    let symbol = match word {
        "assumed" => "knob",
        "given" => "plan",
        other => other,
    };
    html! { span class={ "sure " (word) } { (glyph(symbol, "")) (word) } }
}
