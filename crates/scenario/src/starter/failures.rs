//! Scenarios of what commonly goes wrong with ad tags, under names that a user would look for.
//!
//! They are also fixtures of this project, which `fixtures/scenarios/failures` links to: the trace
//! of each is next to it.

/// A scenario that comes with playsim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// Its name on the command line.
    pub name: &'static str,
    /// The failure that it shows, and the resulting error code.
    pub about: &'static str,
    /// Its files, each with its content; the scenario comes first.
    pub files: &'static [(&'static str, &'static str)],
}

/// Makes a row from the name, what it shows, and its documents.
macro_rules! ready {
    ($name:literal, $about:literal, $($file:literal),*) => {
        Ready {
            name: $name,
            about: $about,
            files: &[
                (concat!($name, ".yaml"), fixture!($name, ".yaml")),
                $(($file, fixture!($file)),)*
            ],
        }
    };
}

macro_rules! fixture {
    ($($part:literal),*) => {
        include_str!(concat!("failures/", $($part),*))
    };
}

/// Common failures of ad tags.
pub const FAILURES: &[Ready] = &[
    ready!(
        "empty_response",
        "a VAST response without an ad: 303",
        "no_ad.xml",
        "spot.xml"
    ),
    ready!("http_404", "the ad server returns 404: 301", "spot.xml"),
    ready!("timeout", "the ad server never responds: 301", "spot.xml"),
    ready!(
        "slow_then_good",
        "the response is too late, the next tag fills: 301",
        "spot.xml"
    ),
    ready!(
        "broken_xml",
        "a document that is not well-formed XML: 100",
        "broken.xml",
        "spot.xml"
    ),
    ready!(
        "no_playable_media",
        "no media file of a supported type: 403",
        "flash.xml",
        "spot.xml"
    ),
    ready!(
        "wrapper_loop",
        "wrappers that point to each other: 302",
        "loop_a.xml",
        "loop_b.xml",
        "spot.xml"
    ),
    ready!(
        "wrapper_too_deep",
        "one wrapper more than allowed: 302",
        "deep_1.xml",
        "deep_2.xml",
        "deep_3.xml",
        "deep_4.xml",
        "deep_5.xml",
        "deep_6.xml",
        "spot.xml"
    ),
    ready!(
        "pod_after_wrapper",
        "a pod after a wrapper that does not allow one: 303",
        "pod_closed.xml",
        "pod_open.xml",
        "pod.xml"
    ),
    ready!(
        "blocked_category",
        "a wrapper blocks the ad's category: 205",
        "blocks.xml",
        "spirits.xml",
        "spot.xml"
    ),
    ready!(
        "vpaid_unit_silent",
        "a VPAID unit never starts: 901",
        "unit.xml",
        "spot.xml"
    ),
    ready!(
        "simid_page_silent",
        "a SIMID page never responds, the video plays alone: 902",
        "interactive.xml"
    ),
    ready!(
        "midroll_after_the_end",
        "a cue point that the content never reaches",
        "spot.xml"
    ),
];

#[cfg(all(test, feature = "yaml"))]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn each_reads_with_its_own_files_and_uses_all_of_them() {
        for ready in FAILURES {
            let mut used = vec![ready.files[0].0.to_owned()];
            let mut load = |path: &str| {
                used.push(path.to_owned());
                let file = ready.files.iter().find(|(name, _)| *name == path);
                file.map(|(_, text)| (*text).to_owned())
                    .ok_or_else(|| std::io::ErrorKind::NotFound.into())
            };
            let (name, text) = ready.files[0];
            let scenario = read(name, text, &mut load);
            assert!(
                scenario.is_ok_and(|scenario| !scenario.expect.is_empty()),
                "{name}"
            );
            assert!(
                ready
                    .files
                    .iter()
                    .all(|(name, _)| used.iter().any(|used| used == name)),
                "{name}: {used:?}"
            );
        }
    }
}
