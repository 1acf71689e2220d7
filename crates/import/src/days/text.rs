//! The table of recordings for reading.

use std::fmt::{self, Write};

use super::figures::{RecordedTag, SetFigures};
use super::row::{OutcomeKind, RecordedCount};
use super::table::RecordingTable;
use super::words::{chance, interval, of_set, percent, quantile, short};
use playsim_base::escape;
use playsim_base::words::{Columns, Paint, counted, fitted, width, write_rows};

/// The width of a tag's URL.
const NAME: usize = 34;
/// The most courses that are listed.
const MOST_COURSES: usize = 10;

impl RecordingTable {
    /// Returns the table for reading, in a width in columns. `color` marks what got worse for
    /// terminals.
    #[must_use]
    pub fn text(&self, width: usize, color: bool) -> String {
        let printer = SetPrinter {
            table: self,
            width: width.max(80),
            paint: Paint(color),
        };
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = printer.write(&mut out);
        out
    }
}

struct SetPrinter<'t> {
    table: &'t RecordingTable,
    width: usize,
    paint: Paint,
}

impl SetPrinter<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let table = self.table;
        self.figures("", &table.set, out)?;
        if let Some(before) = &table.before {
            self.figures("before: ", before, out)?;
            self.changes(out)?;
        }
        self.tags(out)?;
        self.details(out)?;
        self.courses(out)?;
        for (set, of) in [(Some(&table.set), ""), (table.before.as_ref(), " before")] {
            let left_out = set.map(|set| &*set.left_out).unwrap_or_default();
            if !left_out.is_empty() {
                writeln!(
                    out,
                    "\n{}",
                    self.paint.strong(&format!("left out{of}, in no sum"))
                )?;
            }
            for it in left_out {
                self.wrapped("  ", &format!("{}: {}", it.name, it.reason), out)?;
            }
        }
        Ok(())
    }

    fn wrapped(&self, head: &str, text: &str, out: &mut String) -> fmt::Result {
        write_rows(
            out,
            head,
            &[escape::line(text).into_owned()],
            self.width.saturating_sub(width(head)),
        );
        Ok(())
    }

    fn figures(&self, head: &str, set: &SetFigures, out: &mut String) -> fmt::Result {
        let mut text = of_set(set);
        if set.with_ad.count + set.without_ad.count > 0 {
            let share = set.share_with_ad;
            let [low, high] = [share.low, share.high].map(percent);
            write!(text, " ({} %, {low} to {high})", percent(share.share))?;
        }
        if set.first_ad_median.is_some() {
            let within = interval(set.first_ad_median);
            let within = if within.is_empty() {
                within
            } else {
                format!(" ({within})")
            };
            let (median, p95) = (quantile(set.first_ad_median), quantile(set.first_ad_p95));
            write!(
                text,
                "; first ad after {median} s{within} in the median, 95 % within {p95} s"
            )?;
        }
        if set.lost_impressions > 0 {
            let lost = usize::try_from(set.lost_impressions).unwrap_or(usize::MAX);
            write!(text, "; {}", counted(lost, "lost impression"))?;
        }
        self.wrapped(head, &text, out)
    }

    fn changes(&self, out: &mut String) -> fmt::Result {
        let table = self.table;
        let certain = table.changes.iter().filter(|it| it.is_beyond_chance);
        writeln!(out, "\n{}", self.paint.strong("what changed beyond chance"))?;
        let mut count = 0;
        for change in certain {
            count += 1;
            let subject = table.subject(change).map_or("all", |tag| short(&tag.url));
            let what = match change.is_worse() {
                Some(true) => self.paint.bad("worse"),
                Some(false) => self.paint.good("better"),
                None => "other".to_owned(),
            };
            let text = format!(
                "{subject}: {}: {}",
                change.figure.words(),
                change.sentence()
            );
            self.wrapped(&format!("{count:>3}  "), &text, out)?;
            writeln!(out, "     {what}; by chance {}", chance(change.chance))?;
            let names = table.shown_by(change);
            if !names.is_empty() {
                self.wrapped("     ", &format!("see {}", names.join(", ")), out)?;
            }
        }
        let others = table.changes.len() - count;
        let text = match (count, others) {
            (0, 0) => "  nothing differs".to_owned(),
            (0, others) => format!("  nothing; {} within chance", counted(others, "difference")),
            (_, 0) => return Ok(()),
            (_, others) => format!("  {} within chance", counted(others, "more difference")),
        };
        writeln!(out, "{}", self.paint.faint(&text))
    }

    fn tags(&self, out: &mut String) -> fmt::Result {
        let table = self.table;
        let all = || table.tags.iter().chain(&table.tags_before);
        let shown: Vec<OutcomeKind> = OutcomeKind::ALL
            .into_iter()
            .filter(|outcome| outcome.is_usual() || all().any(|tag| tag.count(*outcome) > 0))
            .collect();
        let mut heads = vec!["tag".to_owned(), ">asked".to_owned()];
        heads.extend(shown.iter().map(|it| format!(">{}", it.words())));
        heads.push(">lost".to_owned());
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        self.table(&heads, out, |tag| {
            let mut cells = vec![tag.asked.count.to_string()];
            let known = |count: u64, whole: u64| {
                if whole == 0 {
                    String::new()
                } else {
                    count.to_string()
                }
            };
            cells.extend(
                shown
                    .iter()
                    .map(|outcome| known(tag.count(*outcome), tag.asked.count)),
            );
            cells.push(known(tag.lost_impressions.count, tag.impressions));
            cells
        })?;
        let heads = [
            "latency",
            ">median, s",
            "",
            ">95 %, s",
            "",
            ">of the wait, %",
        ];
        self.table(&heads, out, |tag| {
            let mut cells: Vec<String> = [tag.median, tag.p95]
                .into_iter()
                .flat_map(|it| [quantile(it), interval(it)])
                .collect();
            cells.push(tag.share_of_wait.map_or_else(String::new, percent));
            cells
        })
    }

    /// Writes a table with a row for each tag, and one below it for the values before.
    fn table(
        &self,
        heads: &[&str],
        out: &mut String,
        cells: impl Fn(&RecordedTag) -> Vec<String>,
    ) -> fmt::Result {
        let mut columns = Columns::new(heads);
        let named = |name: String, tag| [name].into_iter().chain(cells(tag)).collect::<Vec<_>>();
        for (index, tag) in self.table.tags.iter().enumerate() {
            columns.row(named(fitted(short(&tag.url), NAME), tag));
            if let Some(before) = self.table.tags_before.get(index) {
                columns.row(named("  before".to_owned(), before));
            }
        }
        writeln!(out)?;
        columns.write(out)
    }

    /// Writes which recordings have the same course, the most frequent first.
    fn courses(&self, out: &mut String) -> fmt::Result {
        let courses = &self.table.courses;
        if courses.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{}",
            self.paint.strong("recordings of a like course")
        )?;
        for course in courses.iter().take(MOST_COURSES) {
            let tags: Vec<String> = course
                .tags
                .iter()
                .map(|tag| format!("{} {}", short(&tag.url), tag.outcome.words()))
                .collect();
            let before = course
                .before
                .map_or_else(String::new, |before| format!(", before {before}"));
            let median = match quantile(course.first_ad_median) {
                none if none.is_empty() => none,
                median => format!("; first ad after {median} s in the median"),
            };
            let text = format!("{}{median}", tags.join(", "));
            self.wrapped(&format!("{:>4}{before}  ", course.count.count), &text, out)?;
            self.wrapped(
                "      ",
                &format!("see {}", course.count.recordings.join(", ")),
                out,
            )?;
        }
        let others = courses.len().saturating_sub(MOST_COURSES);
        if others > 0 {
            writeln!(out, "      {}", counted(others, "other course"))?;
        }
        Ok(())
    }

    /// Writes for each tag its codes and failures, and the recordings that show what went wrong.
    fn details(&self, out: &mut String) -> fmt::Result {
        for tag in &self.table.tags {
            let named = |what: String, it: &RecordedCount| {
                (it.count > 0)
                    .then(|| format!("{what} ×{}: {}", it.count, it.recordings.join(", ")))
            };
            let failures = tag
                .failures
                .iter()
                .filter_map(|it| named(it.kind.words(), &it.count));
            let codes = tag
                .codes
                .iter()
                .filter_map(|it| named(format!("code {}", it.code), &it.count));
            let told = |it: OutcomeKind| {
                matches!(
                    it,
                    OutcomeKind::GivenUp
                        | OutcomeKind::Late
                        | OutcomeKind::NotShown
                        | OutcomeKind::Unknown
                )
            };
            let outcomes = tag.outcomes.iter().filter(|it| told(it.outcome));
            let outcomes =
                outcomes.filter_map(|it| named(it.outcome.words().to_owned(), &it.count));
            let lost = named("lost impressions".to_owned(), &tag.lost_impressions);
            let lines: Vec<String> = failures.chain(outcomes).chain(codes).chain(lost).collect();
            if lines.is_empty() {
                continue;
            }
            writeln!(
                out,
                "\n{}",
                self.paint.strong(&escape::line(short(&tag.url)))
            )?;
            for line in lines {
                self.wrapped("  ", &line, out)?;
            }
        }
        Ok(())
    }
}
