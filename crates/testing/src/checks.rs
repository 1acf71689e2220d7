//! Checks a scenario against the laws, and holds the one that it breaks.

use std::fmt;

use super::laws::{EXPECTED, LAWS, Law, PLAYABLE};
use super::played::{Played, Why, caught, start, start_like};
use super::session::text;
use super::shrink::{Shrinker, towards};
use playsim_scenario::Scenario;
use playsim_sim::Simulation;
use playsim_trace::Trace;

/// Which laws are checked: by default all that hold for any scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checks {
    extent: Extent,
    has_drawn: bool,
}

/// How much is checked of laws that play a scenario again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Extent {
    /// Each law on one scenario in this many, as [`Extent::Drawn`].
    Sample,
    /// Each law, with what is drawn by the scenario's seed.
    #[default]
    Drawn,
    /// Each law with all that can be drawn.
    Whole,
}

/// A law that a scenario breaks.
///
/// It is printed with the scenario and the command that checks it again.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The seed of the scenario that was checked.
    pub seed: u64,
    /// The law.
    pub law: &'static Law,
    /// The scenario that breaks it: the smallest that was found, or the one that was checked.
    pub scenario: Box<Scenario>,
    /// In what way it breaks the law.
    pub why: String,
    /// The kind of failure that smaller scenarios must reproduce.
    kind: String,
    /// Whether it was judged wholly, as smaller ones then are, too.
    is_whole: bool,
}

/// Plays a scenario and checks all laws that hold for any scenario on it.
///
/// # Errors
///
/// The first law that it breaks, with the smallest scenario found that still breaks it.
pub fn check(scenario: &Scenario) -> Result<Trace, Broken> {
    Checks::default().judge(scenario).map_err(Broken::shrunk)
}

impl Checks {
    /// Laws that play a scenario several times are checked on one scenario in sixteen each, by its
    /// seed. Then checking costs little more than playing.
    #[must_use]
    pub fn sampled(mut self) -> Checks {
        self.extent = Extent::Sample;
        self
    }

    /// Laws leave nothing to chance: time is split at every instant, every knob that nothing reads
    /// is set to each of its values, and so on. The result then does not depend on the seed. One
    /// scenario takes as long as some hundreds otherwise.
    #[must_use]
    pub fn wholly(mut self) -> Checks {
        self.extent = Extent::Whole;
        self
    }

    /// Also checks the laws that hold only for scenarios that were drawn as a whole.
    #[must_use]
    pub fn of_drawn(mut self) -> Checks {
        self.has_drawn = true;
        self
    }

    /// Plays a scenario and checks the laws on it.
    ///
    /// # Errors
    ///
    /// The first law that it breaks, with the scenario as it is.
    pub fn judge(&self, scenario: &Scenario) -> Result<Trace, Broken> {
        self.judge_like(None, scenario)
    }

    /// As [`Checks::judge`], for a scenario that has its world or its documents in common with one
    /// that is prepared, which saves most of the work of preparing it.
    ///
    /// # Errors
    ///
    /// The first law that it breaks, with the scenario as it is.
    pub fn judge_like(
        &self,
        other: Option<&Simulation>,
        scenario: &Scenario,
    ) -> Result<Trace, Broken> {
        let is_whole = self.extent == Extent::Whole;
        let broken = |law, Why { text, kind }| {
            let scenario = Box::new(scenario.clone());
            Broken {
                seed: scenario.seed,
                law,
                scenario,
                why: text,
                kind,
                is_whole,
            }
        };
        let play = || {
            let prepared = start_like(other, scenario)?;
            let trace = prepared.fork().run();
            Ok((prepared, trace))
        };
        let (prepared, trace) = caught(play).map_err(|why| broken(PLAYABLE, why))?;
        let played = Played {
            scenario,
            trace: &trace,
            prepared: Some(&prepared),
        };
        for (place, law) in LAWS.iter().enumerate() {
            let is_due = (self.has_drawn || !law.is_of_drawn())
                && (self.extent != Extent::Sample || law.is_sampled(place, scenario.seed));
            if is_due {
                caught(|| law.find(&played, is_whole)).map_err(|why| broken(law, why))?;
            }
        }
        Ok(trace)
    }
}

impl Broken {
    /// Reduces the scenario to the smallest one found that breaks the same law in the same way.
    #[must_use]
    pub fn shrunk(self) -> Broken {
        self.shrunk_while(None, || true)
    }

    /// Reduces the scenario as [`Broken::shrunk_around`] does, or [`Broken::shrunk`] without a
    /// base, but only as long as `goes_on` says so; then it is the smallest one found until then.
    #[must_use]
    pub fn shrunk_while(self, base: Option<&Scenario>, goes_on: impl FnMut() -> bool) -> Broken {
        if let Some(base) = base.filter(|_| self.law.name == EXPECTED.name) {
            return self.reduced(goes_on, |drawn, fails| towards(base, drawn, fails));
        }
        // A law about documents as they are drawn does not hold for parts of them.
        let keeps_documents = self.law.is_of_drawn();
        self.reduced(goes_on, |drawn, fails| {
            let shrinker = Shrinker::new(drawn);
            if keeps_documents {
                shrinker.keeping_documents().run(fails)
            } else {
                shrinker.run(fails)
            }
        })
    }

    /// Reduces the scenario to what `reduce` makes of it, which learns whether one fails in the
    /// same way.
    fn reduced(
        self,
        mut goes_on: impl FnMut() -> bool,
        reduce: impl FnOnce(Scenario, &mut dyn FnMut(&Scenario) -> bool) -> Scenario,
    ) -> Broken {
        // Smaller scenarios have the same documents.
        let whole = caught(|| start(&self.scenario)).ok();
        let judge = |small: &Scenario| {
            let prepared = start_like(whole.as_ref(), small)?;
            let trace = prepared.fork().run();
            self.law.find(
                &Played {
                    scenario: small,
                    trace: &trace,
                    prepared: Some(&prepared),
                },
                self.is_whole,
            )
        };
        let again = |small: &Scenario| {
            caught(|| judge(small))
                .err()
                .filter(|why| why.kind == self.kind)
        };
        let mut small = reduce((*self.scenario).clone(), &mut |small| {
            goes_on() && again(small).is_some()
        });
        small.name = format!("breaks the law: {}", self.law.name).into();
        let why = again(&small).map_or(self.why.clone(), |why| why.text);
        Broken {
            scenario: Box::new(small),
            why,
            ..self
        }
    }

    /// Reduces the scenario, which is a variation of `base`. If it does not meet its own
    /// expectations, it becomes as much like `base` as the failure allows: only drawn parts are
    /// left out or put back, so that the remaining differences are necessary. Any other law
    /// concerns the player: then it is as small as [`Broken::shrunk`] makes it.
    #[must_use]
    pub fn shrunk_around(self, base: &Scenario) -> Broken {
        self.shrunk_while(Some(base), || true)
    }

    /// The name under which the printed command expects the scenario.
    #[must_use]
    pub fn file(&self) -> String {
        format!(
            "broken-{}.{}",
            self.seed,
            if cfg!(feature = "yaml") {
                "yaml"
            } else {
                "json"
            }
        )
    }

    /// The command that checks the scenario again, once it is in a file of that name.
    #[must_use]
    pub fn command(&self) -> String {
        self.command_for(&self.file())
    }

    /// The command that checks the scenario again, once it is in the given file.
    #[must_use]
    pub fn command_for(&self, file: &str) -> String {
        let more = if self.law.is_of_drawn() {
            " --all-laws"
        } else {
            ""
        };
        format!("playsim fuzz {file} --runs 0{more}")
    }

    /// The scenario as it is written to a file, with its documents: as YAML, or as JSON without the
    /// feature `yaml`.
    #[must_use]
    pub fn text(&self) -> String {
        text(&self.scenario)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {} breaks \"{}\": {}",
            self.seed, self.law.name, self.why
        )?;
        writeln!(
            f,
            "with this scenario as {}: {}",
            self.file(),
            self.command()
        )?;
        f.write_str(&self.text())
    }
}

impl std::error::Error for Broken {}
