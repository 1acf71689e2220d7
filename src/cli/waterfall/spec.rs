//! Parses the arguments of `playsim waterfall` that describe responses and media files.

use std::path::Path;
use std::sync::Arc;

use playsim::api::NetworkFault;
use playsim::media::MediaFault;
use playsim::scenario::{AnswerScript, MediaScript, ScriptedAnswer, http_response};
use playsim::time::Span;
use playsim_base::words;
use playsim_check::diff::BEGINNING;
use playsim_scenario::is_scenario;
use playsim_scenario::world::is_data_url;

use super::places::UrlSetting;
pub(super) use crate::cli::command_line::quoted;
use crate::cli::failure::{Failure, bail};
use crate::cli::input;
use crate::cli::output::Talk;
use crate::cli::{decode, file, joined, kind, reading, recorded};

/// A document without an ad.
const EMPTY: &str = "<VAST version=\"4.2\"/>";
/// The argument for it.
const NO_AD: &str = "empty";

/// Keywords for responses that fail; `None` for one that never arrives.
const FAULTS: &[(&str, Option<NetworkFault>)] = &[
    ("timeout", None),
    (NetworkFault::Refused.name(), Some(NetworkFault::Refused)),
    (NetworkFault::Reset.name(), Some(NetworkFault::Reset)),
    (
        NetworkFault::Truncated.name(),
        Some(NetworkFault::Truncated),
    ),
    (NetworkFault::Cors.name(), Some(NetworkFault::Cors)),
    (NetworkFault::Blocked.name(), Some(NetworkFault::Blocked)),
];

const MEDIA_FAULTS: &[(&str, MediaFault)] = &[
    ("missing", MediaFault::NotFound),
    ("404", MediaFault::NotFound),
    (MediaFault::Network.name(), MediaFault::Network),
    (MediaFault::Decode.name(), MediaFault::Decode),
    (MediaFault::Unsupported.name(), MediaFault::Unsupported),
    (MediaFault::Cors.name(), MediaFault::Cors),
    (MediaFault::Blocked.name(), MediaFault::Blocked),
];

/// Returns whether an argument means standard input.
pub(super) fn is_stdin(word: &str) -> bool {
    let answer = word.rsplit_once('=').map_or(word, |(_, answer)| answer);
    is_stdin_base(suffixes(answer).0)
}

/// Returns whether an argument without suffixes means standard input. `stdin` is needed for one
/// with suffixes, since `-@2s` would be taken for an option.
pub(super) fn is_stdin_base(base: &str) -> bool {
    base == "-" || base == "stdin" && !Path::new(base).exists()
}

/// Returns whether an argument is a URL and not a file.
pub(in crate::cli) fn is_url(word: &str) -> bool {
    let is_remote = word.contains("://") || word.starts_with("//") || is_data_url(word);
    is_remote && !Path::new(word).exists()
}

/// Parses `URL=ANSWER`. As URLs contain equals signs too, the argument is split at the last one
/// that precedes a valid answer.
pub(super) fn place(word: &str, talk: &Talk) -> Result<UrlSetting<AnswerScript>, Failure> {
    let splits: Vec<usize> = word.match_indices('=').map(|(at, _)| at).collect();
    let is_answer = |at: &&usize| {
        let (base, _) = suffixes(&word[*at + 1..]);
        is_word(base) || is_stdin_base(base) || Path::new(base).exists()
    };
    let at = splits
        .iter()
        .rev()
        .find(is_answer)
        .or(splits.last())
        .copied()
        .filter(|at| *at > 0);
    let Some(at) = at else {
        let text = "it must be a URL and its response, such as https://ads.test/inner=inner.xml";
        bail!("--answer is \"{word}\"; {text}");
    };
    let what = answer(&word[at + 1..], talk)?;
    Ok(UrlSetting {
        address: Some(word[..at].to_owned()),
        what,
    })
}

/// Parses an answer: a file, a status or a failure, with suffixes after `@`.
pub(in crate::cli) fn answer(word: &str, talk: &Talk) -> Result<AnswerScript, Failure> {
    let (base, Suffixes { after, status }) = suffixes(word);
    if let Some((_, fault)) = FAULTS.iter().find(|(name, _)| *name == base) {
        if status.is_some() {
            bail!("\"{word}\": a failed request has no status; leave out the one after @");
        }
        return match fault {
            None if after.is_some() => {
                bail!("\"{word}\": timeout takes no delay; set the time limit with --timeout")
            }
            None => Ok(script(Span::ZERO, ScriptedAnswer::Silence)),
            Some(fault) => Ok(script(
                after.unwrap_or_default(),
                ScriptedAnswer::Fails(*fault),
            )),
        };
    }
    let after = after.unwrap_or_default();
    let body = |status, name: &str, text: Arc<str>| script(after, body_of(status, name, text));
    if base == NO_AD {
        return Ok(body(status.unwrap_or(200), NO_AD, EMPTY.into()));
    }
    if let Some(own) = status_of(base) {
        return match status {
            None => Ok(body(own, "", "".into())),
            Some(_) => bail!("\"{word}\" has two statuses; leave out one of them"),
        };
    }
    let read = document(base, word, talk)?;
    Ok(body(
        status.unwrap_or(read.status),
        &read.name,
        read.text.into(),
    ))
}

/// Returns an answer that comes after a time.
pub(in crate::cli) fn script(after: Span, answer: ScriptedAnswer) -> AnswerScript {
    AnswerScript {
        content_type: None,
        after,
        answer,
    }
}

/// Returns an answer with a document.
pub(in crate::cli) fn body_of(status: u16, name: &str, text: Arc<str>) -> ScriptedAnswer {
    ScriptedAnswer::Body {
        status,
        name: name.into(),
        text,
    }
}

/// Returns whether an argument is a keyword or a status rather than a file.
pub(super) fn is_word(base: &str) -> bool {
    base == NO_AD || status_of(base).is_some() || FAULTS.iter().any(|(name, _)| *name == base)
}

/// The suffixes of an argument, after `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::cli) struct Suffixes {
    after: Option<Span>,
    status: Option<u16>,
}

/// Splits an argument into its base and its suffixes, at most one of each kind. The name of an
/// existing file is not split.
pub(in crate::cli) fn suffixes(word: &str) -> (&str, Suffixes) {
    let (mut base, mut found) = (word, Suffixes::default());
    while let Some((before, suffix)) = base.rsplit_once('@').filter(|_| !Path::new(base).exists()) {
        match (suffix.parse(), status_of(suffix)) {
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
    word.parse()
        .ok()
        .filter(|status| is_plain && (100..600).contains(status))
}

/// A response read from a file.
struct Read {
    status: u16,
    name: String,
    text: String,
}

fn document(base: &str, word: &str, talk: &Talk) -> Result<Read, Failure> {
    let file = Path::new(if is_stdin_base(base) { "-" } else { base });
    if !file::is_stdin(file) && !file.exists() {
        return Err(missing(base, word));
    }
    if file.is_dir() {
        return Err(folder(base));
    }
    let name = input::heading(file);
    if file.is_file() && recorded::is_recording(base) {
        bail!(
            "{name} is a recording of many requests, not one response; play all of it with\n  \
             playsim waterfall {}",
            quoted(&name)
        );
    }
    let bytes = input::bytes(file)?;
    let text = decode::told(&name, &bytes, talk);
    let begin = kind::begin(&text);
    if begin.starts_with("HTTP/") {
        return response(&name, begin);
    }
    let argument = quoted(&name);
    let is_named = ["videos", "steps"]
        .iter()
        .any(|field| begin.contains(field));
    if !begin.starts_with('<')
        && (is_named || file::has_ending(file, &["yaml", "yml"]))
        && is_scenario(&name, &text)
    {
        bail!(
            "{name} is a scenario, not an ad server's response; play it alone, with\n  \
             playsim waterfall {argument}"
        );
    }
    if begin.starts_with(BEGINNING) || file::has_ending(file, &["jsonl", "ndjson", "trace"]) {
        bail!(
            "{name} is a trace, not an ad server's response; look at its waterfall with\n  \
             playsim explain {argument} --event adError"
        );
    }
    Ok(Read {
        status: 200,
        name,
        text,
    })
}

/// The error for a folder where a response is due.
fn folder(base: &str) -> Failure {
    let own = quoted(&input::name(base.as_ref()));
    let mut documents = reading::entries(base.as_ref()).unwrap_or_default();
    documents.retain(|path| file::has_ending(path, &["xml", "http"]));
    let first = documents
        .first()
        .map_or_else(|| format!("{own}/FILE"), |path| quoted(&input::name(path)));
    Failure::Io(format!(
        "{own} is a folder, not a response. Name a file of it, or the URLs whose responses are in it:\n  \
         playsim waterfall {first}\n  playsim waterfall https://ads.test/tag --dir {own}"
    ))
}

/// Returns the text of a saved answer; `None` if the file is empty.
pub(super) fn body(file: &str, talk: &Talk) -> Result<Option<String>, Failure> {
    let read = document(file, file, talk)?;
    Ok(Some(read.text).filter(|text| !text.trim().is_empty() || read.status != 200))
}

fn missing(base: &str, word: &str) -> Failure {
    if let Some((file, suffix)) = base
        .rsplit_once('@')
        .filter(|(file, _)| Path::new(file).is_file())
    {
        return Failure::Input(format!(
            "\"{word}\": after @ write a duration such as 250ms or a status such as 404; \
             \"{suffix}\" is neither, and no file has this whole name (but {file} exists)"
        ));
    }
    Failure::Io(format!(
        "cannot read {base}: no such file or folder{}",
        meant(base)
    ))
}

/// Returns what was probably meant by the name of a missing file, or what can be given instead.
fn meant(base: &str) -> String {
    let known = FAULTS.iter().map(|(name, _)| *name).chain(["empty"]);
    if let Some(meant) = words::nearest(base, known) {
        return format!("; did you mean {meant}?");
    }
    let host = base.split(['/', '?']).next().unwrap_or_default();
    let is_address = base.len() > host.len() && host.contains('.') && !host.starts_with('.');
    if is_address && !Path::new(host).is_dir() {
        return format!(
            "; a URL begins with its scheme: {}",
            quoted(&format!("https://{base}"))
        );
    }
    let folder = Path::new(base)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let there = reading::entries(folder.unwrap_or(Path::new("."))).unwrap_or_default();
    let there: Vec<String> = there.iter().map(|path| file::last(path)).collect();
    let own = file::last(base.as_ref());
    if let Some(near) = words::nearest(&own, there.iter().map(String::as_str)) {
        let near = folder.map_or_else(|| near.into(), |folder| folder.join(near));
        return format!("; did you mean {}?", input::name(&near));
    }
    "; a response is a file, or one of 404, empty, timeout, refused, reset, truncated, cors and blocked"
        .to_owned()
}

/// Reads an HTTP response as `curl -si` prints it.
fn response(name: &str, text: &str) -> Result<Read, Failure> {
    let (status, body) = http_response(text).map_err(|line| {
        let text = "it must be a status line such as HTTP/1.1 200 OK";
        Failure::Input(format!("{name}: the first line is \"{line}\"; {text}"))
    })?;
    Ok(Read {
        status,
        name: format!("{name} (body)"),
        text: body.to_owned(),
    })
}

/// Parses `[URL=]MEDIA`.
pub(super) fn media(word: &str) -> Result<UrlSetting<MediaScript>, Failure> {
    let (address, what) = match word.rsplit_once('=') {
        Some((address, what)) => (Some(address.to_owned()), what),
        None => (None, word),
    };
    let (base, after) = match what.rsplit_once('@') {
        Some((base, after)) => (base, Some(after.parse())),
        None => (what, None),
    };
    let takes = || {
        let words = joined(MEDIA_FAULTS.iter().map(|(name, _)| name), ", ");
        Failure::Input(format!(
            "--media is \"{word}\"; it must be a duration such as 30s, or one of {words}"
        ))
    };
    let metadata_after = after.transpose().map_err(|_| takes())?.unwrap_or_default();
    let script = MediaScript {
        metadata_after,
        ..MediaScript::default()
    };
    let what = match MEDIA_FAULTS.iter().find(|(name, _)| *name == base) {
        Some((_, fault)) => MediaScript {
            fails: Some((None, *fault)),
            ..script
        },
        None => MediaScript {
            duration: base.parse().map_err(|_| takes())?,
            ..script
        },
    };
    Ok(UrlSetting { address, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_and_statuses_follow_an_at_sign() {
        let both = Suffixes {
            after: Some(Span::from_secs(2)),
            status: Some(503),
        };
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
    fn an_argument_is_quoted_where_a_shell_would_split_it() {
        assert_eq!(quoted("https://a.test/x=FILE"), "https://a.test/x=FILE");
        assert_eq!(
            quoted("https://a.test/x?a=1&b='=FILE"),
            "'https://a.test/x?a=1&b='\\''=FILE'"
        );
    }
}
