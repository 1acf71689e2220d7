//! No comparison with a word that nothing says: a string that is only ever compared with, and that
//! no table, no name of clap or serde and no other string of the sources has, is misspelled or was
//! forgotten when the word changed.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Attribute, Fields, Item, LitStr};

use super::{Source, assert_none, sources};

/// Words of vocabularies that are not the project's own: the files that may compare with them (the
/// beginning of their paths), whose they are, and the words.
const FOREIGN: &[(&str, &str, &[&str])] = &[
    (
        "crates/check/src/diff/text.rs",
        "marks at the beginning of a printed line",
        &["!", "@", "^"],
    ),
    (
        "crates/scenario/src/read/scalar.rs",
        "numbers of YAML",
        &[".inf", ".nan"],
    ),
    ("src/cli/output.rs", "terminals", &["dumb"]),
    (
        "src/cli/requests.rs",
        "units that people write",
        &["KB", "kB"],
    ),
    (
        "crates/fetch/src/lib.rs",
        "encodings of HTTP bodies",
        &["br", "deflate", "gzip", "identity", "x-gzip"],
    ),
    (
        "crates/import/src/evidence.rs",
        "fields of OpenRTB and Prebid",
        &["adm", "vastXml"],
    ),
    (
        "crates/import/src/har.rs",
        "an encoding of HTTP bodies",
        &["br"],
    ),
    (
        "crates/fetch/src/cookies.rs",
        "attributes of cookies",
        &["expires", "max-age"],
    ),
    ("src/cli/test/find.rs", "folders of npm", &["node_modules"]),
    (
        "crates/import/src/charles.rs",
        "attributes and elements of Charles",
        &["CONNECT", "responseBegin", "transaction"],
    ),
    (
        "crates/import/src/har.rs",
        "fields of HTTP archives and of the tools that write them",
        &[
            "_errorText",
            "_failureText",
            "_fetchType",
            "_fetchedViaServiceWorker",
            "_fromCache",
            "_initiator",
            "callFrames",
            "columnNumber",
            "connect",
            "dns",
            "lineNumber",
            "parent",
            "stack",
        ],
    ),
    ("crates/import/src/", "methods of HTTP", &["OPTIONS"]),
    (
        "crates/server/src/origin.rs",
        "methods of HTTP and endings of files",
        &["OPTIONS", "png"],
    ),
    (
        "crates/conform/src/stage.rs",
        "files of a page that a browser asks for",
        &["adapter.js", "case.json", "drive.js", "recorder.js"],
    ),
    (
        "crates/ads/src/report/macros.rs",
        "macros of VMAP",
        &["ERROR_MESSAGE"],
    ),
    (
        "crates/ads/src/request/resource.rs",
        "endings of pictures",
        &["gif", "jpeg", "jpg", "png", "webp"],
    ),
    (
        "crates/report/src/dictionary/lookup.rs",
        "what people write in front of a code",
        &["aderror"],
    ),
    (
        "crates/conform/src/evidence.rs",
        "lines that only recorders write",
        &["console"],
    ),
    (
        "crates/check/src/recording/log.rs",
        "words of the compact form of recordings",
        &["ask", "stage"],
    ),
    (
        "crates/trace/src/export/har/address.rs",
        "schemes of URLs",
        &["ftp", "ws", "wss"],
    ),
    (
        "crates/trace/src/export/har/content.rs",
        "endings of files",
        &["3gp", "flv", "swf"],
    ),
    (
        "crates/vast/src/",
        "XML and formats that are not VAST",
        &[
            "amp",
            "apos",
            "feed",
            "gt",
            "lt",
            "quot",
            "rss",
            "smoothstreamingmedia",
        ],
    ),
];

/// What the strings of a file are used for.
#[derive(Debug, Default)]
struct Words {
    /// Those that something is compared with: in patterns, and next to `==` and `!=`.
    compared: BTreeSet<String>,
    /// All others, and the names that derives make of variants and fields.
    said: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Words {
        let mut words = Words::default();
        let tokens = text.parse::<TokenStream>().expect("a source is Rust");
        words.read(&tokens.into_iter().collect::<Vec<_>>());
        words.name(&syn::parse_file(text).expect("a source is Rust").items);
        words
    }

    fn read(&mut self, mut tokens: &[TokenTree]) {
        while let [first, rest @ ..] = tokens {
            tokens = self.read_first(first, rest);
        }
    }

    /// Reads one thing, which begins with this token, and returns what follows it.
    fn read_first<'t>(&mut self, first: &'t TokenTree, rest: &'t [TokenTree]) -> &'t [TokenTree] {
        match first {
            TokenTree::Punct(mark) if mark.as_char() == '#' => return self.attribute(rest),
            TokenTree::Ident(word) if word == "match" => {
                let arms = rest
                    .iter()
                    .position(|token| inside(token, Delimiter::Brace).is_some());
                if let Some(at) = arms {
                    self.read(&rest[..at]);
                    self.arms(&inside(&rest[at], Delimiter::Brace).unwrap_or_default());
                    return &rest[at + 1..];
                }
            }
            TokenTree::Ident(word) if word == "let" => {
                let until = rest
                    .iter()
                    .position(|token| is(token, '=') || is(token, ';'));
                let (pattern, rest) = rest.split_at(until.unwrap_or(rest.len()));
                self.compare(pattern);
                return rest;
            }
            TokenTree::Ident(word) if word == "matches" => {
                if let [mark, group, rest @ ..] = rest
                    && is(mark, '!')
                    && let Some(tokens) = inside(group, Delimiter::Parenthesis)
                {
                    let comma = tokens
                        .iter()
                        .position(|token| is(token, ','))
                        .unwrap_or(tokens.len());
                    self.read(&tokens[..comma]);
                    self.pattern(&tokens[comma..]);
                    return rest;
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == '=' || mark.as_char() == '!' => {
                if let [equals, operand @ ..] = rest
                    && is(equals, '=')
                {
                    let marks = operand
                        .iter()
                        .take_while(|token| is(token, '*') || is(token, '&'))
                        .count();
                    if let Some(word) = operand.get(marks).and_then(string) {
                        self.compared.insert(word);
                        return &operand[marks + 1..];
                    }
                }
            }
            TokenTree::Group(group) => self.read(&group.stream().into_iter().collect::<Vec<_>>()),
            TokenTree::Literal(_) => {
                if let Some(word) = string(first) {
                    let is_operand = matches!(rest, [one, two, ..]
                        if is(two, '=') && (is(one, '=') || is(one, '!')));
                    if is_operand {
                        &mut self.compared
                    } else {
                        &mut self.said
                    }
                    .insert(word);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
        rest
    }

    /// Passes over what is only for tests, and over comments; names in other attributes are said.
    fn attribute<'t>(&mut self, tokens: &'t [TokenTree]) -> &'t [TokenTree] {
        let at = usize::from(tokens.first().is_some_and(|token| is(token, '!')));
        let Some(inner) = tokens
            .get(at)
            .and_then(|token| inside(token, Delimiter::Bracket))
        else {
            return tokens;
        };
        let rest = &tokens[at + 1..];
        let text: String = inner.iter().map(ToString::to_string).collect();
        if text == "cfg(test)" {
            let end = rest
                .iter()
                .position(|token| is(token, ';') || inside(token, Delimiter::Brace).is_some());
            return &rest[end.map_or(rest.len(), |end| end + 1)..];
        }
        if !text.starts_with("doc") {
            self.read(&inner);
        }
        rest
    }

    /// Reads the arms of a match.
    fn arms(&mut self, mut tokens: &[TokenTree]) {
        while let Some(arrow) =
            (1..tokens.len()).find(|at| is(&tokens[at - 1], '=') && is(&tokens[*at], '>'))
        {
            self.pattern(&tokens[..arrow - 1]);
            let body = &tokens[arrow + 1..];
            let end = match body {
                [block, ..] if inside(block, Delimiter::Brace).is_some() => 1,
                _ => body
                    .iter()
                    .position(|token| is(token, ','))
                    .unwrap_or(body.len()),
            };
            self.read(&body[..end]);
            tokens = &body[end..];
        }
    }

    /// Reads a pattern and its guard.
    fn pattern(&mut self, tokens: &[TokenTree]) {
        let guard = tokens
            .iter()
            .position(|token| matches!(token, TokenTree::Ident(word) if word == "if"));
        let (pattern, guard) = tokens.split_at(guard.unwrap_or(tokens.len()));
        self.compare(pattern);
        self.read(guard);
    }

    /// All strings of a pattern.
    fn compare(&mut self, pattern: &[TokenTree]) {
        for token in pattern {
            if let TokenTree::Group(group) = token {
                self.compare(&group.stream().into_iter().collect::<Vec<_>>());
            }
            self.compared.extend(string(token));
        }
    }

    /// The names that clap and serde make of variants and fields.
    fn name(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Mod(module) = item {
                self.name(module.content.as_ref().map_or(&[], |(_, items)| items));
            }
            let (attributes, names): (&[Attribute], Vec<String>) = if let Item::Enum(it) = item {
                (
                    &it.attrs,
                    it.variants
                        .iter()
                        .map(|variant| variant.ident.to_string())
                        .collect(),
                )
            } else if let Item::Struct(it) = item {
                (&it.attrs, names(&it.fields))
            } else {
                continue;
            };
            if attributes
                .iter()
                .any(|it| it.path().is_ident("derive") && makes_names(it))
            {
                self.said
                    .extend(names.iter().flat_map(|name| spellings(name)));
            }
        }
    }
}

fn names(fields: &Fields) -> Vec<String> {
    fields
        .iter()
        .filter_map(|field| field.ident.as_ref())
        .map(ToString::to_string)
        .collect()
}

fn makes_names(derive: &Attribute) -> bool {
    let made = [
        "Serialize",
        "Deserialize",
        "ValueEnum",
        "Args",
        "Parser",
        "Subcommand",
    ];
    let listed = derive
        .meta
        .require_list()
        .map(|list| list.tokens.to_string())
        .unwrap_or_default();
    listed
        .split(|c: char| !c.is_alphanumeric())
        .any(|name| made.contains(&name))
}

/// A name as it is, with hyphens, with underscores, and in camel case.
fn spellings(name: &str) -> [String; 4] {
    let mut parts: Vec<String> = Vec::new();
    for letter in name.chars() {
        match parts.last_mut() {
            Some(part) if !letter.is_uppercase() && letter != '_' => part.push(letter),
            _ => parts.push(
                letter
                    .to_lowercase()
                    .filter(|letter| *letter != '_')
                    .collect(),
            ),
        }
    }
    let capital = |part: &String| {
        part.chars()
            .take(1)
            .flat_map(char::to_uppercase)
            .chain(part.chars().skip(1))
            .collect()
    };
    let camel: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| if at == 0 { part.clone() } else { capital(part) })
        .collect();
    [
        name.to_owned(),
        parts.join("-"),
        parts.join("_"),
        camel.concat(),
    ]
}

fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn inside(token: &TokenTree, brackets: Delimiter) -> Option<Vec<TokenTree>> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    (group.delimiter() == brackets).then(|| group.stream().into_iter().collect())
}

/// The text of a string literal.
fn string(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    syn::parse_str::<LitStr>(&literal.to_string())
        .ok()
        .map(|literal| literal.value())
}

/// The words that only comparisons have, each with the files that compare.
fn dead(sources: &[Source]) -> BTreeMap<String, Vec<&str>> {
    let is_test =
        |source: &&Source| source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
    let read: Vec<(&str, Words)> = sources
        .iter()
        .filter(|source| !is_test(source))
        .map(|source| (source.path.as_str(), Words::of(&source.text)))
        .collect();
    let said: BTreeSet<&String> = read.iter().flat_map(|(_, words)| &words.said).collect();
    let mut dead: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, words) in &read {
        for word in words
            .compared
            .iter()
            .filter(|word| !word.is_empty() && !said.contains(word))
        {
            dead.entry(word.clone()).or_default().push(path);
        }
    }
    dead
}

#[test]
fn nothing_is_compared_with_a_word_that_nothing_says() {
    let sources = sources();
    let dead = dead(&sources);
    let mut problems = Vec::new();
    for (word, paths) in &dead {
        let is_foreign = |path: &str| {
            FOREIGN
                .iter()
                .any(|(start, _, words)| path.starts_with(start) && words.contains(&word.as_str()))
        };
        let own = paths.iter().filter(|path| !is_foreign(path));
        problems.extend(own.map(|path| format!("{path}: {word:?}")));
    }
    assert_none(
        &problems,
        "comparisons with words that nothing in src says; a word of others belongs in FOREIGN",
    );
    for (start, _, words) in FOREIGN {
        let is_there = |word: &str| {
            dead.get(word)
                .is_some_and(|paths| paths.iter().any(|path| path.starts_with(start)))
        };
        let idle = words.iter().filter(|word| !is_there(word));
        problems.extend(idle.map(|word| format!("{start}: {word:?}")));
    }
    assert_none(&problems, "words of FOREIGN that need no row");
}

#[test]
fn words_that_are_only_compared_with_are_found() {
    let text = r#"
        fn name(it: It) -> &'static str { match it { It::Many => "too-many-redirects", It::Late => "late" } }
        fn shown(word: &str, other: &Text) -> &'static str {
            match word { "redirects" | "late" if other == "guard" => "shown", _ => "else" };
            if **other == *"starred" || "reversed" != word || matches!(word, "listed" | "else") { return "" }
            let Some("bound") = other else { return "" };
            match (word, 1) { ("pair", 1) => {} ("other-pair", _) => {} _ => {} }
        }
        #[derive(ValueEnum)]
        enum Kind { FirstOne }
        fn kind(word: &str) -> bool { word == "first-one" || word == "first-two" }
        #[cfg(test)]
        mod tests { const SAID: &str = "redirects"; }
    "#;
    let source = Source {
        path: "src/example.rs".to_owned(),
        text: text.to_owned(),
    };
    let found: Vec<String> = dead(&[source]).into_keys().collect();
    let due = [
        "bound",
        "first-two",
        "guard",
        "listed",
        "other-pair",
        "pair",
        "redirects",
        "reversed",
        "starred",
    ];
    assert_eq!(found, due);
}
