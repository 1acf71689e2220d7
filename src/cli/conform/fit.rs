//! `playsim conform fit`: the knobs that bring the simulator nearest to a player.

use std::path::PathBuf;

use playsim::conform::{Behaviour, Fit as Fitted, fit};
use playsim::knobs::{Profile, Profiles};
use playsim_base::words::{Column, Columns, counted};

use super::find::{Given, pairs};
use crate::cli::failure::Failure;
use crate::cli::output::{Out, Talk};
use crate::cli::{Exit, exits, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the profile was found")]))]
pub(super) struct Fit {
    #[command(flatten)]
    given: Given,
    /// Start from this profile [default: the one that is nearest to the player]
    #[arg(long, value_name = "NAME", value_parser = setting::profile)]
    profile: Option<Profiles>,
    /// Write the profile to this file, for --profile
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Fit {
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        let found = self.given.find(talk)?;
        let mut players = found.players.into_iter();
        let (Some(player), None) = (players.next(), players.next()) else {
            return Err(Failure::Input(
                "give recordings of one player in one version and browser only: a profile describes one player"
                    .to_owned(),
            ));
        };
        let pairs = pairs(&found.cases, &player.recordings);
        let player = player.name;
        let tolerance = self.given.tolerance();
        let of = |profiles: &Profiles| Behaviour {
            name: profiles.to_string(),
            knobs: profiles.knobs(),
        };
        let base = match &self.profile {
            Some(profiles) => of(&profiles.known()),
            None => {
                let all = Profile::ALL.iter().map(|profile| of(&(*profile).into()));
                playsim::conform::nearest(&pairs, all, tolerance)
            }
        };
        let fitted = fit(&pairs, &base, tolerance);
        let exit = super::super::print(&summary(&player, &fitted), talk);
        if let Some(file) = &self.output {
            let mut out = Out::to(Some(file.clone()));
            out.text(&profile_file(&player, &fitted));
            return Ok(out.finish(talk).and(exit));
        }
        Ok(exit)
    }
}

fn summary(player: &str, fitted: &Fitted) -> String {
    let mut text = format!(
        "{player}: {} of {} are the same with profile {} as it is, {} with {}\n\n",
        fitted.same_before,
        counted(fitted.cases, "case"),
        fitted.base,
        fitted.same,
        counted(fitted.steps.len(), "knob"),
    );
    let list = || Columns::of([Column::left("").at_least(42), Column::left("")]);
    let mut steps = list();
    for step in &fitted.steps {
        let gained = match &step.gained[..] {
            [] => "no case on its own".to_owned(),
            cases => format!("+{}: {}", cases.len(), cases.join(", ")),
        };
        steps.row([step.setting.to_string(), gained]);
    }
    text.push_str(&steps.text());
    if !fitted.remaining.is_empty() {
        let mut cases = list();
        for (case, differences) in &fitted.remaining {
            cases.row([case.clone(), counted(*differences, "difference")]);
        }
        text.push_str("\nWhat remains:\n");
        text.push_str(&cases.text());
    }
    text
}

/// Returns the profile as a file for `--profile`.
fn profile_file(player: &str, fitted: &Fitted) -> String {
    let base = fitted.base.parse::<Profiles>().unwrap_or_default().knobs();
    let knobs = fitted
        .knobs
        .differing_from(base)
        .map(|(name, value)| (name.to_owned(), value.into()));
    let knobs: serde_json::Map<String, serde_json::Value> = knobs.collect();
    let about = format!("{player}, fitted to {}", counted(fitted.cases, "recording"));
    let profile = serde_json::json!({ "profile": player, "about": about, "base": fitted.base, "knobs": knobs });
    format!("{profile:#}\n")
}
