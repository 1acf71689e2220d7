//! Measurements of repeated tag requests: durations and results.
//!
//! Written by `playsim fetch --times`, and read where an option such as
//! `--vary tag2.after=@fetched` names the file.

use std::path::{Path, PathBuf};

use playsim::time::Span;
use playsim_base::words::{Column, Columns, counted, io_error, seconds};
use serde::{Deserialize, Serialize};

use crate::cli::failure::Failure;
use crate::cli::{input, joined, reading};

/// The measurements of a waterfall.
#[derive(Debug)]
pub(super) struct Measured {
    time_limit: Span,
    pub(super) tags: Vec<MeasuredTag>,
}

/// The measurements of one tag.
#[derive(Debug)]
pub(super) struct MeasuredTag {
    url: String,
    pub(super) asks: Vec<Ask>,
}

/// The result of one request for a tag, and how long its own document took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// An ad, or a schedule of breaks.
    Filled(Span),
    /// An ad document, but no ad that can be shown.
    NoAd(Span),
    /// An error, or something that is not an ad document.
    Failed(Span),
    /// Nothing within the time limit.
    GivenUp,
}

/// The form of the file.
#[derive(Serialize, Deserialize)]
struct File {
    /// After how many microseconds a request was given up.
    time_limit_us: u64,
    tags: Vec<FileTag>,
}

#[derive(Serialize, Deserialize)]
struct FileTag {
    url: String,
    asked: usize,
    filled: usize,
    no_ad: usize,
    failed: usize,
    given_up: usize,
    /// How long each answer took, in microseconds, ascending; without those given up.
    after_us: Vec<u64>,
}

impl Measured {
    pub(super) fn new<'a>(urls: impl Iterator<Item = &'a str>, time_limit: Span) -> Measured {
        let tags = urls.map(|url| MeasuredTag {
            url: url.to_owned(),
            asks: Vec::new(),
        });
        Measured {
            time_limit,
            tags: tags.collect(),
        }
    }

    /// Returns a table for a terminal.
    pub(super) fn text(&self) -> String {
        let first =
            ["asked", "filled", "no ad", "failed", "given up", "shortest"].map(Column::right);
        let last = ["median", "95%", "longest"].map(|name| Column::right(name).at_least(8));
        let mut table = Columns::of(
            [Column::left("").at_least(5)]
                .into_iter()
                .chain(first)
                .chain(last),
        );
        for (number, tag) in (1..).zip(&self.tags) {
            let FileTag {
                asked,
                filled,
                no_ad,
                failed,
                given_up,
                after_us,
                ..
            } = tag.row();
            let counts = [asked, filled, no_ad, failed, given_up].map(|count| count.to_string());
            let times = [0, 50, 95, 100].map(|share| match quantile(&after_us, asked, share) {
                Some(us) => seconds(us),
                // A request that was given up took longer than all answers.
                None if asked > 0 => format!("> {}", seconds(self.time_limit.micros())),
                None => String::new(),
            });
            table.row(
                [format!("tag{number}")]
                    .into_iter()
                    .chain(counts)
                    .chain(times),
            );
        }
        format!("\n{}", table.text())
    }

    pub(super) fn json(&self) -> String {
        let tags = self.tags.iter().map(MeasuredTag::row).collect();
        let file = File {
            time_limit_us: self.time_limit.micros(),
            tags,
        };
        serde_json::to_string_pretty(&file)
            .expect("strings and numbers can always be written as JSON")
    }
}

impl MeasuredTag {
    fn row(&self) -> FileTag {
        let count = |is: fn(&Ask) -> bool| self.asks.iter().filter(|ask| is(ask)).count();
        let after = self.asks.iter().filter_map(|ask| match ask {
            Ask::Filled(after) | Ask::NoAd(after) | Ask::Failed(after) => Some(after.micros()),
            Ask::GivenUp => None,
        });
        let mut after_us: Vec<u64> = after.collect();
        after_us.sort_unstable();
        FileTag {
            url: self.url.clone(),
            asked: self.asks.len(),
            filled: count(|ask| matches!(ask, Ask::Filled(_))),
            no_ad: count(|ask| matches!(ask, Ask::NoAd(_))),
            failed: count(|ask| matches!(ask, Ask::Failed(_))),
            given_up: count(|ask| matches!(ask, Ask::GivenUp)),
            after_us,
        }
    }
}

/// Returns a quantile of all requests, of which the answered ones took `answered`; `None` if it is
/// one of those that were given up.
fn quantile(answered: &[u64], asked: usize, percent: usize) -> Option<u64> {
    let rank = (asked * percent).div_ceil(100).max(1);
    answered.get(rank - 1).copied()
}

/// A figure of a tag that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    /// How long its responses take.
    After,
    /// How often it has an ad.
    Fill,
}

impl Figure {
    fn read(word: &str) -> Option<Figure> {
        match word {
            "after" => Some(Figure::After),
            "fill" => Some(Figure::Fill),
            _ => None,
        }
    }
}

/// Replaces `@FILE` in `tagN.after=@FILE` and `tagN.fill=@FILE` by what was measured.
///
/// # Errors
///
/// If the file cannot be read, or has nothing about the tag.
pub(in crate::cli) fn replaced(text: &str) -> Result<String, Failure> {
    let Some((name, file)) = text.split_once("=@") else {
        return Ok(text.to_owned());
    };
    let wrong = |why: &str| Failure::Input(format!("--vary {text}: {why}"));
    let parts = name
        .trim()
        .strip_prefix("tag")
        .and_then(|rest| rest.split_once('.'));
    let numbered = parts.and_then(|(number, figure)| {
        Some((
            number.parse::<usize>().ok().filter(|n| *n > 0)?,
            Figure::read(figure)?,
        ))
    });
    let Some((number, figure)) = numbered else {
        return Err(wrong(
            "measurements are those of a tag: write tag1.after=@FILE or tag1.fill=@FILE",
        ));
    };
    let path = Path::new(file.trim());
    let path = if path.is_file() {
        path.to_owned()
    } else {
        PathBuf::from(format!("{}.json", path.display()))
    };
    let named = input::name(&path);
    let read = reading::bytes(&path);
    let read = read.map_err(|error| {
        Failure::Io(format!(
            "cannot read {named}: {}; playsim fetch URL --times 20 -o {} writes it",
            io_error(&error),
            file.trim()
        ))
    })?;
    let file: File = serde_json::from_slice(&read).map_err(|error| {
        wrong(&format!(
            "{named} has no measurements of playsim fetch: {error}"
        ))
    })?;
    let Some(tag) = file.tags.get(number - 1) else {
        return Err(wrong(&format!(
            "{named} has measurements of {}",
            counted(file.tags.len(), "tag")
        )));
    };
    if figure == Figure::Fill {
        let answered = tag.filled + tag.no_ad;
        if answered == 0 {
            return Err(wrong(&format!(
                "in {named} the tag was never answered with an ad document"
            )));
        }
        // A share in hundredths of a percent.
        let share = (tag.filled * 10_000 + answered / 2) / answered;
        return Ok(format!("{name}={}.{:02}%", share / 100, share % 100));
    }
    distribution(tag, file.time_limit_us)
        .map(|quantiles| format!("{name}=quantiles({quantiles})"))
        .ok_or_else(|| wrong(&format!("in {named} the tag has no latencies")))
}

/// Returns the measured latencies as quantiles; requests that were given up count as taking as long
/// as the limit.
fn distribution(tag: &FileTag, time_limit_us: u64) -> Option<String> {
    /// Millionths of a percent in all.
    const WHOLE: usize = 100_000_000;
    /// The least share that can be written, in millionths of a percent.
    const LEAST: usize = 100;
    let mut values = tag.after_us.clone();
    values.extend(std::iter::repeat_n(time_limit_us, tag.given_up));
    values.sort_unstable();
    let (first, count) = (*values.first()?, values.len());
    let mut points = vec![(LEAST, first)];
    points.extend(
        values
            .iter()
            .enumerate()
            .map(|(index, value)| ((index + 1) * (WHOLE / count), *value)),
    );
    points.last_mut()?.0 = WHOLE;
    points.dedup_by_key(|point| point.0);
    let point = |(share, value): (usize, u64)| {
        format!(
            "p{}.{:06}={}s",
            share / 1_000_000,
            share % 1_000_000,
            seconds_exact(value)
        )
    };
    Some(joined(points.into_iter().map(point), ","))
}

fn seconds_exact(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use playsim::sweep::Distribution;

    use super::*;

    fn tag(after_us: &[u64], given_up: usize) -> FileTag {
        let asked = after_us.len() + given_up;
        let after_us = after_us.to_vec();
        FileTag {
            url: String::new(),
            asked,
            filled: 0,
            no_ad: 0,
            failed: 0,
            given_up,
            after_us,
        }
    }

    #[test]
    fn measured_latencies_are_drawn_as_they_were_measured() {
        let text = distribution(&tag(&[100_000, 200_000, 300_000], 1), 10_000_000)
            .expect("some latencies");
        let drawn: Distribution = format!("quantiles({text})")
            .parse()
            .expect("a distribution");
        // Below the least share that can be written, one draw in a million is shorter.
        assert_eq!(drawn.pick(u64::MAX / 100_000).micros(), 100_000);
        assert_eq!(drawn.pick(u64::MAX / 4).micros(), 100_000);
        assert_eq!(drawn.pick(u64::MAX / 2 + 1).micros(), 200_000);
        assert!(drawn.pick(u64::MAX).micros() > 9_990_000);
        assert!(distribution(&tag(&[], 0), 1).is_none());
    }

    #[test]
    fn a_quantile_counts_requests_that_were_given_up() {
        assert_eq!(quantile(&[1, 2, 3], 4, 50), Some(2));
        assert_eq!(quantile(&[1, 2, 3], 4, 95), None);
        assert_eq!(quantile(&[], 0, 50), None);
        assert_eq!(quantile(&[5], 1, 0), Some(5));
    }
}
