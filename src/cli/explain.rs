//! `playsim explain`: what led to a line, one cause after the other, each with its rule.
//!
//! Rules: TRACE-4, TRACE-7.

use std::path::PathBuf;

use playsim::trace::{self, Trace};

use super::output::Talk;
use super::setting::Setting;
use super::source::{self, Source};
use super::{EXIT_CODES, Exit, input, print, width};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Explain {
    /// A trace in JSON lines, or a scenario, which is played; - is standard input
    #[arg(value_name = "TRACE")]
    file: PathBuf,
    /// Which line: its seq, or a name like adStart, or the second of that name: adStart#2
    #[arg(long, value_name = "N", value_parser = line)]
    event: String,
    #[command(flatten)]
    setting: Setting,
}

impl Explain {
    /// Prints the line and its causes.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        match self.causes(talk) {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn causes(&self, talk: &Talk) -> Result<Exit, Exit> {
        let name = input::name(&self.file);
        let source = source::read(&self.file, &self.setting).map_err(|fault| fault.tell(talk))?;
        let Source::Trace(trace) = source else {
            talk.error(&format!(
                "{name} is the text form, which holds no causes; give the scenario, or JSON lines written with \
                 playsim run --format jsonl --why"
            ));
            return Err(Exit::WrongInput);
        };
        let (seq, count) = trace::find(&trace, &self.event).map_err(|text| {
            talk.error(&format!("{name}: {text}"));
            Exit::NothingSelected
        })?;
        let Some(causes) = trace.causes(seq) else { return Err(Exit::NothingSelected) };
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = trace::write_causes(&trace, &causes, width(), &mut text);
        let exit = print(&text, talk);
        if count > 1 && !self.event.contains('#') {
            talk.say(&format!("{name}: {0} comes {count} times; the next is {0}#2", self.event));
        }
        if !names_rules(&trace) {
            talk.say(&format!(
                "{name}: this trace names no rules; playsim run --format jsonl --why writes them"
            ));
        }
        if let Some(lost) = causes.lost {
            talk.say(&format!(
                "{name}: seq {lost} is missing; --view all, without --only and --not, keeps every line"
            ));
        }
        Ok(exit)
    }
}

/// A number, a name, or a name with its place among its like.
fn line(word: &str) -> Result<String, String> {
    match word.split_once('#') {
        Some((name, nth)) if nth.parse().is_ok_and(|nth: usize| nth > 0) && !name.is_empty() => {
            Ok(word.to_owned())
        }
        Some((name, _)) => Err(format!("lines of one name are counted from 1, like {name}#2")),
        None => Ok(word.to_owned()),
    }
}

fn names_rules(trace: &Trace) -> bool {
    trace.records.iter().any(|record| record.rule.is_some())
}
