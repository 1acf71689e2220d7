//! The command line in force, as it can be typed again.

use std::ffi::OsString;

use super::process;

/// The options that do not change what is written, each with a value.
const ASIDE: &[&str] = &["-o", "--output", "--color"];

/// Returns the command line in force without where its output goes.
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
}
