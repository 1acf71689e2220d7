//! `playsim conform report`: recordings compared with the simulator, and with a baseline.

use clap::ValueEnum;
use clap::builder::ValueParser;
use playsim::conform::report::write_text;
use playsim::conform::{
    Behaviour, Case, Expectations, Fit, FitOptions, MatrixPage, Recorded, Report as Conformance,
    fit,
};
use playsim::knobs::{Profile, Profiles};
use playsim_base::words::counted;
use playsim_base::workers;

use super::find::{Given, pairs};
use super::{items, site};
use crate::cli::failure::{Failure, Invalid, bail};
use crate::cli::format::{self, Format};
use crate::cli::output::Talk;
use crate::cli::{Exit, command_line, exits, input, print_to, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "no difference; with --baseline, none that is new"), (Exit::Difference, "a difference; with --baseline, one that is new")]))]
pub(super) struct Report {
    #[command(flatten)]
    given: Given,
    /// Compare all players with this profile, or one of them: PLAYER=PROFILE; may be repeated
    /// [default: the profile of the player's name, or default]
    #[arg(long, value_name = "[PLAYER=]PROFILE", value_parser = chosen)]
    profile: Vec<Chosen>,
    /// Set a knob in addition, such as ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting::knob)]
    knob: Vec<(String, String)>,
    /// The output format
    #[arg(long, value_parser = formats(), default_value = "text", value_name = "FORMAT")]
    format: Format,
    /// Add to the page the knobs that fit each player best over all its cases, which takes longer;
    /// needs --format html
    #[arg(long)]
    fit: bool,
    /// What is expected: a folder of earlier recordings, or a file of --write-baseline. Only what
    /// is new or changed fails
    #[arg(long, value_name = "PATH")]
    baseline: Option<std::path::PathBuf>,
    /// Write what is expected from now on to this file, for version control
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<std::path::PathBuf>,
    /// Write to this file instead of standard output; for --format site to this folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<std::path::PathBuf>,
}

/// A profile, for one player or for all of them.
#[derive(Debug, Clone)]
struct Chosen {
    player: Option<String>,
    profile: Profiles,
}

fn formats() -> ValueParser {
    let known = [
        Format::Text,
        Format::Json,
        Format::Junit,
        Format::Html,
        Format::Site,
    ];
    let values = known.iter().filter_map(ValueEnum::to_possible_value);
    format::parser(values.map(|value| match value.get_name() {
        "html" => value.help("One web page: players by situations"),
        _ => value,
    }))
}

fn chosen(word: &str) -> Result<Chosen, Invalid> {
    let (player, name) = word
        .rsplit_once('=')
        .map_or((None, word), |(player, name)| (Some(player), name));
    Ok(Chosen {
        player: player.map(str::to_owned),
        profile: setting::profile(name)?,
    })
}

impl Report {
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        if self.fit && !matches!(self.format, Format::Html | Format::Site) {
            bail!(
                "--fit only adds to the page: give --format html as well, or use playsim conform fit"
            );
        }
        let (cases, recorded, files) = self.recorded(&self.given, talk)?;
        let mut report = self.compare(&cases, &recorded)?;
        if let Some(path) = &self.baseline {
            self.hold(&mut report, path, talk)?;
        }
        let mut exit = Exit::AsExpected;
        if let Some(file) = &self.write_baseline {
            let text = Expectations::of(&report).write();
            exit = exit.and(print_to(Some(file.clone()), &text, talk));
        }
        if report.has_red() {
            exit = Exit::Difference.and(exit);
        }
        let fits = if self.fit {
            self.fits(&cases, &recorded)
        } else {
            Vec::new()
        };
        if self.format == Format::Site {
            let Some(folder) = &self.output else {
                bail!("--format site writes a folder: name it with -o FOLDER");
            };
            site::copy(folder, &mut report, &recorded, &files)?;
            site::write(folder, &page(&report, &fits).pages(None), talk)?;
            return Ok(exit);
        }
        let mut text = String::new();
        if self.format == Format::Junit {
            text.extend(items::findings(&report).written(self.format));
        } else {
            let written = if self.format == Format::Json {
                report.write_json(&mut text)
            } else if self.format == Format::Html {
                page(&report, &fits).write(&mut text)
            } else {
                write_text(&report, &mut text)
            };
            written.map_err(|_| Failure::Io("cannot write the report".to_owned()))?;
        }
        Ok(exit.and(print_to(self.output, &text, talk)))
    }

    /// Reads recordings: the cases, the players, and the files of each player's recordings.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn recorded(
        &self,
        given: &Given,
        talk: &Talk,
    ) -> Result<(Vec<Case>, Vec<Recorded>, Vec<Vec<std::path::PathBuf>>), Failure> {
        let found = given.find(talk)?;
        let mut files = Vec::new();
        let mut recorded = Vec::new();
        for player in found.players {
            files.push(player.files);
            let behaviour = self.behaviour(&player.name);
            recorded.push(Recorded {
                player: player.name,
                behaviour,
                recordings: player.recordings,
            });
        }
        Ok((found.cases, recorded, files))
    }

    fn compare(&self, cases: &[Case], recorded: &[Recorded]) -> Result<Conformance, Failure> {
        Conformance::of(cases, recorded, self.given.tolerance()).map_err(Failure::input)
    }

    /// Holds the report against a baseline: recordings, which are judged in the same way, or a
    /// file.
    fn hold(
        &self,
        report: &mut Conformance,
        path: &std::path::Path,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let expected = if path.is_dir() {
            let (cases, recorded, _) = self.recorded(&self.given.instead(path), talk)?;
            Expectations::of(&self.compare(&cases, &recorded)?)
        } else {
            let read = Expectations::read(&input::text(path)?);
            read.map_err(Failure::about(&input::name(path)))?
        };
        let gone = expected.hold(report);
        report.recount();
        if let Some(first) = gone.first() {
            let count = counted(gone.len(), "cell");
            talk.say(&format!(
                "{count} of the baseline have no recording now, such as {first}"
            ));
        }
        Ok(())
    }

    /// Finds the knobs that fit each player best.
    fn fits<'a>(&self, cases: &[Case], recorded: &'a [Recorded]) -> Vec<(&'a str, Fit)> {
        let of = |it: &'a Recorded| {
            let pairs = pairs(cases, &it.recordings);
            (
                it.player.as_str(),
                fit(
                    &pairs,
                    &it.behaviour,
                    FitOptions {
                        tolerance: self.given.tolerance(),
                        holds_out: false,
                        threads: workers::cores(),
                    },
                ),
            )
        };
        recorded.iter().map(of).collect()
    }

    /// Returns the behaviour that a player is compared with.
    fn behaviour(&self, player: &str) -> Behaviour {
        let own = self
            .profile
            .iter()
            .rev()
            .find(|it| it.player.as_deref() == Some(player));
        let all = || self.profile.iter().rev().find(|it| it.player.is_none());
        let chosen = own.or_else(all).map(|it| it.profile.clone());
        let profile = chosen
            .or_else(|| Profile::from_name(player).map(Profiles::from))
            .unwrap_or_default();
        let mut knobs = profile.knobs();
        setting::set(&mut knobs, &self.knob);
        Behaviour {
            name: profile.to_string(),
            knobs,
        }
    }
}

/// Returns the page.
fn page<'a>(report: &'a Conformance, fits: &'a [(&'a str, Fit)]) -> MatrixPage<'a> {
    let page = MatrixPage::new(report).with_command(command_line::current());
    fits.iter()
        .fold(page, |page, (player, fitted)| page.with_fit(player, fitted))
}
