//! `playsim sweep`: a scenario played any number of times, as a flat table, on one machine or many.
//!
//! A shard of the sessions is a file of its own, named by the sweep, the shard and a fingerprint of
//! its rows. Like every table in a file it is written under another name and renamed when it is
//! complete, so that a file with this name is always whole: a shard that was cut is run again, one
//! that was changed or renamed is found, and none is counted twice.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use playsim::scenario::Scenario;
use playsim::sweep::{FlatForm, FlatRows, FlatTable, Shard, Sweep as Sessions};
use playsim_base::words::{Column, Columns};
use playsim_base::{escape, words};

use super::failure::{Failure, Invalid, bail};
use super::format::{Format, formats};
use super::input;
use super::output::{Out, Talk};
use super::progress::Progress;
use super::setting::Setting;
use super::vary::{Threads, Vary, failure};
use super::{Exit, file};

mod shards;

use shards::{BEGINNING, Rows, ShardNames};

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
    threads: Threads,
    #[command(flatten)]
    setting: Setting,
    /// One row for all sessions that are alike, with their number; for each session; or for all
    /// breaks that are alike
    #[arg(long, value_name = "alike|each|breaks", value_parser = rows, default_value_t = FlatRows::Alike)]
    rows: FlatRows,
    /// The form of the table; --columns lists its columns
    #[arg(long, value_parser = formats(&[Format::Csv, Format::Jsonl]), default_value = "csv", value_name = "FORMAT")]
    format: Format,
    /// Play only one of several equal parts of the sessions: 0/8 is the first of eight
    #[arg(long, value_name = "I/N", value_parser = shard, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Write the shard to a file in this folder, unless it is there already
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "shard",
        conflicts_with = "output"
    )]
    into: Option<PathBuf>,
    /// Play nothing: check that the files in this folder are all shards of this sweep, and put them
    /// together
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["shard", "into"])]
    merge: Option<PathBuf>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play nothing: list the columns of the table, each with its type; without a scenario, those
    /// of every sweep
    #[arg(long, conflicts_with_all = ["shard", "into", "merge", "output"])]
    columns: bool,
}

impl Sweep {
    /// Plays the sweep or a shard of it, or puts shards together.
    pub(super) fn run(&self, talk: &Talk) -> Result<Exit, Failure> {
        let Some(file) = &self.scenario else {
            let none = Scenario::default();
            let table = Sessions::of(&none)
                .flat(self.rows, self.form())
                .map_err(failure(""))?;
            return Ok(super::print(&columns(&table), talk));
        };
        let scenario = self.read(file)?;
        let progress = Progress::of("playing");
        let tell = |done, all| progress.tell(done, all);
        let sweep = self
            .vary
            .sweep(&scenario, &self.vary.read(talk)?, self.threads)
            .progress(&tell);
        let table = &sweep.flat(self.rows, self.form()).map_err(failure(""))?;
        if self.columns {
            return Ok(super::print(&columns(table), talk));
        }
        let id = sweep.digest().map_err(failure(""))?;
        let place = ShardNames { id, table };
        match (&self.merge, &self.into, self.shard) {
            (Some(folder), _, _) => {
                self.to_output(talk, |out| place.merge(folder, |text| out.text(text)))
            }
            (None, Some(folder), Some(shard)) => {
                Sweep::write_shard(&sweep, shard, &place, folder, talk)
            }
            (None, _, shard) => {
                let sweep = sweep.shard(shard.unwrap_or(Shard::WHOLE));
                self.to_output(talk, |out| {
                    write(&sweep, table, &mut |text| {
                        out.text(text);
                        go_on(out)
                    })
                })
            }
        }
    }

    /// Writes a table to the file of -o, or to standard output.
    fn to_output(
        &self,
        talk: &Talk,
        write: impl FnOnce(&mut Out) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let mut out = match &self.output {
            Some(file) => Out::begin(file).map_err(Failure::cannot("write", file))?,
            None => Out::to(None),
        };
        write(&mut out)?;
        Ok(out.finish(talk))
    }

    /// Reads the scenario. Neither it nor its documents nor a shard may be what -o names.
    fn read(&self, file: &Path) -> Result<Scenario, Failure> {
        let mut scenario = input::scenario(file, &self.setting.overrides())?.scenario;
        self.setting.change(&mut scenario);
        let Some(output) = &self.output else {
            return Ok(scenario);
        };
        let is_shard = |folder: &PathBuf| {
            output.file_name().is_some_and(|name| {
                name.to_string_lossy().starts_with(BEGINNING)
                    && input::is_same(&folder.join(name), output)
            })
        };
        let is_shard = self.merge.as_ref().is_some_and(is_shard);
        let what =
            input::part_at(file, &scenario, output).or(is_shard.then_some("one of the shards"));
        let Some(what) = what else {
            return Ok(scenario);
        };
        bail!(
            "{} is {what}, and -o would overwrite it",
            input::name(output)
        )
    }

    fn form(&self) -> FlatForm {
        if self.format == Format::Jsonl {
            FlatForm::Jsonl
        } else {
            FlatForm::Csv
        }
    }

    /// Writes a shard to its file.
    fn write_shard(
        sweep: &Sessions<'_>,
        shard: Shard,
        place: &ShardNames<'_>,
        folder: &Path,
        talk: &Talk,
    ) -> Result<Exit, Failure> {
        if let Some(path) = place.find(shard, folder)? {
            talk.say(&format!(
                "{} is there already, and was not played again",
                file::name(&path)
            ));
            return Ok(Exit::AsExpected);
        }
        fs::create_dir_all(folder).map_err(Failure::cannot("make", folder))?;
        let unproved = folder.join(place.unproved(shard));
        let mut out = Out::begin(&unproved).map_err(Failure::cannot("write", &unproved))?;
        let mut rows = Rows::new();
        let sweep = sweep.clone().shard(shard);
        write(&sweep, place.table, &mut |text| {
            // The exact bytes of the file.
            let text = escape::lines(text);
            rows.add(text.as_bytes());
            out.painted(&text);
            go_on(&out)
        })?;
        let path = folder.join(place.name(shard, place.proof(shard, rows.digest())));
        let exit = out.finish_as(path.clone(), talk);
        if exit == Exit::AsExpected {
            talk.say(&format!("wrote {}", file::name(&path)));
        }
        Ok(exit)
    }
}

/// Goes on unless writing has failed.
fn go_on(out: &Out) -> ControlFlow<()> {
    if out.is_closed() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Writes the table, until `put` breaks; nothing if the sweep cannot be played.
fn write(
    sweep: &Sessions<'_>,
    table: &FlatTable,
    put: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let mut head = Some(table.head());
    if table.rows() == FlatRows::Each {
        let look = |session| {
            head.take()
                .map_or(ControlFlow::Continue(()), |head| put(&head))?;
            table
                .keys(session)
                .iter()
                .try_for_each(|key| put(&table.row(key, 1)))
        };
        sweep.each(look).map_err(failure(""))?;
        _ = head.map(|head| put(&head));
        return Ok(());
    }
    let mut counted = Counted::new(table.form());
    for (keys, sessions) in sweep
        .count(|session| table.keys(session))
        .map_err(failure(""))?
    {
        keys.iter()
            .for_each(|key| _ = counted.add(&table.row(key, sessions)));
    }
    _ = head
        .into_iter()
        .try_for_each(|head| put(&head))
        .is_continue()
        && counted.write(put).is_continue();
    Ok(())
}

/// Rows that are alike, in the order of their text: the same whatever they were added up from.
struct Counted {
    form: FlatForm,
    rows: BTreeMap<(u64, String), u64>,
}

impl Counted {
    fn new(form: FlatForm) -> Counted {
        Counted {
            form,
            rows: BTreeMap::new(),
        }
    }

    /// Adds a row; returns its sessions, or `None` if it is none.
    fn add(&mut self, row: &str) -> Option<u64> {
        let (combination, sessions, rest) = self.form.split(row.trim_end())?;
        *self.rows.entry((combination, rest.to_owned())).or_default() += sessions;
        Some(sessions)
    }

    fn write(&self, mut put: impl FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut rows = self.rows.iter();
        rows.try_for_each(|((combination, rest), sessions)| {
            put(&self.form.join(*combination, *sessions, rest))
        })
    }
}

/// Returns the list of the columns.
fn columns(table: &FlatTable) -> String {
    let mut list = Columns::of([
        Column::left("").at_least(15),
        Column::left("").at_least(8).close(),
        Column::left("").close(),
    ]);
    for column in table.columns() {
        let mark = if column.is_nullable { "?" } else { "" };
        list.row([
            &*column.name,
            &format!("{}{mark}", column.kind.name()),
            column.says,
        ]);
    }
    list.text()
}

fn rows(word: &str) -> Result<FlatRows, Invalid> {
    let known = FlatRows::ALL.iter().map(|rows| rows.name());
    FlatRows::from_name(word).ok_or_else(|| Invalid(words::unknown("kind of row", word, known)))
}

fn shard(word: &str) -> Result<Shard, Invalid> {
    word.parse()
        .map_err(|error: playsim::sweep::SweepError| Invalid(error.to_string()))
}
