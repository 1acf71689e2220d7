//! Time on the page: numbers as they are shown, and the horizontal axis of a picture.
//!
//! An axis is linear. It changes its scale at one point only: where loading ends and the first ad
//! begins.

use std::fmt;

use crate::waterfall::AdBreakReport;

pub(crate) use playsim_base::words::seconds;

const SECOND: u64 = 1_000_000;
/// The whole width of a picture, in thousandths of a percent.
const WHOLE: u64 = 100_000;
/// The gap between loading and playing if the scale changes.
const GAP: u64 = 3_500;
/// The part of a phase that stays empty at its end, for glyphs and arrows.
const MARGIN: u64 = 6_000;
/// The width of the narrowest picture in pixels, for which labels must have room.
const NARROWEST: u64 = 320;

/// A difference of times in seconds, with its sign: `−0.600`.
pub fn difference(micros: i64) -> String {
    let sign = match micros {
        0 => "",
        1.. => "+",
        _ => "\u{2212}",
    };
    format!("{sign}{}", seconds(micros.unsigned_abs()))
}

/// Whole milliseconds with a separator: `2,000`; below 10 ms with one place.
pub(super) fn millis(micros: u64) -> String {
    if micros < 10_000 && !micros.is_multiple_of(1_000) {
        let tenths = (micros + 50) / 100;
        return format!("{}.{}", tenths / 10, tenths % 10);
    }
    grouped(micros.saturating_add(500) / 1_000)
}

/// A whole number with separators: `12,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A length in seconds without needless places: `2`, `0.5`.
pub(super) fn short(micros: u64) -> String {
    playsim_base::number::Decimal::seconds(micros).to_string()
}

/// A place or width in a picture, in thousandths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct X(pub u64);

impl fmt::Display for X {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 1_000, self.0 % 1_000 / 10) {
            (whole, 0) => write!(f, "{whole}%"),
            (whole, part) => write!(f, "{whole}.{part:02}%"),
        }
    }
}

impl X {
    /// Returns the distance to a place further right.
    pub fn to(self, other: X) -> X {
        X(other.0.saturating_sub(self.0))
    }
}

/// A stretch of the axis with one scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phase {
    from_us: u64,
    to_us: u64,
    left: X,
    width: X,
}

impl Phase {
    fn at(&self, us: u64) -> X {
        let length = u128::from(self.to_us - self.from_us).max(1);
        let passed = u128::from(us.clamp(self.from_us, self.to_us) - self.from_us);
        let part = passed * u128::from(self.width.0) / length;
        X(self.left.0 + u64::try_from(part).unwrap_or(self.width.0))
    }

    /// Returns the ticks with their labels, for as many labels as there is room for, seven at most.
    fn ticks(&self) -> Vec<(X, String)> {
        let room = self.width.0 * NARROWEST / WHOLE;
        let length = self.to_us - self.from_us;
        // Nothing on a page is finer than a millisecond.
        let steps = (3..14).flat_map(|power| [1, 2, 5].map(|first| first * 10_u64.pow(power)));
        for step in steps.filter(|step| length / step < 7) {
            let first = self.from_us.div_ceil(step);
            let times = (first..)
                .map_while(|index| index.checked_mul(step))
                .take_while(|at| *at <= self.to_us);
            let ticks: Vec<(X, String)> = times.map(|at| (self.at(at), label(at, step))).collect();
            let wide: usize = ticks
                .iter()
                .map(|(_, label)| label.chars().count() * 7 + 14)
                .sum();
            if wide as u64 <= room || ticks.len() < 2 {
                return ticks;
            }
        }
        Vec::new()
    }
}

/// Returns a time with as many decimals as its step has.
fn label(us: u64, step: u64) -> String {
    let mut places = 0;
    let mut unit = SECOND;
    while unit > 1 && !step.is_multiple_of(unit) {
        unit /= 10;
        places += 1;
    }
    if places == 0 {
        return (us / SECOND).to_string();
    }
    format!("{}.{:0places$}", us / SECOND, us % SECOND / unit)
}

/// When an axis changes its scale, and the part of it for loading.
#[derive(Debug, Clone, Copy)]
pub struct Split {
    /// It changes if playing is more than this many times as long as loading.
    from: u64,
    /// The part of the width for loading, in thousandths of a percent.
    loading: u64,
}

impl Split {
    /// For pictures of loading.
    pub(crate) const LOADING: Split = Split {
        from: 3,
        loading: 63_000,
    };
    /// For pictures of loading and playing.
    pub const BOTH: Split = Split {
        from: 8,
        loading: 40_000,
    };
}

/// The horizontal axis of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    loading: Option<Phase>,
    playing: Option<Phase>,
}

impl Scale {
    /// One stretch from one time to another.
    pub fn linear(from_us: u64, to_us: u64) -> Scale {
        let width = X(WHOLE - MARGIN);
        Scale {
            loading: Some(Phase {
                from_us,
                to_us: to_us.max(from_us.saturating_add(1)),
                left: X(0),
                width,
            }),
            playing: None,
        }
    }

    /// The same without a margin at the end, for the requests of one tag.
    pub(super) fn tight(from_us: u64, to_us: u64) -> Scale {
        let mut scale = Scale::linear(from_us, to_us);
        scale
            .loading
            .iter_mut()
            .for_each(|phase| phase.width = X(WHOLE));
        scale
    }

    /// The axis of a break: two scales if the loading would be too short to be seen next to the
    /// ads.
    pub(super) fn of_break(it: &AdBreakReport) -> Scale {
        let start = it.played.iter().filter_map(|ad| ad.start_us).min();
        Scale::of_phases(it.begin_us, start, end_of(it), Split::LOADING)
    }

    /// The axis for loading from one time on, and for playing from `start` to another time.
    pub fn of_phases(from: u64, start: Option<u64>, to: u64, split: Split) -> Scale {
        let Some(start) = start.filter(|start| *start > from) else {
            return Scale::linear(from, to);
        };
        let (loading, playing) = (start - from, to.saturating_sub(start));
        // With a lot more to play than to load, both phases have room; a wait is never cut in two.
        let changes = loading.saturating_mul(split.from) < playing
            && loading.saturating_mul(2_000) >= playing;
        if !changes {
            return Scale::linear(from, to);
        }
        let left = X(split.loading + GAP);
        Scale {
            loading: Some(Phase {
                from_us: from,
                to_us: start,
                left: X(0),
                width: X(split.loading),
            }),
            playing: Some(Phase {
                from_us: start,
                to_us: to,
                left,
                width: X(WHOLE - left.0 - MARGIN),
            }),
        }
    }

    /// Returns where something begins.
    pub fn start(&self, us: u64) -> X {
        let playing = self.playing.filter(|phase| us >= phase.from_us);
        playing.or(self.loading).map_or(X(0), |phase| phase.at(us))
    }

    /// Returns where something ends.
    pub fn end(&self, us: u64) -> X {
        let loading = self.loading.filter(|phase| us <= phase.to_us);
        loading
            .or(self.playing)
            .or(self.loading)
            .map_or(X(0), |phase| phase.at(us))
    }

    /// Returns the last time on the axis.
    pub fn to_us(&self) -> u64 {
        self.playing.or(self.loading).map_or(0, |phase| phase.to_us)
    }

    /// Returns the ticks with their labels.
    pub(crate) fn ticks(&self) -> Vec<(X, String)> {
        let loading = self.loading.map_or_else(Vec::new, |phase| phase.ticks());
        let mut playing = self.playing.map_or_else(Vec::new, |phase| phase.ticks());
        // A label close to the gap belongs to the phase before it.
        let from = self.playing.map_or(X(0), |phase| X(phase.left.0 + 2_000));
        playing.retain(|(at, _)| *at >= from);
        let gap = self
            .loading
            .filter(|_| self.playing.is_some())
            .map(|phase| phase.width.0);
        let until = gap.map_or(X(WHOLE), |gap| X(gap - 1_500));
        loading
            .into_iter()
            .filter(|(at, _)| *at <= until)
            .chain(playing)
            .collect()
    }

    /// Returns where the scale changes: the gap, and how many times denser it is after it, in
    /// tenths.
    pub(crate) fn change(&self) -> Option<(X, X, u64)> {
        let (loading, playing) = (self.loading?, self.playing?);
        let density = |phase: Phase| {
            u128::from(phase.to_us - phase.from_us) * 1_000 / u128::from(phase.width.0).max(1)
        };
        let tenths = density(playing) * 10 / density(loading).max(1);
        Some((
            loading.width,
            playing.left,
            u64::try_from(tenths).unwrap_or(u64::MAX),
        ))
    }
}

/// Returns when the last thing of a break was over. A response that came far too late does not
/// count.
pub(super) fn end_of(it: &AdBreakReport) -> u64 {
    let ads = it.played.iter().flat_map(|ad| [ad.start_us, ad.end_us]);
    let requests = it.tags.iter().flat_map(|tag| &tag.requests);
    let tags = it.tags.iter().map(|tag| tag.decided_us);
    let over = requests
        .clone()
        .map(|request| request.over_us().or(Some(request.asked_us)));
    let own = ads
        .chain(tags)
        .chain(over)
        .chain([it.end_us])
        .flatten()
        .max()
        .unwrap_or(it.begin_us);
    let length = own.saturating_sub(it.begin_us);
    let late = requests.filter_map(|request| request.late_us);
    let late = late
        .filter(|late| late.saturating_sub(it.begin_us) <= length.saturating_mul(3) / 2)
        .max();
    late.map_or(own, |late| late.max(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waterfall::Played;

    #[test]
    fn numbers_have_the_forms_of_the_page() {
        assert_eq!(seconds(2_000_000), "2.000");
        assert_eq!(seconds(1_999_500), "2.000");
        assert_eq!(difference(-600_000), "\u{2212}0.600");
        assert_eq!(difference(1_000), "+0.001");
        assert_eq!(
            [millis(2_000_000), millis(2_000), millis(250)],
            ["2,000", "2", "0.3"]
        );
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(
            [
                X(0).to_string(),
                X(12_345).to_string(),
                X(5_050).to_string()
            ],
            ["0%", "12.34%", "5.05%"]
        );
    }

    #[test]
    fn an_axis_has_few_round_labels() {
        let labels = |from, to| {
            Scale::linear(from, to)
                .ticks()
                .into_iter()
                .map(|(_, label)| label)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(labels(0, 3_122_000), "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
        assert_eq!(labels(0, 310_000), "0.00 0.05 0.10 0.15 0.20 0.25 0.30");
        assert_eq!(labels(600_100_000, 600_410_000), "600.1 600.2 600.3 600.4");
        assert_eq!(labels(5, 5), "");
    }

    #[test]
    fn the_scale_changes_only_where_ads_begin_and_where_it_must() {
        let ad = |start, end| Played {
            start_us: Some(start),
            end_us: Some(end),
            ..Played::default()
        };
        let of = |ads| {
            Scale::of_break(&AdBreakReport {
                played: ads,
                ..AdBreakReport::default()
            })
        };
        let split = of(vec![ad(3 * SECOND, 20 * SECOND)]);
        let (gap, after, tenths) = split.change().expect("it changes");
        assert_eq!(
            (split.end(3 * SECOND), split.start(3 * SECOND)),
            (gap, after)
        );
        assert_eq!(tenths, 129);
        assert!(split.ticks().windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(of(vec![ad(3 * SECOND, 8 * SECOND)]).change(), None);
        assert_eq!(of(Vec::new()).change(), None);
    }
}
