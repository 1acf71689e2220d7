//! `playsim diff` of two recordings: what their pages did, as evidence and verdict show it.

use std::fmt::Write;
use std::path::Path;

use playsim::import::{Evidence, Hints, PageVerdict, differences};
use playsim::time::Span;

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::{Out, Talk};
use crate::cli::{file, recorded};

/// Times that differ by at most this are the same.
const WITHIN: Span = Span::from_millis(500);

/// Compares what two pages did, and prints what differs.
pub(super) fn compare(
    first: &Path,
    second: &Path,
    within: Option<Span>,
    talk: &Talk,
) -> Result<Exit, Failure> {
    let read = |file: &Path| -> Result<PageVerdict, Failure> {
        let evidence = Evidence::of(recorded::read(file)?, Hints::default());
        Ok(PageVerdict::of(&evidence.map_err(Failure::input)?))
    };
    let (one, other) = (read(first)?, read(second)?);
    let found = differences(&one, &other, within.unwrap_or(WITHIN));
    if found.is_empty() {
        talk.say("no difference in what the two pages did");
        return Ok(Exit::AsExpected);
    }
    let [first, second] = [first, second].map(file::name);
    let mut text = format!("- {first}\n+ {second}\n");
    for it in &found {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "not there".to_owned());
        let unknown = if it.is_unknown {
            " (one recording cannot tell)"
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}{unknown}\n- {}\n+ {}",
            it.what,
            side(&it.first),
            side(&it.second)
        );
    }
    let mut out = Out::to(None);
    out.painted(&talk.painted(&text));
    Ok(Exit::Difference.and(out.finish(talk)))
}
