//! `playsim conform`: real players compared with the documented behaviour.

mod find;
mod fit;
mod items;
mod report;
mod run;
mod serve;
mod site;
mod template;

use super::Exit;
use super::failure::Failure;
use super::output::Talk;

#[derive(Debug, clap::Args)]
pub(super) struct Conform {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Compare recordings with the simulator: one row for each case, one column for each player
    Report(report::Report),
    /// Find the knobs that bring the simulator nearest to a player, and write them as a profile
    Fit(fit::Fit),
    /// Serve pages that play the cases of a suite on a player, and keep their recordings
    Serve(serve::Serve),
    /// Play the cases of a suite on a player in a browser, and keep their recordings
    Run(run::Run),
    /// Write a commented adapter for a player to begin with, and the types that it uses
    InitAdapter(template::InitAdapter),
    /// Print the script that records what a page's player does
    Recorder,
}

impl Conform {
    pub(super) fn run(self, talk: &Talk) -> Result<Exit, Failure> {
        match self.command {
            Command::Report(report) => report.write(talk),
            Command::Fit(fit) => fit.write(talk),
            Command::Serve(serve) => serve.serve(talk),
            Command::Run(run) => run.run(talk),
            Command::InitAdapter(template) => template.write(talk),
            Command::Recorder => Ok(super::print(playsim_conform::stage::RECORDER, talk)),
        }
    }
}
