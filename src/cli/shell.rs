//! `playsim completions` and `playsim man`: what shells and manuals know about the arguments.

use std::fs;
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::failure::Failure;
use super::output::Talk;
use super::{Cli, Exit, file, print, print_to};

const COMPLETIONS: &str = "\
Examples:
  playsim completions bash > ~/.local/share/bash-completion/completions/playsim
  playsim completions zsh > ~/.zfunc/_playsim
  playsim completions fish > ~/.config/fish/completions/playsim.fish
  playsim completions powershell >> $PROFILE";

const MAN: &str = "\
Examples:
  playsim man | man -l -
  playsim man --folder ~/.local/share/man/man1";

#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS)]
pub(super) struct Completions {
    /// The shell that completes
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn print(&self, talk: &Talk) -> Exit {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "playsim", &mut script);
        print(&String::from_utf8_lossy(&script), talk)
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = MAN)]
pub(super) struct Manual {
    /// Write the page of each command into this folder, instead of the first page to standard
    /// output
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Manual {
    pub(super) fn print(&self, talk: &Talk) -> Result<Exit, Failure> {
        let mut all = Cli::command();
        all.build();
        let Some(folder) = &self.folder else {
            return Ok(print(&page(all), talk));
        };
        let failed = |error| Failure::Io(format!("cannot make {}: {error}", file::name(folder)));
        fs::create_dir_all(folder).map_err(failed)?;
        let mut commands = vec![all];
        while let Some(command) = commands.pop() {
            commands.extend(
                command
                    .get_subcommands()
                    .filter(|it| it.get_name() != "help")
                    .cloned(),
            );
            // Such as playsim-conform-report for `playsim conform report`.
            let name = command
                .get_display_name()
                .unwrap_or(command.get_name())
                .to_owned();
            let file = folder.join(format!("{name}.1"));
            let exit = print_to(Some(file), &page(command.name(name)), talk);
            if exit != Exit::AsExpected {
                return Ok(exit);
            }
        }
        Ok(Exit::AsExpected)
    }
}

/// Returns a command's manual page.
fn page(command: Command) -> String {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .expect("writing to memory cannot fail");
    String::from_utf8_lossy(&page).into_owned()
}
