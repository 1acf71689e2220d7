//! Hostile, truncated and damaged input: refused quickly, with a place inside it, never a panic.

use super::{EVERYTHING, read};
use playsim::scenario::{self, ScenarioError};

#[test]
fn hostile_input_is_refused_quickly() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let uses = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{uses}]\n"));
    }
    let letters = "\u{0}\u{7f}{[\"':,#&*!|>%@`- \n\té映";
    let garbage: String = (0u32..)
        .map(|index| {
            letters
                .chars()
                .nth((index.wrapping_mul(2_654_435_761) >> 16) as usize % 20)
                .unwrap_or('x')
        })
        .take(200_000)
        .collect();
    let cases = [
        ("a bomb of aliases", bomb),
        ("an endless alias", "a: &a [*a]".to_owned()),
        ("garbage", garbage),
        ("ten megabytes", "x".repeat(10 << 20)),
        ("four megabytes of one scalar", "x".repeat(4 << 20)),
        ("brackets", "[".repeat(1 << 20)),
        ("braces", "{".repeat(1 << 20)),
        (
            "closed brackets",
            "[".repeat(100_000) + &"]".repeat(100_000),
        ),
        (
            "nested maps",
            (0..5_000).map(|depth| " ".repeat(depth) + "a:\n").collect(),
        ),
        ("nested lists", "- ".repeat(100_000)),
        (
            "closed braces",
            "{a: ".repeat(100_000) + &"}".repeat(100_000),
        ),
        (
            "maps nested as deeply as possible",
            "{\"a\": ".repeat(32) + "0" + &"}".repeat(32),
        ),
        (
            "maps in lists nested as deeply as possible",
            "[{\"a\": ".repeat(16) + "0" + &"}]".repeat(16),
        ),
        ("many numbers", format!("[{}0]", "0,".repeat(400_000))),
        ("quotes", "\"".repeat(1 << 20)),
        ("nul", "\u{0}".repeat(1 << 20)),
    ];
    for (what, text) in cases {
        for name in ["a.yaml", "a.json"] {
            assert!(read(name, &text).is_err(), "{what} as {name}");
        }
    }
}

#[test]
fn truncated_input_never_panics() {
    for end in (0..EVERYTHING.len())
        .step_by(5)
        .filter(|end| EVERYTHING.is_char_boundary(*end))
    {
        let _ = read("everything.yaml", &EVERYTHING[..end]);
        let _ = read("everything.json", &EVERYTHING[end..]);
    }
}

#[cfg(feature = "cli")]
#[test]
fn the_excerpt_of_a_very_long_line_stays_small() {
    let text = format!("{{ \"steps\": [{}1] }}", "1, ".repeat(100_000));
    let error = scenario::read("a.json", &text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .unwrap_err();
    let ScenarioError::Mistakes(mistakes) = error else {
        panic!("{error}")
    };
    let picture = playsim_scenario::picture(&mistakes, &text, true);
    assert!(picture.len() < 20_000, "{}", picture.len());
}

#[test]
fn an_error_in_damaged_input_has_a_place_inside_it() {
    let letters: Vec<char> = EVERYTHING.chars().collect();
    let mut state = 1u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % bound
    };
    for round in 0..600 {
        let mut damaged = letters.clone();
        for _ in 0..=below(3) {
            let at = below(damaged.len() - 1);
            match below(4) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(
                    at,
                    [
                        '{', '}', '[', ']', ':', ',', '"', '\'', '&', '*', '\n', '\t', '映',
                    ][below(13)],
                ),
                2 => damaged.swap(at, at + 1),
                _ => drop(damaged.drain(at..(at + below(40)).min(damaged.len()))),
            }
        }
        let text: String = damaged.into_iter().collect();
        let name = if round % 5 == 0 { "a.json" } else { "a.yaml" };
        let Err(error) = scenario::read(name, &text, &mut |_| Ok(String::new())) else {
            continue;
        };
        let ScenarioError::Mistakes(mistakes) = error else {
            panic!("{error}")
        };
        for mistake in mistakes.iter() {
            assert!(
                text.get(mistake.range.clone()).is_some(),
                "{mistake} in {text}"
            );
        }
        #[cfg(feature = "cli")]
        assert!(!playsim_scenario::picture(&mistakes, &text, false).is_empty());
    }
}

/// Every word of every broken scenario once as a very long word: a message shows the beginning of
/// it.
#[test]
fn messages_shorten_what_they_quote() {
    const LONG: usize = 20_000;
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut tried = 0;
    let folder = super::root().join("fixtures/errors");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let file = entry.expect("an entry").path();
        if file.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let ends: Vec<usize> = text
            .char_indices()
            .zip(text.chars().skip(1).chain(['\n']))
            .filter(|((_, letter), next)| is_inside(*letter) && !is_inside(*next))
            .map(|((at, _), _)| at + 1)
            .collect();
        for end in ends {
            let long = format!("{}{}{}", &text[..end], "x".repeat(LONG), &text[end..]);
            let Err(error) = read("long.yaml", &long) else {
                continue;
            };
            tried += 1;
            for message in error.to_string().lines() {
                assert!(
                    message.len() < LONG,
                    "{}, byte {end}: {}",
                    file.display(),
                    &message[..300]
                );
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}
