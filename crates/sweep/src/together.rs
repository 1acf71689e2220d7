//! Many sessions of one point, played together as long as they do not differ.
//!
//! Sessions of a point differ only by what [`Draw`] draws for their requests. Until the first such
//! request they are the same session, which is played once; after it, all those for which the same
//! was drawn are the same again. So there is a tree: a [`Stretch`] is played once, and each session
//! takes its way through the tree and plays only the rest, as a fork. A drawn latency has too many
//! values for a branch of each, so there the session continues alone.
//!
//! The outcome of a session is the same as if it were played alone.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::plan::{Draw, Drawn, Point};
use super::summary::{RunOutcome, Summary};
use playsim_api::Request;
use playsim_sim::{Intercept, Intercepted, Simulation};
use playsim_trace::Sink;

/// The largest number of successive requests by which sessions are distinguished. It bounds the
/// size of the tree.
const MAX_DEPTH: u32 = 6;

/// A point of which many sessions are played, each into a sink of this type.
#[derive(Debug)]
pub(super) struct Together<S = Summary> {
    point: Point,
    start: Stretch<S>,
}

/// The common part of several sessions.
#[derive(Debug)]
enum Stretch<S> {
    /// Everything.
    Whole(S),
    /// Everything before a request whose response is left to chance.
    Open(Box<Open<S>>),
}

#[derive(Debug)]
struct Open<S> {
    /// Played up to the part that sends the request.
    simulation: Simulation,
    /// Has received the lines written so far.
    sink: S,
    request: Request,
    /// Which one of such requests of that part it is, from 1.
    nth: usize,
    /// How many such requests came before.
    depth: u32,
    /// How it continues without an ad and with one; made when the first session goes there.
    branches: [OnceLock<Stretch<S>>; 2],
}

/// Responds like a draw, and lists the requests whose responses are left to chance.
#[derive(Debug)]
struct Watched {
    draw: Arc<Draw>,
    seen: Mutex<Vec<Request>>,
}

impl Together {
    /// The outcome of the session with this index.
    pub(super) fn outcome(&self, run: u64) -> RunOutcome {
        self.point.named(self.play(run).outcome())
    }
}

impl<S: Sink + Clone + Default> Together<S> {
    pub(super) fn new(point: Point) -> Together<S> {
        let start = Stretch::new(point.simulation(), S::default(), &point.draw(0), (0, 0));
        Together { point, start }
    }

    /// Plays the session of this index.
    fn play(&self, run: u64) -> S {
        let draw = self.point.draw(run);
        let mut stretch = &self.start;
        loop {
            let open = match stretch {
                Stretch::Whole(sink) => return sink.clone(),
                Stretch::Open(open) => open,
            };
            match open.branch(&draw) {
                Some(next) => stretch = next,
                None => return open.finish(draw),
            }
        }
    }
}

impl<S: Sink + Clone> Stretch<S> {
    /// Plays on, responding like this draw, up to the first request whose response is left to
    /// chance after `known` others.
    fn new(
        from: &Simulation,
        mut sink: S,
        draw: &Arc<Draw>,
        (known, depth): (usize, u32),
    ) -> Stretch<S> {
        let watched = Arc::new(Watched {
            draw: Arc::clone(draw),
            seen: Mutex::default(),
        });
        let mut probe = from.fork();
        probe.intercept(watched.clone());
        let mut parts = 0;
        let request = loop {
            if !probe.play_part() {
                probe.run_into(&mut sink);
                return Stretch::Whole(sink);
            }
            if let Some(request) = watched.seen(known) {
                break request;
            }
            parts += 1;
        };
        // The part that sends the request must not be played yet, so those before it are played
        // again.
        let mut simulation = from.fork();
        simulation.intercept(draw.clone());
        for _ in 0..parts {
            simulation.play_part();
        }
        simulation.pass_on(&mut sink);
        let nth = if parts == 0 { known + 1 } else { 1 };
        let branches = Default::default();
        Stretch::Open(Box::new(Open {
            simulation,
            sink,
            request,
            nth,
            depth,
            branches,
        }))
    }
}

impl<S: Sink + Clone> Open<S> {
    /// How the sessions continue for which the same is drawn; `None` if each continues alone.
    fn branch(&self, draw: &Arc<Draw>) -> Option<&Stretch<S>> {
        let Drawn::Fill(is_filled) = draw.drawn(&self.request) else {
            return None;
        };
        let depth = self.depth + 1;
        let next = || Stretch::new(&self.simulation, self.sink.clone(), draw, (self.nth, depth));
        (depth <= MAX_DEPTH).then(|| self.branches[usize::from(is_filled)].get_or_init(next))
    }

    /// Plays the rest of a session alone.
    fn finish(&self, draw: Arc<Draw>) -> S {
        let (mut simulation, mut sink) = (self.simulation.fork(), self.sink.clone());
        simulation.intercept(draw);
        simulation.run_into(&mut sink);
        sink
    }
}

impl Watched {
    /// The request after this many others.
    fn seen(&self, others: usize) -> Option<Request> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(others)
            .cloned()
    }
}

impl Intercept for Watched {
    fn intercept(&self, request: &Request) -> Intercepted {
        if self.draw.drawn(request) != Drawn::Nothing {
            self.seen
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(request.clone());
        }
        self.draw.intercept(request)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::Axis;
    use super::super::plan::Base;
    use super::super::setting::Setting;
    use super::*;
    use playsim_scenario::{self as scenario, Scenario};
    use playsim_trace::Record;

    #[derive(Debug, Clone, Default)]
    struct Keep(Vec<Record>);

    impl Sink for Keep {
        fn record(&mut self, record: &Record, _: Option<&Arc<str>>) {
            self.0.push(record.clone());
        }
    }

    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in folder.read_dir().expect("the fixtures are in the package") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                files(&path, found);
            } else if path.extension().is_some_and(|end| end == "yaml") {
                found.push(path);
            }
        }
    }

    /// The scenario of a file, unless it is one of those that show mistakes.
    fn read(file: &Path) -> Option<Scenario> {
        let text = fs::read_to_string(file).expect("the fixture can be read");
        let folder = file.parent().expect("a file is in a folder");
        let mut load = |name: &str| fs::read_to_string(folder.join(name));
        scenario::read(&file.to_string_lossy(), &text, &mut load).ok()
    }

    /// Those of the settings that change something.
    fn settings(base: &Base<'_>, written: &[String]) -> Vec<Setting> {
        let axis = |text: &String| text.parse::<Axis>().expect("the setting is valid");
        let all = written
            .iter()
            .map(axis)
            .flat_map(|axis| axis.values[0].settings.to_vec());
        all.filter(|setting| base.point([setting].into_iter(), 0).is_ok())
            .collect()
    }

    /// Compares sessions of a scenario, with all their lines and the digests of these, and returns
    /// how many differ.
    fn compare(file: &Path, scenario: &Scenario) -> usize {
        let Ok(base) = Base::new(scenario) else {
            return 0;
        };
        let fills = (1..=base.tags.len()).map(|tag| format!("tag{tag}.fill=50%"));
        let waits = (1..=base.tags.len()).map(|tag| format!("tag{tag}.after=uniform(0, 6s)"));
        let others =
            ["wrapper.after=uniform(0, 4s)", "media.after=uniform(0, 9s)"].map(str::to_owned);
        let fills: Vec<String> = fills.collect();
        let mixed = fills
            .iter()
            .skip(1)
            .cloned()
            .chain(waits.step_by(2))
            .chain(others)
            .collect();
        let at_once = fills
            .iter()
            .cloned()
            .chain(["dispatch.mode=sync".to_owned()])
            .collect();
        let mut different = 0;
        for written in [fills, mixed, at_once] {
            let settings = settings(&base, &written);
            if !settings.iter().any(Setting::is_random) {
                continue;
            }
            let point = || {
                base.point(settings.iter(), 7)
                    .expect("each of the settings is possible")
            };
            let (alone, lines, outcomes) = (
                point(),
                Together::<Keep>::new(point()),
                Together::new(point()),
            );
            let mut before = None;
            for run in 0..4 {
                let (mut kept, mut summary) = (Keep::default(), Summary::default());
                alone.run(run).run_into(&mut kept);
                kept.0
                    .iter()
                    .for_each(|record| summary.record(record, None));
                assert_eq!(
                    lines.play(run).0,
                    kept.0,
                    "{}, {written:?}, run {run}",
                    file.display()
                );
                assert_eq!(
                    outcomes.outcome(run),
                    summary.outcome(),
                    "{}, {written:?}",
                    file.display()
                );
                different += usize::from(before.is_some_and(|before| before != kept.0));
                before = Some(kept.0);
            }
        }
        different
    }

    #[test]
    fn sessions_played_together_are_the_same_as_alone() {
        let mut all = Vec::new();
        files(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenarios"),
            &mut all,
        );
        // For each commit every fourth scenario, each night all.
        let is_nightly = std::env::var_os("PLAYSIM_NIGHTLY").is_some();
        let step = if is_nightly { 1 } else { 4 };
        let scenarios = all
            .iter()
            .step_by(step)
            .filter_map(|file| Some((file, read(file)?)));
        let different: usize = scenarios
            .map(|(file, scenario)| compare(file, &scenario))
            .sum();
        assert!(
            different > 1_000 / step,
            "only {different} sessions differ from the one before"
        );
    }
}
