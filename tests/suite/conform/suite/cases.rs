//! The cases: read, played, and sorted into groups by their names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use playsim::rules::{Basis, RuleId};
use playsim::scenario::{self, AnswerScript, Scenario, ScriptedAnswer};
use playsim::sim::Simulation;
use playsim::trace::Trace;

/// What the cases are about. Those of a group have one of its beginnings, and each case has one
/// group.
pub(super) const GROUPS: &[Group] = &[
    Group {
        title: "Breaks",
        about: "Where breaks are: before, in and after the content, and nowhere.",
        names: &[
            "no_ads",
            "pre_",
            "mid_roll",
            "two_mid_rolls",
            "post_roll",
            "overlay",
        ],
    },
    Group {
        title: "Failures",
        about: "Each way in which a tag or its film fails, alone: content must come.",
        names: &["tag_", "media_"],
    },
    Group {
        title: "Waterfalls",
        about: "A failure that is followed by a tag that fills.",
        names: &["waterfall_"],
    },
    Group {
        title: "Wrappers",
        about: "Documents that lead to others.",
        names: &["wrapper_", "redirect_"],
    },
    Group {
        title: "Pods",
        about: "Several ads in one document.",
        names: &["pod_"],
    },
    Group {
        title: "Persons",
        about: "What a person does during ads and content.",
        names: &["skip_", "click_", "pause_", "mute_", "unmute_"],
    },
    Group {
        title: "Seeks",
        about: "Jumps over cue points, onto them, back, and during ads.",
        names: &["seek_"],
    },
    Group {
        title: "Late answers",
        about: "Below and above the limits of time.",
        names: &["late_"],
    },
    Group {
        title: "VMAP",
        about: "One document with all breaks.",
        names: &["vmap_"],
    },
    Group {
        title: "Playlists and replay",
        about: "More than one pass.",
        names: &["playlist_", "replay_"],
    },
    Group {
        title: "Trackers",
        about: "Which URLs are called, and with what in them.",
        names: &["tracker_"],
    },
];

/// A group of cases.
pub(super) struct Group {
    pub(super) title: &'static str,
    /// What they show, as a sentence.
    pub(super) about: &'static str,
    /// The beginnings of its cases' names.
    names: &'static [&'static str],
}

/// Where the cases are.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conform/suite")
}

/// A case, read and played.
pub(super) struct Case {
    pub(super) name: String,
    /// The file.
    pub(super) text: String,
    pub(super) scenario: Scenario,
    pub(super) trace: Trace,
}

/// All cases, by name.
pub(super) fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(read_all);
    &CASES
}

fn read_all() -> Vec<Case> {
    let entries = fs::read_dir(folder()).expect("there is a suite").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml"));
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

pub(super) fn read(file: &Path) -> Case {
    let name = file
        .file_stem()
        .expect("it has a name")
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(file).expect("a case is UTF-8");
    let beside = file.parent().expect("a case is in a folder");
    let mut load = |body: &str| fs::read_to_string(beside.join(body));
    let scenario = scenario::read(&format!("{name}.yaml"), &text, &mut load);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let trace = Simulation::new(&scenario)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .run();
    Case {
        name,
        text,
        scenario,
        trace,
    }
}

impl Case {
    /// What its URLs respond, one after the other.
    pub(super) fn answers(&self) -> impl Iterator<Item = &AnswerScript> {
        self.scenario
            .network
            .iter()
            .flat_map(|(_, answers)| answers)
    }

    /// The documents that its URLs respond with.
    pub(super) fn documents(&self) -> impl Iterator<Item = &str> {
        self.answers().filter_map(|answer| match &answer.answer {
            ScriptedAnswer::Body { text, .. } => Some(&**text),
            ScriptedAnswer::Redirect { .. }
            | ScriptedAnswer::Fails(_)
            | ScriptedAnswer::Silence => None,
        })
    }

    /// The groups that its name belongs to: one.
    pub(super) fn groups(&self) -> Vec<&'static Group> {
        let has = |group: &&Group| group.names.iter().any(|name| self.name.starts_with(name));
        GROUPS.iter().filter(has).collect()
    }

    /// Its rules that rest on one of these, as the table of rules has them.
    pub(super) fn rules(&self, bases: &[Basis]) -> String {
        let rules: BTreeSet<RuleId> = self
            .scenario
            .rules
            .iter()
            .copied()
            .filter(|rule| bases.contains(&rule.row().basis))
            .collect();
        rules
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    }
}
