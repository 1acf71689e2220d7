//! Tests on real documents, in the folder that `PLAYSIM_CORPUS` names; without it they are ignored.

mod macros;
mod play;
mod vast;
mod vmap;

use std::path::PathBuf;

use libtest_mimic::Trial;

/// The tests of a module, each with its name.
macro_rules! tests {
    ($($name:ident),+ $(,)?) => { &[$((stringify!($name), $name as fn())),+] };
}
pub(crate) use tests;

/// The folder of the documents. A test that runs has one.
fn folder() -> PathBuf {
    std::env::var_os("PLAYSIM_CORPUS")
        .map(PathBuf::from)
        .expect("PLAYSIM_CORPUS names a folder")
}

pub(crate) fn trials() -> Vec<Trial> {
    let modules = [
        ("macros", macros::TESTS),
        ("play", play::TESTS),
        ("play::readings", play::readings::TESTS),
        ("play::sources", play::sources::TESTS),
        ("vast", vast::TESTS),
        ("vmap", vmap::TESTS),
    ];
    let is_ignored = std::env::var_os("PLAYSIM_CORPUS").is_none();
    if is_ignored {
        eprintln!("PLAYSIM_CORPUS names no folder of documents: the tests of corpus are ignored");
    }
    let trial = |module: &str, (name, test): (&str, fn())| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(format!("corpus::{module}::{name}"), run).with_ignored_flag(is_ignored)
    };
    modules
        .iter()
        .flat_map(|(module, tests)| tests.iter().map(|test| trial(module, *test)))
        .collect()
}
