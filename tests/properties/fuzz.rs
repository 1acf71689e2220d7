//! The bodies of the fuzz targets, replayed over their seed corpus.

use std::path::Path;

use playsim::testing::fuzz;

/// The name of a target, and its body.
type Target = (&'static str, fn(&[u8]));

#[test]
fn the_fuzz_targets_find_nothing_in_their_seed_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz");
    let targets: [Target; 3] = [("session", fuzz::session), ("vast", fuzz::vast), ("scenario", fuzz::text)];
    for (target, body) in targets {
        let files = std::fs::read_dir(folder.join(target)).expect("it has a seed corpus");
        let mut count = 0;
        for file in files {
            let path = file.expect("it is readable").path();
            println!("{}", path.display());
            body(&std::fs::read(&path).expect("it is readable"));
            count += 1;
        }
        assert!(count >= 3, "{target} has {count} seeds");
    }
}
