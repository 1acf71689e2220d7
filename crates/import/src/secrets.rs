//! Keeps secrets out of the output: the values of parameters such as `token`, in queries, in
//! fragments and in the parameters of units, JSON Web Tokens wherever they stand, and passwords in
//! URLs.
//!
//! Cookies and header fields such as `Authorization` need no care: nothing reads them.

use std::collections::BTreeSet;

use super::recording::{Body, Exchange, RecordedOutcome, RequestRecording};

/// The replacement of a secret value.
const REMOVED: &str = "removed";

/// Parts of names of parameters whose values are secret, without `_`, `-` and `.`.
const PARTS: &[&str] = &[
    "accesskey",
    "apikey",
    "authkey",
    "bearer",
    "credential",
    "csrf",
    "email",
    "jwt",
    "nonce",
    "oauth",
    "passphrase",
    "passw",
    "privatekey",
    "secret",
    "sessid",
    "session",
    "sharedkey",
    "signature",
    "ticket",
    "token",
    "xsrf",
];

/// Whole names of parameters whose values are secret.
const NAMES: &[&str] = &[
    "auth",
    "authorization",
    "hdnea",
    "hdntl",
    "hdnts",
    "hmac",
    "otp",
    "pass",
    "pwd",
    "sas",
    "sid",
    "sig",
    "sso",
    "totp",
];

/// Whole names that are secret in a URL, and in JSON and XML names of anything.
const NAMES_IN_URLS: &[&str] = &["code", "key", "policy"];

/// The longest name that is looked at, so that the cost of a text follows its length.
const LONGEST_NAME: usize = 100;

/// Replaces the secrets in all URLs and documents, and returns the names of the replaced
/// parameters.
pub(super) fn remove(recording: &mut RequestRecording) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // A field that is added has to be decided here.
    for exchange in &mut recording.exchanges {
        let Exchange {
            url,
            initiator,
            outcome,
            body,
            number: _,
            started: _,
            method: _,
            page: _,
            purpose: _,
            site: _,
            first_byte: _,
            time: _,
            mime: _,
            film: _,
            is_stored: _,
        } = exchange;
        clean(url, &mut names);
        initiator.iter_mut().for_each(|url| clean(url, &mut names));
        match outcome {
            RecordedOutcome::Redirect(_, to) => clean(to, &mut names),
            RecordedOutcome::Failed(words) | RecordedOutcome::BrokeOff(words) => {
                words.iter_mut().for_each(|words| clean(words, &mut names));
            }
            RecordedOutcome::Response(_) | RecordedOutcome::Unknown => {}
        }
        match body {
            Body::Text(text) | Body::Cut(text) => clean(text, &mut names),
            Body::Empty | Body::Missing => {}
        }
    }
    for page in &mut recording.pages {
        clean(&mut page.title, &mut names);
    }
    names
}

/// Replaces the secrets in one text.
fn clean<T: AsRef<str> + From<String>>(text: &mut T, names: &mut BTreeSet<String>) {
    if let Some(cleaned) = cleaned(text.as_ref(), names) {
        *text = cleaned.into();
    }
}

/// The places of secrets in a text, with the names under which they are reported.
struct Places<'a> {
    text: &'a str,
    names: &'a mut BTreeSet<String>,
    places: Vec<(usize, usize)>,
}

/// Returns the text without secrets; `None` if it has none.
fn cleaned(text: &str, names: &mut BTreeSet<String>) -> Option<String> {
    let mut found = Places {
        text,
        names,
        places: Vec::new(),
    };
    found.parameters();
    found.members();
    found.elements();
    found.attributes();
    found.web_tokens();
    found.passwords();
    let mut places = found.places;
    if places.is_empty() {
        return None;
    }
    places.sort_unstable();
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (from, to) in places {
        if from >= end {
            out.push_str(&text[end..from]);
            out.push_str(REMOVED);
        }
        // What is in part in an earlier one is part of it.
        end = end.max(to);
    }
    out.push_str(&text[end..]);
    Some(out)
}

impl Places<'_> {
    fn add(&mut self, name: &str, from: usize, to: usize) {
        if from < to && !is_open(&self.text[from..to]) {
            self.names.insert(name.to_owned());
            self.places.push((from, to));
        }
    }

    /// Parameters of queries and fragments, also of a URL in a parameter of another one, and of
    /// documents that write parameters in the same way.
    fn parameters(&mut self) {
        /// How `=` is written, and what ends a value besides what ends every one.
        const EQUALS: &[(&str, &[&str])] = &[
            ("=", &[]),
            ("%3D", &["%26", "%23"]),
            ("%3d", &["%26", "%23"]),
            ("%253D", &["%26", "%23", "%2526", "%2523"]),
            ("%253d", &["%26", "%23", "%2526", "%2523"]),
            ("\\u003d", &[]),
        ];
        for (equals, ends) in EQUALS {
            for (at, _) in self.text.match_indices(equals) {
                let Some(name) = parameter_name(&self.text[..at]) else {
                    continue;
                };
                let from = at + equals.len();
                let to = from + value_length(&self.text[from..], ends);
                let is_code = name.eq_ignore_ascii_case("code") && is_number(&self.text[from..to]);
                if (is_secret(name) || is_secret_in_url(name)) && !is_code {
                    self.add(name, from, to);
                }
            }
        }
    }

    /// Members of objects in JSON, whose quotes may be escaped.
    fn members(&mut self) {
        const QUOTES: &[&str] = &["\\\"", "\"", "'", "&quot;", "&#34;", "%22", "\\u0022"];
        for colon in [":", "%3A", "%3a"] {
            for (at, _) in self.text.match_indices(colon) {
                let before = trimmed_end(&self.text[..at]);
                let Some(quote) = QUOTES.iter().find(|quote| before.ends_with(**quote)) else {
                    continue;
                };
                let before = &before[..before.len() - quote.len()];
                let name = name_at_end(before);
                let is_name = before[..before.len() - name.len()].ends_with(quote);
                if !is_name || !is_secret(name) {
                    continue;
                }
                let after = at + colon.len();
                let after = after + blanks(&self.text[after..]);
                let rest = &self.text[after..];
                match rest.strip_prefix(quote) {
                    Some(value) => {
                        let from = after + quote.len();
                        self.add(name, from, from + quoted_length(value, quote));
                    }
                    None => {
                        let length = name_length(rest);
                        if !matches!(&rest[..length], "null" | "true" | "false") {
                            self.add(name, after, after + length);
                        }
                    }
                }
            }
        }
    }

    /// Elements such as `<token>`, also those that are escaped in an attribute or a text.
    fn elements(&mut self) {
        const CDATA: &str = "<![CDATA[";
        const END: &str = "]]>";
        let last_end = self.text.rfind(END).unwrap_or_default();
        for (open, close) in [("<", ">"), ("&lt;", "&gt;")] {
            for (at, _) in self.text.match_indices(close) {
                let name = name_at_end(&self.text[..at]);
                let is_start = self.text[..at - name.len()].ends_with(open);
                if !is_start || !is_secret(name) {
                    continue;
                }
                let mut from = at + close.len();
                from += blanks(&self.text[from..]);
                let rest = &self.text[from..];
                let (from, end) = match rest.strip_prefix(CDATA) {
                    Some(_) if last_end > from => (from + CDATA.len(), END),
                    Some(_) | None => (from, open),
                };
                let rest = &self.text[from..];
                let length = rest.find(end).unwrap_or_else(|| value_length(rest, &[]));
                self.add(name, from, from + trimmed_end(&rest[..length]).len());
            }
        }
    }

    /// Attributes in the parameters of units, which are anybody's XML; elsewhere they are those of
    /// VAST.
    fn attributes(&mut self) {
        const BEGIN: &str = "<AdParameters";
        let mut from = 0;
        while let Some(begin) = self.text[from..].find(BEGIN) {
            let begin = from + begin + BEGIN.len();
            let length = self.text[begin..].find("</AdParameters");
            let end = length.map_or(self.text.len(), |length| begin + length);
            for (at, _) in self.text[begin..end].match_indices('=') {
                let at = begin + at;
                let name = name_at_end(&self.text[..at]);
                let rest = &self.text[at + 1..end];
                let quote = ["\"", "'", "&quot;"]
                    .iter()
                    .find(|it| rest.starts_with(**it));
                if let Some(quote) = quote.filter(|_| is_secret(name)) {
                    let from = at + 1 + quote.len();
                    let length = self.text[from..end].find(quote).unwrap_or_default();
                    self.add(name, from, from + length);
                }
            }
            from = end;
        }
    }

    /// JSON Web Tokens, whatever they are called: the object of the header, in Base64, and two or
    /// four more parts. RFC 7519.
    fn web_tokens(&mut self) {
        const BEGIN: &str = "eyJ";
        /// No header is shorter: `{"alg":""}`.
        const SHORTEST: usize = 12;
        let bytes = self.text.as_bytes();
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let length = |from: usize| bytes[from..].iter().take_while(|it| is_base64(it)).count();
        let mut end = 0;
        for (from, _) in self.text.match_indices(BEGIN) {
            let is_begin =
                from == 0 || !is_base64(&bytes[from - 1]) || self.text[..from].ends_with("%3D");
            if from < end || !is_begin {
                continue;
            }
            let header = length(from);
            end = from + header;
            let mut parts = 1;
            while parts < 5 && bytes.get(end) == Some(&b'.') {
                end += 1 + length(end + 1);
                parts += 1;
            }
            if header >= SHORTEST && parts >= 3 {
                self.add("JSON Web Token", from, end);
            }
        }
    }

    /// User and password before a host.
    fn passwords(&mut self) {
        for (at, _) in self.text.match_indices("://") {
            let from = at + "://".len();
            let host = self.text[from..]
                .find(|it: char| "/?#<>\"' ]".contains(it))
                .unwrap_or(self.text.len() - from);
            if let Some(end) = self.text[from..from + host].rfind('@') {
                self.add("user and password before a host", from, from + end);
            }
        }
    }
}

/// Returns the name of the parameter that ends here; `None` if there is none.
fn parameter_name(before: &str) -> Option<&str> {
    /// Escaped separators, and what begins a text in XML; all other letters of names may be within.
    const MARKS: &[&str] = &["%3f", "%26", "%23", "%253f", "%2526", "%2523", "cdata["];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.%[]".contains(byte);
    let length = before.bytes().rev().take(LONGEST_NAME);
    let length = length.take_while(is_name).count();
    let from = before.len() - length;
    let name = &before[from..];
    let lower = name.to_ascii_lowercase();
    let ends = MARKS
        .iter()
        .filter_map(|mark| Some(lower.rfind(mark)? + mark.len()));
    if let Some(end) = ends.max() {
        return Some(&name[end..]).filter(|name| !name.is_empty());
    }
    // `\u0026` is `&` in JSON.
    let escaped = ["u0026", "u003f", "u0023"];
    let rest = &before[..from];
    if rest.ends_with('\\') && escaped.iter().any(|it| lower.starts_with(it)) {
        return Some(&name[5..]).filter(|name| !name.is_empty());
    }
    // `;` ends `&amp;` in a document.
    let is_parameter = rest.is_empty()
        || rest.ends_with(|it: char| it.is_ascii_whitespace() || "?&;#>\"',|({~".contains(it));
    (is_parameter && !name.is_empty()).then_some(name)
}

/// Returns the name that a text ends with, without escapes.
fn name_at_end(text: &str) -> &str {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let length = text.bytes().rev().take(LONGEST_NAME);
    &text[text.len() - length.take_while(is_name).count()..]
}

/// Returns the length of the name or number that a text begins with.
fn name_length(text: &str) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    text.bytes().take_while(is_name).count()
}

/// Returns how many white spaces a text begins with, of the few that stand between a name and its
/// value.
fn blanks(text: &str) -> usize {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    text.bytes().take(LONGEST_NAME).take_while(is_blank).count()
}

fn trimmed_end(text: &str) -> &str {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let length = text.bytes().rev().take(LONGEST_NAME);
    &text[..text.len() - length.take_while(is_blank).count()]
}

fn value_length(text: &str, ends: &[&str]) -> usize {
    let end = text
        .find(|it: char| it.is_whitespace() || "&#<>\"'])\\".contains(it))
        .unwrap_or(text.len());
    let ends = ends.iter().filter_map(|mark| text[..end].find(mark));
    ends.min().unwrap_or(end)
}

/// Returns the length of a text in quotes. A quote after a backslash is part of it.
fn quoted_length(text: &str, quote: &str) -> usize {
    let mut ends = text.match_indices(quote).map(|(at, _)| at);
    let is_end = |at: &usize| quote.starts_with('\\') || !text[..*at].ends_with('\\');
    // A document that broke off has no end of it.
    ends.find(is_end).unwrap_or_else(|| value_length(text, &[]))
}

/// Returns whether a value is a macro, which is filled later, or was removed before.
fn is_open(value: &str) -> bool {
    value.starts_with(['[', '{'])
        || value.starts_with("%%")
        || value.starts_with("${")
        || value == REMOVED
}

/// Returns whether a value is a short number: an error code, as `code=303` says it.
fn is_number(value: &str) -> bool {
    const LONGEST_CODE: usize = 4;
    value.len() <= LONGEST_CODE && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the last part of a name such as `data[Video][token]`, in lower case and without
/// separators.
fn last_part(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches(']').trim_end_matches("%5d");
    let last = name.rsplit('[').next().unwrap_or_default();
    let last = last.rsplit("%5b").next().unwrap_or_default();
    last.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn is_secret(name: &str) -> bool {
    let name = last_part(name);
    NAMES.contains(&&*name) || PARTS.iter().any(|part| name.contains(part))
}

fn is_secret_in_url(name: &str) -> bool {
    NAMES_IN_URLS.contains(&&*last_part(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> Option<String> {
        cleaned(text, &mut BTreeSet::new())
    }

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
            (
                "https://a.test/x?u=https%253A%252F%252Fb.test%253Fsid%253D12%2526z%253D1",
                Some(
                    "https://a.test/x?u=https%253A%252F%252Fb.test%253Fsid%253Dremoved%2526z%253D1",
                ),
            ),
            (
                "https://a.test/#access_token=abc&state=1",
                Some("https://a.test/#access_token=removed&state=1"),
            ),
            (
                "https://a.test/?u=b.test%23id_token%3Dabc%26x%3D1",
                Some("https://a.test/?u=b.test%23id_token%3Dremoved%26x%3D1"),
            ),
            (
                "https://a.test/x?data[User][token]=abc&data%5Botp%5D=123456",
                Some("https://a.test/x?data[User][token]=removed&data%5Botp%5D=removed"),
            ),
            ("https://a.test/x?token=[TOKEN]&key=%%K%%", None),
            ("https://a.test/token=1/x?tokens", None),
            ("https://a.test/x?monkey=1", None),
            ("https://a.test/error?code=303&code=[ERRORCODE]", None),
            ("<Ad key=\"1\" sig='2'>", None),
        ] {
            assert_eq!(without(text).as_deref(), due, "{text}");
        }
        for name in [
            "csrf",
            "csrf_token",
            "XSRF-TOKEN",
            "accesskey",
            "access_key",
            "AWSAccessKeyId",
            "sharedkey",
            "shared-key",
            "sas",
            "otp",
            "ticket",
            "code",
            "PHPSESSID",
            "JSESSIONID",
            "nonce",
            "api.key",
        ] {
            let text = format!("https://a.test/x?y=1&{name}=a1b2c3d4&z");
            let due = format!("https://a.test/x?y=1&{name}=removed&z");
            assert_eq!(without(&text), Some(due), "{name}");
        }
    }

    #[test]
    fn parameters_of_units_are_documents_of_any_kind() {
        for (text, due) in [
            (
                "<AdParameters><![CDATA[{\"token\": \"a\\\"b\", \"key\":\"title\", \"otp\":123456}]]></AdParameters>",
                "<AdParameters><![CDATA[{\"token\": \"removed\", \"key\":\"title\", \"otp\":removed}]]></AdParameters>",
            ),
            (
                "<AdParameters>{&quot;accessToken&quot;:&quot;abc&quot;}</AdParameters>",
                "<AdParameters>{&quot;accessToken&quot;:&quot;removed&quot;}</AdParameters>",
            ),
            (
                "{\"vast\":\"<AdParameters>{\\\"sid\\\":\\\"abc\\\"}\"}",
                "{\"vast\":\"<AdParameters>{\\\"sid\\\":\\\"removed\\\"}\"}",
            ),
            (
                "<AdParameters>token=abc&amp;x=1</AdParameters>",
                "<AdParameters>token=removed&amp;x=1</AdParameters>",
            ),
            (
                "<AdParameters><![CDATA[token=abc&x=1]]></AdParameters>",
                "<AdParameters><![CDATA[token=removed&x=1]]></AdParameters>",
            ),
            (
                "<AdParameters><![CDATA[<c ticket=\"abc\"><token>abc</token></c>]]></AdParameters>",
                "<AdParameters><![CDATA[<c ticket=\"removed\"><token>removed</token></c>]]></AdParameters>",
            ),
            (
                "<AdParameters>&lt;secret&gt;abc&lt;/secret&gt;</AdParameters>",
                "<AdParameters>&lt;secret&gt;removed&lt;/secret&gt;</AdParameters>",
            ),
            (
                "{\"u\":\"a.test?x=1\\u0026token\\u003dabc\"}",
                "{\"u\":\"a.test?x=1\\u0026token\\u003dremoved\"}",
            ),
        ] {
            assert_eq!(without(text).as_deref(), Some(due), "{text}");
        }
        assert_eq!(
            without("{\"token\":null,\"code\":\"303\",\"secret\":{}}"),
            None
        );
    }

    #[test]
    fn a_web_token_is_known_by_its_form_in_any_place() {
        // The header says {"alg":"none"}.
        const TOKEN: &str = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln";
        for around in [
            "https://a.test/x?d=*&y=1",
            "https://a.test/*/x",
            "https://a.test/x?u=https%3A%2F%2Fb.test%3Fd%3D*%26y",
            "<AdParameters>*</AdParameters>",
            "Bearer *",
        ] {
            let text = around.replace('*', TOKEN);
            assert_eq!(without(&text), Some(around.replace('*', REMOVED)), "{text}");
        }
        for text in ["eyJhbGciOiJub25lIn0", "eyJ.a.b", "xeyJhbGciOiJub25lIn0.a.b"] {
            assert_eq!(without(text), None, "{text}");
        }
    }

    #[test]
    fn everything_of_a_recording_that_may_have_a_secret_is_cleaned() {
        let url = "https://a.test/x?token=hush";
        let exchange = |outcome| Exchange {
            url: url.into(),
            initiator: Some(url.into()),
            outcome,
            body: Body::Text(url.into()),
            ..Exchange::default()
        };
        let mut recording = RequestRecording {
            pages: vec![super::super::RecordedPage {
                title: url.to_owned(),
                ..Default::default()
            }],
            exchanges: vec![
                exchange(RecordedOutcome::Redirect(302, url.into())),
                exchange(RecordedOutcome::Failed(Some(format!("cannot load {url}")))),
            ],
            ..RequestRecording::default()
        };
        assert_eq!(remove(&mut recording), BTreeSet::from(["token".to_owned()]));
        assert!(!format!("{recording:?}").contains("hush"));
    }
}
