//! What all pages of the site have in common: the head, the links to its areas, and where they are
//! written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use maud::{Markup, html};
use playsim_base::html::{BASE_STYLE, OnSite, Page, Script, Text};
use playsim_report::page::PARTS_STYLE;

use crate::Failure;

/// The style of the site's own pages, in addition to that of all pages.
const STYLE: &str = include_str!("site.css");
/// The icon.
pub(crate) const ICON: &str = include_str!("icon.svg");
/// Hosts that would run Jekyll, which drops files that begin with an underscore, do not if this
/// file is there. It also marks a folder as a site that may be replaced.
const MARK: &str = ".nojekyll";

/// An area of the site, as the links on top of each page name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Area {
    Front,
    Playground,
    Book,
    Codes,
    Rules,
    Matrix,
    Speed,
    ApiRust,
    ApiJavaScript,
}

impl Area {
    const ALL: [Area; 9] = [
        Area::Front,
        Area::Playground,
        Area::Book,
        Area::Codes,
        Area::Rules,
        Area::Matrix,
        Area::Speed,
        Area::ApiRust,
        Area::ApiJavaScript,
    ];

    /// The path of its first page. Links name the file, so that they work in a folder without a
    /// server too.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Area::Front => "index.html",
            Area::Playground => "playground/index.html",
            Area::Book => "book/index.html",
            Area::Codes => "codes/index.html",
            Area::Rules => "rules/index.html",
            Area::Matrix => "matrix/index.html",
            Area::Speed => "speed/index.html",
            Area::ApiRust => "api/rust/playsim/index.html",
            Area::ApiJavaScript => "api/js/index.html",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Area::Front => "playsim",
            Area::Playground => "Playground",
            Area::Book => "Book",
            Area::Codes => "Error codes",
            Area::Rules => "Rules",
            Area::Matrix => "Conformance",
            Area::Speed => "Speed",
            Area::ApiRust => "API: Rust",
            Area::ApiJavaScript => "API: JavaScript",
        }
    }
}

/// Returns whether a folder is a site that was built before.
pub(crate) fn has_mark(folder: &Path) -> bool {
    folder.join(MARK).is_file()
}

/// The site while it is built.
pub(crate) struct Site {
    pub(crate) out: PathBuf,
    pub(crate) base: String,
    /// The areas that it does not have.
    missing: Vec<Area>,
    /// The style sheets that were written, by their content.
    styles: RefCell<BTreeMap<String, String>>,
    /// What was left out and why, for the person who builds.
    pub(crate) left_out: Vec<String>,
}

impl Site {
    pub(crate) fn begin(out: &Path, base: &str) -> Result<Site, Failure> {
        let site = Site {
            out: out.to_owned(),
            base: base.to_owned(),
            missing: Vec::new(),
            styles: RefCell::default(),
            left_out: Vec::new(),
        };
        site.write_file(MARK, "")?;
        site.write_file("icon.svg", ICON)?;
        Ok(site)
    }

    pub(crate) fn leave_out(&mut self, area: Area, why: &str) {
        self.missing.push(area);
        self.left_out.push(format!("{}: {why}", area.name()));
    }

    pub(crate) fn has(&self, area: Area) -> bool {
        !self.missing.contains(&area)
    }

    /// Writes a file.
    pub(crate) fn write_file(&self, path: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let file = self.out.join(path);
        let folder = file.parent().unwrap_or(&self.out);
        fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
        fs::write(&file, content).map_err(|error| Failure::io("write", &file, &error))
    }

    /// Writes a page of the site's own.
    pub(crate) fn write(
        &self,
        path: &str,
        area: Option<Area>,
        page: SitePage<'_>,
    ) -> Result<(), Failure> {
        let SitePage {
            title,
            description,
            style,
            script,
            body,
        } = page;
        let style = format!("{PARTS_STYLE}{style}");
        let page = Page {
            title: title.to_owned(),
            style: style.into(),
            script,
            has_images: false,
            body,
        };
        self.frame(path, area, description, page)
    }

    /// Writes a page of the project in the frame of the site.
    pub(crate) fn write_own(
        &self,
        path: &str,
        area: Area,
        description: &str,
        page: Page,
    ) -> Result<(), Failure> {
        self.frame(path, Some(area), description, page)
    }

    fn frame(
        &self,
        path: &str,
        area: Option<Area>,
        description: &str,
        mut page: Page,
    ) -> Result<(), Failure> {
        let up = self.up(path);
        let description = shortened(description);
        page.body = html! { (self.areas(&up, area)) (page.body) };
        let icon = format!("{up}icon.svg");
        let style = format!("{up}{}", self.style(&page.style)?);
        let mut text = String::new();
        page.write_on_site(
            &OnSite {
                description: &description,
                icon: &icon,
                style: &style,
            },
            &mut text,
        )
        .map_err(|_| Failure::new(format!("cannot write {path}")))?;
        self.write_file(path, text)
    }

    /// Returns the path of the style sheet of a page.
    fn style(&self, own: &str) -> Result<String, Failure> {
        let mut styles = self.styles.borrow_mut();
        if let Some(path) = styles.get(own) {
            return Ok(path.clone());
        }
        let path = format!("styles/{}.css", styles.len() + 1);
        self.write_file(&path, format!("{BASE_STYLE}{own}{STYLE}"))?;
        styles.insert(own.to_owned(), path.clone());
        Ok(path)
    }

    /// Returns the way from a page to the folder of the site. A page for missing addresses is shown
    /// at any of them, so its links begin with the path of the site.
    fn up(&self, path: &str) -> String {
        match path {
            "404.html" => self.base.clone(),
            _ => "../".repeat(path.matches('/').count()),
        }
    }

    /// Returns links to the areas.
    pub(crate) fn areas(&self, up: &str, current: Option<Area>) -> Markup {
        html! {
            nav.site aria-label="site" {
                @for area in Area::ALL.into_iter().filter(|area| self.has(*area)) {
                    a href={ (up) (area.path()) } aria-current=[(current == Some(area)).then_some("true")] {
                        (area.name())
                    }
                }
            }
        }
    }
}

/// A page of the site's own.
pub(crate) struct SitePage<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    /// Its style, in addition to that of the site.
    pub(crate) style: &'a str,
    pub(crate) script: Option<Script>,
    pub(crate) body: Markup,
}

/// Returns the beginning of a text: search engines show no more.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let text = text.replace('`', "");
    if text.chars().count() <= LONGEST {
        return text;
    }
    let begin: String = text.chars().take(LONGEST).collect();
    let end = begin.rfind(' ').unwrap_or(begin.len());
    format!("{} …", &begin[..end])
}

/// Returns links with commas between them.
pub(crate) fn links(links: impl IntoIterator<Item = (String, String)>) -> Markup {
    html! {
        @for (nth, (href, text)) in links.into_iter().enumerate() {
            @if nth > 0 { ", " }
            a href=(href) { (Text(&text)) }
        }
    }
}
