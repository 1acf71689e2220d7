//! The bodies of the fuzz targets, replayed over their seed corpus.

use std::fs;
use std::path::Path;

use playsim::testing::{Source, fuzz};

/// A fuzz target: its name, and its body.
type Target = (&'static str, fn(&[u8]));

const TARGETS: &[Target] = &[
    ("session", fuzz::session),
    ("scenario", fuzz::text),
    ("vast", fuzz::vast),
    ("player", fuzz::player),
    ("recording", fuzz::recording),
    ("form", fuzz::form),
    ("fields", fuzz::fields),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the files in a folder without their endings, sorted.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("it is readable").path());
    let stem = |path: &Path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let mut names: Vec<String> = files.map(|path| stem(&path)).collect();
    names.sort();
    names
}

#[test]
fn the_fuzz_targets_find_nothing_in_their_seed_corpus() {
    for (target, body) in TARGETS {
        let folder = root().join("fixtures/fuzz").join(target);
        let seeds = names(&folder);
        assert!(seeds.len() >= 3, "{target} has {} seeds", seeds.len());
        for seed in seeds {
            println!("{target} {seed}");
            body(&fs::read(folder.join(seed)).expect("it is readable"));
        }
    }
}

#[test]
fn every_fuzz_target_is_replayed() {
    let mut replayed: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
    replayed.sort_unstable();
    assert_eq!(names(&root().join("fuzz/fuzz_targets")), replayed);
    assert_eq!(names(&root().join("fixtures/fuzz")), replayed);
}

/// The number of random inputs for the target `player`, which no other property covers, for each
/// commit and each night.
const PLAYERS: (u64, u64) = (1_000, 20_000);

#[test]
fn a_player_without_a_simulation_can_have_any_surroundings() {
    for seed in 0..crate::nightly::cases(PLAYERS.0, PLAYERS.1) {
        let bytes = Source::from_seed(seed).some(20, 1_500, |source| source.below(256) as u8);
        if std::panic::catch_unwind(|| fuzz::player(&bytes)).is_err() {
            panic!("the bytes of seed {seed} fail");
        }
    }
}
