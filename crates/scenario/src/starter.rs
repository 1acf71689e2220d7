//! Scenarios that come with playsim: the starter, the demo, and common failures.

mod failures;

pub use failures::{FAILURES, Ready};

const AD: &str = include_str!("starter/ad.xml");

/// Returns the files of a first scenario with this name, each with its content: the scenario, its
/// VAST file, and the schema that the scenario's first line names for editors. The scenario comes
/// first.
#[must_use]
pub fn starter(name: &str) -> Vec<(String, String)> {
    vec![
        (
            format!("{name}.yaml"),
            include_str!("starter/starter.yaml").to_owned(),
        ),
        ("ad.xml".to_owned(), AD.to_owned()),
        (
            "scenario.schema.json".to_owned(),
            format!("{:#}\n", super::schema()),
        ),
    ]
}

/// Returns the files of a scenario that comes with playsim, under the given name, as [`starter`]
/// does.
#[must_use]
pub fn ready_made(ready: &Ready, name: &str) -> Vec<(String, String)> {
    let [(_, scenario), documents @ ..] = ready.files else {
        return Vec::new();
    };
    let shown_to_editors = include_str!("starter/starter.yaml")
        .lines()
        .next()
        .unwrap_or_default();
    let documents = documents
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let schema = (
        "scenario.schema.json".to_owned(),
        format!("{:#}\n", super::schema()),
    );
    let first = (
        format!("{name}.yaml"),
        format!("{shown_to_editors}\n#\n{scenario}"),
    );
    [first]
        .into_iter()
        .chain(documents)
        .chain([schema])
        .collect()
}

/// Returns the files of the built-in demo, each with its content. The scenario comes first.
#[must_use]
pub fn demo() -> [(&'static str, &'static str); 2] {
    [
        ("demo.yaml", include_str!("starter/demo.yaml")),
        ("ad.xml", AD),
    ]
}

#[cfg(all(test, feature = "yaml"))]
mod tests {
    use super::*;
    use crate::read;

    fn read_files(files: &[(String, String)]) -> crate::Scenario {
        let mut load = |path: &str| {
            let file = files.iter().find(|(name, _)| name == path);
            file.map(|(_, text)| text.clone())
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        read(&files[0].0, &files[0].1, &mut load).expect("it reads without error")
    }

    #[test]
    fn the_starter_reads_without_error() {
        let scenario = read_files(&starter("first"));
        assert_eq!(
            (
                scenario.steps.len(),
                scenario.network.len(),
                scenario.expect.len()
            ),
            (2, 2, 3)
        );
    }

    #[test]
    fn the_demo_reads_without_error() {
        let files = demo().map(|(name, text)| (name.to_owned(), text.to_owned()));
        let scenario = read_files(&files);
        assert_eq!((scenario.steps.len(), scenario.network.len()), (2, 3));
    }

    #[test]
    fn the_spot_is_a_document_with_one_ad_and_without_a_warning() {
        let document = playsim_vast::read(AD);
        assert_eq!(
            (document.ads.len(), document.fault, document.warnings),
            (1, None, Vec::new())
        );
    }
}
