//! Reads from the trace of a script what the tables ask for.

use playsim::api::{Kind, Value};
use playsim::scenario;
use playsim::sim::Simulation;
use playsim::time::Time;
use playsim::trace::{Filter, Record, Trace, View, write_text};

/// The trace of a script.
pub(crate) struct Facts {
    trace: Trace,
}

impl Facts {
    /// Plays a scenario given as YAML.
    pub(crate) fn play(text: &str) -> Facts {
        let mut load = |file: &str| Err(std::io::Error::other(format!("no file {file} is needed")));
        let scenario = scenario::read("matrix.yaml", text, &mut load)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let simulation =
            Simulation::new(&scenario).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Facts {
            trace: simulation.run(),
        }
    }

    /// The whole trace, for messages.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let all = Filter {
            view: View::All,
            ..Filter::default()
        };
        write_text(&self.trace, &all, true, &mut text).expect("writing to a vector succeeds");
        text
    }

    /// The state of the player in `main` at a time in seconds; empty if there is no player.
    pub(crate) fn state_at(&self, seconds: u64) -> &str {
        self.state_when(Time::from_secs(seconds))
    }

    /// The state at the end of an instant.
    pub(crate) fn state_when(&self, at: Time) -> &str {
        let states = self
            .of_main()
            .filter(|record| record.kind == Kind::State && record.at <= at);
        states.last().map_or("", |record| &record.name)
    }

    /// The states that are entered from a time on, in order.
    pub(crate) fn states_from(&self, from: Time) -> Vec<&str> {
        let states = self
            .of_main()
            .filter(|record| record.kind == Kind::State && record.at >= from);
        states.map(|record| &*record.name).collect()
    }

    /// The state at the end.
    pub(crate) fn last_state(&self) -> &str {
        self.state_when(Time::MAX)
    }

    /// The line of the call that a step makes at a time in seconds, under any name.
    pub(crate) fn call_at(&self, seconds: u64) -> Option<&Record> {
        let at = Time::from_secs(seconds);
        self.trace
            .records
            .iter()
            .find(|record| record.kind == Kind::Call && record.at == at && record.opens_turn)
    }

    /// The value that a call returned.
    pub(crate) fn returned(&self, seconds: u64) -> Option<&Value> {
        self.call_at(seconds)?.data.get("returns")
    }

    /// The code of the error that a call failed with.
    pub(crate) fn error(&self, seconds: u64) -> Option<String> {
        let error = self.call_at(seconds)?.data.get("error")?;
        error.as_text().map(ToString::to_string)
    }

    /// Whether any call fails with this error.
    pub(crate) fn error_named(&self, code: &str) -> bool {
        let error = |record: &Record| record.data.get("error").and_then(Value::as_text).cloned();
        self.trace
            .records
            .iter()
            .filter_map(error)
            .any(|error| *error == *code)
    }

    /// The diagnostics of one instant.
    pub(crate) fn diags_at(&self, seconds: u64) -> Vec<&str> {
        let at = Time::from_secs(seconds);
        let here = self
            .trace
            .records
            .iter()
            .filter(|record| record.at == at && record.kind == Kind::Diag);
        here.map(|record| &*record.name).collect()
    }

    /// The number of lines of a kind and name at or after a time in seconds.
    pub(crate) fn count_from(&self, seconds: u64, kind: Kind, name: &str) -> usize {
        let from = Time::from_secs(seconds);
        let is_meant = |record: &&Record| {
            record.kind == kind && *record.name == *name && record.until() >= from
        };
        self.trace.records.iter().filter(is_meant).count()
    }

    /// Everything but calls, listeners and diagnostics: what a call without effect leaves
    /// unchanged.
    pub(crate) fn course(&self) -> Vec<String> {
        let counts = |record: &&Record| {
            !matches!(
                record.kind,
                Kind::Call | Kind::Listener | Kind::Diag | Kind::Header | Kind::Outcome
            )
        };
        let line = |record: &Record| {
            record
                .each()
                .map(|(_, at)| {
                    format!(
                        "{at} {} {} {}",
                        record.kind.name(),
                        record.name,
                        record.data
                    )
                })
                .collect::<Vec<_>>()
        };
        self.trace
            .records
            .iter()
            .filter(counts)
            .flat_map(line)
            .collect()
    }

    fn of_main(&self) -> impl Iterator<Item = &Record> {
        let main = |record: &&Record| {
            self.trace
                .container(record)
                .is_none_or(|id| **id == *"main")
        };
        self.trace.records.iter().filter(main)
    }
}
