//! Measurement without a framework: many samples, their minimum and median, one line per figure.
//!
//! The minimum is what the code costs; the median shows how noisy the machine was.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The minimum length of a sample, long enough that the clock's resolution does not matter.
const SAMPLE: Duration = Duration::from_micros(400);
/// The time limit for a figure, unless twenty samples take longer.
const LONGEST: Duration = Duration::from_secs(2);
/// The number of samples of each figure.
const SAMPLES: usize = 300;

/// The cost of one call, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// The fastest sample.
    pub(crate) min: f64,
    /// The median sample.
    pub(crate) median: f64,
}

/// Measures several things in turn, so that a busy moment of the machine affects all of them alike.
pub(crate) fn costs<const N: usize>(mut calls: [&mut dyn FnMut(); N]) -> [Cost; N] {
    let repeats = calls.each_mut().map(|call| repeats(call));
    let mut samples = [const { Vec::new() }; N];
    let start = Instant::now();
    // A long call takes fewer samples.
    for taken in 0..SAMPLES {
        if taken >= 20 && start.elapsed() > LONGEST {
            break;
        }
        for ((call, repeats), samples) in calls.iter_mut().zip(repeats).zip(&mut samples) {
            samples.push(sample(call, repeats));
        }
    }
    samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        Cost {
            min: samples[0],
            median: samples[samples.len() / 2],
        }
    })
}

/// The number of calls per sample, found while warming up.
fn repeats(call: &mut dyn FnMut()) -> u32 {
    let mut repeats = 1;
    while f64::from(repeats) * sample(call, repeats) < SAMPLE.as_nanos() as f64 && repeats < 1 << 20
    {
        repeats *= 2;
    }
    repeats
}

fn sample(call: &mut dyn FnMut(), repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        call();
    }
    start.elapsed().as_nanos() as f64 / f64::from(repeats)
}

/// The lines of a report: what was measured, its limit, and whether the limit is kept.
#[derive(Debug, Default)]
pub(crate) struct Table {
    lines: String,
    missed: u32,
    ratios: Vec<(&'static str, f64)>,
}

impl Table {
    /// Adds a heading above the lines that follow.
    pub(crate) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.lines, "\n{text}");
    }

    /// Adds a cost that is shown only for comparison.
    pub(crate) fn cost(&mut self, what: &str, cost: Cost) {
        let (min, median) = (micros(cost.min), micros(cost.median));
        let _ = writeln!(self.lines, "  {what:<52} {min:>11}   median {median:>11}");
    }

    /// Adds a cost that may be at most `limit` microseconds.
    pub(crate) fn cost_within(&mut self, what: &str, cost: Cost, limit: f64) {
        let (min, median) = (micros(cost.min), micros(cost.median));
        let verdict = self.verdict(cost.min / 1e3, limit);
        let _ = writeln!(
            self.lines,
            "  {what:<52} {min:>11}   median {median:>11}   at most {limit:>5} µs   {verdict}"
        );
    }

    /// Adds a number that may be at most `limit`.
    pub(crate) fn number_within(&mut self, what: &str, number: f64, limit: f64) {
        let verdict = self.verdict(number, limit);
        let _ = writeln!(
            self.lines,
            "  {what:<52} {number:>11.2}{:24}at most {limit:>8}   {verdict}",
            ""
        );
    }

    /// Adds a cost as a multiple of something real, which hardly depends on the machine. `name` is
    /// that of the figure over time.
    pub(crate) fn multiple(
        &mut self,
        name: &'static str,
        of: &str,
        [cost, real]: [Cost; 2],
        limit: f64,
    ) {
        let ratio = cost.min / real.min;
        self.ratios.push((name, ratio));
        self.number_within(&format!("  as a multiple of {of}"), ratio, limit);
    }

    /// Adds a number without a limit.
    pub(crate) fn number(&mut self, what: &str, number: &str) {
        let _ = writeln!(self.lines, "  {what:<52} {number:>11}");
    }

    /// Adds a cost that may be at most a quarter higher than the one before it.
    pub(crate) fn grown(&mut self, what: &str, cost: f64, before: &mut Option<f64>) {
        self.grown_within(what, cost, before, 1.25);
    }

    /// Adds a cost that may be at most this many times the one before it.
    pub(crate) fn grown_within(
        &mut self,
        what: &str,
        cost: f64,
        before: &mut Option<f64>,
        most: f64,
    ) {
        let shown = format!("{what}: {cost:.1} ns");
        match before.replace(cost) {
            Some(before) => self.number_within(&format!("{shown}, times"), cost / before, most),
            None => self.number(&shown, ""),
        }
    }

    /// Prints the lines and the number of limits exceeded. The multiples are also added to the file
    /// that PLAYSIM_FIGURES names, a JSON object in each line.
    pub(crate) fn print(&self) {
        println!("{}", self.lines);
        if let Some(file) = std::env::var_os("PLAYSIM_FIGURES") {
            let lines: String = self
                .ratios
                .iter()
                .map(|(name, ratio)| format!("{{\"{name}\":{ratio:.3}}}\n"))
                .collect();
            let mut file = File::options()
                .append(true)
                .create(true)
                .open(file)
                .expect("the file can be opened");
            file.write_all(lines.as_bytes())
                .expect("the file can be written");
        }
        match self.missed {
            0 => println!("all limits kept"),
            missed => println!("limits missed: {missed}"),
        }
    }

    fn verdict(&mut self, found: f64, limit: f64) -> String {
        if found <= limit {
            return "ok".to_owned();
        }
        self.missed += 1;
        format!("missed by {:.0} %", (found / limit - 1.0) * 100.0)
    }
}

fn micros(nanos: f64) -> String {
    format!("{:.2} µs", nanos / 1e3)
}
