//! What holds for the finished site: links lead somewhere, nothing comes from another host, pages
//! are small.

mod html;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::Failure;
use crate::frame::Site;
use html::{Document, Kind, Reference};

/// The most bytes of a page.
const LARGEST: usize = 100_000;
/// The folders whose pages may be larger, and whose anchors are made by scripts.
const MADE_ELSEWHERE: [&str; 2] = ["playground/", "api/"];
/// The most problems that are listed.
const MOST: usize = 60;

/// Checks the site. Returns the number of its pages.
pub(crate) fn site(site: &Site) -> Result<usize, Failure> {
    let mut files = BTreeSet::new();
    let mut pages = BTreeMap::new();
    let mut problems = Vec::new();
    for file in self::files(&site.out)? {
        let path = file
            .strip_prefix(&site.out)
            .expect("it is below the folder");
        let path = path.to_string_lossy().replace('\\', "/");
        if path.ends_with(".html") {
            let text = read(&file)?;
            if text.len() > LARGEST && !is_made_elsewhere(&path) {
                problems.push(format!(
                    "{path}: {} bytes; a page has at most {LARGEST}",
                    text.len()
                ));
            }
            pages.insert(path.clone(), Document::read(&text));
        } else if path.ends_with(".css") {
            pages.insert(path.clone(), Document::of_style(&read(&file)?));
        }
        files.insert(path);
    }
    let checker = Checker {
        base: &site.base,
        files: &files,
        pages: &pages,
    };
    for (path, page) in &pages {
        problems.extend(page.references.iter().filter_map(|it| {
            let problem = checker.problem(path, it)?;
            Some(format!("{path}:{}: \"{}\" {problem}", it.line, it.url))
        }));
        problems.extend(
            page.twice
                .iter()
                .filter(|_| !is_made_elsewhere(path))
                .map(|id| format!("{path}: the id \"{id}\" occurs twice")),
        );
    }
    if problems.is_empty() {
        return Ok(pages.keys().filter(|path| path.ends_with(".html")).count());
    }
    let more = problems.len().saturating_sub(MOST);
    problems.truncate(MOST);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    Err(Failure::new(format!(
        "the site is not in order:\n  {}",
        problems.join("\n  ")
    )))
}

/// Returns all files below a folder.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::io("read", folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::io("read", file, &error))
}

fn is_made_elsewhere(path: &str) -> bool {
    MADE_ELSEWHERE.iter().any(|folder| path.starts_with(folder))
}

struct Checker<'a> {
    base: &'a str,
    files: &'a BTreeSet<String>,
    pages: &'a BTreeMap<String, Document>,
}

impl Checker<'_> {
    /// Returns what is wrong with a reference of a page.
    fn problem(&self, from: &str, it: &Reference) -> Option<String> {
        let url = it.url.trim();
        let scheme = url.split_once(':').map(|(scheme, _)| scheme);
        let scheme = scheme
            .filter(|scheme| !scheme.contains(['/', '?', '#']))
            .map(str::to_lowercase);
        match (scheme.as_deref(), it.kind) {
            (Some("data"), Kind::Resource) | (Some("http" | "https" | "mailto"), Kind::Link) => {
                return None;
            }
            (Some("javascript"), Kind::Link) if is_made_elsewhere(from) => return None,
            // Docs of traits of crates that are not documented here have the paths of their
            // authors.
            (Some(_), Kind::Link) if is_made_elsewhere(from) && url.contains("::") => return None,
            (Some(_), Kind::Resource) => return Some("is loaded from elsewhere".to_owned()),
            (Some(scheme), Kind::Link) => return Some(format!("has the scheme {scheme}")),
            (None, _) if url.starts_with("//") => return Some("is on another host".to_owned()),
            (None, _) => {}
        }
        let (address, fragment) = url.split_once('#').unwrap_or((url, ""));
        let address = address.split('?').next().unwrap_or(address);
        let Some(target) = self.resolve(from, &decoded(address)) else {
            return Some("leads out of the site".to_owned());
        };
        let target = match &*target {
            "" => "index.html".to_owned(),
            folder if !self.files.contains(folder) => {
                format!("{}/index.html", folder.trim_end_matches('/'))
            }
            file => file.to_owned(),
        };
        // rustdoc loads lists of implementors, and writes only those that have some.
        if is_made_elsewhere(from) && target.contains("/trait.impl/") {
            return None;
        }
        if !self.files.contains(&target) {
            return Some("leads nowhere: there is no such file".to_owned());
        }
        let fragment = decoded(fragment);
        let is_known = |page: &Document| {
            fragment.is_empty() || fragment == "top" || page.ids.contains(&fragment)
        };
        match self.pages.get(&target) {
            Some(page)
                if !is_made_elsewhere(&target) && target.ends_with(".html") && !is_known(page) =>
            {
                Some(format!("leads nowhere: {target} has no \"{fragment}\""))
            }
            _ => None,
        }
    }

    /// Returns the path of a file in the site; `None` if it is outside.
    fn resolve(&self, from: &str, address: &str) -> Option<String> {
        if address.is_empty() {
            return Some(from.to_owned());
        }
        if let Some(path) = address.strip_prefix('/') {
            // Only that page is shown at other addresses than its own.
            let is_right = from == "404.html";
            return address
                .strip_prefix(self.base)
                .filter(|_| is_right && !path.starts_with('/'))
                .map(str::to_owned);
        }
        let mut parts: Vec<&str> = from.split('/').collect();
        parts.pop();
        for part in address.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        Some(parts.join("/"))
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with the link in a page of a small site.
    fn problem(from: &str, html: &str) -> Option<String> {
        let texts = [
            ("index.html", "<p id=a>"),
            ("404.html", ""),
            ("codes/vast-303/index.html", "<h2 id='b c'>"),
            ("style.css", ""),
            ("api/index.html", ""),
        ];
        let files = texts.iter().map(|(path, _)| (*path).to_owned()).collect();
        let pages = texts
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Document::read(text)))
            .collect();
        let checker = Checker {
            base: "/sub/",
            files: &files,
            pages: &pages,
        };
        let page = Document::read(html);
        assert_eq!(page.references.len(), 1, "{html}");
        checker.problem(from, &page.references[0])
    }

    #[test]
    fn links_lead_to_files_and_anchors() {
        let from = "codes/vast-303/index.html";
        for link in [
            "../../index.html#a",
            "../../",
            "../..",
            "#b%20c",
            "#",
            "?q=1#b%20c",
            "../vast-303/",
            "../../api/#x",
        ] {
            assert_eq!(problem(from, &format!("<a href='{link}'>")), None, "{link}");
        }
        for (link, due) in [
            ("../../index.html#z", "has no \"z\""),
            ("../vast-304/", "no such file"),
            ("../../../index.html", "out of the site"),
            ("/sub/index.html", "out of the site"),
            ("//host/x", "another host"),
            ("javascript:void(0)", "scheme javascript"),
        ] {
            let problem = problem(from, &format!("<a href='{link}'>"));
            assert!(
                problem.as_deref().is_some_and(|it| it.contains(due)),
                "{link}: {problem:?}"
            );
        }
        assert_eq!(problem("404.html", "<a href='/sub/index.html#a'>"), None);
        assert!(problem("404.html", "<a href='/index.html'>").is_some());
    }

    #[test]
    fn nothing_is_loaded_from_another_host() {
        for html in [
            "<img src='https://host/x.png'>",
            "<link rel=stylesheet href='https://host/x.css'>",
            "<link rel=preload href='//host/x.woff2'>",
            "<script src='http://host/x.js'></script>",
            "<iframe src='https://host/'></iframe>",
            "<style>@import 'https://host/x.css';</style>",
            "<style>a { background: url(https://host/x.png) }</style>",
            "<p style='background: url(\"//host/x.png\")'>",
            "<img srcset='https://host/x.png 2x'>",
            "<svg><use href='https://host/x.svg#a'/></svg>",
        ] {
            assert!(problem("index.html", html).is_some(), "{html}");
        }
        for html in [
            "<a href='https://host/'>",
            "<img src='data:image/png;base64,x'>",
            "<link rel=stylesheet href='style.css'>",
            "<style>a { background: url(style.css) }</style>",
        ] {
            assert_eq!(problem("index.html", html), None, "{html}");
        }
    }
}
