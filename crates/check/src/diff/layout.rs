//! The first difference of two texts of the same trace: the grouping of lines, or white space.

use std::fmt::Write;

use playsim_base::escape;

/// Returns the first line that two texts with the same content lay out in different ways, in words.
/// `name` is that of the first text.
#[must_use]
pub fn layout(name: &str, first: &str, second: &str) -> String {
    let ends = [""; 1];
    let pairs = first.lines().chain(ends).zip(second.lines().chain(ends));
    let differing = (1..)
        .zip(pairs)
        .find(|(_, (first, second))| first != second);
    let mut text = String::new();
    // The texts are untrusted input. Writing to a string cannot fail.
    let mut sink = escape::Lines(&mut text);
    let _ = match differing {
        Some((line, (first, second))) => {
            writeln!(
                sink,
                "{name}:{line}:1: same content, but a different layout\n-{first}\n+{second}"
            )
        }
        None => writeln!(sink, "{name}: same lines, but a different end of the file"),
    };
    text
}
