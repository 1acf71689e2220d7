//! Many runs of one scenario with different settings: what would have helped?
//!
//! A [`Sweep`] varies knobs, the profile, and what tags, wrappers and media respond. Without
//! anything random it plays each combination of values once and finds the exact values between them
//! at which the outcome changes. If latencies or fill rates are only known as distributions, it
//! plays each combination many times and counts.
//!
//! ```
//! # #[cfg(feature = "yaml")] {
//! use playsim::scenario;
//! use playsim::sweep::{Axis, Sweep};
//!
//! let [(name, text), (_, document)] = scenario::demo();
//! let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
//!
//! // The third of three tags responds 190 ms after it was asked. How long may it take?
//! let table = Sweep::of(&demo).vary("tag3.after=0s..4s/1s".parse()?).run()?;
//! let [tip] = table.tipping_points.as_slice() else { panic!("there is one tipping point") };
//! assert_eq!((tip.name.as_str(), tip.value.as_str()), ("tag3.after", "2.000001s"));
//! assert!(tip.before.is_filled() && !tip.after.is_filled());
//!
//! // What if its latency is random?
//! let random: Axis = "tag3.after=lognormal(1s, 0.5)".parse()?;
//! let table = Sweep::of(&demo).vary(random).runs(2_000).seed(1).threads(2).run()?;
//! let figures = table.rows[0].figures.as_ref().ok_or("there are figures")?;
//! assert_eq!(figures.filled.share.to_string(), "0.928");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The same figures everywhere
//!
//! A run is a pure function of its settings, the seed and its index. Each random number depends on
//! these, on what is drawn, and on what is requested; it does not matter which thread draws it, or
//! what was drawn before. Sums are whole numbers. Rows of a table use the same numbers, so that
//! they differ by their settings and not by chance.
//!
//! # Speed
//!
//! Documents are read once and shared by all runs, and no trace is kept: a [`Summary`] counts while
//! the run continues. The common part of sessions, such as everything before the first random
//! response, is played once.
//!
//! # Beyond a table
//!
//! [`Sweep::run`] makes a table for people, with quantiles over all sessions in memory.
//! [`Sweep::count`] counts sessions by any key and [`Sweep::each`] passes them on one by one, both
//! for any number of sessions and for one [`Shard`] of them, so that several machines can share a
//! sweep.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use playsim_scenario::{Scenario, ScenarioError};
use playsim_sim::Simulation;

mod alternatives;
mod answer;
mod axis;
mod difference;
mod distribution;
mod figures;
mod flat;
mod now;
mod order;
mod page;
mod plan;
mod price;
mod reasons;
mod run;
mod sessions;
mod setting;
mod shard;
mod summary;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod tips;
mod together;
mod unknown;

pub use alternatives::alternatives;
pub use axis::{Axis, MAX_VALUES, Unit};
pub use difference::{MeanChange, RowDifference};
pub use distribution::{Distribution, DistributionError, LONGEST, Quantile};
pub use figures::{CodeFigure, Figures, QUANTILES, QuantileFigure, Revenue, TagFigures};
pub use flat::{Column, ColumnType, FlatCell, FlatForm, FlatKey, FlatRows, FlatTable};
pub use order::{MAX_ORDERED, TagOrder};
pub use page::{RecordedBasis, WhatIfPage};
pub use playsim_base::workers::cores;
pub use price::Price;
pub use sessions::SweepSession;
pub use setting::{Latency, ReadAnswer, Setting, SettingSource, SettingTarget};
pub use shard::{MAX_SHARDS, Shard};
pub use summary::{
    AskedTag, BreakOutcome, FailedTag, FirstFrame, Pixels, RunOutcome, ShownAds, Shows, Summary,
};
pub use table::{DifferenceReason, Fixed, SweepRow, SweptTag, Table, TippingPoint, Varied};
pub use tag::TagNumber;
pub use tips::MAX_TIPS;
pub use unknown::{GivenUp, UnknownAnswer};

use axis::AxisValue;
use plan::{Base, Point};
use setting::Settings;

/// The largest number of combinations of values.
pub const MAX_ROWS: usize = 10_000;
/// The largest number of sessions, over all combinations.
pub const MAX_SESSIONS: u64 = 100_000_000;
/// How often each combination is played if something is random, by default.
pub const RUNS: u64 = 10_000;

/// The number of runs in one piece of work.
const PIECE: u64 = 500;

/// Receives the progress (done, total), from any thread.
pub type SweepProgress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Many runs of one scenario with different settings.
#[derive(Clone)]
pub struct Sweep<'a> {
    scenario: &'a Scenario,
    axes: Vec<Axis>,
    runs: Option<u64>,
    seed: u64,
    threads: usize,
    prices: Vec<Price>,
    progress: Option<SweepProgress<'a>>,
    stop: Option<&'a AtomicBool>,
    shard: Shard,
    /// The error in an axis, found when it was added.
    wrong: Option<SweepError>,
}

/// Why a sweep cannot be run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SweepError {
    /// An axis is wrong; the message names the value, the accepted ones, and a form to copy.
    Input(String),
    /// The scenario cannot be played.
    Scenario(ScenarioError),
    /// The flag of [`Sweep::stop`] was raised.
    Stopped,
}

/// A configuration to be compared with others.
#[derive(Debug, Clone)]
pub struct Configuration {
    name: String,
    settings: Settings,
}

impl SweepError {
    fn input(text: impl Into<String>) -> SweepError {
        SweepError::Input(text.into())
    }
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Input(text) => f.write_str(text),
            SweepError::Scenario(error) => error.fmt(f),
            SweepError::Stopped => f.write_str("the sweep was stopped"),
        }
    }
}

impl std::error::Error for SweepError {}

impl Configuration {
    /// The word for the settings as they are.
    pub const BASE: &str = "base";

    /// Parses a configuration: `base`, the name of a profile, a setting such as `ad.timeout=2s` or
    /// `tag2.after=300ms`, or several of them with `+` in between. `answer` reads responses for
    /// `tagN.answer`.
    ///
    /// # Errors
    ///
    /// The error, with a form to copy.
    pub fn read(text: &str, answer: &mut ReadAnswer<'_>) -> Result<Configuration, SweepError> {
        let (mut settings, mut read) = (Vec::new(), Vec::new());
        for part in text.split('+').map(str::trim) {
            if part == Configuration::BASE {
                continue;
            }
            let is_setting = part.contains('=') || part.ends_with(".off");
            let written = if is_setting {
                part.to_owned()
            } else {
                format!("profile={part}")
            };
            let axis = Axis::read(&written, answer).map_err(|error| {
                let form = "a configuration is base, a profile, settings such as ad.timeout=2s, or several with + in \
                            between: ima+ad.timeout=2s";
                SweepError::input(format!("\"{text}\": {error}\n  {form}"))
            })?;
            let [value] = axis.values.as_slice() else {
                return Err(SweepError::input(format!(
                    "\"{text}\": {part} has several values; write a configuration for each, or vary {part}"
                )));
            };
            if value.settings.contains(&Setting::AllOrders) {
                return Err(SweepError::input(format!(
                    "\"{text}\": order=all is many orders; play them with --vary order=all, or write one: order=2,1"
                )));
            }
            if read.contains(&axis.name) && axis.name != SettingTarget::Profile.to_string() {
                return Err(SweepError::input(format!(
                    "\"{text}\": {} is set twice",
                    axis.name
                )));
            }
            settings.extend(value.settings.iter().cloned());
            read.push(axis.name);
        }
        Ok(Configuration {
            name: text.to_owned(),
            settings: settings.into(),
        })
    }
}

/// One combination of values: the index of a value for each axis.
type Combination = Vec<usize>;

impl<'a> Sweep<'a> {
    /// A sweep of this scenario that varies nothing yet.
    #[must_use]
    pub fn of(scenario: &'a Scenario) -> Sweep<'a> {
        Sweep {
            scenario,
            axes: Vec::new(),
            runs: None,
            seed: 0,
            threads: 1,
            prices: Vec::new(),
            progress: None,
            stop: None,
            shard: Shard::WHOLE,
            wrong: None,
        }
    }

    /// Varies one more thing. All combinations of the values of all axes are played.
    #[must_use]
    pub fn vary(mut self, axis: Axis) -> Sweep<'a> {
        let tags = || Base::new(self.scenario).map(|base| base.tags.len());
        match axis.with_orders(tags) {
            Ok(axis) => self.axes.push(axis),
            Err(wrong) => self.wrong = Some(wrong),
        }
        self
    }

    /// Plays these configurations next to each other.
    #[must_use]
    pub fn compare(self, configurations: Vec<Configuration>) -> Sweep<'a> {
        let pairs = configurations
            .into_iter()
            .map(|it| (it.name, it.settings))
            .collect();
        self.vary(Axis::of_configurations(pairs))
    }

    /// How often each combination is played, if something is random.
    #[must_use]
    pub fn runs(self, runs: u64) -> Sweep<'a> {
        Sweep {
            runs: Some(runs),
            ..self
        }
    }

    /// The seed of the sweep's random values. The scenario's own seed stays as it is.
    #[must_use]
    pub fn seed(self, seed: u64) -> Sweep<'a> {
        Sweep { seed, ..self }
    }

    /// On how many threads it runs; the results do not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Sweep<'a> {
        Sweep { threads, ..self }
    }

    /// Sets the price of a tag's impressions.
    #[must_use]
    pub fn price(mut self, price: Price) -> Sweep<'a> {
        self.prices.push(price);
        self
    }

    /// Receives the progress.
    #[must_use]
    pub fn progress(self, progress: SweepProgress<'a>) -> Sweep<'a> {
        Sweep {
            progress: Some(progress),
            ..self
        }
    }

    /// Stops early with [`SweepError::Stopped`] once another thread has raised this flag; at most
    /// some hundred sessions are played after that.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// # use playsim::scenario;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use playsim::sweep::{Sweep, SweepError};
    ///
    /// # let [(name, text), (_, document)] = scenario::demo();
    /// # let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
    /// let raised = AtomicBool::new(true);
    /// let sweep = Sweep::of(&demo).vary("tag3.fill=60%".parse()?);
    /// assert!(matches!(sweep.stop(&raised).run(), Err(SweepError::Stopped)));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stop(self, flag: &'a AtomicBool) -> Sweep<'a> {
        Sweep {
            stop: Some(flag),
            ..self
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether runs with the same settings differ by chance.
    #[must_use]
    pub fn is_random(&self) -> bool {
        let mut settings = self
            .axes
            .iter()
            .flat_map(|axis| &axis.values)
            .flat_map(|value| value.settings.iter());
        settings.any(Setting::is_random)
    }

    /// The first runs of each combination, ready to be played; to look at the traces behind a
    /// table.
    ///
    /// # Errors
    ///
    /// If the sweep cannot be run.
    pub fn samples(
        &self,
        runs: u64,
    ) -> Result<impl Iterator<Item = Result<Simulation, SweepError>>, SweepError> {
        let base = self.base()?;
        let runs = if self.is_random() { runs } else { 1 };
        Ok(self
            .combinations()?
            .into_iter()
            .flat_map(
                move |combination| match self.point(&base, &combination, None) {
                    Ok(point) => (0..runs).map(|run| Ok(point.run(run))).collect(),
                    Err(error) => vec![Err(error)],
                },
            ))
    }

    /// Plays everything.
    ///
    /// # Errors
    ///
    /// If a tag that is varied does not exist or cannot have this setting, if there are too many
    /// combinations or sessions, or if the scenario cannot be played.
    pub fn run(&self) -> Result<Table, SweepError> {
        let base = self.base()?;
        let combinations = self.combinations()?;
        let mut table = Table::new(&base, &self.axes, self.seed);
        table.given_prices = self.prices.clone();
        if self.is_random() {
            table.runs = Some(self.runs_of(combinations.len())?);
            self.tabulate(&base, &combinations, &mut table)?;
            self.explain(&base, &mut table)?;
        } else if self.runs.is_some() {
            return Err(nothing_random());
        } else {
            self.play(&base, &combinations, &mut table)?;
            self.explain(&base, &mut table)?;
        }
        self.check_hops(&table)?;
        table.note_prices();
        table.answer = answer::of(&table);
        Ok(table)
    }

    fn base(&self) -> Result<Base<'a>, SweepError> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        for (place, axis) in self.axes.iter().enumerate() {
            if self.axes[..place]
                .iter()
                .any(|earlier| earlier.name == axis.name)
            {
                return Err(SweepError::input(format!(
                    "{} is varied twice; give all of its values at once: {0}=VALUE,VALUE",
                    axis.name
                )));
            }
        }
        let base = Base::new(self.scenario)?;
        for setting in self
            .axes
            .iter()
            .flat_map(|axis| &axis.values)
            .flat_map(|value| value.settings.iter())
        {
            if let Some(tag) = setting.tag() {
                base.index(tag)?;
            }
        }
        for price in &self.prices {
            base.index(price.tag)?;
        }
        Ok(base)
    }

    /// All combinations; the values of the last axis change fastest.
    fn combinations(&self) -> Result<Vec<Combination>, SweepError> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let count = self
            .axes
            .iter()
            .try_fold(1usize, |count, axis| count.checked_mul(axis.len()));
        if count.is_none_or(|count| count > MAX_ROWS) {
            let counts: Vec<String> = self
                .axes
                .iter()
                .map(|axis| format!("{} {}", axis.len(), axis.name))
                .collect();
            return Err(SweepError::input(format!(
                "{} are more than {MAX_ROWS} combinations; take larger steps or shorter lists",
                counts.join(" times ")
            )));
        }
        let mut all = vec![Vec::new()];
        for axis in &self.axes {
            let longer = |before: &Combination| {
                let before = before.clone();
                (0..axis.len()).map(move |value| [before.as_slice(), &[value]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        Ok(all)
    }

    fn values<'s>(&'s self, combination: &'s Combination) -> impl Iterator<Item = &'s AxisValue> {
        self.axes
            .iter()
            .zip(combination)
            .map(|(axis, value)| &axis.values[*value])
    }

    /// Makes a combination ready; `moved` replaces the setting of one axis.
    fn point(
        &self,
        base: &Base<'_>,
        combination: &Combination,
        moved: Option<(usize, Setting)>,
    ) -> Result<Point, SweepError> {
        if self.is_stopped() {
            return Err(SweepError::Stopped);
        }
        let mut settings: Vec<Settings> = self
            .values(combination)
            .map(|value| value.settings.clone())
            .collect();
        if let Some((axis, setting)) = moved {
            settings[axis] = Settings::from([setting]);
        }
        base.point(
            settings.iter().flat_map(|settings| settings.iter()),
            self.seed,
        )
    }

    fn runs_of(&self, rows: usize) -> Result<u64, SweepError> {
        let runs = self.runs.unwrap_or(RUNS);
        let sessions = runs.checked_mul(u64::try_from(rows).unwrap_or(u64::MAX));
        match sessions {
            Some(1..=MAX_SESSIONS) => Ok(runs),
            Some(0) => Err(SweepError::input("runs must be at least 1")),
            Some(_) | None => Err(SweepError::input(format!(
                "{runs} runs of {rows} combinations are more than {MAX_SESSIONS} sessions; play fewer of either"
            ))),
        }
    }
}

impl fmt::Debug for Sweep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sweep")
            .field("axes", &self.axes)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}

/// The error for many runs of the same session.
fn nothing_random() -> SweepError {
    SweepError::input(
        "all runs would be the same, as nothing here is random; vary something by chance, such as \
         tag1.after=lognormal(300ms, 0.5) or tag1.fill=60%",
    )
}
