//! The messages of all parts in one file, so that they can be read in a row and compared: each says
//! in one sentence what is wrong, where, and what to do. Placeholders in braces are as in the code.
//!
//! `UPDATE_MESSAGES=1` writes `fixtures/messages.txt` anew.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::LitStr;

use super::{Source, code, files, root, sources};

const FILE: &str = "fixtures/messages.txt";

/// What the arguments are messages of: functions, constructors and macros, by their last names.
const SAID: &[&str] = &[
    "bail",
    "error",
    "map_err",
    "ok_or",
    "ok_or_else",
    "say",
    "Err",
    "Input",
    "Invalid",
    "Io",
    "NothingSelected",
];

/// Collects the texts in these tokens, which are a message.
fn texts(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => texts(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<LitStr>(&literal.to_string());
                // Shorter ones are parts of a message, such as what is put between words.
                if let Ok(text) = text.map(|it| it.value())
                    && text.trim().contains(' ')
                {
                    found.insert(text);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Collects the messages in code: what such a name is followed by, with or without a `!`.
fn messages(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let mut before = [String::new(), String::new()];
    for token in tokens {
        let word = match &token {
            TokenTree::Group(group) => {
                let [first, second] = &before;
                let name = if second == "!" { first } else { second };
                if group.delimiter() == Delimiter::Parenthesis && SAID.contains(&name.as_str()) {
                    texts(group.stream(), found);
                } else {
                    messages(group.stream(), found);
                }
                String::new()
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.to_string(),
        };
        before = [std::mem::take(&mut before[1]), word];
    }
}

fn of_code(source: &Source) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tokens = code(source).parse().unwrap_or_default();
    messages(tokens, &mut found);
    found
}

/// The messages about mistakes in scenarios, without their places.
fn of_mistakes() -> BTreeSet<String> {
    let snapshots = files("fixtures/errors", &["snap"]);
    let shown = snapshots.iter().flat_map(|it| {
        let (_, text) = it.text.split_once("\n---\n").unwrap_or_default();
        text.lines().take_while(|line| !line.is_empty())
    });
    let without_place = |line: &str| {
        let mut parts = line.splitn(4, ':');
        let is_placed = parts
            .clone()
            .skip(1)
            .take(2)
            .all(|it| it.parse::<u32>().is_ok());
        match (parts.nth(3), is_placed) {
            (Some(text), true) => text.trim().to_owned(),
            (Some(_) | None, _) => line.to_owned(),
        }
    };
    shown.map(without_place).collect()
}

#[test]
fn all_messages_are_in_one_file() {
    let mut by_file: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        by_file.insert(source.path.clone(), of_code(&source));
    }
    by_file.insert("fixtures/errors".to_owned(), of_mistakes());
    let mut now = String::new();
    for (file, messages) in by_file.iter().filter(|(_, messages)| !messages.is_empty()) {
        now.push_str(&format!("\n{file}\n"));
        for message in messages {
            let message = message.trim_end().replace('\n', "\n      ");
            now.push_str(&format!("  {message}\n"));
        }
    }
    let path = root().join(FILE);
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let other = there
        .lines()
        .zip(now.lines())
        .find(|(one, other)| one != other);
    assert!(
        there == now,
        "{FILE} is not what the code says; read what is new, then UPDATE_MESSAGES=1 writes it: {other:?}"
    );
}

#[test]
fn messages_are_found_wherever_they_are_made() {
    let code = r##"
        #[error("no file {name}")]
        struct A;
        fn a() { bail!("{file} is no file; \
                        give one"); Err(Failure::Io(format!("cannot read {a}"))); talk.say(&format!("note: {x}"));
                 let said = "not a message at all"; }
    "##;
    let mut found = BTreeSet::new();
    messages(code.parse().expect("it is code"), &mut found);
    let due = [
        "cannot read {a}",
        "no file {name}",
        "note: {x}",
        "{file} is no file; give one",
    ];
    assert_eq!(found, due.map(str::to_owned).into());
}
