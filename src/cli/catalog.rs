//! `playsim catalog`: exports a catalog file as JSON that can be read, compared and committed, and
//! imports it.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use playsim::catalog::{Catalog as Records, VideoRecord};
use playsim::serve::StoreError;
use playsim_base::words;
use playsim_server::records;
use playsim_server::store::{self, CatalogChange, Store};

use super::failure::{Failure, bail};
use super::file;
use super::input;
use super::output::Talk;
use super::{Exit, exits, joined, print_to};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the records were written")]))]
pub(super) struct Catalog {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print the records of a catalog file as a JSON list, sorted by id
    Export(Export),
    /// Replace the records of a catalog file with those of a JSON list
    Import(Import),
}

#[derive(Debug, clap::Args)]
struct Export {
    /// The catalog file; it is not changed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the list to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Import {
    /// The catalog file; created if it does not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The records as a JSON list; - for standard input
    #[arg(value_name = "RECORDS")]
    records: PathBuf,
}

impl Catalog {
    pub(super) fn act(self, talk: &Talk) -> Result<Exit, Failure> {
        match &self.act {
            Act::Export(export) => export.print(talk),
            Act::Import(import) => import.write(talk),
        }
    }
}

impl Export {
    fn print(&self, talk: &Talk) -> Result<Exit, Failure> {
        if let Some(output) = &self.output
            && input::is_same(&self.file, output)
        {
            let file = input::name(&self.file);
            bail!("{file} is the catalog itself, and -o would overwrite it");
        }
        let catalog = stored(&self.file)?;
        let text = records::write(&catalog);
        Ok(print_to(self.output.clone(), &text, talk))
    }
}

impl Import {
    fn write(&self, talk: &Talk) -> Result<Exit, Failure> {
        let catalog = records(&self.records)?;
        let store = Store::open(&self.file).map_err(world)?;
        let all = catalog
            .iter()
            .map(|record| (record.id.to_string(), records::stored(record)))
            .collect();
        let file = input::name(&self.file);
        store
            .write(&[CatalogChange::All(all)])
            .map_err(|error| Failure::Io(format!("cannot write the catalog {file}: {error}")))?;
        talk.say(&format!(
            "{file} contains {}",
            words::counted(catalog.len(), "record")
        ));
        Ok(Exit::AsExpected)
    }
}

/// Reads the records of a JSON list or of a catalog file.
pub(super) fn records(file: &Path) -> Result<Records, Failure> {
    if !file::is_stdin(file) && store::is_catalog(file) {
        return stored(file);
    }
    let name = input::name(file);
    let text = input::text(file)?;
    records::read(&text).map_err(|wrong| {
        let lines = wrong.iter().map(|wrong| format!("{name}:{wrong}"));
        Failure::Input(joined(lines, "\n"))
    })
}

/// Reads the records of a catalog file.
fn stored(file: &Path) -> Result<Records, Failure> {
    let records = store::read(file).map_err(world)?;
    let read = |json: &String| serde_json::from_str::<VideoRecord>(json);
    records
        .iter()
        .map(read)
        .collect::<Result<Records, _>>()
        .map_err(|error| {
            let name = input::name(file);
            Failure::Io(format!(
                "the catalog {name} contains an invalid record: {error}"
            ))
        })
}

fn world(error: StoreError) -> Failure {
    Failure::Io(error.to_string())
}
