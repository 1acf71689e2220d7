//! Scenarios that come with playsim: the one a newcomer starts from, and the demo.

const AD: &str = include_str!("starter/ad.xml");

/// The files of a first scenario of this name, each with its content: the scenario, its VAST file, and
/// the schema that the scenario's first line shows to editors. The scenario comes first.
#[must_use]
pub fn starter(name: &str) -> Vec<(String, String)> {
    vec![
        (format!("{name}.yaml"), include_str!("starter/starter.yaml").to_owned()),
        ("ad.xml".to_owned(), AD.to_owned()),
        ("scenario.schema.json".to_owned(), format!("{:#}\n", super::schema())),
    ]
}

/// The files of the built-in demo, each with its content. The scenario comes first.
#[must_use]
pub fn demo() -> [(&'static str, &'static str); 2] {
    [("demo.yaml", include_str!("starter/demo.yaml")), ("ad.xml", AD)]
}

#[cfg(all(test, feature = "yaml"))]
mod tests {
    use super::*;
    use crate::scenario::read;

    fn read_files(files: &[(String, String)]) -> crate::scenario::Scenario {
        let mut load = |path: &str| {
            let file = files.iter().find(|(name, _)| name == path);
            file.map(|(_, text)| text.clone()).ok_or_else(|| "there is no such file".to_owned())
        };
        read(&files[0].0, &files[0].1, &mut load).expect("it reads without error")
    }

    #[test]
    fn the_starter_reads_without_error() {
        let scenario = read_files(&starter("first"));
        assert_eq!((scenario.steps.len(), scenario.network.len(), scenario.expect.len()), (2, 2, 3));
    }

    #[test]
    fn the_demo_reads_without_error() {
        let files = demo().map(|(name, text)| (name.to_owned(), text.to_owned()));
        let scenario = read_files(&files);
        assert_eq!((scenario.steps.len(), scenario.network.len()), (2, 3));
    }

    #[test]
    fn the_spot_is_a_document_with_one_ad_and_without_a_warning() {
        let document = crate::vast::read(AD);
        assert_eq!((document.ads.len(), document.fault, document.warnings), (1, None, Vec::new()));
    }
}
