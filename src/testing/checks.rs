//! Checks a scenario against the laws, and holds the one that it breaks.

use std::fmt;

use super::laws::{EXPECTED, LAWS, Law, PLAYABLE};
use super::played::{Played, Why, caught, start, start_like};
use super::shrink::{Shrinker, towards};
use crate::scenario::Scenario;
use crate::sim::Simulation;
use crate::trace::Trace;

/// Which laws are checked: by default all that hold for any scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checks {
    is_sample: bool,
    has_drawn: bool,
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
    /// What smaller scenarios must have in common with this one.
    kind: String,
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
    /// Laws that play a scenario several times are checked on one scenario in sixteen each, by its seed.
    /// Then checking costs little more than playing.
    #[must_use]
    pub fn sampled(mut self) -> Checks {
        self.is_sample = true;
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

    /// As [`Checks::judge`], for a scenario that has its world or its documents in common with one that is prepared,
    /// which saves most of the work of preparing it.
    ///
    /// # Errors
    ///
    /// The first law that it breaks, with the scenario as it is.
    pub fn judge_like(&self, other: Option<&Simulation>, scenario: &Scenario) -> Result<Trace, Broken> {
        let broken = |law, why| Broken::new(scenario, law, why);
        let play = || {
            let prepared = start_like(other, scenario)?;
            let trace = prepared.fork().run();
            Ok((prepared, trace))
        };
        let (prepared, trace) = caught(play).map_err(|why| broken(PLAYABLE, why))?;
        let played = Played { scenario, trace: &trace, prepared: Some(&prepared) };
        for (place, law) in LAWS.iter().enumerate() {
            let is_due = (self.has_drawn || !law.is_of_drawn())
                && (!self.is_sample || law.is_sampled(place, scenario.seed));
            if is_due {
                caught(|| law.find(&played)).map_err(|why| broken(law, why))?;
            }
        }
        Ok(trace)
    }
}

impl Broken {
    fn new(scenario: &Scenario, law: &'static Law, Why { text, kind }: Why) -> Broken {
        Broken { seed: scenario.seed, law, scenario: Box::new(scenario.clone()), why: text, kind }
    }

    /// Reduces the scenario to the smallest one found that breaks the same law in the same way.
    #[must_use]
    pub fn shrunk(self) -> Broken {
        // A law about documents as they are drawn does not hold for parts of them.
        let keeps_documents = self.law.is_of_drawn();
        self.reduced(|drawn, fails| {
            let shrinker = Shrinker::new(drawn);
            if keeps_documents { shrinker.keeping_documents().run(fails) } else { shrinker.run(fails) }
        })
    }

    /// Reduces the scenario to what `reduce` makes of it, which is told whether one fails in the same way.
    fn reduced(self, reduce: impl FnOnce(Scenario, &mut dyn FnMut(&Scenario) -> bool) -> Scenario) -> Broken {
        // Smaller scenarios have the same documents.
        let whole = caught(|| start(&self.scenario)).ok();
        let judge = |small: &Scenario| {
            let prepared = start_like(whole.as_ref(), small)?;
            let trace = prepared.fork().run();
            self.law.find(&Played { scenario: small, trace: &trace, prepared: Some(&prepared) })
        };
        let again = |small: &Scenario| caught(|| judge(small)).err().filter(|why| why.kind == self.kind);
        let mut small = reduce((*self.scenario).clone(), &mut |small| again(small).is_some());
        small.name = format!("breaks the law: {}", self.law.name).into();
        let why = again(&small).map_or(self.why.clone(), |why| why.text);
        Broken { scenario: Box::new(small), why, ..self }
    }

    /// Reduces the scenario, which is a variation of `base`. If it does not meet its own expectations, it becomes as much
    /// like `base` as the failure allows: only what was drawn is left out or put back, so that what remains is what has
    /// to be different. Any other law concerns the player: then it is as small as [`Broken::shrunk`] makes it.
    #[must_use]
    pub fn shrunk_around(self, base: &Scenario) -> Broken {
        if self.law.name == EXPECTED.name {
            self.reduced(|drawn, fails| towards(base, drawn, fails))
        } else {
            self.shrunk()
        }
    }

    /// The name under which the printed command expects the scenario.
    #[must_use]
    pub fn file(&self) -> String {
        format!("broken-{}.{}", self.seed, if cfg!(feature = "yaml") { "yaml" } else { "json" })
    }

    /// The command that checks the scenario again, once it is in a file of that name.
    #[must_use]
    pub fn command(&self) -> String {
        self.command_for(&self.file())
    }

    /// The command that checks the scenario again, once it is in the given file.
    #[must_use]
    pub fn command_for(&self, file: &str) -> String {
        let more = if self.law.is_of_drawn() { " --all-laws" } else { "" };
        format!("playsim fuzz {file} --runs 0{more}")
    }

    /// The scenario as it is written to a file, with its documents: as YAML, or as JSON without the feature `yaml`.
    #[must_use]
    pub fn text(&self) -> String {
        let scenario = self.scenario.inlined();
        #[cfg(feature = "yaml")]
        return scenario.to_yaml();
        #[cfg(not(feature = "yaml"))]
        return scenario.to_json();
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {} breaks \"{}\": {}", self.seed, self.law.name, self.why)?;
        writeln!(f, "with this scenario as {}: {}", self.file(), self.command())?;
        f.write_str(&self.text())
    }
}

impl std::error::Error for Broken {}
