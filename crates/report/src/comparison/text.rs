//! A comparison as tables.

use std::fmt::{self, Write};

use super::{ComparedStep, Pixel, ProductComparison, Seen, StepKind, StepVerdict};
use crate::waterfall::layout::{Paint, fitted};
use playsim_base::words::{counted, seconds};

/// The smallest and largest widths of a table that are readable.
const WIDTH: (usize, usize) = (80, 160);

pub(super) fn text(it: &ProductComparison, width: usize, color: bool) -> String {
    let mut out = String::new();
    let table = Table { width: width.clamp(WIDTH.0, WIDTH.1), paint: Paint(color) };
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
            _ => self.paint.bad(&format!("{} beyond {within} s", counted(count, "difference"))),
        };
        writeln!(out, "{}: {verdict}", self.paint.strong("recorded and simulated"))?;
        if !it.steps.is_empty() {
            let head =
                format!("{:4} {:>9} {:>8}  {:>9} {:>8}  ", "", "recorded", "took", "simulated", "took");
            writeln!(out, "\n{}", self.paint.faint(&format!("{head}what")))?;
            it.steps.iter().try_for_each(|step| self.step(step, out))?;
        }
        if !it.pixels.is_empty() {
            let both = it.pixels.iter().filter(|pixel| pixel.verdict == StepVerdict::Same).count();
            let title = format!("{}, {both} of them on both sides", counted(it.pixels.len(), "pixel"));
            let head = format!(
                "{:4} {:>9} {:>9} {:>8}  {:14} {:>3}  ",
                "", "recorded", "simulated", "apart", "event", "hop"
            );
            writeln!(out, "\n{}\n{}", self.paint.strong(&title), self.paint.faint(&format!("{head}URL")))?;
            it.pixels.iter().try_for_each(|pixel| self.pixel(pixel, out))?;
        }
        Ok(())
    }

    fn step(&self, step: &ComparedStep, out: &mut String) -> fmt::Result {
        let side = |seen: &Option<Seen>, width: usize| {
            let from = seen.as_ref().map_or_else(|| "-".to_owned(), |seen| seconds(seen.from_us));
            let took = seen.as_ref().and_then(|seen| Some(seconds(seen.to_us?.saturating_sub(seen.from_us))));
            format!("{from:>width$} {:>8}", took.unwrap_or_default())
        };
        let head =
            format!("{} {}  {}", mark(step.verdict), side(&step.recorded, 9), side(&step.simulated, 9));
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
            (Some(seen), _) | (None, Some(seen)) => seen.outcome.clone(),
            (None, None) => String::new(),
        };
        let outcomes = if outcomes.is_empty() { outcomes } else { format!("  {outcomes}") };
        let room = self.width.saturating_sub(head.chars().count() + kind.len() + outcomes.len() + 4).max(20);
        let line = format!("{head}  {kind}  {}{outcomes}", fitted(&step.name, room));
        writeln!(out, "{}", self.painted(step.verdict, &line))?;
        self.note(out, step.verdict, step.note.as_deref())
    }

    fn pixel(&self, pixel: &Pixel, out: &mut String) -> fmt::Result {
        let time = |us: Option<u64>| us.map_or_else(|| "-".to_owned(), seconds);
        let apart = pixel.difference_us.map_or_else(String::new, |apart| {
            let sign = if apart < 0 { '-' } else { '+' };
            format!("{sign}{}", seconds(apart.unsigned_abs()))
        });
        let hop = pixel.hop.map_or_else(|| "-".to_owned(), |hop| hop.to_string());
        let head = format!(
            "{} {:>9} {:>9} {apart:>8}  {:14} {hop:>3}  ",
            mark(pixel.verdict),
            time(pixel.recorded_us),
            time(pixel.simulated_us),
            fitted(&pixel.event, 14),
        );
        let room = self.width.saturating_sub(head.chars().count()).max(20);
        writeln!(out, "{}", self.painted(pixel.verdict, &format!("{head}{}", fitted(&pixel.url, room))))?;
        let rule = match (&pixel.rule, pixel.verdict) {
            (Some(rule), StepVerdict::OnlySimulated | StepVerdict::OtherTime) => {
                Some(format!("by rule {rule}"))
            }
            _ => None,
        };
        let note = [pixel.note.clone(), rule].into_iter().flatten().collect::<Vec<_>>().join("; ");
        self.note(out, pixel.verdict, Some(&*note).filter(|note| !note.is_empty()))
    }

    fn painted(&self, verdict: StepVerdict, line: &str) -> String {
        if verdict.is_difference() { self.paint.bad(line) } else { line.to_owned() }
    }

    /// Writes the verdict in words with its reason, unless both sides agree.
    fn note(&self, out: &mut String, verdict: StepVerdict, note: Option<&str>) -> fmt::Result {
        let text = match (verdict, note) {
            (StepVerdict::Same, _) => return Ok(()),
            (verdict, Some(note)) => format!("{}: {note}", verdict.word()),
            (verdict, None) => verdict.word().to_owned(),
        };
        self.wrapped(out, "       ", &text)
    }

    /// Writes a sentence in lines that fit the width.
    fn wrapped(&self, out: &mut String, indent: &str, text: &str) -> fmt::Result {
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.is_empty() && indent.len() + line.chars().count() + word.chars().count() + 1 > self.width
            {
                writeln!(out, "{indent}{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        writeln!(out, "{indent}{line}")
    }
}

/// The sign at the start of a line.
fn mark(verdict: StepVerdict) -> &'static str {
    match verdict {
        StepVerdict::Same => "  = ",
        StepVerdict::OtherTime => "  ~ ",
        StepVerdict::OtherOutcome => "  ! ",
        StepVerdict::OnlyRecorded => "  < ",
        StepVerdict::OnlySimulated => "  > ",
        StepVerdict::Unknown => "  ? ",
    }
}
