//! Breaks fed with real texts: whatever a document holds, the break comes to its end.

use super::*;

/// A break whose only tag answers this text.
fn run(text: &str) -> Vec<String> {
    let fetched = Fetched::Answer(Answer {
        status: 200,
        text: text.into(),
        name: "a.xml".into(),
        document: vast::read(text).into(),
    });
    World::new().with_fetched(A, 0, Some(fetched)).keeping(&[Kind::Ad]).run(&[A])
}

#[test]
fn every_document_brings_a_break_to_its_end() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/vast");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures are there") {
        let path = entry.expect("a folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let log = run(&String::from_utf8_lossy(&std::fs::read(&path).expect("a fixture can be read")));
            assert!(log.last().is_some_and(|line| line.ends_with("adEnd")), "{}: {log:#?}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn what_was_tolerated_in_a_document_stands_in_the_trace_with_its_place() {
    let log = run("<VAST version='4.2'><Ad id='1' sequence='x'><InLine/></Ad></VAST>");
    assert!(
        log.iter().any(|line| line.contains("* warning") && line.contains("\"at\":\"a.xml:1:")),
        "{log:#?}"
    );
}
