//! The catalog file: a database of records by id, each stored as JSON.
//!
//! When [`Store::write`] returns, either all changes are on disk or none is. A file that is
//! damaged, or is not a catalog, is refused and left unchanged. Only one process at a time can open
//! a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{
    Builder, Database, DatabaseError, Durability, ReadableDatabase, ReadableTable, StorageError,
    TableDefinition, TableError,
};

use super::look::Look;
use playsim_base::words::io_error;

/// Records by id, as JSON.
const RECORDS: TableDefinition<'_, &str, &str> = TableDefinition::new("playsim-records");
/// Identifies the file as a catalog, with its format version.
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("playsim-about");
/// The key of the format version, and the current version.
const FORM: (&str, u64) = ("form", 1);
/// The first bytes of such a file.
const MAGIC: &[u8; 9] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// The size of the database's cache, in bytes.
const CACHE_BYTES: usize = 16 << 20;

/// A catalog file, open for writing.
#[derive(Debug)]
pub struct Store {
    database: Database,
}

/// A change of the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CatalogChange {
    /// Sets the record with this id to this JSON.
    Put(String, String),
    /// Replaces all records by these, given by id.
    All(Vec<(String, String)>),
}

/// Why a catalog file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened, read or written.
    #[error("cannot use the catalog {}: {}", .0.display(), io_error(.1))]
    World(PathBuf, io::Error),
    /// Another process has it open.
    #[error(
        "the catalog {} is open in another playsim; stop that process, or use another file",
        .0.display()
    )]
    Taken(PathBuf),
    /// It is a damaged catalog.
    #[error(
        "the catalog {} is damaged ({}) and was left unchanged; use an undamaged copy, or import an export \
         of it into a new file",
        .0.display(), .1
    )]
    Damaged(PathBuf, String),
    /// It is not a catalog.
    #[error("{} is not a playsim catalog ({}); it was left unchanged", .0.display(), .1)]
    Foreign(PathBuf, String),
}

impl Store {
    /// Opens a catalog file, or creates it if it does not exist.
    ///
    /// After a crash during a write, the file is restored to the last complete change.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, is open elsewhere, is damaged, or is not a catalog. It is then
    /// left unchanged.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        match length(path) {
            Ok(0) => return Store::make(path),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Store::make(path),
            Err(error) => return Err(StoreError::World(path.to_owned(), error)),
        }
        // Read without writing first, so that a damaged file is not changed.
        read(path)?;
        let database = builder()
            .open(path)
            .map_err(|error| of_opening(path, error))?;
        Ok(Store { database })
    }

    /// Creates a new, empty file under a temporary name and renames it, so that a crash leaves no
    /// incomplete file.
    fn make(path: &Path) -> Result<Store, StoreError> {
        let world = |error| StoreError::World(path.to_owned(), error);
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let open = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&new);
        let file = open.map_err(world)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(StoreError::Taken(path.to_owned()));
            }
            Err(std::fs::TryLockError::Error(error)) => return Err(world(error)),
        }
        // A crash may have left an incomplete file.
        file.set_len(0).map_err(world)?;
        let database = FileBackend::new(file)
            .and_then(|file| builder().create_with_backend(file))
            .map_err(|error| of_opening(path, error))?;
        let store = Store { database };
        store
            .write(&[CatalogChange::All(Vec::new())])
            .map_err(|error| world(io::Error::other(error)))?;
        std::fs::rename(&new, path).map_err(world)?;
        #[cfg(unix)]
        {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = File::open(folder.unwrap_or(Path::new("."))).map_err(world)?;
            folder.sync_all().map_err(world)?;
        }
        Ok(store)
    }

    /// Writes changes in their order, in one transaction; they are on disk when this returns.
    ///
    /// # Errors
    ///
    /// If they cannot be written. Then none of them is in the file when it is opened again.
    pub fn write(&self, changes: &[CatalogChange]) -> Result<(), redb::Error> {
        let mut transaction = self.database.begin_write()?;
        transaction.set_durability(Durability::Immediate)?;
        {
            let mut about = transaction.open_table(ABOUT)?;
            if about.get(FORM.0)?.is_none() {
                about.insert(FORM.0, FORM.1)?;
            }
            let mut records = transaction.open_table(RECORDS)?;
            for change in changes {
                match change {
                    CatalogChange::Put(id, json) => {
                        records.insert(id.as_str(), json.as_str())?;
                    }
                    CatalogChange::All(all) => {
                        records.retain(|_, _| false)?;
                        for (id, json) in all {
                            records.insert(id.as_str(), json.as_str())?;
                        }
                    }
                }
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the records as JSON, sorted by id.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn records(&self) -> Result<Vec<String>, redb::Error> {
        records(&self.database)
    }
}

/// Returns the records of a file as JSON, sorted by id. The file is not changed.
///
/// # Errors
///
/// If the file does not exist, and as for [`Store::open`].
pub fn read(path: &Path) -> Result<Vec<String>, StoreError> {
    let world = |error| StoreError::World(path.to_owned(), error);
    let (mut file, locks) = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            (File::open(path).map_err(world)?, false)
        }
        opened => (opened.map_err(world)?, true),
    };
    let mut magic = [0; MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
        return Err(StoreError::Foreign(
            path.to_owned(),
            "it starts differently".to_owned(),
        ));
    }
    let damaged = |error: String| StoreError::Damaged(path.to_owned(), error);
    let look = Look::at(file, locks).map_err(|error| of_opening(path, error))?;
    let opened = builder()
        .set_check_integrity_on_open(true)
        .create_with_backend(look);
    let database = opened.map_err(|error| of_opening(path, error))?;
    let form = form(&database).map_err(|error| damaged(error.to_string()))?;
    if form != Some(FORM.1) {
        let other = match form {
            Some(form) => format!(
                "or has another version: format {form} instead of {}",
                FORM.1
            ),
            None => "but another file of the same database".to_owned(),
        };
        return Err(StoreError::Foreign(path.to_owned(), other));
    }
    records(&database).map_err(|error| damaged(error.to_string()))
}

/// Returns whether a file starts like a catalog; `false` if it cannot be read.
#[must_use]
pub fn is_catalog(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    File::open(path)
        .and_then(|mut file| file.read_exact(&mut magic))
        .is_ok()
        && magic == *MAGIC
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn length(path: &Path) -> io::Result<u64> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Ok(about.len())
    }
}

fn form(database: &Database) -> Result<Option<u64>, redb::Error> {
    let transaction = database.begin_read()?;
    match transaction.open_table(ABOUT) {
        Ok(about) => Ok(about.get(FORM.0)?.map(|form| form.value())),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn records(database: &Database) -> Result<Vec<String>, redb::Error> {
    let records = database.begin_read()?.open_table(RECORDS)?;
    records
        .iter()?
        .map(|record| Ok(record?.1.value().to_owned()))
        .collect()
}

/// Converts an error of the database on opening a file.
fn of_opening(path: &Path, error: DatabaseError) -> StoreError {
    let path = path.to_owned();
    if let DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch = error {
        return StoreError::Taken(path);
    }
    if let DatabaseError::UpgradeRequired(form) = error {
        return StoreError::Foreign(
            path,
            format!("or has another version: database format {form}"),
        );
    }
    // Missing or invalid data means that the file is damaged; other errors are I/O errors.
    let is_damage = |error: &io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
        )
    };
    if let DatabaseError::Storage(StorageError::Io(error)) = error {
        return if is_damage(&error) {
            StoreError::Damaged(path, error.to_string())
        } else {
            StoreError::World(path, error)
        };
    }
    StoreError::Damaged(path, error.to_string())
}
