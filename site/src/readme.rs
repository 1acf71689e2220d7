//! Sections of the README as HTML, with links that work on the site.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::{Failure, root};

/// The README.
pub(crate) struct Readme(String);

impl Readme {
    pub(crate) fn read() -> Result<Readme, Failure> {
        let path = root().join("README.md");
        let text =
            std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
        Ok(Readme(text))
    }

    /// Returns the first paragraph.
    pub(crate) fn lead(&self) -> Result<Markup, Failure> {
        let paragraph = self.0.split("\n\n").nth(1);
        paragraph
            .map(as_html)
            .ok_or_else(|| Failure::new("README.md has no first paragraph"))
    }

    /// Returns what is below a heading of the second level.
    pub(crate) fn section(&self, heading: &str) -> Result<Markup, Failure> {
        let begin = format!("\n## {heading}\n");
        let (_, after) = self
            .0
            .split_once(&begin)
            .ok_or_else(|| Failure::new(format!("README.md has no section \"{heading}\"")))?;
        Ok(as_html(after.split("\n## ").next().unwrap_or(after)))
    }
}

fn as_html(markdown: &str) -> Markup {
    let mut dropped = Vec::new();
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| {
        if let Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) = event
        {
            let place = on_site(&dest_url);
            dropped.push(place.is_none());
            place.map(|url| {
                Event::Start(Tag::Link {
                    link_type,
                    dest_url: CowStr::from(url),
                    title,
                    id,
                })
            })
        } else if event == Event::End(TagEnd::Link) {
            (!dropped.pop().unwrap_or_default()).then_some(event)
        } else {
            Some(event)
        }
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    // What scrolls can be reached by keyboard.
    PreEscaped(text.replace("<pre>", "<pre tabindex=\"0\">"))
}

/// Returns where a link of the README leads on the site, if it has that.
fn on_site(link: &str) -> Option<String> {
    if link.contains("://") {
        return Some(link.to_owned());
    }
    let chapter = link.strip_prefix("docs/src/")?;
    Some(format!(
        "book/{}",
        chapter
            .replace("SUMMARY.md", "index.html")
            .replace(".md", ".html")
    ))
}
