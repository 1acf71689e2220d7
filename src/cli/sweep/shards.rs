//! The files of shards: how they are called, whether they are all there, and their sum.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use playsim::sweep::{FlatForm, Shard};
use playsim::trace::Digest;

use super::whole::{PART, cannot};
use super::{Counted, Failure, file};

/// What all shards of a sweep have in common, and so the names of their files.
pub(super) struct Place {
    /// The fingerprint of the sweep.
    pub(super) id: Digest,
    /// Whether each session has a row of its own.
    pub(super) is_each: bool,
    pub(super) form: FlatForm,
}

/// How the names of all shards begin.
pub(super) const BEGINNING: &str = "sweep-";

impl Place {
    /// The name of the file of a shard: `sweep-0f3c...-alike-3-of-8.csv`.
    pub(super) fn name(&self, shard: Shard) -> String {
        format!("{}{}-of-{}.{}", self.beginning(), shard.index(), shard.of(), self.form.ending())
    }

    fn beginning(&self) -> String {
        let rows = if self.is_each { "each" } else { "alike" };
        format!("{BEGINNING}{}-{rows}-", self.id)
    }

    /// Returns the shard that a file with this name has, if it is of this sweep.
    fn shard(&self, name: &str) -> Option<Shard> {
        let numbers = name.strip_prefix(&self.beginning())?.strip_suffix(self.form.ending())?;
        let (index, of) = numbers.strip_suffix('.')?.split_once("-of-")?;
        Shard::new(index.parse().ok()?, of.parse().ok()?).filter(|shard| self.name(*shard) == name)
    }

    /// Puts the shards in a folder together, which must be all shards of this sweep; it has so many sessions. Writes the
    /// lines of the table once all of them are checked.
    pub(super) fn merge(
        &self,
        folder: &Path,
        sessions: u64,
        mut write: impl FnMut(&str),
    ) -> Result<(), Failure> {
        let of = self.check(folder)?;
        let shards = || (0..of).filter_map(|index| Shard::new(index, of));
        let mut counted = Counted::new(self.form);
        for shard in shards() {
            let path = folder.join(self.name(shard));
            let mut found = 0;
            self.read(&path, |row| {
                let sessions =
                    if self.is_each { self.form.split(row).map(|it| it.1) } else { counted.add(row) };
                found += sessions.ok_or_else(|| broken(&path, "a line of it is no row of the table"))?;
                Ok(())
            })?;
            let range = shard.range(sessions);
            let due = range.end - range.start;
            if found != due {
                return Err(broken(&path, &format!("it has {found} of {due} sessions")));
            }
        }
        write(&self.form.head());
        counted.write(&mut write);
        if self.is_each {
            for shard in shards() {
                self.read(&folder.join(self.name(shard)), |row| {
                    write(row);
                    write("\n");
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Reads the rows of a file.
    fn read(&self, path: &Path, mut row: impl FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut lines = BufReader::new(File::open(path).map_err(cannot("read", path))?).lines();
        if !self.form.head().is_empty() {
            let head = lines.next().transpose().map_err(cannot("read", path))?;
            if head.is_none_or(|head| head != self.form.head().trim_end()) {
                return Err(broken(path, "its first line does not name the columns"));
            }
        }
        lines.try_for_each(|line| row(&line.map_err(cannot("read", path))?))
    }

    /// Checks that the files of a folder are all shards of this sweep, each once; returns how many there are.
    fn check(&self, folder: &Path) -> Result<u64, Failure> {
        let entries = fs::read_dir(folder).map_err(cannot("read", folder))?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<io::Result<Vec<String>>>().map_err(cannot("read", folder))?;
        names.retain(|name| name.starts_with(BEGINNING) && !name.ends_with(PART));
        names.sort();
        if let Some(other) = names.iter().find(|name| self.shard(name).is_none()) {
            let other = file::name(&folder.join(other));
            return Err(Failure::Input(format!(
                "{other} is of another sweep or was renamed; give the scenario, --vary, --runs, --seed, --rows and --format \
                 of the shards, with the same version of playsim, and each sweep a folder of its own"
            )));
        }
        let shards: Vec<Shard> = names.iter().filter_map(|name| self.shard(name)).collect();
        let Some(of) = shards.first().map(|shard| shard.of()) else {
            let folder = file::name(folder);
            return Err(Failure::Input(format!(
                "there are no shards of this sweep in {folder}; play them with --shard 0/8 --into {folder} and so on"
            )));
        };
        if let Some(other) = shards.iter().find(|shard| shard.of() != of) {
            return Err(Failure::Input(format!(
                "{} has shards of {of} and of {}; sessions would be counted twice, remove either",
                file::name(folder),
                other.of()
            )));
        }
        let missing: Vec<String> = (0..of)
            .filter(|index| !shards.iter().any(|shard| shard.index() == *index))
            .map(|index| format!("{index}/{of}"))
            .collect();
        match missing.as_slice() {
            [] => Ok(of),
            [first, ..] => {
                let listed = missing.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = missing.len().saturating_sub(10);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let (shard, it) = if missing.len() == 1 { ("shard", "it") } else { ("shards", "each") };
                Err(Failure::Input(format!(
                    "missing in {}: {shard} {listed}{more}; play {it}, as with --shard {first} --into {0}",
                    file::name(folder)
                )))
            }
        }
    }
}

fn broken(path: &Path, why: &str) -> Failure {
    let name = file::name(path);
    Failure::Input(format!("{name} is broken: {why}; remove it and play its shard again"))
}
