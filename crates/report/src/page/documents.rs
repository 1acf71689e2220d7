//! The documents of a scenario, by name, and the few lines around a place in one.

use std::collections::BTreeMap;

use maud::{Markup, html};

use playsim_base::html::Text;
use playsim_scenario::{Scenario, ScriptedAnswer};

/// The number of lines shown before and after that of the place.
const AROUND: usize = 2;
/// The longest line that is shown whole, in characters.
const LONGEST: usize = 400;

/// The texts of documents by name.
#[derive(Debug, Default)]
pub(super) struct Documents<'a> {
    texts: BTreeMap<&'a str, &'a str>,
}

impl<'a> Documents<'a> {
    pub(super) fn of(scenario: &'a Scenario) -> Documents<'a> {
        let mut texts = BTreeMap::new();
        let answers = scenario
            .network
            .iter()
            .flat_map(|(url, all)| all.iter().map(move |it| (url, it)));
        for (url, answer) in answers {
            match &answer.answer {
                ScriptedAnswer::Body { name, text, .. } => {
                    let name: &str = if name.is_empty() { url } else { name };
                    texts.entry(name).or_insert(&**text);
                }
                ScriptedAnswer::Redirect { .. }
                | ScriptedAnswer::Fails(_)
                | ScriptedAnswer::Silence => {}
            }
        }
        Documents { texts }
    }

    /// Returns the lines around a place, `file:line:column`; nothing if the document is not known.
    pub(super) fn excerpt(&self, place: &str) -> Markup {
        let Some((name, line, column)) = parts(place) else {
            return html! {};
        };
        let text = self.texts.get(name).copied().unwrap_or_default();
        let first = line.saturating_sub(AROUND).max(1);
        let lines: Vec<_> = (1..)
            .zip(text.lines())
            .skip(first - 1)
            .take(line + AROUND + 1 - first)
            .collect();
        html! {
            @if lines.iter().any(|(number, _)| *number == line) {
                h3 { "Document" }
                p.small.muted { code { (Text(place)) } }
                pre.src tabindex="0" role="group" aria-label={ "lines around " (Text(place)) } {
                    @for (number, text) in lines {
                        // Of a document in one line, the part around the column is what matters.
                        @let column = if number == line { column } else { 0 };
                        span class=[(number == line).then_some("hit")] { i { (number) } (part(text, column)) }
                    }
                }
            }
        }
    }
}

/// Returns a line; of a long one, the part around a column.
fn part(line: &str, column: usize) -> Markup {
    let length = line.chars().count();
    let from = if length > LONGEST {
        column.saturating_sub(LONGEST / 4).min(length - 1)
    } else {
        0
    };
    let part: String = line.chars().skip(from).take(LONGEST).collect();
    html! {
        @if from > 0 { "…" }
        (Text(part.trim_end()))
        @if from + LONGEST < length { "…" }
    }
}

/// Splits `file:line:column`; line and column count from 1.
fn parts(place: &str) -> Option<(&str, usize, usize)> {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok().filter(|line| *line > 0)?;
    Some((parts.next()?, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_the_line_of_the_place_and_its_neighbours() {
        let long = "x".repeat(2_000);
        let text = format!("1\n2\n3\n<4 a='\u{1b}'>\n5\n6\n7\n{long}");
        let documents = Documents {
            texts: BTreeMap::from([("a:b.xml", text.as_str())]),
        };
        let of = |place: &str| documents.excerpt(place).into_string();
        let html = of("a:b.xml:4:2");
        assert!(
            html.contains("<span class=\"hit\"><i>4</i>&lt;4 a=&#39;\\u{1b}&#39;&gt;</span>"),
            "{html}"
        );
        assert!(
            html.contains("<i>2</i>") && html.contains("<i>6</i>"),
            "{html}"
        );
        assert!(
            !html.contains("<i>1</i>") && !html.contains("<i>7</i>"),
            "{html}"
        );
        assert!(of("a:b.xml:8:1500").len() < 1_000);
        for nowhere in ["a:b.xml:99:1", "a:b.xml:0:1", "c.xml:1:1", "a:b.xml", ""] {
            assert_eq!(of(nowhere), "", "{nowhere}");
        }
    }
}
