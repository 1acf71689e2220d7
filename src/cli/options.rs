//! Which options of a command were given, whatever their values are.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

/// The options that were given. It is the first part of a command's arguments, because reading an
/// argument takes it out of what was given.
#[derive(Debug, Default)]
pub(super) struct Options(Vec<String>);

impl Options {
    /// Returns the first option of these arguments that was given, such as `--seed`.
    pub(super) fn of<A: Args>(&self) -> Option<String> {
        let known = A::augment_args(Command::new(""));
        let mut known = known.get_arguments();
        known.find_map(|it| self.first(&[it.get_id().as_str()]))
    }

    /// Returns the first of these options that was given.
    pub(super) fn first(&self, ids: &[&str]) -> Option<String> {
        let mut ids = ids.iter();
        let given = ids.find(|id| self.0.iter().any(|given| given == *id))?;
        Some(format!("--{}", given.replace('_', "-")))
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options, clap::Error> {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let given = matches.ids().map(Id::as_str).filter(is_given);
        Ok(Options(given.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Options::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Options {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::recorded::Recorded;
    use crate::cli::setting::Setting;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        options: Options,
        #[command(flatten)]
        setting: Setting,
        #[command(flatten)]
        recorded: Recorded,
    }

    #[test]
    fn options_are_known_by_name_whether_or_not_they_have_values() {
        let given = |args: &[&str]| Given::parse_from([&["playsim"], args].concat());
        let none = given(&[]);
        assert_eq!(none.options.of::<Setting>(), None);
        let some = given(&["--keep-secrets", "--until", "9s", "--seed", "1"]);
        assert_eq!(some.options.of::<Setting>().as_deref(), Some("--seed"));
        assert_eq!(
            some.options.of::<Recorded>().as_deref(),
            Some("--keep-secrets")
        );
        assert_eq!(
            some.options.first(&["page", "until"]).as_deref(),
            Some("--until")
        );
        assert!(some.recorded.hints(&[]).keeps_secrets);
    }
}
