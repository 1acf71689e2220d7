//! `playsim catalog`: a catalog's file as JSON that people read, compare and commit, and back.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use playsim::catalog::{Catalog as Records, Record};
use playsim::serve::{self, Change, Store, StoreError};

use super::input::{self, Fault};
use super::output::{Out, Talk};
use super::{EXIT_CODES, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Catalog {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print the records of a catalog's file as a JSON list, in the order of their ids
    Export(Export),
    /// Make a catalog's file hold the records of a JSON list, and no others
    Import(Import),
}

#[derive(Debug, clap::Args)]
struct Export {
    /// The catalog's file; it is only read
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the list to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Import {
    /// The catalog's file; it is made if it is not there
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The records as a JSON list; - is standard input
    #[arg(value_name = "RECORDS")]
    records: PathBuf,
}

impl Catalog {
    pub(super) fn act(self, talk: &Talk) -> Exit {
        let result = match &self.act {
            Act::Export(export) => export.print(talk),
            Act::Import(import) => import.write(talk),
        };
        result.unwrap_or_else(|fault| fault.tell(talk))
    }
}

impl Export {
    fn print(&self, talk: &Talk) -> Result<Exit, Fault> {
        if let Some(output) = &self.output
            && input::is_same(&self.file, output)
        {
            let file = input::name(&self.file);
            return Err(Fault::Input(format!("{file} is the catalog; -o would overwrite it")));
        }
        let catalog = stored(&self.file)?;
        let mut out = Out::to(self.output.clone());
        out.text(&serve::write_records(&catalog));
        Ok(out.finish(talk))
    }
}

impl Import {
    fn write(&self, talk: &Talk) -> Result<Exit, Fault> {
        let catalog = records(&self.records)?;
        let store = Store::open(&self.file).map_err(|error| world(&error))?;
        let all = catalog.iter().map(|record| (record.id.to_string(), serve::stored(record))).collect();
        let file = input::name(&self.file);
        store
            .write(&[Change::All(all)])
            .map_err(|error| Fault::World(format!("the catalog {file} cannot be written: {error}")))?;
        let s = if catalog.len() == 1 { "" } else { "s" };
        talk.say(&format!("{file} holds {} record{s}", catalog.len()));
        Ok(Exit::AsExpected)
    }
}

/// The records of a JSON list, or of a catalog's file.
pub(super) fn records(file: &Path) -> Result<Records, Fault> {
    if !input::is_stdin(file) && serve::is_catalog(file) {
        return stored(file);
    }
    let name = input::name(file);
    let text = input::text(file)?;
    serve::read_records(&text).map_err(|wrong| {
        let lines: Vec<String> = wrong.iter().map(|wrong| format!("{name}:{wrong}")).collect();
        Fault::Input(lines.join("\n"))
    })
}

/// The records of a catalog's file, which is only read.
fn stored(file: &Path) -> Result<Records, Fault> {
    let records = serve::read_store(file).map_err(|error| world(&error))?;
    let read = |json: &String| serde_json::from_str::<Record>(json);
    records.iter().map(read).collect::<Result<Records, _>>().map_err(|error| {
        let name = input::name(file);
        Fault::World(format!("the catalog {name} holds a record that cannot be read: {error}"))
    })
}

fn world(error: &StoreError) -> Fault {
    Fault::World(error.to_string())
}
