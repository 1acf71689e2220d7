//! One scenario file as a test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use playsim::api::Kind;
use playsim::check;
use playsim::recording::Recording;
use playsim::report::waterfall::{TagOutcome, Waterfalls};
use playsim::scenario::{self, Scenario};
use playsim::sim::Simulation;
use playsim::time::{Span, Time};
use playsim::trace::{Filter, Trace, View, read_jsonl, write_jsonl, write_text};

/// A scenario file.
#[derive(Clone)]
pub(crate) struct Case {
    /// `topic/subject_condition_outcome`.
    pub(crate) name: String,
    path: PathBuf,
}

/// A scenario as it was read, and its trace.
pub(crate) struct Played {
    pub(crate) scenario: Scenario,
    pub(crate) trace: Trace,
}

/// What was played so far, by the scenarios' names: most laws are about every trace.
static PLAYED: LazyLock<BTreeMap<String, OnceLock<Result<Played, String>>>> = LazyLock::new(|| {
    all()
        .into_iter()
        .map(|case| (case.name, OnceLock::new()))
        .collect()
});

/// Where the scenarios are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios")
}

/// All scenarios, by name.
pub(crate) fn all() -> Vec<Case> {
    let mut cases: Vec<Case> = files(&folder(), "yaml")
        .into_iter()
        .map(|path| Case {
            name: name(&path),
            path,
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// A snapshot without a scenario is an error; so is, in CI, a scenario without a snapshot.
pub(crate) fn no_orphans(cases: &[Case]) -> Result<(), String> {
    let orphans: Vec<String> = files(&folder(), "snap")
        .iter()
        .map(|path| name(path))
        .map(|name| name.trim_end_matches(".jsonl").to_owned())
        .filter(|name| !cases.iter().any(|case| case.name == *name))
        .collect();
    if orphans.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "snapshots without a scenario: {}",
            orphans.join(", ")
        ))
    }
}

impl Case {
    /// The scenario and its trace, read and played once in this process.
    pub(crate) fn played(&self) -> Result<&'static Played, String> {
        let play = || {
            let scenario = self.read()?;
            let stage = Simulation::new(&scenario).map_err(|error| error.to_string())?;
            let trace = stage.run();
            Ok(Played { scenario, trace })
        };
        let slot = PLAYED.get(&self.name).ok_or("not among the scenarios")?;
        slot.get_or_init(play).as_ref().map_err(Clone::clone)
    }

    /// Reads the scenario.
    fn read(&self) -> Result<Scenario, String> {
        let text = std::fs::read_to_string(&self.path).map_err(|error| error.to_string())?;
        let folder = self.path.parent().unwrap_or(Path::new(".")).to_owned();
        let mut load = |file: &str| std::fs::read_to_string(folder.join(file));
        let file = self
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        scenario::read(&file, &text, &mut load).map_err(|error| error.to_string())
    }

    /// Plays it, and compares the trace with its snapshot and with further runs.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Played { scenario, trace } = self.played()?;
        let findings = check::invariants(trace);
        if !findings.is_empty() {
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            return Err(findings.join("\n"));
        }
        let recording = Recording::of(trace.clone())?;
        let faults = check::judge(&recording, &check::CheckOptions::default());
        let faults: Vec<String> = faults
            .iter()
            .filter(|it| it.level == check::Level::Fault)
            .map(ToString::to_string)
            .collect();
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
        let failures = playsim::check::expectations(&scenario.expect, trace);
        if !failures.is_empty() {
            let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
            return Err(failures.join("\n"));
        }
        self.same_again(trace)?;
        self.same_elsewhere(trace)?;
        self.reads_back(trace)?;
        self.is_reported(trace)?;
        self.compare_with_snapshot(trace)
    }

    fn compare_with_snapshot(&self, trace: &Trace) -> Result<(), String> {
        let mut text = String::new();
        write_text(trace, &Filter::default(), false, &mut text)
            .map_err(|error| error.to_string())?;
        self.snapshot(&self.stem(), &text)?;
        if self.name.starts_with("canonical/") {
            let mut lines = String::new();
            let everything = Filter {
                view: View::All,
                ..Filter::default()
            };
            write_jsonl(trace, &everything, true, &mut lines).map_err(|error| error.to_string())?;
            self.snapshot(&format!("{}.jsonl", self.stem()), &lines)?;
        }
        Ok(())
    }

    fn stem(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    fn snapshot(&self, name: &str, text: &str) -> Result<(), String> {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(self.path.parent().unwrap_or(Path::new(".")));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let compare = || settings.bind(|| insta::assert_snapshot!(name, text));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare)).map_err(|_| {
            format!(
                "{}: the trace differs from its snapshot (see above)",
                self.name
            )
        })
    }

    /// Twice in one process, split into steps, and forked in the middle: the same trace.
    fn same_again(&self, trace: &Trace) -> Result<(), String> {
        let stage = Simulation::new(&self.read()?).map_err(|error| error.to_string())?;
        let same = |how: &str, other: &Trace| {
            let equal = other.records == trace.records && other.digest == trace.digest;
            if equal {
                Ok(())
            } else {
                Err(format!("{}: {how}, the trace differs", self.name))
            }
        };
        same("read anew", &stage.fork().run())?;
        let mut split = stage.fork();
        let end = trace.records.last().map_or(Time::ZERO, |record| record.at);
        let mut at = Time::ZERO;
        while at < end {
            split.run_until(at);
            at += Span::from_micros(333_333).max(Span::from_micros(end.micros() / 50));
        }
        same("split into steps", &split.run())?;
        let mut original = stage.fork();
        for _ in 0..trace.records.len() / 2 {
            let _ = original.step();
        }
        same("forked in the middle", &original.fork().run())?;
        same("continued after a fork", &original.run())
    }

    /// Written as JSON lines, read and written again: the bytes are the same.
    fn reads_back(&self, trace: &Trace) -> Result<(), String> {
        let everything = Filter {
            view: View::All,
            ..Filter::default()
        };
        for why in [false, true] {
            let (mut first, mut second) = (String::new(), String::new());
            write_jsonl(trace, &everything, why, &mut first).map_err(|error| error.to_string())?;
            let read = read_jsonl(&self.name, &first).map_err(|error| error.to_string())?;
            write_jsonl(&read, &everything, why, &mut second).map_err(|error| error.to_string())?;
            if first != second || read.digest != trace.digest {
                return Err(format!(
                    "{}: what is read is not what was written",
                    self.name
                ));
            }
        }
        Ok(())
    }

    /// The waterfall report has as many breaks, failed tags, ads and beacons as the trace has lines
    /// for them.
    fn is_reported(&self, trace: &Trace) -> Result<(), String> {
        let report = Waterfalls::of(trace);
        let lines = |kind: Kind, name: &str| {
            trace
                .records
                .iter()
                .filter(|record| record.kind == kind && *record.name == *name)
                .count()
        };
        let tags = || report.breaks.iter().flat_map(|it| &it.tags);
        let ads = || report.breaks.iter().flat_map(|it| &it.played);
        let beacons = trace
            .records
            .iter()
            .filter(|record| record.kind == Kind::Beacon)
            .count();
        let failed = tags()
            .filter(|tag| tag.outcome == TagOutcome::NoFill)
            .count();
        let counts = [
            ("breaks", report.breaks.len(), lines(Kind::Break, "begin")),
            (
                "open breaks",
                report
                    .breaks
                    .iter()
                    .filter(|it| it.end_us.is_none())
                    .count(),
                { lines(Kind::Break, "begin") - lines(Kind::Break, "end") },
            ),
            ("tags that failed", failed, lines(Kind::Ad, "no-fill")),
            (
                "tags that scheduled breaks",
                tags()
                    .filter(|tag| tag.outcome == TagOutcome::Scheduled)
                    .count(),
                lines(Kind::Ad, "schedule"),
            ),
            ("ads", ads().count(), lines(Kind::Ad, "fill")),
            (
                "starts",
                ads().filter(|ad| ad.start_us.is_some()).count(),
                lines(Kind::Event, "adStart"),
            ),
            (
                "refused ads",
                tags().map(|tag| tag.rejected.len()).sum(),
                lines(Kind::Ad, "reject"),
            ),
            (
                "beacons",
                report.breaks.iter().map(|it| it.beacons.len()).sum(),
                beacons,
            ),
        ];
        for (what, reported, traced) in counts {
            if reported != traced {
                return Err(format!(
                    "{}: {reported} {what} in the report, {traced} in the trace",
                    self.name
                ));
            }
        }
        if tags().any(|tag| {
            tag.outcome == TagOutcome::NoFill && (tag.code.is_none() || tag.reason.is_none())
        }) {
            return Err(format!(
                "{}: a tag that failed has no code or no reason",
                self.name
            ));
        }
        let text = report.text(100, false);
        match text.lines().find(|line| {
            line.chars().count() > 100 && !line.contains("://") && !line.contains("data:")
        }) {
            Some(line) => Err(format!(
                "{}: this line of its report is too long: {line}",
                self.name
            )),
            None => Ok(()),
        }
    }

    /// In another process, the digest is the same. Starting one takes longer than the rest of the
    /// test, so only a sample of the scenarios has one.
    fn same_elsewhere(&self, trace: &Trace) -> Result<(), String> {
        const ONE_IN: u32 = 16;
        if self.name.bytes().map(u32::from).sum::<u32>() % ONE_IN != 0 {
            return Ok(());
        }
        let output = Command::new(env!("CARGO_BIN_EXE_playsim"))
            .args(["run", "--format", "jsonl"])
            .arg(&self.path)
            .output()
            .map_err(|error| error.to_string())?;
        let lines = String::from_utf8_lossy(&output.stdout);
        if lines.contains(&trace.digest.to_string()) {
            Ok(())
        } else {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(format!(
                "{}: another process does not print digest {}\n{words}",
                self.name, trace.digest
            ))
        }
    }
}

/// A file's path inside the folder of scenarios, without its extension.
fn name(path: &Path) -> String {
    let below = path
        .strip_prefix(folder())
        .unwrap_or(path)
        .with_extension("");
    below.to_string_lossy().replace('\\', "/")
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|other| other == ending) {
            found.push(path);
        }
    }
    found
}
