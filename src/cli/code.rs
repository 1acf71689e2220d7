//! `playsim code`: what an error code means, who has to act, and what helps.

use playsim::api;
use playsim::dictionary::{self, Entry, Lookup};
use playsim_report::dictionary::print;

use super::failure::Failure;
use super::format::{Format, formats};
use super::output::Talk;
use super::rules::OF_TABLES;
use super::{Exit, joined, width};

const EXAMPLES: &str = "\
Examples:
  playsim code 303
  playsim code vmap 1005
  playsim code timeout
  playsim code VAST_LOAD_TIMEOUT --format json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Code {
    /// A code (303), one of a family (vmap 1005), a family (vast, vmap, simid, vpaid or sdk), a
    /// name of the SDK, or words to search for [default: all codes]
    #[arg(value_name = "CODE")]
    words: Vec<String>,
    /// The output format: text, a JSON list, or Markdown
    #[arg(long, value_parser = formats(OF_TABLES), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

impl Code {
    /// Prints what was asked for.
    pub(super) fn print(self, talk: &Talk) -> Result<Exit, Failure> {
        let typed = self.words.join(" ");
        if typed.trim().is_empty() {
            return Ok(self.show(&dictionary::all().collect::<Vec<_>>(), true, talk));
        }
        match dictionary::lookup(&typed) {
            Lookup::Code(entries) => Ok(self.show(&entries, false, talk)),
            Lookup::Shifted(entry) => {
                let exit = self.show(&[entry], false, talk);
                talk.say(&format!(
                    "{typed} is {} in the form of JW Player, which adds 10000",
                    entry.code
                ));
                Ok(exit)
            }
            Lookup::Family(family) => {
                Ok(self.show(&family.entries().collect::<Vec<_>>(), true, talk))
            }
            Lookup::Search(entries) => Ok(self.show(&entries, entries.len() > 1, talk)),
            Lookup::Nothing(nearest, family) => Err(unknown(&typed, &nearest, family)),
        }
    }

    /// Prints entries; `in_short`: only codes and titles, in text.
    fn show(&self, entries: &[&Entry], in_short: bool, talk: &Talk) -> Exit {
        let text = if self.format == Format::Json {
            print::json(entries)
        } else if self.format == Format::Md {
            print::markdown(entries)
        } else if in_short {
            print::list(entries, width())
        } else {
            print::text(entries, width())
        };
        super::print(&text, talk)
    }
}

/// The error for what is no code: what it is instead, or the nearest and all of the family.
fn unknown(typed: &str, nearest: &[&Entry], family: Option<dictionary::CodeFamily>) -> Failure {
    if let Some(code) = api::Code::from_name(typed.trim()) {
        return Failure::Input(format!(
            "\"{typed}\" is no error code but a diagnostic of a trace: {}",
            code.gist()
        ));
    }
    let shown = nearest
        .iter()
        .map(|entry| format!("{} ({})", entry.code, entry.title));
    let mut text = format!("unknown code \"{typed}\"");
    if !nearest.is_empty() {
        text.push_str(&format!("; the nearest: {}", joined(shown, ", ")));
    }
    match family.or(nearest.first().map(|entry| entry.family)) {
        Some(family) => {
            let all = print::list(&family.entries().collect::<Vec<_>>(), width());
            text.push_str(&format!("\n{}", all.trim_end()));
        }
        None => text.push_str("; playsim code lists all"),
    }
    Failure::Input(text)
}
