//! The book, as mdBook makes it, in the colours and with the links of the site.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mdbook_driver::MDBook;
use playsim::rules::RuleId;

use crate::frame::Site;
use crate::{Failure, root};
use crate::{check, policy, rules};

/// The style of the book: the site's colours and type.
const STYLE: &str = include_str!("book.css");

/// The button that shows the list of chapters. mdBook makes it a label, which the keyboard does not
/// reach. The list is changed after its own listeners have made it ready.
const TOGGLE: &str = "<button type=\"button\" id=\"mdbook-sidebar-toggle\" \
                      onclick=\"setTimeout(() => document.getElementById('mdbook-sidebar-toggle-anchor').click())\"";
/// What mdBook writes that some readers cannot use, and what it should be: scrolling blocks that
/// the keyboard does not reach, its only label, a bar without a role, an empty heading of a column.
const FOR_ALL: [(&str, &str); 6] = [
    ("<pre><code", "<pre><code tabindex=\"0\""),
    ("<label id=\"mdbook-sidebar-toggle\"", TOGGLE),
    ("</label>", "</button>"),
    (
        "<div class=\"table-wrapper\">",
        "<div class=\"table-wrapper\" tabindex=\"0\">",
    ),
    (
        "<div id=\"mdbook-menu-bar\"",
        "<div role=\"banner\" id=\"mdbook-menu-bar\"",
    ),
    ("<th></th>", "<td></td>"),
];
/// The folders of the project that the site has too.
const COPIED: [&str; 2] = ["fixtures/scenarios/", "schema/"];
/// The chapter in which the IDs of rules stay as they are: it would be too large, and each code has
/// a page.
const CODES: &str = "codes";

pub(crate) fn write(site: &Site) -> Result<(), Failure> {
    let theme = site.out.join("book-theme");
    site.write_file(
        "book-theme/header.hbs",
        site.areas("{{ path_to_root }}../", Some(crate::frame::Area::Book))
            .0,
    )?;
    site.write_file(
        "book-theme/head.hbs",
        format!("{}<style>\n{STYLE}</style>\n", policy::META),
    )?;
    site.write_file("book-theme/favicon.svg", crate::frame::ICON)?;
    let result = render(site, &theme);
    fs::remove_dir_all(&theme).map_err(|error| Failure::io("remove", &theme, &error))?;
    result
}

fn render(site: &Site, theme: &Path) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("the book: {error}"));
    let mut book =
        MDBook::load(root().join("docs")).map_err(|error| failed(&format!("{error:#}")))?;
    let out =
        fs::canonicalize(&site.out).map_err(|error| Failure::io("find", &site.out, &error))?;
    book.config.build.build_dir = out.join("book");
    let theme = fs::canonicalize(theme).map_err(|error| Failure::io("find", theme, &error))?;
    let mut set = |key: &str, value: toml::Value| {
        book.config
            .set(key, value)
            .map_err(|error| failed(&format!("{error:#}")))
    };
    set("output.html.theme", theme.display().to_string().into())?;
    // One page with everything would be far too large; the site has a page of its own for missing
    // addresses.
    set("output.html.print.enable", false.into())?;
    set("output.html.input-404", "".into())?;
    book.build()
        .map_err(|error| failed(&format!("{error:#}")))?;
    for file in check::files(&out.join("book"))? {
        if file.extension().is_some_and(|ending| ending == "html") {
            let text =
                fs::read_to_string(&file).map_err(|error| Failure::io("read", &file, &error))?;
            fs::write(
                &file,
                at_home(&text, file.file_stem() != Some(CODES.as_ref())),
            )
            .map_err(|error| Failure::io("write", &file, &error))?;
        }
    }
    Ok(())
}

/// Returns a page whose links to other files of the project lead to those of the site, and in whose
/// text the IDs of rules are links. A link to what the site does not have becomes text.
fn at_home(page: &str, has_rules: bool) -> String {
    let page = FOR_ALL
        .iter()
        .fold(page.to_owned(), |page, (from, to)| page.replace(from, to));
    let Some((head, body)) = page.split_once("<main>") else {
        return page;
    };
    let mut out = format!("{head}<main>");
    // How deep in elements whose text stays as it is, and whether the link that is open was left
    // out.
    let (mut depth, mut is_left_out) = (0_usize, false);
    for part in body.split_inclusive('>') {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        out.push_str(&if depth == 0 && has_rules {
            with_rules(text)
        } else {
            text.to_owned()
        });
        let name = tag
            .trim_start_matches(['<', '/'])
            .split([' ', '>', '\n'])
            .next()
            .unwrap_or_default();
        if matches!(
            name,
            "a" | "pre" | "code" | "h1" | "h2" | "h3" | "h4" | "script" | "button"
        ) {
            depth = if tag.starts_with("</") {
                depth.saturating_sub(1)
            } else {
                depth + 1
            };
        }
        match tag.strip_prefix("<a href=\"../../") {
            Some(path) if COPIED.iter().any(|folder| path.starts_with(folder)) => {
                let _ = write!(out, "<a href=\"../{path}");
            }
            Some(_) => is_left_out = true,
            None if tag == "</a>" && is_left_out => is_left_out = false,
            None => out.push_str(tag),
        }
    }
    out
}

/// Returns a text in which the IDs of rules, such as REQ-4, are links.
fn with_rules(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let mut out = String::new();
    for word in text.split_inclusive(|letter: char| !is_part(letter)) {
        let (id, after) = word.split_at(word.trim_end_matches(|letter| !is_part(letter)).len());
        match id.parse::<RuleId>() {
            Ok(rule) => {
                let _ = write!(out, "<a href=\"../{}\">{id}</a>{after}", rules::path(rule));
            }
            Err(_) => out.push_str(word),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_rules_are_links_in_text_only() {
        let page = "<head>REQ-4</head><main><p>By REQ-4, MEL-99 and REQ-4.5: <code>REQ-4</code> <a href='x'>REQ-5</a></p>";
        let link = "<a href=\"../rules/req.html#REQ-4\">REQ-4</a>";
        assert_eq!(
            at_home(page, true),
            page.replace("By REQ-4", &format!("By {link}"))
                .replace("and REQ-4", &format!("and {link}"))
        );
    }

    #[test]
    fn links_lead_to_files_of_the_site() {
        let at_home =
            |link: &str| at_home(&format!("<main><p>A <a href=\"{link}\">b</a>.</p>"), true);
        for (link, due) in [
            ("x.html#y", "<main><p>A <a href=\"x.html#y\">b</a>.</p>"),
            (
                "../../fixtures/scenarios/a.yaml",
                "<main><p>A <a href=\"../fixtures/scenarios/a.yaml\">b</a>.</p>",
            ),
            ("../../examples", "<main><p>A b.</p>"),
        ] {
            assert_eq!(at_home(link), due);
        }
    }
}
