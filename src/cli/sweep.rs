//! `playsim sweep`: a scenario played any number of times, as a flat table, on one machine or many.
//!
//! A shard of the sessions is a file of its own, named by the sweep and the shard. Like every table in a file it is
//! written under another name and renamed when it is complete, so that a file with this name is always whole: a shard
//! that was cut is run again, and none is counted twice.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use playsim::scenario::Scenario;
use playsim::sweep::{COLUMNS, FlatForm, FlatKey, Shard, Sweep as Sessions};

use super::failure::{Failure, Invalid};
use super::input;
use super::output::{Out, Talk};
use super::progress::Progress;
use super::setting::Setting;
use super::vary::{Vary, failure};
use super::{Exit, file};

mod shards;
mod whole;

use shards::{BEGINNING, Place};

const VALUES: &str = "\
NAME=VALUES of --vary: as in playsim waterfall --help, such as
  ad.timeout=250ms..5s/250ms             profile=default,ima           tag1.fill=60%
  'tag1.after=lognormal(300ms, 0.5)'     tag2.after=p50=300ms,p95=1.2s

Exit codes:
  0  success
  2  invalid input: arguments, the scenario, or shards that do not make up the sweep
  3  I/O error: a file cannot be read or written";

const HELP: &str = "\
{about-with-newline}
Examples:
  playsim sweep case.yaml --vary 'tag1.after=lognormal(300ms, 0.5)' --runs 1000000 -o table.csv
  playsim sweep case.yaml --vary tag1.fill=60% --runs 1000000 --shard 3/8 --into shards
  playsim sweep case.yaml --vary tag1.fill=60% --runs 1000000 --merge shards -o table.csv

{usage-heading} {usage}

{all-args}{after-help}";

#[derive(Debug, clap::Args)]
#[command(help_template = HELP, after_help = VALUES)]
pub(super) struct Sweep {
    /// A scenario in YAML or JSON; - for standard input
    #[arg(required_unless_present = "columns", value_name = "SCENARIO")]
    scenario: Option<PathBuf>,
    #[command(flatten)]
    vary: Vary,
    #[command(flatten)]
    setting: Setting,
    /// One row for all sessions that are alike, with their number; or one for each session
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    rows: Rows,
    /// The form of the table; --columns lists its columns
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Form,
    /// Play only one of several equal parts of the sessions: 0/8 is the first of eight
    #[arg(long, value_name = "I/N", value_parser = shard, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Write the shard to a file in this folder, unless it is there already
    #[arg(long, value_name = "FOLDER", requires = "shard", conflicts_with = "output")]
    into: Option<PathBuf>,
    /// Play nothing: check that the files in this folder are all shards of this sweep, and put them together
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["shard", "into"])]
    merge: Option<PathBuf>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play nothing: list the columns of the table, each with its type
    #[arg(long, exclusive = true)]
    columns: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Rows {
    #[default]
    Alike,
    Each,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    #[default]
    Csv,
    Jsonl,
}

impl Sweep {
    /// Plays the sweep or a shard of it, or puts shards together.
    pub(super) fn run(&self, talk: &Talk) -> Result<Exit, Failure> {
        let Some(file) = self.scenario.as_ref().filter(|_| !self.columns) else {
            return Ok(super::print(&columns(), talk));
        };
        let scenario = self.read(file)?;
        let progress = Progress::of("playing");
        let tell = |done, all| progress.tell(done, all);
        let sweep = self.vary.sweep(&scenario, &self.vary.read(talk)?).progress(&tell);
        let id = sweep.digest().map_err(failure(""))?;
        let place = Place { id, is_each: self.rows == Rows::Each, form: self.form() };
        match (&self.merge, &self.into, self.shard) {
            (Some(folder), _, _) => {
                let sessions = sweep.sessions().map_err(failure(""))?;
                let merge = |out: &mut Out| place.merge(folder, sessions, |text| out.text(text));
                whole::write(self.output.as_deref(), talk, merge)
            }
            (None, Some(folder), Some(shard)) => self.write_shard(&sweep, shard, &place, folder, talk),
            (None, _, shard) => {
                let sweep = sweep.shard(shard.unwrap_or(Shard::WHOLE));
                whole::write(self.output.as_deref(), talk, |out| self.write(&sweep, out))
            }
        }
    }

    /// Reads the scenario. Neither it nor its documents nor a shard may be what -o names.
    fn read(&self, file: &Path) -> Result<Scenario, Failure> {
        let mut scenario = input::scenario(file, &self.setting.overrides())?.scenario;
        self.setting.change(&mut scenario);
        let Some(output) = &self.output else { return Ok(scenario) };
        let is_shard = |folder: &PathBuf| {
            output.file_name().is_some_and(|name| {
                name.to_string_lossy().starts_with(BEGINNING) && input::is_same(&folder.join(name), output)
            })
        };
        let what = if input::is_same(file, output) {
            "the scenario"
        } else if input::documents(file, &scenario).any(|document| input::is_same(&document, output)) {
            "a document of the scenario"
        } else if self.merge.as_ref().is_some_and(is_shard) {
            "one of the shards"
        } else {
            return Ok(scenario);
        };
        Err(Failure::Input(format!("{} is {what}, and -o would overwrite it", input::name(output))))
    }

    fn form(&self) -> FlatForm {
        match self.format {
            Form::Csv => FlatForm::Csv,
            Form::Jsonl => FlatForm::Jsonl,
        }
    }

    /// Writes a shard to its file.
    fn write_shard(
        &self,
        sweep: &Sessions<'_>,
        shard: Shard,
        place: &Place,
        folder: &Path,
        talk: &Talk,
    ) -> Result<Exit, Failure> {
        let path = folder.join(place.name(shard));
        if path.is_file() {
            talk.say(&format!("{} is there already", file::name(&path)));
            return Ok(Exit::AsExpected);
        }
        fs::create_dir_all(folder).map_err(whole::cannot("make", folder))?;
        let exit = whole::write(Some(&path), talk, |out| self.write(&sweep.clone().shard(shard), out))?;
        if exit == Exit::AsExpected {
            talk.say(&format!("wrote {}", file::name(&path)));
        }
        Ok(exit)
    }

    /// Writes the table.
    fn write(&self, sweep: &Sessions<'_>, out: &mut Out) -> Result<(), Failure> {
        let (form, settings) = (self.form(), sweep.settings().map_err(failure(""))?);
        let settings = |combination: u64| &settings[usize::try_from(combination).unwrap_or(usize::MAX)];
        if self.rows == Rows::Each {
            let mut head = Some(form.head());
            let look = |session| {
                head.take().into_iter().for_each(|head| out.text(&head));
                let row = FlatKey::of_one(session);
                out.text(&row.row(form, 1, settings(row.combination)));
                if out.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            sweep.each(look).map_err(failure(""))?;
            head.into_iter().for_each(|head| out.text(&head));
            return Ok(());
        }
        let counts = sweep.count(FlatKey::of_alike).map_err(failure(""))?;
        out.text(&form.head());
        let rows = counts.iter().map(|(key, sessions)| key.row(form, *sessions, settings(key.combination)));
        let mut table = Counted::new(form);
        rows.for_each(|row| _ = table.add(&row));
        table.write(|row| out.text(row));
        Ok(())
    }
}

/// Rows of sessions that are alike, in the order of their text: the same whatever they were added up from.
struct Counted {
    form: FlatForm,
    rows: BTreeMap<(u64, String), u64>,
}

impl Counted {
    fn new(form: FlatForm) -> Counted {
        Counted { form, rows: BTreeMap::new() }
    }

    /// Adds a row; returns its sessions, or `None` if it is none.
    fn add(&mut self, row: &str) -> Option<u64> {
        let (combination, sessions, rest) = self.form.split(row.trim_end())?;
        *self.rows.entry((combination, rest.to_owned())).or_default() += sessions;
        Some(sessions)
    }

    fn write(&self, mut write: impl FnMut(&str)) {
        for ((combination, rest), sessions) in &self.rows {
            write(&self.form.join(*combination, *sessions, rest));
        }
    }
}

/// Returns the list of the columns.
fn columns() -> String {
    let line = |column: &playsim::sweep::Column| {
        let kind = if column.is_nullable {
            format!("{}?", column.kind.name())
        } else {
            column.kind.name().to_owned()
        };
        format!("{:<15} {kind:<8} {}\n", column.name, column.says)
    };
    COLUMNS.iter().map(line).collect()
}

fn shard(word: &str) -> Result<Shard, Invalid> {
    word.parse().map_err(|error: playsim::sweep::SweepError| Invalid(error.to_string()))
}
