//! Answers that a scenario lists for a URL with a time in it: which answer comes then depends on
//! the instant itself, and not on a comparison that can be watched.

use playsim_scenario::Scenario;
use playsim_vast as vast;

/// The macros that are replaced by a time.
const CLOCKS: [&str; 4] = [
    "TIMESTAMP",
    "CONTENTPLAYHEAD",
    "MEDIAPLAYHEAD",
    "ADPLAYHEAD",
];

/// Returns whether a listed URL is what a URL with such a macro becomes at some instant.
pub(super) fn decides_an_answer(scenario: &Scenario) -> bool {
    let text = scenario.to_json();
    let ends = |letter: char| letter.is_whitespace() || "\"'<>\\".contains(letter);
    let written = text.split(ends).filter(|word| {
        let has =
            |(from, to): (usize, usize)| CLOCKS.iter().any(|clock| word[from..to].contains(clock));
        vast::macros(word).into_iter().any(has)
    });
    let written: Vec<&str> = written.collect();
    let listed = scenario.network.iter().map(|(url, _)| &**url);
    let listed = listed.chain(scenario.media.iter().map(|(url, _)| &**url));
    let mut listed = listed.filter(|url| vast::macros(url).is_empty());
    listed.any(|url| written.iter().any(|it| vast::is_filled(it, url)))
}
