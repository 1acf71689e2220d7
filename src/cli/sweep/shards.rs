//! The files of shards: how they are called, what proves them, whether they are all there, and
//! their sum.
//!
//! The name of a file ends in a fingerprint of the sweep, the shard and the rows, so that the file
//! needs nothing else to prove that it is this shard and unchanged, and its content is the table
//! alone.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use playsim::sweep::{FlatRows, FlatTable, Shard};
use playsim::trace::Digest;
use xxhash_rust::xxh3::Xxh3;

use super::{Counted, Failure, bail, file};
use crate::cli::joined;
use crate::cli::reading;
use crate::cli::writing::PART;

/// The file names of the shards of a sweep.
pub(super) struct ShardNames<'a> {
    /// The fingerprint of the sweep.
    pub(super) id: Digest,
    pub(super) table: &'a FlatTable,
}

/// How the names of all shards begin.
pub(super) const BEGINNING: &str = "sweep-";

/// The fingerprint of the content of a file, computed while it is written or read.
pub(super) struct Rows(Xxh3);

impl Rows {
    pub(super) fn new() -> Rows {
        Rows(Xxh3::new())
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(super) fn digest(&self) -> Digest {
        Digest(self.0.digest128())
    }
}

/// A file that is called like a shard of this sweep.
struct Found {
    shard: Shard,
    /// The digest that its content must contain.
    proof: Digest,
    path: PathBuf,
}

impl ShardNames<'_> {
    /// The name of the file of a shard: `sweep-0f3c...-alike-3-of-8-77ab....csv`.
    pub(super) fn name(&self, shard: Shard, proof: Digest) -> String {
        let ending = self.table.form().ending();
        format!(
            "{}{}-of-{}-{proof}.{ending}",
            self.beginning(),
            shard.index(),
            shard.of()
        )
    }

    /// The name of the file of a shard while its rows are not known.
    pub(super) fn unproved(&self, shard: Shard) -> String {
        format!("{}{}-of-{}", self.beginning(), shard.index(), shard.of())
    }

    /// The digest that proves that a file has the rows of a shard.
    pub(super) fn proof(&self, shard: Shard, rows: Digest) -> Digest {
        Digest::of_text(&format!("{} {rows}", self.unproved(shard)))
    }

    fn beginning(&self) -> String {
        format!("{BEGINNING}{}-{}-", self.id, self.table.rows())
    }

    /// Returns the shard that a file with this name has, if it is of this sweep, and its proof.
    fn shard(&self, name: &str) -> Option<(Shard, Digest)> {
        let numbers = name
            .strip_prefix(&self.beginning())?
            .strip_suffix(self.table.form().ending())?;
        let (index, rest) = numbers.strip_suffix('.')?.split_once("-of-")?;
        let (of, proof) = rest.split_once('-')?;
        let shard = Shard::new(index.parse().ok()?, of.parse().ok()?)?;
        let proof = Digest(u128::from_str_radix(proof, 16).ok()?);
        (self.name(shard, proof) == name).then_some((shard, proof))
    }

    /// Returns the file of a shard, if it is in a folder.
    pub(super) fn find(&self, shard: Shard, folder: &Path) -> Result<Option<PathBuf>, Failure> {
        if !folder.is_dir() {
            return Ok(None);
        }
        let names = names(folder)?;
        let is_it = |name: &&String| self.shard(name).is_some_and(|(known, _)| known == shard);
        Ok(names.iter().find(is_it).map(|name| folder.join(name)))
    }

    /// Puts the shards in a folder together, which must be all shards of this sweep. Writes the
    /// lines of the table once all of them are checked.
    pub(super) fn merge(&self, folder: &Path, mut write: impl FnMut(&str)) -> Result<(), Failure> {
        let found = self.check(folder)?;
        let is_each = self.table.rows() == FlatRows::Each;
        let mut counted = Counted::new(self.table.form());
        for (place, file) in found.iter().enumerate() {
            let (mut rows, mut strange) = (Rows::new(), false);
            self.read(&file.path, |line, is_head| {
                rows.add(line);
                let row = str::from_utf8(line).ok().filter(|_| !is_head && !is_each);
                strange |= row.is_some_and(|row| counted.add(row).is_none());
            })?;
            self.prove(file, rows.digest(), &found)?;
            if strange
                || found[..place]
                    .iter()
                    .any(|earlier| earlier.shard == file.shard)
            {
                return Err(broken(
                    &file.path,
                    "it is no shard of this sweep, or there twice",
                ));
            }
        }
        write(&self.table.head());
        if is_each {
            for file in &found {
                self.read(&file.path, |line, is_head| {
                    if let Some(row) = str::from_utf8(line).ok().filter(|_| !is_head) {
                        write(row);
                    }
                })?;
            }
        }
        _ = counted.write(|row| {
            write(row);
            std::ops::ControlFlow::Continue(())
        });
        Ok(())
    }

    /// Checks that a file has the rows that it was written with, and those of its shard.
    fn prove(&self, file: &Found, rows: Digest, all: &[Found]) -> Result<(), Failure> {
        if self.proof(file.shard, rows) == file.proof {
            return Ok(());
        }
        let has_rows_of = |other: &&Found| self.proof(other.shard, rows) == other.proof;
        let is_renamed = |other: &&Shard| self.proof(**other, rows) == file.proof;
        let others: Vec<Shard> = (0..file.shard.of())
            .filter_map(|index| Shard::new(index, file.shard.of()))
            .collect();
        let other = all.iter().find(has_rows_of).map(|other| &other.shard);
        Err(broken(
            &file.path,
            &match other.or_else(|| others.iter().find(is_renamed)) {
                Some(other) => {
                    format!(
                        "it has the rows of shard {other}, and the name of shard {}",
                        file.shard
                    )
                }
                None => "it was changed or cut after it was written".to_owned(),
            },
        ))
    }

    /// Reads the lines of a file, each with its end; says which is the head.
    fn read(&self, path: &Path, mut look: impl FnMut(&[u8], bool)) -> Result<(), Failure> {
        let cannot = || Failure::cannot("read", path);
        let mut reader = BufReader::new(reading::open_found(path).map_err(cannot())?);
        let (mut line, mut is_head) = (Vec::new(), !self.table.head().is_empty());
        while reader.read_until(b'\n', &mut line).map_err(cannot())? > 0 {
            look(&line, is_head);
            line.clear();
            is_head = false;
        }
        Ok(())
    }

    /// Checks that the files of a folder are all shards of this sweep, by their names; returns
    /// them in their order.
    fn check(&self, folder: &Path) -> Result<Vec<Found>, Failure> {
        let names = names(folder)?;
        if let Some(other) = names.iter().find(|name| self.shard(name).is_none()) {
            let other = file::name(&folder.join(other));
            bail!(
                "{other} is of another sweep or version, or was renamed; give the scenario, --vary, --runs, --seed, --rows and --format \
                 of the shards, with the same version of playsim, and each sweep a folder of its own"
            );
        }
        let found = |name: &String| {
            let (shard, proof) = self.shard(name)?;
            Some(Found {
                shard,
                proof,
                path: folder.join(name),
            })
        };
        let mut shards: Vec<Found> = names.iter().filter_map(found).collect();
        shards.sort_by_key(|file| file.shard);
        let Some(of) = shards.first().map(|file| file.shard.of()) else {
            let folder = file::name(folder);
            bail!(
                "there are no shards of this sweep in {folder}; play them with --shard 0/8 --into {folder} and so on"
            );
        };
        if let Some(other) = shards
            .iter()
            .map(|file| file.shard)
            .find(|shard| shard.of() != of)
        {
            bail!(
                "{} has shards of {of} and of {}; sessions would be counted twice, remove either",
                file::name(folder),
                other.of()
            );
        }
        let missing: Vec<String> = (0..of)
            .filter(|index| !shards.iter().any(|file| file.shard.index() == *index))
            .map(|index| format!("{index}/{of}"))
            .collect();
        match missing.as_slice() {
            [] => Ok(shards),
            [first, ..] => {
                let listed = joined(missing.iter().take(10), ", ");
                let more = missing.len().saturating_sub(10);
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                let (shard, it) = if missing.len() == 1 {
                    ("shard", "it")
                } else {
                    ("shards", "each")
                };
                bail!(
                    "missing in {}: {shard} {listed}{more}; play {it}, as with --shard {first} --into {0}",
                    file::name(folder)
                )
            }
        }
    }
}

/// The names of the files in a folder that are called like shards of any sweep, in order.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let paths = reading::entries(folder).map_err(Failure::cannot("read", folder))?;
    let mut names: Vec<String> = paths.iter().map(|path| file::last(path)).collect();
    names.retain(|name| name.starts_with(BEGINNING) && !name.ends_with(PART));
    Ok(names)
}

fn broken(path: &Path, why: &str) -> Failure {
    let name = file::name(path);
    Failure::Input(format!(
        "{name} is broken: {why}; remove it and play its shard again"
    ))
}
