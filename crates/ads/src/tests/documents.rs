//! Breaks that get the VAST documents of the fixtures: whatever a document contains, the break
//! ends.

use super::*;

/// Runs a break whose only tag responds with this document.
fn run(text: &str) -> Vec<String> {
    let fetched = Fetched::Response(Response {
        status: 200,
        text: text.into(),
        name: "a.xml".into(),
        document: vast::read(text).into(),
    });
    World::new()
        .with_fetched(A, 0, Some(fetched))
        .keeping(&[Kind::Ad])
        .run(&[A])
}

#[test]
fn a_break_ends_with_every_document() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/vast");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures exist") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let log = run(&String::from_utf8_lossy(
                &std::fs::read(&path).expect("the fixture can be read"),
            ));
            assert!(
                log.last().is_some_and(|line| line.ends_with("adEnd")),
                "{}: {log:#?}",
                path.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn tolerated_mistakes_are_in_the_trace_with_their_place() {
    let log = run("<VAST version='4.2'><Ad id='1' sequence='x'><InLine/></Ad></VAST>");
    assert!(
        log.iter()
            .any(|line| line.contains("* warning") && line.contains("\"at\":\"a.xml:1:")),
        "{log:#?}"
    );
}
