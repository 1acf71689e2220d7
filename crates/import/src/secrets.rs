//! Keeps secrets out of the output: the values of query parameters such as `token`, and passwords
//! in URLs.
//!
//! Cookies and header fields such as `Authorization` need no care: nothing reads them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::recording::{Body, RecordedOutcome, RequestRecording};

/// The replacement of a secret value.
const REMOVED: &str = "removed";

/// Parts of names of parameters whose values are secret.
const PARTS: &[&str] = &[
    "token",
    "secret",
    "passw",
    "apikey",
    "api_key",
    "api-key",
    "session",
    "jwt",
    "signature",
    "credential",
    "email",
    "bearer",
];

/// Whole names of parameters whose values are secret.
const NAMES: &[&str] = &[
    "auth",
    "authorization",
    "hdnea",
    "hdntl",
    "hdnts",
    "hmac",
    "key",
    "policy",
    "pwd",
    "sid",
    "sig",
];

/// Replaces the secrets in all URLs and documents, and returns the names of the replaced
/// parameters.
pub(super) fn remove(recording: &mut RequestRecording) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut clean = |text: &mut Arc<str>| {
        if let Some(cleaned) = cleaned(text, &mut names) {
            *text = cleaned.into();
        }
    };
    for exchange in &mut recording.exchanges {
        clean(&mut exchange.url);
        exchange.initiator.iter_mut().for_each(&mut clean);
        if let RecordedOutcome::Redirect(_, to) = &mut exchange.outcome {
            clean(to);
        }
        if let Body::Text(text) = &mut exchange.body {
            clean(text);
        }
    }
    names
}

/// How a parameter is written: the characters before its name, after it, and after its value.
struct ParameterForm {
    before: &'static [&'static str],
    equals: &'static str,
    /// Ends the value, besides the end of the URL.
    after: &'static str,
}

const FORMS: &[ParameterForm] = &[
    // `;` ends `&amp;` in a document.
    ParameterForm {
        before: &["?", "&", ";"],
        equals: "=",
        after: "&",
    },
    // A URL in a parameter of another one.
    ParameterForm {
        before: &["%3F", "%26", "%3f"],
        equals: "%3D",
        after: "%26",
    },
];

/// Returns the text without secrets; `None` if it has none.
fn cleaned(text: &str, names: &mut BTreeSet<String>) -> Option<String> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for form in FORMS {
        for (at, _) in text.match_indices(form.equals) {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
            let mut length = text.as_bytes()[..at]
                .iter()
                .rev()
                .take_while(|byte| is_name(byte))
                .count();
            let mut before = &text[..at - length];
            // The escape before a name ends in letters and digits too.
            if form.equals != "=" {
                let all = &text[..at];
                let Some(end) = form
                    .before
                    .iter()
                    .filter_map(|mark| Some(all.rfind(mark)? + mark.len()))
                    .max()
                else {
                    continue;
                };
                if at - end > length {
                    continue;
                }
                length = at - end;
                before = &text[..end];
            }
            let name = &text[at - length..at];
            let from = at + form.equals.len();
            let to = from + value_length(&text[from..], form.after);
            let is_parameter = form.before.iter().any(|mark| before.ends_with(mark));
            if is_parameter && is_secret(name) && from < to && !is_open(&text[from..to]) {
                names.insert(name.to_owned());
                places.push((from, to));
            }
        }
    }
    for (at, _) in text.match_indices("://") {
        let from = at + "://".len();
        let host = text[from..]
            .find(|it: char| "/?#<>\"' ]".contains(it))
            .unwrap_or(text.len() - from);
        if let Some(end) = text[from..from + host].rfind('@') {
            names.insert("user and password before a host".to_owned());
            places.push((from, from + end));
        }
    }
    if places.is_empty() {
        return None;
    }
    places.sort_unstable();
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (from, to) in places {
        if from >= end {
            out.push_str(&text[end..from]);
            out.push_str(REMOVED);
            end = to;
        }
    }
    out.push_str(&text[end..]);
    Some(out)
}

fn value_length(text: &str, after: &str) -> usize {
    let end = text
        .find(|it: char| it.is_whitespace() || "&#<>\"'])\\".contains(it))
        .unwrap_or(text.len());
    text[..end].find(after).unwrap_or(end)
}

/// Returns whether a value is a macro, which is filled later, or was removed before.
fn is_open(value: &str) -> bool {
    value.starts_with(['[', '{'])
        || value.starts_with("%%")
        || value.starts_with("${")
        || value == REMOVED
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.contains(&&*name) || PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_replaced_in_urls_and_documents() {
        for (text, due) in [
            (
                "https://a.test/x?token=abc&y=1",
                Some("https://a.test/x?token=removed&y=1"),
            ),
            (
                "https://a.test/x?y=1&amp;accessToken=abc]]>",
                Some("https://a.test/x?y=1&amp;accessToken=removed]]>"),
            ),
            ("https://u:p@a.test/x", Some("https://removed@a.test/x")),
            (
                "https://a.test/x?u=https%3A%2F%2Fb.test%3Fsid%3D12%26z%3D1",
                Some("https://a.test/x?u=https%3A%2F%2Fb.test%3Fsid%3Dremoved%26z%3D1"),
            ),
            ("https://a.test/x?token=[TOKEN]&key=%%K%%", None),
            ("https://a.test/token=1/x?tokens", None),
            ("https://a.test/x?monkey=1", None),
            ("<Ad key=\"1\" sig='2'>", None),
        ] {
            assert_eq!(
                cleaned(text, &mut BTreeSet::new()).as_deref(),
                due,
                "{text}"
            );
        }
    }
}
