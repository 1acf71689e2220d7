//! Reads what the check needs of a page: its anchors, and what it refers to.

use std::cell::RefCell;
use std::collections::BTreeSet;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// How a page refers to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A reader may follow it.
    Link,
    /// The browser loads it.
    Resource,
}

/// A reference of a page.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) kind: Kind,
    pub(super) url: String,
    pub(super) line: u64,
}

/// What is known of a page.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) ids: BTreeSet<String>,
    /// The ids that occur more than once.
    pub(super) twice: BTreeSet<String>,
    pub(super) references: Vec<Reference>,
}

impl Document {
    /// Reads a page.
    pub(super) fn read(text: &str) -> Document {
        let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(text));
        // After a script the tokenizer waits for its run.
        while let TokenizerResult::Script(()) = tokenizer.feed(&input) {}
        tokenizer.end();
        tokenizer.sink.document.into_inner()
    }

    /// Reads a style sheet.
    pub(super) fn of_style(text: &str) -> Document {
        let mut document = Document::default();
        document.style(text, 1);
        document
    }

    fn id(&mut self, id: &str) {
        if !self.ids.insert(id.to_owned()) {
            self.twice.insert(id.to_owned());
        }
    }

    fn refer(&mut self, kind: Kind, url: &str, line: u64) {
        self.references.push(Reference {
            kind,
            url: url.to_owned(),
            line,
        });
    }

    /// Adds what a style loads: `url(...)`, and `@import` of a string.
    fn style(&mut self, style: &str, line: u64) {
        let urls = style
            .split("url(")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let imports = style.split("@import").skip(1).filter_map(|rest| {
            let rest = rest.trim_start();
            let quote = rest
                .chars()
                .next()
                .filter(|letter| matches!(letter, '"' | '\''))?;
            rest[1..].split(quote).next()
        });
        let found: Vec<&str> = urls.chain(imports).collect();
        for url in found {
            let url = url.trim().trim_matches(['"', '\'']);
            // A reference within the page, such as to a pattern of SVG, is not loaded.
            if !url.starts_with('#') {
                self.refer(Kind::Resource, url, line);
            }
        }
    }

    fn tag(&mut self, tag: &Tag, line: u64) {
        for attribute in &tag.attrs {
            let (name, value) = (&*attribute.name.local, &*attribute.value);
            match (&*tag.name, name) {
                (_, "id") => self.id(value),
                ("a", "name") => drop(self.ids.insert(value.to_owned())),
                ("a" | "area", "href" | "xlink:href") | ("form", "action") => {
                    self.refer(Kind::Link, value, line)
                }
                ("link", "href") if is_only_named(tag) => self.refer(Kind::Link, value, line),
                (_, "href" | "xlink:href" | "src" | "poster" | "background")
                | ("object", "data") => {
                    self.refer(Kind::Resource, value, line);
                }
                (_, "srcset") => {
                    for source in value.split(',') {
                        let url = source.split_whitespace().next().unwrap_or_default();
                        self.refer(Kind::Resource, url, line);
                    }
                }
                (_, "style") => self.style(value, line),
                _ => {}
            }
        }
    }
}

/// Whether a `link` element only names another page.
fn is_only_named(tag: &Tag) -> bool {
    let rel = tag
        .attrs
        .iter()
        .find(|it| &*it.name.local == "rel")
        .map(|it| it.value.to_lowercase());
    rel.is_some_and(|rel| matches!(&*rel, "canonical" | "next" | "prev" | "author" | "license"))
}

#[derive(Default)]
struct Sink {
    document: RefCell<Document>,
    is_in_style: RefCell<bool>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                let is_start = tag.kind == TagKind::StartTag;
                if is_start {
                    self.document.borrow_mut().tag(&tag, line);
                }
                *self.is_in_style.borrow_mut() = is_start && &*tag.name == "style";
                match &*tag.name {
                    "script" if is_start => TokenSinkResult::RawData(RawKind::ScriptData),
                    "style" | "iframe" | "noembed" | "noframes" if is_start => {
                        TokenSinkResult::RawData(RawKind::Rawtext)
                    }
                    "title" | "textarea" if is_start => TokenSinkResult::RawData(RawKind::Rcdata),
                    _ => TokenSinkResult::Continue,
                }
            }
            Token::CharacterTokens(text) => {
                if *self.is_in_style.borrow() {
                    self.document.borrow_mut().style(&text, line);
                }
                TokenSinkResult::Continue
            }
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => TokenSinkResult::Continue,
        }
    }
}
