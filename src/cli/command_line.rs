//! The command line in force, as it can be typed again.

use std::ffi::OsString;

use super::process;

/// The options that do not change what is written, each with a value.
const ASIDE: &[&str] = &["-o", "--output", "--color"];

/// The option whose value may be a credential: only the name of the header is written.
const SECRET: &str = "--header";

/// Returns the command line in force without where its output goes, and without the values of
/// headers: it is written to files.
pub(super) fn current() -> String {
    written(process::args().into_iter())
}

fn written(args: impl Iterator<Item = OsString>) -> String {
    let mut words = vec!["playsim".to_owned()];
    let mut args = args.map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        if arg == "--" {
            words.push(arg);
            words.extend(args.by_ref().map(|arg| quoted(&arg)));
        } else if ASIDE.contains(&arg.as_str()) {
            args.next();
        } else if arg == SECRET {
            words.push(arg);
            words.extend(args.next().map(|header| quoted(&without_value(&header))));
        } else if let Some(header) = arg.strip_prefix(SECRET).and_then(|it| it.strip_prefix('=')) {
            words.push(quoted(&format!("{SECRET}={}", without_value(header))));
        } else {
            let is_joined = |option: &&str| match option.strip_prefix("--") {
                Some(_) => arg
                    .strip_prefix(*option)
                    .is_some_and(|rest| rest.starts_with('=')),
                None => arg.starts_with(*option) && !arg.starts_with("--"),
            };
            if !ASIDE.iter().any(is_joined) {
                words.push(quoted(&arg));
            }
        }
    }
    words.join(" ")
}

/// Returns a header with a word in place of its value.
fn without_value(header: &str) -> String {
    let name = header.split(':').next().unwrap_or_default();
    format!("{}: removed", name.trim())
}

/// Quotes an argument for a shell, if necessary.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/\\:=,@%+".contains(letter);
    let is_bare = !word.is_empty() && word.chars().all(is_plain);
    if is_bare {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_output_goes_is_left_out() {
        let of = |args: &str| written(args.split(' ').map(OsString::from));
        assert_eq!(
            of("run a.yaml -o x.html --format html --why"),
            "playsim run a.yaml --format html --why"
        );
        assert_eq!(
            of("--color never run --output=x -ox a.yaml"),
            "playsim run a.yaml"
        );
        assert_eq!(of("run -- -o x"), "playsim run -- -o x");
    }

    #[test]
    fn the_value_of_a_header_is_left_out() {
        let of = |args: &[&str]| written(args.iter().map(OsString::from));
        for args in [
            &["fetch", "--header", "Authorization: Bearer x", "-o", "y"][..],
            &["fetch", "--header=Authorization:Bearer x"],
        ] {
            let written = of(args);
            assert!(written.contains("Authorization: removed"), "{written}");
            assert!(!written.contains("Bearer"), "{written}");
        }
    }
}
