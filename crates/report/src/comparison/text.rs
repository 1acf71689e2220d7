//! A comparison as tables.

use std::fmt::{self, Write};

use super::{ComparedStep, Pixel, ProductComparison, Seen, StepKind, StepVerdict};
use playsim_base::words::{Column, Columns, Paint, Tone, counted, fitted, seconds, width, wrap};
use playsim_vast::TrackedEvent;

/// The smallest and largest widths of a table that are readable.
const WIDTH: (usize, usize) = (80, 160);
/// The width of a pixel's event.
const EVENT: usize = 14;
/// The columns before the name of a step, and before the URL of a pixel.
const STEP: usize = 45;
const PIXEL: usize = 55;

pub(super) fn text(it: &ProductComparison, width: usize, color: bool) -> String {
    let mut out = String::new();
    let table = Table {
        width: width.clamp(WIDTH.0, WIDTH.1),
        paint: Paint(color),
    };
    // Writing to a string cannot fail.
    let _ = table.write(it, &mut out);
    out
}

struct Table {
    width: usize,
    paint: Paint,
}

impl Table {
    fn write(&self, it: &ProductComparison, out: &mut String) -> fmt::Result {
        let count = it.differences();
        let within = seconds(it.within_us);
        let verdict = match count {
            0 => self.paint.good(&format!("the same within {within} s")),
            _ => self.paint.bad(&format!(
                "{} beyond {within} s",
                counted(count, "difference")
            )),
        };
        writeln!(
            out,
            "{}: {verdict}",
            self.paint.strong("recorded and simulated")
        )?;
        if !it.steps.is_empty() {
            let mut table = Columns::of([
                Column::left(""),
                Column::right("recorded").at_least(9),
                Column::right("took").at_least(8).close(),
                Column::right("simulated"),
                Column::right("took").at_least(8).close(),
                Column::left("what"),
            ])
            .indented(2);
            it.steps.iter().for_each(|step| self.step(step, &mut table));
            out.push('\n');
            table.paint(self.paint, out)?;
        }
        if !it.pixels.is_empty() {
            let both = it
                .pixels
                .iter()
                .filter(|pixel| pixel.verdict == StepVerdict::Same)
                .count();
            let title = format!(
                "{}, {both} of them on both sides",
                counted(it.pixels.len(), "pixel")
            );
            let mut table = Columns::of([
                Column::left(""),
                Column::right("recorded").at_least(9),
                Column::right("simulated").close(),
                Column::right("apart").at_least(8).close(),
                Column::left("event").at_least(EVENT).at_most(EVENT),
                Column::right("hop").close(),
                Column::left("URL"),
            ])
            .indented(2);
            it.pixels
                .iter()
                .for_each(|pixel| self.pixel(pixel, &mut table));
            writeln!(out, "\n{}", self.paint.strong(&title))?;
            table.paint(self.paint, out)?;
        }
        Ok(())
    }

    fn step(&self, step: &ComparedStep, table: &mut Columns) {
        let from = |seen: &Option<Seen>| {
            seen.as_ref()
                .map_or_else(|| "-".to_owned(), |it| seconds(it.from_us))
        };
        let took = |seen: &Option<Seen>| {
            let took = seen
                .as_ref()
                .and_then(|seen| Some(seconds(seen.to_us?.saturating_sub(seen.from_us))));
            took.unwrap_or_default()
        };
        let kind = match (step.kind, step.wp, step.hop) {
            (StepKind::Tag, Some(wp), _) => format!("tag {}", u64::from(wp) + 1),
            (StepKind::Tag, None, _) => "tag".to_owned(),
            (StepKind::Hop, _, Some(hop)) => format!("hop {hop}"),
            (StepKind::Hop, _, None) => "hop".to_owned(),
            (StepKind::Media, ..) => "media".to_owned(),
            (StepKind::Ad, ..) => "ad".to_owned(),
        };
        let outcomes = match (&step.recorded, &step.simulated) {
            (Some(recorded), Some(simulated)) if step.verdict == StepVerdict::OtherOutcome => {
                format!("{}, simulated {}", recorded.outcome, simulated.outcome)
            }
            (Some(seen), _) | (None, Some(seen)) => seen.outcome.to_string(),
            (None, None) => String::new(),
        };
        let outcomes = if outcomes.is_empty() {
            outcomes
        } else {
            format!("  {outcomes}")
        };
        let room = self
            .width
            .saturating_sub(STEP + kind.len() + 2 + width(&outcomes))
            .max(20);
        let cells = [
            mark(step.verdict).to_string(),
            from(&step.recorded),
            took(&step.recorded),
            from(&step.simulated),
            took(&step.simulated),
            format!("{kind}  {}{outcomes}", fitted(&step.name, room)),
        ];
        table.row_with(tone(step.verdict), cells);
        table.lines(self.note(step.verdict, step.note.as_deref()));
    }

    fn pixel(&self, pixel: &Pixel, table: &mut Columns) {
        let time = |us: Option<u64>| us.map_or_else(|| "-".to_owned(), seconds);
        let apart = pixel.difference_us.map_or_else(String::new, |apart| {
            let sign = if apart < 0 { '-' } else { '+' };
            format!("{sign}{}", seconds(apart.unsigned_abs()))
        });
        let cells = [
            mark(pixel.verdict).to_string(),
            time(pixel.recorded_us),
            time(pixel.simulated_us),
            apart,
            pixel
                .event
                .as_ref()
                .map_or("", TrackedEvent::name)
                .to_owned(),
            pixel
                .hop
                .map_or_else(|| "-".to_owned(), |hop| hop.to_string()),
            fitted(&pixel.url, self.width.saturating_sub(PIXEL).max(20)),
        ];
        table.row_with(tone(pixel.verdict), cells);
        let rule = match (&pixel.rule, pixel.verdict) {
            (Some(rule), StepVerdict::OnlySimulated | StepVerdict::OtherTime) => {
                Some(format!("by rule {rule}"))
            }
            _ => None,
        };
        let note = [pixel.note.clone(), rule]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ");
        table.lines(self.note(pixel.verdict, Some(&*note).filter(|note| !note.is_empty())));
    }

    /// Returns the verdict in words with its reason, unless both sides agree.
    fn note(&self, verdict: StepVerdict, note: Option<&str>) -> Vec<String> {
        const INDENT: &str = "       ";
        let text = match (verdict, note) {
            (StepVerdict::Same, _) => return Vec::new(),
            (verdict, Some(note)) => format!("{}: {note}", verdict.word()),
            (verdict, None) => verdict.word().to_owned(),
        };
        let lines = wrap(&text, self.width - INDENT.len());
        lines.iter().map(|line| format!("{INDENT}{line}")).collect()
    }
}

/// Returns the emphasis of a row.
fn tone(verdict: StepVerdict) -> Tone {
    if verdict.is_difference() {
        Tone::Bad
    } else {
        Tone::Plain
    }
}

/// The sign at the start of a line.
fn mark(verdict: StepVerdict) -> char {
    match verdict {
        StepVerdict::Same => '=',
        StepVerdict::OtherTime => '~',
        StepVerdict::OtherOutcome => '!',
        StepVerdict::OnlyRecorded => '<',
        StepVerdict::OnlySimulated => '>',
        StepVerdict::Unknown => '?',
    }
}
