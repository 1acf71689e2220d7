//! Random latencies: distributions written as `lognormal(300ms, 0.5)`.
//!
//! A latency is drawn by inversion: one random number of 64 bits picks a point of the distribution.
//! Each variable of a run therefore needs exactly one number, and the same number gives a longer
//! latency wherever the distribution is longer, so that rows of a table differ by their settings
//! and not by chance.
//!
//! This is one of the two files of the library with floats. All results are equal on every machine:
//! addition, multiplication, division and roots are exact by IEEE 754, and the logarithm and the
//! exponential are those of the crate `libm`, not of the platform. The last step rounds to whole
//! microseconds.

#![expect(
    clippy::disallowed_types,
    reason = "distributions are formulas over real numbers"
)]

use std::fmt;
use std::str::FromStr;

use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_base::words;

mod normal;

/// A random latency.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Distribution {
    /// Between two values, all equally likely.
    Uniform {
        /// The shortest.
        from: Span,
        /// The longest.
        to: Span,
    },
    /// The bell curve; negative values become zero.
    Normal {
        /// The mean, which is also the median.
        mean: Span,
        /// The standard deviation.
        deviation: Span,
    },
    /// The logarithm has a normal distribution, as response times of servers usually have.
    LogNormal {
        /// The median.
        median: Span,
        /// The standard deviation of the natural logarithm; 0.5 is usual, 1 has a long tail.
        sigma: Decimal,
    },
    /// Waiting for something that is equally likely at every instant.
    Exponential {
        /// The mean.
        mean: Span,
    },
    /// A tail that falls with a power.
    Pareto {
        /// The shortest.
        least: Span,
        /// The exponent: the smaller, the longer the tail.
        shape: Decimal,
    },
    /// Measured quantiles, ascending in both; linear in between, from zero before the first, and
    /// beyond the last as between the last two.
    Quantiles(Vec<Quantile>),
}

/// A measured quantile: this share of all values is at most this long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// The share, above 0 and at most 1.
    pub share: Decimal,
    /// The value.
    pub at: Span,
}

/// The longest latency that is drawn: a day. Long tails end here.
pub const LONGEST: Span = Span::from_secs(24 * 3600);

/// The forms of distributions, for messages.
const FORMS: &str = "uniform(100ms, 2s), normal(300ms, 50ms), lognormal(300ms, 0.5), exponential(300ms), \
                     pareto(100ms, 1.5), quantiles(p50=300ms, p95=1.2s)";

/// The names of the distributions.
const NAMES: [&str; 6] = [
    "uniform",
    "normal",
    "lognormal",
    "exponential",
    "pareto",
    "quantiles",
];

/// Why a string is not a distribution: the string, and forms to copy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DistributionError(String);

impl Distribution {
    /// Returns whether a string is intended as a distribution, valid or not.
    pub(super) fn is_meant(text: &str) -> bool {
        let name = text.split('(').next().unwrap_or_default();
        let is_word =
            name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.contains('(');
        let is_quantile =
            text.starts_with('p') && text[1..].starts_with(|c: char| c.is_ascii_digit());
        is_word || is_quantile
    }

    /// Returns the latency that a random number of 64 bits picks; larger numbers pick longer ones.
    #[must_use]
    pub fn pick(&self, number: u64) -> Span {
        let drawn = match self {
            Distribution::Quantiles(points) => picked_between(points, number),
            Distribution::Uniform { from, to } => {
                let width = u128::from(to.micros().saturating_sub(from.micros())) + 1;
                // The product's upper half: `number` out of 2^64 parts of the width.
                let into = (u128::from(number) * width) >> 64;
                *from + Span::from_micros(u64::try_from(into).unwrap_or(u64::MAX))
            }
            Distribution::Normal { mean, deviation } => {
                micros(real(*mean) + real(*deviation) * normal::quantile(open(number)))
            }
            Distribution::LogNormal { median, sigma } => micros(
                real(*median) * libm::exp(number_of(*sigma) * normal::quantile(open(number))),
            ),
            Distribution::Exponential { mean } => {
                micros(-real(*mean) * libm::log(1.0 - open(number)))
            }
            Distribution::Pareto { least, shape } => {
                let exponent = -libm::log(1.0 - open(number)) / number_of(*shape);
                micros(real(*least) * libm::exp(exponent))
            }
        };
        drawn.min(LONGEST)
    }
}

/// A number strictly between 0 and 1, in the middle of one of 2^52 equal parts; with more parts the
/// last would round to 1.
fn open(number: u64) -> f64 {
    const PARTS: f64 = (1u64 << 52) as f64;
    ((number >> 12) as f64 + 0.5) / PARTS
}

fn real(span: Span) -> f64 {
    span.micros() as f64
}

fn number_of(decimal: Decimal) -> f64 {
    decimal.millionths() as f64 / 1e6
}

/// The nearest whole number of microseconds; the conversion saturates.
fn micros(real: f64) -> Span {
    Span::from_micros(libm::round(real) as u64)
}

/// Interpolates between measured quantiles, in whole numbers.
fn picked_between(points: &[Quantile], number: u64) -> Span {
    let share = |quantile: &Quantile| {
        let parts = u128::try_from(quantile.share.millionths()).unwrap_or_default();
        (parts << 64) / 1_000_000
    };
    let number = u128::from(number);
    let mut before = (0, 0);
    let mut segment = ((0, 0), (1u128 << 64, 0));
    for point in points {
        let here = (share(point), u128::from(point.at.micros()));
        segment = (before, here);
        if number < here.0 {
            break;
        }
        before = here;
    }
    let ((from, low), (to, high)) = segment;
    let width = to.saturating_sub(from).max(1);
    let at = low + number.saturating_sub(from) * high.saturating_sub(low) / width;
    Span::from_micros(u64::try_from(at).unwrap_or(u64::MAX))
}

/// Parses `NAME(ARGUMENTS)`, and `p50=300ms,p95=1.2s` for measured quantiles.
impl FromStr for Distribution {
    type Err = DistributionError;

    fn from_str(text: &str) -> Result<Distribution, DistributionError> {
        let text = text.trim();
        let (name, inner) = match text.split_once('(') {
            Some((name, rest)) => {
                let inner = rest
                    .strip_suffix(')')
                    .ok_or_else(|| wrong(text, "the closing ) is missing"))?;
                (name.trim(), inner)
            }
            None => ("quantiles", text),
        };
        if !NAMES.contains(&name) {
            let meant = words::nearest(name, NAMES).map(|meant| format!("; did you mean {meant}?"));
            let text = format!(
                "\"{name}\" is not a distribution{}",
                meant.unwrap_or_default()
            );
            return Err(DistributionError(format!("{text}\n  known are {FORMS}")));
        }
        let args: Vec<&str> = inner.split(',').map(str::trim).collect();
        let read = match (name, args.as_slice()) {
            ("uniform", [from, to]) => {
                let (from, to) = (span(text, from)?, span(text, to)?);
                if from > to {
                    return Err(wrong(text, "the first value must not be above the second"));
                }
                Distribution::Uniform { from, to }
            }
            ("normal", [mean, deviation]) => Distribution::Normal {
                mean: span(text, mean)?,
                deviation: span(text, deviation)?,
            },
            ("lognormal", [median, sigma]) => Distribution::LogNormal {
                median: span(text, median)?,
                sigma: factor(text, sigma)?,
            },
            ("exponential", [mean]) => Distribution::Exponential {
                mean: span(text, mean)?,
            },
            ("pareto", [least, shape]) => {
                let shape = factor(text, shape)?;
                if shape == Decimal::ZERO {
                    return Err(wrong(text, "the exponent must be above 0"));
                }
                Distribution::Pareto {
                    least: span(text, least)?,
                    shape,
                }
            }
            ("quantiles", points) => quantiles(text, points)?,
            (_, args) => {
                return Err(wrong(
                    text,
                    &format!("{} given", words::counted(args.len(), "value")),
                ));
            }
        };
        Ok(read)
    }
}

fn quantiles(text: &str, points: &[&str]) -> Result<Distribution, DistributionError> {
    let mut found: Vec<Quantile> = Vec::new();
    for point in points {
        let quantile = || {
            let (share, at) = point.strip_prefix('p')?.split_once('=')?;
            let share: Decimal = share.trim().parse().ok()?;
            // `p95` is 95 percent.
            Some((
                Decimal::from_millionths(share.millionths() / 100),
                at.trim(),
            ))
        };
        let Some((share, at)) = quantile() else {
            return Err(wrong(
                text,
                &format!("\"{point}\" is not a quantile such as p95=1.2s"),
            ));
        };
        if share <= Decimal::ZERO || share > Decimal::ONE {
            return Err(wrong(
                text,
                &format!("\"{point}\": quantiles go from above p0 to p100"),
            ));
        }
        let at = span(text, at)?;
        if found
            .last()
            .is_some_and(|last| last.share >= share || last.at > at)
        {
            return Err(wrong(text, "quantiles and their values must ascend"));
        }
        found.push(Quantile { share, at });
    }
    Ok(Distribution::Quantiles(found))
}

fn span(text: &str, word: &str) -> Result<Span, DistributionError> {
    if word == "0" {
        return Ok(Span::ZERO);
    }
    word.parse()
        .map_err(|error| wrong(text, &format!("\"{word}\": {error}")))
}

/// A number of at least zero, without a unit.
fn factor(text: &str, word: &str) -> Result<Decimal, DistributionError> {
    let number = word
        .parse()
        .ok()
        .filter(|number| (Decimal::ZERO..=Decimal::from_integer(100)).contains(number));
    number.ok_or_else(|| {
        wrong(
            text,
            &format!("\"{word}\" must be a number from 0 to 100, without a unit"),
        )
    })
}

fn wrong(text: &str, why: &str) -> DistributionError {
    DistributionError(format!("\"{text}\": {why}\n  write it like one of {FORMS}"))
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |span: &Span| span.in_seconds();
        match self {
            Distribution::Uniform { from, to } => write!(f, "uniform({}, {})", s(from), s(to)),
            Distribution::Normal { mean, deviation } => {
                write!(f, "normal({}, {})", s(mean), s(deviation))
            }
            Distribution::LogNormal { median, sigma } => {
                write!(f, "lognormal({}, {sigma})", s(median))
            }
            Distribution::Exponential { mean } => write!(f, "exponential({})", s(mean)),
            Distribution::Pareto { least, shape } => write!(f, "pareto({}, {shape})", s(least)),
            Distribution::Quantiles(points) => {
                let percent = |share: Decimal| {
                    Decimal::from_millionths(share.millionths().saturating_mul(100))
                };
                let points = points
                    .iter()
                    .map(|it| format!("p{}={}", percent(it.share), s(&it.at)));
                write!(f, "quantiles({})", points.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Distribution {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The latency at a share of all numbers, in thousandths.
    fn at(text: &str, thousandths: u64) -> u64 {
        let number = (1u128 << 64) * u128::from(thousandths) / 1_000;
        read(text)
            .pick(u64::try_from(number).expect("less than all"))
            .micros()
    }

    #[test]
    fn quantiles_of_each_distribution_are_those_of_its_formula() {
        // Values of the quantile functions in closed form, computed with another program.
        assert_eq!(at("uniform(100ms, 300ms)", 250), 150_000);
        assert_eq!(at("normal(300ms, 50ms)", 500), 300_000);
        assert_eq!(at("normal(300ms, 50ms)", 975), 397_998);
        assert_eq!(at("lognormal(300ms, 0.5)", 500), 300_000);
        assert_eq!(at("lognormal(300ms, 0.5)", 950), 682_805);
        assert_eq!(at("exponential(300ms)", 500), 207_944);
        assert_eq!(at("pareto(100ms, 1.5)", 875), 400_000);
        assert_eq!(at("p50=300ms,p95=1.2s", 500), 300_000);
        assert_eq!(at("p50=300ms,p95=1.2s", 250), 150_000);
        assert_eq!(at("p50=300ms,p95=1.2s", 999), 1_297_999);
    }

    #[test]
    fn drawn_latencies_stay_in_range_at_both_ends() {
        for text in FORMS
            .split("), ")
            .map(|form| format!("{})", form.trim_end_matches(')')))
        {
            let drawn = read(&text);
            assert!(drawn.pick(0) <= drawn.pick(u64::MAX), "{text}");
            assert!(drawn.pick(u64::MAX) <= LONGEST, "{text}");
            assert_eq!(read(&drawn.to_string()), drawn);
        }
        assert_eq!(read("normal(10ms, 50ms)").pick(0), Span::ZERO);
        assert_eq!(read("pareto(1h, 0.1)").pick(u64::MAX), LONGEST);
        let edge = read("uniform(1ms, 2ms)");
        assert_eq!(
            (edge.pick(0), edge.pick(u64::MAX)),
            (Span::from_millis(1), Span::from_millis(2))
        );
    }

    #[test]
    fn a_mistake_is_named_with_a_form_to_copy() {
        for (text, why) in [
            ("lognorm(300ms, 0.5)", "did you mean lognormal?"),
            ("lognormal(300ms)", "1 value given"),
            (
                "lognormal(300, 0.5)",
                "\"300\": it must be a length of time with its unit",
            ),
            (
                "lognormal(300ms, 0.5s)",
                "must be a number from 0 to 100, without a unit",
            ),
            ("uniform(2s, 1s)", "must not be above"),
            ("uniform(1s, 2s", "the closing ) is missing"),
            ("pareto(1s, 0)", "above 0"),
            ("p50=300ms,p95", "\"p95\" is not a quantile"),
            ("p95=300ms,p50=1s", "must ascend"),
            ("p50=300ms,p101=1s", "p100"),
        ] {
            let message = text.parse::<Distribution>().unwrap_err().to_string();
            assert!(
                message.contains(why) && message.contains("lognormal(300ms, 0.5)"),
                "{text}: {message}"
            );
        }
    }
}
