//! The measurements of a row: fill, the first picture, revenue, each with its interval.

use crate::figures::{QuantileFigure, Revenue};
use crate::table::{SweepRow, SweptTag};
use crate::tag::TagNumber;
use playsim_base::interval::Proportion;
use playsim_base::number::Decimal;
use playsim_base::words::seconds;

/// The most tags with a line of their own.
const MOST_TAGS: usize = 3;

/// A value with the ends of its interval: millionths, or microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Estimate {
    pub(super) value: i64,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// A quantity that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The share of sessions, or of breaks, with an ad.
    Fill,
    /// The time to the first picture.
    Picture,
    /// The revenue of 1,000 sessions.
    Revenue,
}

/// Reads a value from a row.
pub(super) type Reading = Box<dyn Fn(&SweepRow) -> Option<Estimate>>;

impl Estimate {
    pub(super) const fn exact(value: i64) -> Estimate {
        Estimate {
            value,
            low: value,
            high: value,
        }
    }

    pub(super) const fn of_share(share: Proportion) -> Estimate {
        Estimate {
            value: share.share.millionths(),
            low: share.low.millionths(),
            high: share.high.millionths(),
        }
    }

    pub(super) fn of_quantile(it: &QuantileFigure) -> Estimate {
        let us = |us: u64| i64::try_from(us).unwrap_or(i64::MAX);
        let end = |end: Option<u64>| us(end.unwrap_or(it.us));
        Estimate {
            value: us(it.us),
            low: end(it.low_us),
            high: end(it.high_us),
        }
    }

    pub(super) const fn of_revenue(it: &Revenue) -> Estimate {
        Estimate {
            value: it.per_mille.millionths(),
            low: it.low.millionths(),
            high: it.high.millionths(),
        }
    }
}

impl Measure {
    /// The quantities that are measured of many sessions, with their names.
    pub(super) const OF_MANY: [(Measure, &str); 3] = [
        (Measure::Fill, "Sessions with an ad, %"),
        (Measure::Picture, "First picture, s"),
        (Measure::Revenue, "Revenue of 1,000 sessions"),
    ];

    /// Returns the most important value of a row.
    pub(super) fn first(self, row: &SweepRow) -> Option<Estimate> {
        let figures = row.figures.as_ref()?;
        match self {
            Measure::Fill => Some(Estimate::of_share(figures.filled)),
            Measure::Picture => figures.first_frame.first().map(Estimate::of_quantile),
            Measure::Revenue => figures.revenue.as_ref().map(Estimate::of_revenue),
        }
    }

    /// Returns the lines of many sessions: their names, and how to read them.
    pub(super) fn lines(self, tags: &[SweptTag]) -> Vec<(String, Reading)> {
        let first: Reading = Box::new(move |row| self.first(row));
        match self {
            Measure::Fill => {
                let of = |tag: TagNumber| -> Reading {
                    Box::new(move |row| {
                        let tags = &row.figures.as_ref()?.tags;
                        tags.iter()
                            .find(|it| it.tag == tag)
                            .map(|it| Estimate::of_share(it.filled))
                    })
                };
                let tags = tags.iter().filter(|_| tags.len() > 1).take(MOST_TAGS);
                let tags = tags.map(|it| (it.tag.to_string(), of(it.tag)));
                [("any tag".to_owned(), first)]
                    .into_iter()
                    .chain(tags)
                    .collect()
            }
            Measure::Picture => {
                let of = |percent: u32| -> Reading {
                    Box::new(move |row| {
                        let quantiles = &row.figures.as_ref()?.first_frame;
                        quantiles
                            .iter()
                            .find(|it| it.percent == percent)
                            .map(Estimate::of_quantile)
                    })
                };
                [50, 95]
                    .map(|percent| (format!("{percent} % within"), of(percent)))
                    .into()
            }
            Measure::Revenue => vec![("revenue".to_owned(), first)],
        }
    }

    /// Returns a value as it is written, with its unit.
    pub(super) fn words(self, value: i64) -> String {
        match self {
            Measure::Fill if value % 1_000_000 == 0 => format!("{} %", value / 10_000),
            Measure::Fill => format!("{} %", tenths(value)),
            Measure::Picture => format!("{} s", seconds(value.unsigned_abs())),
            Measure::Revenue => cents(value),
        }
    }

    /// Returns a round value at least as large, and the values between 0 and it that have a line of
    /// the grid.
    pub(super) fn grid(self, most: i64) -> Vec<i64> {
        if self == Measure::Fill {
            return vec![0, 250_000, 500_000, 750_000, 1_000_000];
        }
        let steps = (0..13).flat_map(|power| [1, 2, 5].map(|first| first * 10_i64.pow(power)));
        // Nothing on a page is finer than a millisecond or a thousandth.
        let most = most.max(1_000);
        let step = steps
            .into_iter()
            .find(|step| *step >= 1_000 && most <= step * 4)
            .unwrap_or(most);
        (0..=(most + step - 1) / step)
            .map(|nth| nth * step)
            .collect()
    }

    /// Returns the label of a line of the grid.
    pub(super) fn label(self, value: i64) -> String {
        match self {
            Measure::Fill => (value / 10_000).to_string(),
            Measure::Picture | Measure::Revenue => Decimal::from_millionths(value).to_string(),
        }
    }

    /// Returns the unit at the top of its axis.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            Measure::Fill => " %",
            Measure::Picture => " s",
            Measure::Revenue => "",
        }
    }
}

/// A share in percent with one place.
pub(super) fn tenths(millionths: i64) -> String {
    let tenths = (millionths + 500) / 1_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// An amount with two places.
pub(super) fn cents(millionths: i64) -> String {
    let cents = (millionths + 5_000) / 10_000;
    format!("{}.{:02}", cents / 100, cents % 100)
}
