//! Damaged files: refused and left unchanged, or read with all that they hold.

use std::path::Path;

use playsim::serve::StoreError;
use playsim_server::store::{CatalogChange, Store, read as read_store};

use super::program::folder;

fn put(id: &str, text: &str) -> CatalogChange {
    CatalogChange::Put(
        id.to_owned(),
        format!("{{\"id\":\"{id}\",\"name\":\"{text}\"}}"),
    )
}

/// A catalog with several calls in its history.
fn catalog(path: &Path) -> Vec<String> {
    let store = Store::open(path).expect("a new file is made");
    for round in 0..5 {
        let changes: Vec<CatalogChange> = (0..40)
            .map(|id| put(&format!("v{id:02}"), &format!("{round}").repeat(200)))
            .collect();
        store.write(&changes).expect("it is written");
    }
    store.records().expect("it is read")
}

fn outcome(path: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(path)?;
    Ok(store.records().expect("a file that was opened is read"))
}

#[test]
fn a_damaged_file_is_refused_and_left_as_it_is() {
    let folder = folder("damaged");
    let path = folder.join("c.redb");
    let records = catalog(&path);
    assert_eq!(records.len(), 40);
    let whole = std::fs::read(&path).unwrap();
    let damaged = folder.join("d.redb");
    let mut refused = 0;
    let flips = (0..64).chain((64..whole.len()).step_by(whole.len() / 150));
    let flipped = flips.map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        (format!("byte {at} changed"), bytes)
    });
    let cuts = (1..whole.len())
        .step_by(whole.len() / 40)
        .chain([9, 100, 4096, whole.len() - 1]);
    let cut = cuts.map(|at| (format!("cut after {at} bytes"), whole[..at].to_vec()));
    let zeros = [4096, 8192, whole.len() / 2].map(|at| {
        let mut bytes = whole.clone();
        let end = (at + 4096).min(bytes.len());
        bytes[at..end].fill(0);
        (format!("zeros from {at}"), bytes)
    });
    for (what, bytes) in flipped.chain(cut).chain(zeros) {
        std::fs::write(&damaged, &bytes).unwrap();
        match outcome(&damaged) {
            Ok(found) => assert!(found == records, "{what}: accepted, with other records"),
            Err(StoreError::Damaged(..) | StoreError::Foreign(..)) => {
                refused += 1;
                assert!(
                    std::fs::read(&damaged).unwrap() == bytes,
                    "{what}: refused, and changed"
                );
            }
            Err(other) => panic!("{what}: {other}"),
        }
    }
    assert!(refused > 40, "only {refused} were refused");
}

#[test]
fn files_of_other_kinds_are_not_catalogs() {
    let folder = folder("foreign");
    let path = folder.join("f");
    let foreign: [&[u8]; 4] = [
        b"x",
        b"SQLite format 3\0",
        b"redb\x1a\x0a\xa9\x0d",
        b"[{ \"id\": \"v1\" }]",
    ];
    for bytes in foreign {
        std::fs::write(&path, bytes).unwrap();
        assert!(
            matches!(outcome(&path), Err(StoreError::Foreign(..))),
            "{bytes:?}"
        );
        assert!(
            matches!(read_store(&path), Err(StoreError::Foreign(..))),
            "{bytes:?}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    // An empty file counts as missing; the temporary file that a crash left next to it is ignored.
    std::fs::write(&path, b"").unwrap();
    std::fs::write(folder.join("f.new"), b"half a file").unwrap();
    assert_eq!(outcome(&path).unwrap(), Vec::<String>::new());
    assert!(!folder.join("f.new").exists());
    assert_eq!(outcome(&path).unwrap(), Vec::<String>::new());
}

#[test]
fn reading_a_catalog_changes_no_byte() {
    let folder = folder("read");
    let path = folder.join("c.redb");
    let records = catalog(&path);
    let before = std::fs::read(&path).unwrap();
    assert_eq!(read_store(&path).unwrap(), records);
    assert!(std::fs::read(&path).unwrap() == before);
}
