//! Figures of many random runs: sums that are exact and do not depend on the order of the runs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::price::Prices;
use super::summary::{FailedTag, RunOutcome};
use super::tag::TagNumber;
use playsim_base::interval::{self, Proportion};
use playsim_base::number::Decimal;

/// The percentages of the quantiles.
pub const QUANTILES: [u32; 3] = [50, 95, 99];

/// The outcomes of many sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// How many sessions.
    pub runs: u64,
    /// Sessions in which an ad was shown.
    pub filled: Proportion,
    /// By tag: sessions in which it showed an ad, and its errors.
    pub tags: Vec<TagFigures>,
    /// The time from the beginning of the first break to the first picture, of an ad or of the
    /// content: its quantiles for 50, 95 and 99 percent.
    pub first_frame: Vec<QuantileFigure>,
    /// Sessions without any picture, which the quantiles leave out.
    pub without_frame: Proportion,
    /// The revenue of 1,000 sessions; `None` if no price is known.
    pub revenue: Option<Revenue>,
    /// Sessions that requested a URL without a response.
    pub unlisted: u64,
    /// Sessions that depend on an answer that was not recorded: their outcome is unknown.
    pub unknown: Proportion,
}

/// The figures of one tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagFigures {
    /// The tag.
    pub tag: TagNumber,
    /// Sessions in which it was asked.
    pub asked: Proportion,
    /// How many wrappers deep it was followed at most.
    pub hops: u32,
    /// Sessions in which it showed an ad.
    pub filled: Proportion,
    /// Sessions in which it failed, by code.
    pub failed: Vec<CodeFigure>,
}

/// Failures with one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeFigure {
    /// The code; `None`: without one.
    pub code: Option<u16>,
    /// Sessions in which the tag failed with it.
    pub sessions: Proportion,
}

/// A quantile, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct QuantileFigure {
    /// Which one.
    pub percent: u32,
    /// This share of the sessions took at most this long.
    pub us: u64,
    /// The lower end of its interval; `None` if there are too few runs.
    pub low_us: Option<u64>,
    /// The upper end.
    pub high_us: Option<u64>,
}

/// The revenue of 1,000 sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Revenue {
    /// The mean.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub per_mille: Decimal,
    /// The lower end of its interval.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub low: Decimal,
    /// The upper end.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub high: Decimal,
    /// The currency, if the documents name one.
    pub currency: Option<String>,
    /// The tags with ads whose price is unknown, which count as 0.
    pub without_price: Vec<TagNumber>,
}

/// The sums of some runs, which can be added to those of others.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    runs: u64,
    filled: u64,
    filled_by: BTreeMap<TagNumber, u64>,
    /// How many sessions asked a tag, and how many wrappers deep it was followed.
    asked: BTreeMap<TagNumber, (u64, u32)>,
    failed: BTreeMap<FailedTag, u64>,
    first_frames: Vec<u64>,
    earned: i128,
    earned_squares: i128,
    without_price: BTreeSet<TagNumber>,
    unlisted: u64,
    unknown: u64,
}

impl Counts {
    /// Adds a session.
    pub(super) fn add(&mut self, outcome: &RunOutcome, prices: &Prices) {
        self.runs += 1;
        self.filled += u64::from(outcome.is_filled());
        for tag in &outcome.filled_by {
            *self.filled_by.entry(*tag).or_default() += 1;
        }
        for asked in &outcome.asked {
            self.note_asked(asked.tag, 1, asked.hops);
        }
        for (at, failed) in outcome.failed.iter().enumerate() {
            // A tag that fails in several breaks of a session counts once.
            if !outcome.failed[..at].contains(failed) {
                *self.failed.entry(*failed).or_default() += 1;
            }
        }
        self.first_frames
            .extend(outcome.first_frame.map(|frame| frame.after_us));
        let without_price = &mut self.without_price;
        let earned = i128::from(prices.earned(outcome, |tag| _ = without_price.insert(tag)));
        self.earned += earned;
        self.earned_squares += earned * earned;
        self.unlisted += u64::from(outcome.unlisted > 0);
        self.unknown += u64::from(outcome.is_unknown());
    }

    fn note_asked(&mut self, tag: TagNumber, sessions: u64, hops: u32) {
        let asked = self.asked.entry(tag).or_default();
        *asked = (asked.0 + sessions, asked.1.max(hops));
    }

    /// Adds the sums of other runs.
    pub(super) fn merge(&mut self, other: Counts) {
        self.runs += other.runs;
        self.filled += other.filled;
        for (tag, count) in other.filled_by {
            *self.filled_by.entry(tag).or_default() += count;
        }
        for (tag, (sessions, hops)) in other.asked {
            self.note_asked(tag, sessions, hops);
        }
        for (failed, count) in other.failed {
            *self.failed.entry(failed).or_default() += count;
        }
        self.first_frames.extend(other.first_frames);
        self.earned += other.earned;
        self.earned_squares += other.earned_squares;
        self.without_price.extend(other.without_price);
        self.unlisted += other.unlisted;
        self.unknown += other.unknown;
    }

    /// Makes figures of the sums, with a row for each of this many tags.
    pub(super) fn figures(mut self, tags: usize, prices: &Prices) -> Figures {
        self.first_frames.sort_unstable();
        let rate = |count: u64| Proportion::of(count, self.runs);
        let tag = |wp: usize| {
            let tag = TagNumber::of_wp(u32::try_from(wp).unwrap_or(u32::MAX));
            let failed = self.failed.iter().filter(|(failed, _)| failed.tag == tag);
            let failed = failed.map(|(failed, count)| CodeFigure {
                code: failed.code,
                sessions: rate(*count),
            });
            let filled = rate(self.filled_by.get(&tag).copied().unwrap_or_default());
            let (asked, hops) = self.asked.get(&tag).copied().unwrap_or_default();
            TagFigures {
                tag,
                asked: rate(asked),
                hops,
                filled,
                failed: failed.collect(),
            }
        };
        let revenue = prices.are_known().then(|| {
            let ends = interval::mean(self.runs, self.earned, self.earned_squares);
            let (per_mille, low, high) = ends;
            Revenue {
                per_mille: Decimal::from_millionths(per_mille),
                low: Decimal::from_millionths(low.max(0)),
                high: Decimal::from_millionths(high),
                currency: prices.currency.clone(),
                without_price: self.without_price.iter().copied().collect(),
            }
        });
        Figures {
            runs: self.runs,
            filled: rate(self.filled),
            tags: (0..tags).map(tag).collect(),
            first_frame: quantiles(&self.first_frames),
            without_frame: rate(self.runs - self.first_frames.len() as u64),
            revenue,
            unlisted: self.unlisted,
            unknown: rate(self.unknown),
        }
    }
}

/// The quantiles of ascending values; none of no values.
fn quantiles(values: &[u64]) -> Vec<QuantileFigure> {
    let of = |percent| {
        let ranks = interval::ranks(values.len(), percent);
        QuantileFigure {
            percent,
            us: values[ranks.value],
            low_us: ranks.low.map(|at| values[at]),
            high_us: ranks.high.map(|at| values[at]),
        }
    };
    if values.is_empty() {
        Vec::new()
    } else {
        QUANTILES.map(of).to_vec()
    }
}
