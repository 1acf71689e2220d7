//! `playsim conform init-adapter`: a commented adapter to begin with, and the types that it uses.

use std::fs;
use std::path::{Path, PathBuf};

use playsim_conform::stage::{ADAPTER_TEMPLATE, ADAPTER_TYPES};

use crate::cli::failure::{Failure, bail};
use crate::cli::output::Talk;
use crate::cli::{Exit, exits, input, writing};

/// The file of the types, as the template names it.
const TYPES_FILE: &str = "playsim-conform.d.ts";

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the adapter was written")]))]
pub(super) struct InitAdapter {
    /// The name of the player: one word of letters, digits and - _ . + @
    #[arg(value_name = "PLAYER", value_parser = player)]
    player: String,
    /// The folder for PLAYER.js and playsim-conform.d.ts, which has the types
    #[arg(
        short,
        long,
        value_name = "FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    output: PathBuf,
}

fn player(word: &str) -> Result<String, String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.+@".contains(letter);
    if word.is_empty() || word.starts_with('.') || !word.chars().all(is_name) {
        return Err(
            "it must be one word of letters, digits and - _ . + @, like fluid-player".to_owned(),
        );
    }
    Ok(word.to_owned())
}

impl InitAdapter {
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        let failed = |path: &Path| Failure::cannot("write", path);
        let file = self.output.join(format!("{}.js", self.player));
        if file.exists() {
            bail!("{} already exists; nothing was written", input::name(&file));
        }
        fs::create_dir_all(&self.output).map_err(failed(&self.output))?;
        writing::write(&file, ADAPTER_TEMPLATE.replace("PLAYER", &self.player))
            .map_err(failed(&file))?;
        let types = self.output.join(TYPES_FILE);
        writing::write(&types, ADAPTER_TYPES).map_err(failed(&types))?;
        let (name, player) = (input::name(&file), &self.player);
        talk.say(&format!(
            "wrote {name}, {}\nTry next, with the player's script and a folder of scenarios:\n  \
             playsim conform run suite --adapter {name} --lib {player}.js -o recordings --only pre_roll",
            input::name(&types)
        ));
        Ok(Exit::AsExpected)
    }
}
