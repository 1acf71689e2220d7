//! `playsim conform fit`: the settings that recordings of a player ask for.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use playsim::api::Text;
use playsim::conform::{
    Agreement, Behaviour, Case, Fit as Fitted, FitOptions, FittedKnob, FoundPlayer, HeldOut,
    Suggestion, fit, measurement, nearest, suggest,
};
use playsim::knobs::{Profile, Profiles};
use playsim_base::words::{Column, Columns, counted};
use playsim_base::workers;

use super::find::{Given, pairs};
use crate::cli::failure::Failure;
use crate::cli::output::{Out, Talk};
use crate::cli::{Exit, exits, input, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the profile was found")]))]
pub(super) struct Fit {
    #[command(flatten)]
    given: Given,
    /// Start from this profile [default: the one that is nearest to the player]
    #[arg(long, value_name = "NAME", value_parser = setting::profile)]
    profile: Option<Profiles>,
    /// Do not find out how well recordings are predicted that were held out, which takes longer
    #[arg(long)]
    no_held_out: bool,
    /// Write a scenario for each pair of explanations that it would tell apart, to record next
    #[arg(long, value_name = "FOLDER")]
    suggest: Option<PathBuf>,
    /// Write the profile to this file, for --profile
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write what the recordings say about each setting of the profile to this file, as playsim
    /// keeps it for its own profiles
    #[arg(long, value_name = "FILE", requires = "recorded")]
    measured: Option<PathBuf>,
    /// The day on which the player was recorded, such as 2026-11-24, for --measured
    #[arg(long, value_name = "DAY")]
    recorded: Option<String>,
}

impl Fit {
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        let found = self.given.find(talk)?;
        let player = one_player(found.players)?;
        let pairs = pairs(&found.cases, &player.recordings);
        let player = player.name;
        let options = FitOptions {
            tolerance: self.given.tolerance(),
            holds_out: !self.no_held_out,
            threads: workers::cores(),
        };
        let of = |profiles: &Profiles| Behaviour {
            name: profiles.to_string(),
            knobs: profiles.knobs(),
        };
        let base = match &self.profile {
            Some(profiles) => of(profiles),
            None => {
                let all = Profile::ALL.iter().map(|profile| of(&(*profile).into()));
                nearest(&pairs, all, options.tolerance)
            }
        };
        let fitted = fit(&pairs, &base, options);
        let cases: Vec<&Case> = pairs.iter().map(|(case, _)| *case).collect();
        let suggested = suggest(&cases, &fitted);
        let files = files(&suggested);
        let mut text = summary(&player, &fitted, &suggested);
        if self.suggest.is_none() && !files.is_empty() {
            text.push_str(&format!(
                "\n{} would tell more: --suggest FOLDER writes the scenarios, conform run records them\n",
                counted(files.len(), "situation")
            ));
        }
        let mut exit = super::super::print(&text, talk);
        if let Some(folder) = &self.suggest {
            fs::create_dir_all(folder).map_err(Failure::cannot("make", folder))?;
            for (name, text) in &files {
                let mut out = Out::to(Some(folder.join(format!("{name}.yaml"))));
                out.text(text);
                exit = out.finish(talk).and(exit);
            }
            talk.say(&format!(
                "wrote {} that would tell more: {}",
                counted(files.len(), "scenario"),
                input::name(folder)
            ));
        }
        if let (Some(file), Some(day)) = (&self.measured, &self.recorded) {
            let profiles = self.profile.clone().unwrap_or_default();
            let knobs: Vec<FittedKnob> = [&fitted.decided[..], &fitted.of_base].concat();
            let recordings = pairs.iter().map(|(_, recording)| *recording);
            let compared = fitted.after.recordings;
            let measured = measurement(recordings, compared, &knobs, &profiles, day);
            let text = serde_json::to_string_pretty(&measured).expect("texts and numbers");
            let mut out = Out::to(Some(file.clone()));
            out.text(&format!("{text}\n"));
            exit = out.finish(talk).and(exit);
        }
        if let Some(file) = &self.output {
            let mut out = Out::to(Some(file.clone()));
            out.text(&profile_file(&player, &fitted));
            return Ok(out.finish(talk).and(exit));
        }
        Ok(exit)
    }
}

/// Returns the recordings of the only player among these, in one version and in one browser. Builds
/// of the same version of a browser are not told apart.
fn one_player(players: Vec<FoundPlayer>) -> Result<FoundPlayer, Failure> {
    let is_same = |one: &FoundPlayer, other: &FoundPlayer| {
        let head = |it: &FoundPlayer| it.recordings.first().map(|(_, first)| first.head.clone());
        let (Some(first), Some(second)) = (head(one), head(other)) else {
            return false;
        };
        let version = |browser: &Option<Text>| {
            let browser = browser.as_deref().unwrap_or_default();
            browser.split('.').next().map(str::to_owned)
        };
        one.name == other.name
            && first.versions == second.versions
            && version(&first.browser) == version(&second.browser)
    };
    let mut players = players.into_iter();
    let one = players.next().and_then(|mut one| {
        for other in players {
            if !is_same(&one, &other) {
                return None;
            }
            one.recordings.extend(other.recordings);
            one.files.extend(other.files);
        }
        Some(one)
    });
    one.ok_or_else(|| {
        Failure::Input(
            "give recordings of one player in one version and browser only: a profile describes one player"
                .to_owned(),
        )
    })
}

fn summary(player: &str, fitted: &Fitted, suggested: &[Suggestion]) -> String {
    let recordings = counted(fitted.after.recordings, "recording");
    let mut text = match fitted.held_out.first() {
        Some((_, held_out)) => format!(
            "{player}: {} of {recordings} are predicted in order by the others\n\n",
            held_out.in_order
        ),
        None => format!(
            "{player}: {} of {recordings} are explained in order\n\n",
            fitted.after.in_order
        ),
    };
    text.push_str(&agreements(fitted));
    let list = || Columns::of([Column::left("").at_least(42), Column::left("")]);
    let mut section = |title: &str, rows: Vec<[String; 2]>| {
        if !rows.is_empty() {
            let mut columns = list();
            rows.into_iter().for_each(|row| columns.row(row));
            text.push_str(&format!("\n{title}\n{}", columns.text()));
        }
    };
    let decided = fitted.decided.iter().map(|knob| {
        let ties = knob.as_good().map(|it| format!("; as good: {it}"));
        let by = counted(knob.decided_by.len(), "recording");
        [
            knob.setting.to_string(),
            format!("by {by}{}", ties.unwrap_or_default()),
        ]
    });
    section("Decided:", decided.collect());
    let undecided = fitted
        .undecided
        .iter()
        .map(|knob| [knob.setting.to_string(), doubt(knob)]);
    let of_base = fitted
        .of_base
        .iter()
        .map(|knob| [knob.setting.to_string(), doubt(knob)]);
    section(
        &format!("Settings of profile {}, kept:", fitted.base),
        of_base.collect(),
    );
    section(
        "Not decided, left as it was (three recordings must speak for a setting, and none against it):",
        undecided.collect(),
    );
    let cut = fitted.cut.iter().map(|knob| {
        let length = knob.as_good().unwrap_or_default();
        [
            knob.setting.knob.to_owned(),
            format!("{length}; {}", doubt(knob)),
        ]
    });
    section(
        "Times of which one end shows, left as they were:",
        cut.collect(),
    );
    let alternatives = fitted.alternatives.iter().map(|it| {
        let names: Vec<String> = it.iter().map(ToString::to_string).collect();
        let tells = suggested.iter().find(|known| known.tells == *it);
        let told = tells.map(|it| format!("told by {}", it.name));
        [names.join(", "), told.unwrap_or_default()]
    });
    section(
        "Would explain the recordings as well:",
        alternatives.collect(),
    );
    let faults = fitted
        .faults
        .iter()
        .map(|case| [case.clone(), String::new()]);
    section(
        "With a tracker of an ad that is not on the screen (TRK-5):",
        faults.collect(),
    );
    let remaining = fitted
        .remaining
        .iter()
        .map(|(case, count)| [case.clone(), counted(*count, "difference")]);
    section("What remains:", remaining.collect());
    text
}

/// The table of predictions: those that were held out first.
fn agreements(fitted: &Fitted) -> String {
    let mut table = Columns::of([
        Column::left("").at_least(42),
        Column::left("in order"),
        Column::left("requests and screen"),
        Column::left("lines"),
    ]);
    let mut row = |name: String, it: &Agreement| {
        let of = |part: usize| format!("{part} of {}", it.recordings);
        let share = (it.same_lines * 100).checked_div(it.lines).unwrap_or(0);
        table.row([name, of(it.in_order), of(it.in_view), format!("{share} %")]);
    };
    for (how, agreement) in &fitted.held_out {
        let name = match how {
            HeldOut::Fifth => "held out, a fifth at a time",
            HeldOut::Group => "held out, whole groups of situations",
            HeldOut::Suite => "held out, a suite at a time",
        };
        row(name.to_owned(), agreement);
    }
    row("the fit, in sample".to_owned(), &fitted.after);
    row(
        format!("profile {}, where it began", fitted.base),
        &fitted.before,
    );
    row("the defaults".to_owned(), &fitted.by_default);
    table.text()
}

/// Why a setting is not decided.
fn doubt(knob: &FittedKnob) -> String {
    let sides = [
        ("for it", &knob.decided_by),
        ("against it", &knob.contradicted_by),
    ];
    let said = sides.iter().filter(|(_, names)| !names.is_empty());
    let said: Vec<String> = said
        .map(|(side, names)| format!("{side}: {}", some(names)))
        .collect();
    let said = if said.is_empty() {
        "no recording tells".to_owned()
    } else {
        said.join("; ")
    };
    format!("{}; {said}", knob.decision.word())
}

/// The first few names of a list, and how many more there are.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns the profile as a file for `--profile`.
fn profile_file(player: &str, fitted: &Fitted) -> String {
    let base = fitted.base.parse::<Profiles>().unwrap_or_default().knobs();
    let knobs = fitted
        .knobs
        .differing_from(base)
        .map(|(name, value)| (name.to_owned(), value.into()));
    let knobs: serde_json::Map<String, serde_json::Value> = knobs.collect();
    let recordings = counted(fitted.after.recordings, "recording");
    let about = format!("{player}, fitted to {recordings}");
    let profile = serde_json::json!({ "profile": player, "about": about, "base": fitted.base, "knobs": knobs });
    format!("{profile:#}\n")
}

/// Returns the scenarios by name. One of them may tell several explanations from the fit.
fn files(suggested: &[Suggestion]) -> BTreeMap<&str, String> {
    let mut files = BTreeMap::new();
    for it in suggested {
        let tells: Vec<String> = it.tells.iter().map(ToString::to_string).collect();
        let tells = tells.join(", ");
        let comment = format!(
            "# {}. Tells the fit from {tells}: {}.\n",
            it.about, it.difference
        );
        let text = files.entry(&*it.name);
        text.or_insert_with(|| it.scenario.inlined().to_yaml())
            .insert_str(0, &comment);
    }
    files
}
