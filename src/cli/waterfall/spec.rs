//! Words of `playsim waterfall` that say what an address answers or what a media file is.

use std::path::Path;
use std::sync::Arc;

use playsim::api::NetworkFault;
use playsim::diff;
use playsim::media::MediaFault;
use playsim::scenario::{self, AnswerScript, MediaScript, ScriptedAnswer};
use playsim::time::Span;
use playsim::words;

use super::places::Place;
use crate::cli::decode;
use crate::cli::input::{self, Fault};
use crate::cli::output::Talk;

/// A document without an ad.
const EMPTY: &str = "<VAST version=\"4.2\"/>";

/// Words for what never is an answer, or fails on its way; `None`: nothing ever comes.
const FAULTS: &[(&str, Option<NetworkFault>)] = &[
    ("timeout", None),
    (NetworkFault::Refused.word(), Some(NetworkFault::Refused)),
    (NetworkFault::Reset.word(), Some(NetworkFault::Reset)),
    (NetworkFault::Truncated.word(), Some(NetworkFault::Truncated)),
];

const MEDIA_FAULTS: &[(&str, MediaFault)] = &[
    ("missing", MediaFault::NotFound),
    ("404", MediaFault::NotFound),
    (MediaFault::Network.word(), MediaFault::Network),
    (MediaFault::Decode.word(), MediaFault::Decode),
    (MediaFault::Unsupported.word(), MediaFault::Unsupported),
];

/// Whether a word stands for standard input.
pub(super) fn is_stdin(word: &str) -> bool {
    let answer = word.rsplit_once('=').map_or(word, |(_, answer)| answer);
    is_stdin_base(suffixes(answer).0)
}

/// `-` alone; with something behind it, it would be taken for an option.
pub(super) fn is_stdin_base(base: &str) -> bool {
    base == "-" || base == "stdin" && !Path::new(base).exists()
}

/// Whether a word is an address and no file.
pub(super) fn is_address(word: &str) -> bool {
    (word.contains("://") || word.starts_with("//")) && !Path::new(word).exists()
}

/// `ADDRESS=ANSWER`. Addresses hold equals signs too: of the places where it can be split, the last counts
/// behind which an answer stands.
pub(super) fn place(word: &str, talk: &Talk) -> Result<Place<AnswerScript>, Fault> {
    let splits: Vec<usize> = word.match_indices('=').map(|(at, _)| at).collect();
    let is_answer = |at: &&usize| {
        let (base, _) = suffixes(&word[*at + 1..]);
        is_word(base) || is_stdin_base(base) || Path::new(base).exists()
    };
    let at = splits.iter().rev().find(is_answer).or(splits.last()).copied().filter(|at| *at > 0);
    let Some(at) = at else {
        let text = "it takes an address and its answer, like https://ads.test/inner=inner.xml";
        return Err(Fault::Input(format!("--answer is \"{word}\"; {text}")));
    };
    let what = answer(&word[at + 1..], talk)?;
    Ok(Place { address: Some(word[..at].to_owned()), what })
}

/// What a word says of an answer: a file, a status, or how it fails, with what stands behind an @.
pub(super) fn answer(word: &str, talk: &Talk) -> Result<AnswerScript, Fault> {
    let (base, Suffixes { after, status }) = suffixes(word);
    if let Some((_, fault)) = FAULTS.iter().find(|(name, _)| *name == base) {
        if status.is_some() {
            return Err(Fault::Input(format!("\"{word}\": what fails has no status")));
        }
        return match fault {
            None if after.is_some() => Err(Fault::Input(format!(
                "\"{word}\": what never answers takes no time; --timeout says how long it is waited for"
            ))),
            None => Ok(AnswerScript { after: Span::ZERO, answer: ScriptedAnswer::Silence }),
            Some(fault) => {
                Ok(AnswerScript { after: after.unwrap_or_default(), answer: ScriptedAnswer::Fails(*fault) })
            }
        };
    }
    let after = after.unwrap_or_default();
    let body = |status, name: &str, text: Arc<str>| AnswerScript {
        after,
        answer: ScriptedAnswer::Body { status, name: name.into(), text },
    };
    if base == "empty" {
        return Ok(body(status.unwrap_or(200), "empty", EMPTY.into()));
    }
    if let Some(own) = status_of(base) {
        return match status {
            None => Ok(body(own, "", "".into())),
            Some(_) => Err(Fault::Input(format!("\"{word}\" has two statuses"))),
        };
    }
    let read = document(base, word, talk)?;
    Ok(body(status.unwrap_or(read.status), &read.name, read.text.into()))
}

/// Whether a word is an answer by itself, whatever files there are.
pub(super) fn is_word(base: &str) -> bool {
    base == "empty" || status_of(base).is_some() || FAULTS.iter().any(|(name, _)| *name == base)
}

/// What stands behind the @ of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Suffixes {
    after: Option<Span>,
    status: Option<u16>,
}

/// A word without what stands behind its @, each kind once; a file that is called so is one.
pub(super) fn suffixes(word: &str) -> (&str, Suffixes) {
    let (mut base, mut found) = (word, Suffixes::default());
    while let Some((before, suffix)) = base.rsplit_once('@').filter(|_| !Path::new(base).exists()) {
        match (input::span(suffix), status_of(suffix)) {
            (Ok(after), _) if found.after.is_none() => found.after = Some(after),
            (_, Some(status)) if found.status.is_none() => found.status = Some(status),
            _ => break,
        }
        base = before;
    }
    (base, found)
}

fn status_of(word: &str) -> Option<u16> {
    let is_plain = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|status| is_plain && (100..600).contains(status))
}

/// What was read from a file.
struct Read {
    status: u16,
    name: String,
    text: String,
}

fn document(base: &str, word: &str, talk: &Talk) -> Result<Read, Fault> {
    let file = Path::new(if is_stdin_base(base) { "-" } else { base });
    if !input::is_stdin(file) && !file.exists() {
        return Err(missing(base, word));
    }
    let name = input::heading(file);
    let bytes = input::bytes(file)?;
    let (text, written) = decode::lossy(&bytes);
    if let Some(remark) = decode::remark(&name, &text, &bytes, written) {
        talk.say(&remark);
    }
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if begin.starts_with("HTTP/") {
        return recorded(&name, begin);
    }
    let argument = quoted(&name);
    let is_called = |endings: &[&str]| {
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        endings.contains(&ending.as_str())
    };
    let is_named = ["videos", "steps"].iter().any(|field| begin.contains(field));
    if !begin.starts_with('<')
        && (is_named || is_called(&["yaml", "yml"]))
        && scenario::is_scenario(&name, &text)
    {
        return Err(Fault::Input(format!(
            "{name} is a scenario, not an answer of an ad server; play it with\n  playsim run {argument} --view ads"
        )));
    }
    if begin.starts_with(diff::BEGINNING) || is_called(&["jsonl", "ndjson", "trace"]) {
        return Err(Fault::Input(format!(
            "{name} is a trace, not an answer of an ad server; look at its waterfall with\n  \
             playsim explain {argument} --event adError"
        )));
    }
    Ok(Read { status: 200, name, text })
}

fn missing(base: &str, word: &str) -> Fault {
    if let Some((file, suffix)) = base.rsplit_once('@').filter(|(file, _)| Path::new(file).is_file()) {
        return Fault::Input(format!(
            "\"{word}\": behind @ stands a length of time, like 250ms or 2s, or a status, like 404; \
             \"{suffix}\" is neither, and there is no file of the whole name (there is {file})"
        ));
    }
    let known = FAULTS.iter().map(|(name, _)| *name).chain(["empty"]);
    let meant = words::nearest(base, known).map(|meant| format!("; did you mean {meant}?"));
    let meant = meant.unwrap_or_default();
    Fault::World(format!("{base} cannot be read: there is no such file or folder{meant}"))
}

/// An HTTP answer as `curl -si` prints it: the last one counts, redirects come before it.
fn recorded(name: &str, text: &str) -> Result<Read, Fault> {
    let mut rest = text;
    loop {
        let line = rest.lines().next().unwrap_or_default();
        let Some(status) = line.split_whitespace().nth(1).and_then(status_of) else {
            let text = "the first line of a recorded answer is like HTTP/1.1 200 OK";
            return Err(Fault::Input(format!("{name}: {text}; it is \"{line}\"")));
        };
        let ends = ["\r\n\r\n", "\n\n"].iter().filter_map(|end| Some((rest.find(end)?, end.len())));
        let body = ends.min().map_or("", |(at, length)| &rest[at + length..]);
        if !body.starts_with("HTTP/") {
            return Ok(Read { status, name: format!("{name} (body)"), text: body.to_owned() });
        }
        rest = body;
    }
}

/// `[ADDRESS=]MEDIA`.
pub(super) fn media(word: &str) -> Result<Place<MediaScript>, Fault> {
    let (address, what) = match word.rsplit_once('=') {
        Some((address, what)) => (Some(address.to_owned()), what),
        None => (None, word),
    };
    let (base, after) = match what.rsplit_once('@') {
        Some((base, after)) => (base, Some(input::span(after))),
        None => (what, None),
    };
    let takes = || {
        let words: Vec<&str> = MEDIA_FAULTS.iter().map(|(name, _)| *name).collect();
        let words = words.join(", ");
        Fault::Input(format!("--media is \"{word}\"; it takes a length, like 30s, or one of {words}"))
    };
    let metadata_after = after.transpose().map_err(|_| takes())?.unwrap_or_default();
    let script = MediaScript { metadata_after, ..MediaScript::default() };
    let what = match MEDIA_FAULTS.iter().find(|(name, _)| *name == base) {
        Some((_, fault)) => MediaScript { fails: Some((None, *fault)), ..script },
        None => MediaScript { duration: input::span(base).map_err(|_| takes())?, ..script },
    };
    Ok(Place { address, what })
}

/// A word as a shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/\\:=,@%+".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_and_statuses_stand_behind_an_at() {
        let both = Suffixes { after: Some(Span::from_secs(2)), status: Some(503) };
        assert_eq!(suffixes("a.xml@503@2s"), ("a.xml", both));
        assert_eq!(suffixes("a.xml@2s@503"), ("a.xml", both));
        assert_eq!(suffixes("a@b.xml"), ("a@b.xml", Suffixes::default()));
        assert_eq!(suffixes("a.xml@1s@2s").0, "a.xml@1s");
        assert_eq!(suffixes("404").0, "404");
    }

    #[test]
    fn a_status_has_three_digits() {
        assert_eq!(status_of("404"), Some(404));
        for word in ["4040", "99", "600", "+40", "4a4"] {
            assert_eq!(status_of(word), None, "{word}");
        }
    }

    #[test]
    fn a_word_is_quoted_where_a_shell_would_split_it() {
        assert_eq!(quoted("https://a.test/x=FILE"), "https://a.test/x=FILE");
        assert_eq!(quoted("https://a.test/x?a=1&b='=FILE"), "'https://a.test/x?a=1&b='\\''=FILE'");
    }

    #[test]
    fn of_a_recorded_answer_the_last_counts() {
        let text = "HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\nHTTP/2 404 \r\nX: 1\r\n\r\n<VAST/>";
        let read = recorded("a.http", text).ok().expect("it is one");
        assert_eq!((read.status, read.text.as_str(), read.name.as_str()), (404, "<VAST/>", "a.http (body)"));
        assert!(recorded("a.http", "HTTP/1.1 nothing").is_err());
        assert_eq!(recorded("a", "HTTP/1.1 204 No Content").ok().map(|read| read.text), Some(String::new()));
    }
}
