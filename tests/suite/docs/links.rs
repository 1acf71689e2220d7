//! Links from one document to another, and to files: each leads somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use super::{root, text_of};

/// What is wrong with the links of these documents. Links to the web are not followed.
pub(crate) fn problems(documents: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    for path in documents {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        for (line, link) in links(&text_of(path)) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            if file.contains("://") {
                continue;
            }
            let target = if file.is_empty() {
                path.clone()
            } else {
                below(folder, file)
            };
            if !root().join(&target).exists() {
                problems.push(format!("{path}:{line}: there is no {target}"));
            } else if !heading.is_empty() && !headings(&text_of(&target)).contains(heading) {
                problems.push(format!("{path}:{line}: {target} has no heading #{heading}"));
            }
        }
    }
    problems
}

/// A path from a folder, without `..`.
fn below(folder: &Path, file: &str) -> String {
    let mut parts: Vec<String> = folder
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    for part in file.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part.to_owned());
        }
    }
    parts.join("/")
}

/// The lines of a document outside its blocks, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_block = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        is_block ^= line.starts_with("```");
        (!is_block).then_some((number + 1, line))
    })
}

fn links(text: &str) -> Vec<(usize, String)> {
    let of_line = |(number, line): (usize, &str)| {
        let ends = line
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        ends.map(|(link, _)| (number, link.to_owned()))
            .collect::<Vec<_>>()
    };
    prose(text).flat_map(of_line).collect()
}

/// The anchors of a document's headings, as GitHub and mdBook make them.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter_map(|(_, line)| line.strip_prefix('#'));
    titles
        .map(|title| {
            let title = title.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}
