//! `playsim conform report`: recordings compared with the simulator.

use clap::ValueEnum;
use playsim::conform::report::write_text;
use playsim::conform::{Behaviour, Case, Fit, MatrixPage, Recorded, Report as Conformance, fit};
use playsim::knobs::{Profile, Profiles};

use super::find::{Given, pairs};
use super::junit;
use crate::cli::failure::{Failure, Invalid};
use crate::cli::output::{Out, Talk};
use crate::cli::{EXIT_CODES, Exit, command_line, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Report {
    #[command(flatten)]
    given: Given,
    /// Compare all players with this profile, or one of them: PLAYER=PROFILE; may be repeated [default: the profile of
    /// the player's name, or default]
    #[arg(long, value_name = "[PLAYER=]PROFILE", value_parser = chosen)]
    profile: Vec<Chosen>,
    /// Set a knob in addition, such as ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting::knob)]
    knob: Vec<(String, String)>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Add to the page the knobs that fit each player best over all its cases, which takes longer; needs --format html
    #[arg(long)]
    fit: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<std::path::PathBuf>,
}

/// A profile, for one player or for all of them.
#[derive(Debug, Clone)]
struct Chosen {
    player: Option<String>,
    profile: Profiles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Junit,
    /// One web page: players by situations
    Html,
}

fn chosen(word: &str) -> Result<Chosen, Invalid> {
    let (player, name) = word.rsplit_once('=').map_or((None, word), |(player, name)| (Some(player), name));
    Ok(Chosen { player: player.map(str::to_owned), profile: setting::profile(name)? })
}

impl Report {
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        if self.fit && self.format != Format::Html {
            return Err(Failure::Input(
                "--fit only adds to the page: give --format html as well, or use playsim conform fit"
                    .to_owned(),
            ));
        }
        let found = self.given.find(talk)?;
        let recorded = found.players.into_iter().map(|(player, recordings)| {
            let behaviour = self.behaviour(&player);
            Recorded { player, behaviour, recordings }
        });
        let recorded: Vec<Recorded> = recorded.collect();
        let report = Conformance::of(&found.cases, &recorded, self.given.tolerance())
            .map_err(|error| Failure::Input(error.to_string()))?;
        let mut text = String::new();
        let written = match self.format {
            Format::Text => write_text(&report, &mut text),
            Format::Json => report.write_json(&mut text),
            Format::Junit => junit::write(&report, &mut text),
            Format::Html => {
                let fits = if self.fit { self.fits(&found.cases, &recorded) } else { Vec::new() };
                let page = MatrixPage::new(&report).with_command(command_line::current());
                let page = fits.iter().fold(page, |page, (player, fitted)| page.with_fit(player, fitted));
                page.write(&mut text)
            }
        };
        written.map_err(|_| Failure::Io("cannot write the report".to_owned()))?;
        let mut out = Out::to(self.output.clone());
        out.text(&text);
        let exit = out.finish(talk);
        Ok(if report.differs() { Exit::Difference.and(exit) } else { exit })
    }

    /// Finds the knobs that fit each player best.
    fn fits<'a>(&self, cases: &[Case], recorded: &'a [Recorded]) -> Vec<(&'a str, Fit)> {
        let of = |it: &'a Recorded| {
            let pairs = pairs(cases, &it.recordings);
            (it.player.as_str(), fit(&pairs, &it.behaviour, self.given.tolerance()))
        };
        recorded.iter().map(of).collect()
    }

    /// Returns the behaviour that a player is compared with.
    fn behaviour(&self, player: &str) -> Behaviour {
        let own = self.profile.iter().rev().find(|it| it.player.as_deref() == Some(player));
        let all = || self.profile.iter().rev().find(|it| it.player.is_none());
        let chosen = own.or_else(all).map(|it| it.profile.clone());
        let profile = chosen.or_else(|| Profile::from_name(player).map(Profiles::from)).unwrap_or_default();
        let mut knobs = profile.knobs();
        for (name, value) in &self.knob {
            knobs.set(name, value).expect("the argument parser has checked the knobs");
        }
        Behaviour { name: profile.to_string(), knobs }
    }
}
