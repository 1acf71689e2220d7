//! The result of a sweep as tables for reading.

use std::fmt::Write as _;

use super::difference::MeanChange;
use super::figures::{Figures, QuantileFigure, Revenue};
use super::summary::{FailedTag, FirstFrame, RunOutcome, Shows};
use super::table::{SweepRow, Table, TippingPoint};
use super::tag::TagNumber;
use playsim_base::escape;
use playsim_base::interval::Proportion;
use playsim_base::number::Decimal;
use playsim_base::words::{self, Column, Columns, counted, wrap};

mod compared;

impl Table {
    /// Returns tables for reading, of a width in columns where their cells allow it. What came from
    /// outside is escaped. Rule TRACE-9.
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        let mut out = String::new();
        if !self.answer.is_empty() {
            for line in wrap(&self.answer.join(" "), width) {
                let _ = writeln!(out, "{}", escape::line(&line));
            }
            out.push('\n');
        }
        self.write_head(&mut out, width);
        if matches!(&self.varied[..], [column] if column.is_configuration()) {
            compared::write(self, &mut out);
            self.write_reasons(&mut out, width);
        } else if self.runs.is_some() {
            self.write_figures(&mut out);
        } else {
            self.write_outcomes(&mut out);
            self.write_tips(&mut out, width);
        }
        self.write_foot(&mut out, width);
        out
    }

    fn write_head(&self, out: &mut String, width: usize) {
        let names: Vec<&str> = self
            .varied
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        let rows = counted(self.rows.len(), "row");
        let what = match (names.as_slice(), self.runs) {
            ([], Some(runs)) => format!("{} with seed {}", counted_runs(runs), self.seed),
            ([], None) if self.fixed.is_empty() => "nothing is varied".to_owned(),
            ([], None) => "one session".to_owned(),
            (["configuration"], None) => counted(self.rows.len(), "configuration"),
            (["configuration"], Some(runs)) => {
                format!(
                    "{}, each with {} and seed {}",
                    counted(self.rows.len(), "configuration"),
                    counted_runs(runs),
                    self.seed
                )
            }
            (names, Some(runs)) => {
                format!(
                    "{} varied: {rows}, each with {} and seed {}",
                    names.join(" and "),
                    counted_runs(runs),
                    self.seed
                )
            }
            (names, None) => format!("{} varied: {rows}", names.join(" and ")),
        };
        let _ = writeln!(out, "{}", escape::line(&what));
        let mut facts = vec![self.player()];
        facts.extend(
            self.knobs
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        facts.extend(
            self.fixed
                .iter()
                .map(|it| format!("{}={}", it.name, it.value)),
        );
        let tags: Vec<String> = self
            .tags
            .iter()
            .map(|tag| format!("{} {}", tag.tag, tag.address))
            .collect();
        let tags = if tags.is_empty() {
            "no tags".to_owned()
        } else {
            tags.join(", ")
        };
        for line in wrap(
            &format!("({}; {})", facts.join(", "), tags),
            width.saturating_sub(7),
        ) {
            let _ = writeln!(out, "       {}", escape::line(&line));
        }
        out.push('\n');
    }

    /// A table with the varied values before other columns.
    fn columns<'s>(&self, others: impl IntoIterator<Item = &'s str>) -> Columns {
        let varied = self.varied.iter().map(|column| match column.unit {
            Some(_) => Column::right(&*column.name),
            None => Column::left(&*column.name),
        });
        Columns::of(varied.chain(others.into_iter().map(Column::named))).indented(1)
    }

    fn write_outcomes(&self, out: &mut String) {
        let tags: Vec<String> = self
            .tags
            .iter()
            .map(|tag| format!(">{}", tag.tag))
            .collect();
        let others = ["ad by", ">first frame", "of"].into_iter();
        let earns = self.rows.iter().any(|row| row.earned.is_some());
        let last = [">pixels"]
            .into_iter()
            .chain(earns.then_some(">earned by 1,000"))
            .chain([""]);
        let mut table = self.columns(others.chain(tags.iter().map(String::as_str)).chain(last));
        let row_now = self.row_now();
        let frames = self
            .rows
            .iter()
            .filter_map(|row| row.outcome.as_ref()?.first_frame);
        let clock = Clock::of(frames.map(|frame| frame.after_us));
        for (at, row) in self.rows.iter().enumerate() {
            let Some(outcome) = &row.outcome else {
                continue;
            };
            let mut cells = row.values.clone();
            if outcome.is_unknown() {
                cells.push("unknown".to_owned());
                cells.extend((0..self.tags.len() + 3).map(|_| "?".to_owned()));
                cells.extend(earns.then(|| "?".to_owned()));
            } else {
                let frame = outcome.first_frame;
                cells.push(ad_by(outcome));
                cells.push(clock.frame(frame));
                cells.push(frame.map_or("-", |frame| shows(frame.of)).to_owned());
                cells.extend(self.tags.iter().map(|tag| of_tag(outcome, tag.tag)));
                cells.push(outcome.pixels().to_string());
                cells.extend(earns.then(|| row.earned.map_or_else(|| "-".to_owned(), cents)));
            }
            cells.push(if row_now == Some(at) { "now" } else { "" }.to_owned());
            table.row(cells);
        }
        out.push_str(&table.text());
        let _ = writeln!(
            out,
            "(first frame: seconds after the break began; a tag: ad, its error code, or - if not asked)"
        );
        let without = self
            .rows
            .iter()
            .filter(|row| earns && row.earned.is_none() && !row.is_unknown());
        let without: std::collections::BTreeSet<TagNumber> = without
            .filter_map(|row| row.outcome.as_ref())
            .flat_map(|outcome| outcome.filled_by.clone())
            .collect();
        if let Some(first) = without.first() {
            let tags: Vec<String> = without.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "(earned: - where no price is known of an ad of {}; add --price {first}=CPM)",
                tags.join(" or ")
            );
        }
        self.write_asked(out);
    }

    /// In how many rows each tag is asked.
    fn write_asked(&self, out: &mut String) {
        let known: Vec<&RunOutcome> = self
            .rows
            .iter()
            .filter_map(|row| row.outcome.as_ref())
            .collect();
        let known: Vec<&RunOutcome> = known
            .into_iter()
            .filter(|outcome| !outcome.is_unknown())
            .collect();
        let count = |tag: TagNumber| {
            known
                .iter()
                .filter(|it| it.asked.iter().any(|asked| asked.tag == tag))
                .count()
        };
        let tags = self
            .tags
            .iter()
            .map(|tag| format!("{} in {}", tag.tag, count(tag.tag)));
        let tags: Vec<String> = tags.collect();
        if self.rows.len() > 1 && !tags.is_empty() && !known.is_empty() {
            let what = if known.len() < self.rows.len() {
                "known row"
            } else {
                "row"
            };
            let _ = writeln!(
                out,
                "(asked: {}, of {})",
                tags.join(", "),
                counted(known.len(), what)
            );
        }
    }

    /// Notes on the rows.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.returns.is_empty() {
            notes.push(format!(
                "along {} an earlier outcome returns",
                self.returns.join(" and ")
            ));
        }
        if !self.cut.is_empty() {
            let most = super::MAX_TIPS;
            notes.push(format!(
                "along {} there are more than {most} between two rows",
                self.cut.join(" and ")
            ));
        }
        notes
    }

    /// Writes which tags have unrecorded answers, if any row depends on one, and the assumptions.
    fn write_unseen(&self, out: &mut String, width: usize) {
        let mut notes = Vec::new();
        if self.rows.iter().any(SweepRow::is_unknown) {
            for (tag, since) in self
                .tags
                .iter()
                .filter_map(|it| Some((it.tag, it.silent_until_us?)))
            {
                let since = Decimal::seconds(since);
                notes.push(format!(
                    "beyond {since} s: unknown, the player gave up on {tag}; to assume that it answers, add \
                     --vary {tag}.after=TIME, and {tag}.answer=FILE for what it answers"
                ));
            }
        }
        notes.extend(self.assumed.iter().map(|it| format!("assumed: {it}")));
        notes.extend(self.without_effect.iter().map(|it| format!("note: {it}")));
        for line in notes.iter().flat_map(|note| wrap(note, width)) {
            let _ = writeln!(out, "{}", escape::line(&line));
        }
    }

    fn write_tips(&self, out: &mut String, width: usize) {
        let ordered: Vec<&str> = self
            .varied
            .iter()
            .filter(|it| it.unit.is_some())
            .map(|it| it.name.as_str())
            .collect();
        if ordered.is_empty() {
            return;
        }
        out.push('\n');
        if self.tipping_points.is_empty() {
            let _ = writeln!(
                out,
                "no tipping points: along {} the outcome stays the same",
                ordered.join(" and ")
            );
        } else {
            let _ = writeln!(out, "tipping points, exact to the last digit");
        }
        let mut line = None;
        for tip in &self.tipping_points {
            let key = (&tip.name, &tip.others);
            if line != Some(key) && !tip.others.is_empty() {
                let others = tip
                    .others
                    .iter()
                    .map(|it| format!("{}={}", it.name, it.value));
                let _ = writeln!(
                    out,
                    " with {}",
                    escape::line(&others.collect::<Vec<_>>().join(", "))
                );
            }
            line = Some(key);
            let rows = [
                in_words(&tip.after),
                format!("below: {}", in_words(&tip.before)),
            ];
            words::write_rows(
                out,
                &format!("  from {} on  ", tip_value(tip)),
                &rows,
                width.saturating_sub(30).max(30),
            );
        }
        let mut notes = self.notes();
        notes.push(format!(
            "{} between the rows tried: by bisection where two neighbouring rows differ, in the middle where they are \
             alike",
            counted(usize::try_from(self.tried_between).unwrap_or(usize::MAX), "value")
        ));
        for line in wrap(&format!("({})", notes.join("; ")), width) {
            let _ = writeln!(out, "{line}");
        }
    }

    fn rows_with_figures(&self) -> impl Iterator<Item = (&SweepRow, &Figures)> {
        self.rows
            .iter()
            .filter_map(|row| Some((row, row.figures.as_ref()?)))
    }

    fn write_figures(&self, out: &mut String) {
        let tags: Vec<String> = self
            .tags
            .iter()
            .map(|tag| format!(">ad by {}", tag.tag))
            .collect();
        let shares = [">an ad"]
            .into_iter()
            .chain(tags.iter().map(String::as_str));
        let mut table = self.columns(shares);
        for (row, figures) in self.rows_with_figures() {
            let shares = figures.tags.iter().map(|tag| rate(tag.filled));
            table.row(
                [
                    row.values.clone(),
                    vec![rate(figures.filled)],
                    shares.collect(),
                ]
                .concat(),
            );
        }
        let _ = writeln!(out, "sessions with an ad, in percent");
        out.push_str(&table.text());
        self.write_changes(out);

        let names: Vec<String> = self
            .tags
            .iter()
            .map(|tag| format!(">{}", tag.tag))
            .collect();
        let mut table = self.columns(names.iter().map(String::as_str));
        for (row, figures) in self.rows_with_figures() {
            let shares = figures.tags.iter().map(|tag| rate(tag.asked));
            table.row([row.values.clone(), shares.collect()].concat());
        }
        let _ = writeln!(out, "\nsessions in which a tag is asked, in percent");
        out.push_str(&table.text());

        let all = self
            .rows_with_figures()
            .flat_map(|(_, figures)| &figures.first_frame);
        let clock = Clock::of(all.map(|it| it.us));
        let mut table = self.columns([">50 %", ">95 %", ">99 %"]);
        for (row, figures) in self.rows_with_figures() {
            let quantiles = figures.first_frame.iter().map(|it| clock.quantile(it));
            table.row([row.values.clone(), quantiles.collect()].concat());
        }
        let _ = writeln!(
            out,
            "\nseconds until the first frame of an ad or the content: of this share of sessions at most"
        );
        out.push_str(&table.text());
        self.write_failures(out);
        self.write_revenue(out);
    }

    /// Which setting or knob makes each difference between configurations.
    fn write_reasons(&self, out: &mut String, width: usize) {
        if self.reasons.is_empty() {
            return;
        }
        let first = self
            .rows
            .first()
            .map(|row| row.values.join(" "))
            .unwrap_or_default();
        let _ = writeln!(out, "\nwhy they differ from {}", escape::line(&first));
        for reason in &self.reasons {
            let because = match &reason.because[..] {
                [] => "several settings together, none alone".to_owned(),
                [one] => one.clone(),
                several => format!("each of {}", several.join(" and ")),
            };
            let partly = if reason.is_partial { "partly " } else { "" };
            let (whose, lines) = (&reason.configuration, reason.lines.join(", "));
            let text = format!("{whose}: {lines} {partly}because of {because}");
            for (at, line) in wrap(&text, width.saturating_sub(4).max(30))
                .iter()
                .enumerate()
            {
                let _ = writeln!(
                    out,
                    "{}{}",
                    if at == 0 { "  " } else { "    " },
                    escape::line(line)
                );
            }
        }
    }

    /// How the rows differ from how it is now.
    fn write_changes(&self, out: &mut String) {
        let Some(now) = &self.now else { return };
        let earns = now
            .figures
            .as_ref()
            .is_some_and(|figures| figures.revenue.is_some());
        let last = earns.then_some(">revenue of 1,000");
        let others = [">fill, points", ">first frame, s"].into_iter().chain(last);
        let mut table = self.columns(others);
        for row in &self.rows {
            let Some(difference) = &row.difference else {
                continue;
            };
            let mut cells = row.values.clone();
            cells.push(change(&difference.filled, 100));
            cells.push(change(&difference.first_frame, 1));
            cells.extend(difference.revenue.as_ref().map(|it| change(it, 1)));
            table.row(cells);
        }
        let values = self.varied.iter().zip(&now.values);
        let values = values.map(|(varied, value)| match value.as_str() {
            "" => format!("{} as it is", varied.name),
            value => format!("{}={value}", varied.name),
        });
        let values: Vec<String> = values.collect();
        let _ = writeln!(
            out,
            "\ndifference from now ({})",
            escape::line(&values.join(", "))
        );
        out.push_str(&table.text());
    }

    fn write_failures(&self, out: &mut String) {
        let mut table = self.columns(["tag", ">code", ">sessions"]);
        for (row, figures) in self.rows_with_figures() {
            for tag in &figures.tags {
                for failed in &tag.failed {
                    let code = code(failed.code);
                    let cells = vec![tag.tag.to_string(), code, rate(failed.sessions)];
                    table.row([row.values.clone(), cells].concat());
                }
            }
        }
        if !table.is_empty() {
            let _ = writeln!(out, "\nfailures, in percent of the sessions");
            out.push_str(&table.text());
        }
    }

    fn write_revenue(&self, out: &mut String) {
        let mut table = self.columns([">earned"]);
        let mut currency = None;
        let mut without: Vec<TagNumber> = Vec::new();
        for (row, figures) in self.rows_with_figures() {
            if let Some(revenue) = &figures.revenue {
                currency = revenue.currency.clone();
                without.extend(&revenue.without_price);
                table.row([row.values.clone(), vec![money(revenue)]].concat());
            }
        }
        if !table.is_empty() {
            let currency = currency
                .map(|it| format!(" in {}", escape::line(&it)))
                .unwrap_or_default();
            let _ = writeln!(out, "\nrevenue of 1,000 sessions{currency}");
            out.push_str(&table.text());
            without.sort_unstable();
            without.dedup();
            if !without.is_empty() {
                let tags: Vec<String> = without.iter().map(ToString::to_string).collect();
                let _ = writeln!(
                    out,
                    "(no price is known of some ads of {}; they count as 0: add --price {}=CPM)",
                    tags.join(" and "),
                    tags[0]
                );
            }
        }
    }

    fn write_foot(&self, out: &mut String, width: usize) {
        self.write_unseen(out, width);
        let mut notes = Vec::new();
        if self.runs.is_some() {
            notes.push(format!(
                "in brackets: intervals with {} % confidence; of shares by Wilson, of times by order statistics, of \
                 revenue by the standard error",
                self.confidence_percent
            ));
        }
        let frames = self
            .rows_with_figures()
            .filter(|(_, figures)| figures.without_frame.count > 0)
            .count();
        if frames > 0 {
            notes.push("times leave out sessions without any picture".to_owned());
        }
        if !notes.is_empty() {
            for line in wrap(&format!("({})", notes.join("; ")), width) {
                let _ = writeln!(out, "{line}");
            }
        }
    }
}

/// The tags that showed ads.
pub(super) fn ad_by(outcome: &RunOutcome) -> String {
    let tags: Vec<String> = outcome.filled_by.iter().map(ToString::to_string).collect();
    let tags = if tags.is_empty() {
        "none".to_owned()
    } else {
        tags.join(",")
    };
    match outcome.breaks {
        0 => "no break".to_owned(),
        1 => tags,
        breaks => format!("{tags} ({} of {breaks} breaks)", outcome.breaks_filled),
    }
}

/// The outcome of one tag: `ad`, an error code, or a dash if it was not requested.
pub(super) fn of_tag(outcome: &RunOutcome, tag: TagNumber) -> String {
    let shown = outcome.filled_by.contains(&tag).then(|| "ad".to_owned());
    let mut failed = Vec::new();
    for it in outcome.failed.iter().filter(|failed| failed.tag == tag) {
        let code = code(it.code);
        if !failed.contains(&code) {
            failed.push(code);
        }
    }
    let all: Vec<String> = shown.into_iter().chain(failed).collect();
    if all.is_empty() {
        "-".to_owned()
    } else {
        all.join(",")
    }
}

fn code(code: Option<u16>) -> String {
    code.map_or_else(|| "no code".to_owned(), |code| code.to_string())
}

pub(super) fn shows(what: Shows) -> &'static str {
    match what {
        Shows::Ad => "ad",
        Shows::Content => "content",
    }
}

/// An outcome as part of a sentence.
pub(super) fn in_words(outcome: &RunOutcome) -> String {
    if let Some(it) = outcome.unknown.first() {
        return format!(
            "unknown: the player gave up on {} after {} s",
            it.tag,
            Decimal::seconds(it.since_us)
        );
    }
    let filled = match (outcome.breaks, outcome.is_filled()) {
        (0, _) => "there is no break".to_owned(),
        (_, true) => format!("filled by {}", ad_by(outcome)),
        (_, false) => "not filled".to_owned(),
    };
    let mut kinds: Vec<(FailedTag, usize)> = Vec::new();
    for failed in &outcome.failed {
        match kinds.iter_mut().find(|(known, _)| known == failed) {
            Some((_, times)) => *times += 1,
            None => kinds.push((*failed, 1)),
        }
    }
    let failed = kinds.into_iter().map(|(failed, times)| {
        let times = if times == 1 {
            String::new()
        } else {
            format!(" in {times} breaks")
        };
        format!("{} {}{times}", failed.tag, code(failed.code))
    });
    let failed: Vec<String> = failed.collect();
    let failed = if failed.is_empty() {
        String::new()
    } else {
        format!(" (failed: {})", failed.join(", "))
    };
    let pixels = counted(
        usize::try_from(outcome.pixels()).unwrap_or(usize::MAX),
        "pixel",
    );
    format!("{filled}{failed}, {pixels}")
}

/// A value with all its digits: `2.600000s`.
pub(super) fn tip_value(tip: &TippingPoint) -> String {
    let value = if tip.value.ends_with('s') {
        let seconds = playsim_base::time::Span::from_micros(tip.point);
        format!("{seconds} s")
    } else {
        tip.value.clone()
    };
    escape::line(&format!("{} {value}", tip.name)).into_owned()
}

fn counted_runs(runs: u64) -> String {
    let digits = runs.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} run{}", if runs == 1 { "" } else { "s" })
}

/// A share in percent with its interval: `61.23 [60.93, 61.53]`.
fn rate(rate: Proportion) -> String {
    format!(
        "{} [{}, {}]",
        percent(rate.share),
        percent(rate.low),
        percent(rate.high)
    )
}

/// A share in percent with two decimals.
fn percent(share: Decimal) -> String {
    let hundredths = (share.millionths() + 50) / 100;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn money(revenue: &Revenue) -> String {
    format!(
        "{} [{}, {}]",
        cents(revenue.per_mille),
        cents(revenue.low),
        cents(revenue.high)
    )
}

/// A difference with its sign and its interval.
fn change(change: &MeanChange, factor: i64) -> String {
    let hundredths = |it: Decimal| {
        let number = it.millionths().saturating_mul(factor);
        let sign = if number < 0 { "-" } else { "" };
        let rounded = (number.unsigned_abs() + 5_000) / 10_000;
        let sign = if rounded == 0 { "" } else { sign };
        format!("{sign}{}.{:02}", rounded / 100, rounded % 100)
    };
    let plus = if change.mean > Decimal::ZERO { "+" } else { "" };
    format!(
        "{plus}{} [{}, {}]",
        hundredths(change.mean),
        hundredths(change.low),
        hundredths(change.high)
    )
}

/// An amount with two decimals.
fn cents(amount: Decimal) -> String {
    let cents = (amount.millionths() + 5_000) / 10_000;
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// How times are written: as seconds with three decimals, or with six where three are not enough.
#[derive(Debug, Clone, Copy)]
struct Clock {
    is_fine: bool,
}

impl Clock {
    fn of(mut times: impl Iterator<Item = u64>) -> Clock {
        Clock {
            is_fine: times.any(|us| us % 1_000 != 0),
        }
    }

    fn at(self, us: u64) -> String {
        let (seconds, rest) = (us / 1_000_000, us % 1_000_000);
        if self.is_fine {
            format!("{seconds}.{rest:06}")
        } else {
            format!("{seconds}.{:03}", rest / 1_000)
        }
    }

    fn frame(self, frame: Option<FirstFrame>) -> String {
        frame.map_or_else(|| "-".to_owned(), |frame| self.at(frame.after_us))
    }

    /// Quantiles of random times need no microseconds.
    fn quantile(self, quantile: &QuantileFigure) -> String {
        let coarse = Clock { is_fine: false };
        let rounded = |us: u64| coarse.at(us.saturating_add(500) / 1_000 * 1_000);
        let end = |us: Option<u64>| us.map_or_else(|| "?".to_owned(), rounded);
        format!(
            "{} [{}, {}]",
            rounded(quantile.us),
            end(quantile.low_us),
            end(quantile.high_us)
        )
    }
}
