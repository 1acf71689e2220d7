//! The report as many pages of a folder: players by groups of situations, the situations of each
//! group, each player, and for each player and situation the evidence.

use maud::{Markup, html};

use super::links::Links;
use super::names::Broken;
use super::view::{Column, Line, Place, View, group_page};
use super::{MatrixPage, compared, detail, grid, lists, verdict};
use playsim_base::html::{Page, Text};
use playsim_report::page::frame::{self, Section, Sections};
use playsim_report::page::glyphs::glyph;
use playsim_report::page::prose;

/// A page of a folder.
#[derive(Debug)]
pub struct FolderPage {
    /// Its path in the folder, with `/` between its parts.
    pub path: String,
    /// The page.
    pub page: Page,
}

/// Writes the pages of a report.
#[derive(Clone, Copy)]
pub(super) struct Folder<'a> {
    pub(super) matrix: &'a MatrixPage<'a>,
    pub(super) rule: Option<fn(&str) -> String>,
}

impl<'a> Folder<'a> {
    pub(super) fn pages(&self) -> Vec<FolderPage> {
        let view = self.view("");
        let mut pages = vec![self.first(&view)];
        pages.extend(self.list(
            "rules.html",
            "Rules at which cells differ",
            lists::rules(&view),
        ));
        pages.extend(self.list(
            "knobs.html",
            "Knobs that explain cells",
            lists::knobs(&view),
        ));
        for group in &view.groups {
            pages.push(self.group(&group.title, &group.page));
        }
        let mut players: Vec<&str> = view
            .columns
            .iter()
            .map(|column| column.page.as_str())
            .collect();
        players.dedup();
        for player in players {
            pages.push(self.player(player));
            let own = self.view("../../").of_player(player);
            pages.extend(own.lines().filter_map(|line| self.evidence(&own, line)));
        }
        pages
    }

    /// `up`: the way from a page to the folder.
    fn view(&self, up: &'static str) -> View<'a> {
        View::of(
            self.matrix.report,
            Links::Between {
                up,
                rule: self.rule,
            },
        )
    }

    fn first(&self, view: &View<'_>) -> FolderPage {
        let sections = [
            Section::new("baseline", "Against the baseline", lists::changes(view)),
            Section::new("matrix", "Players by situations", grid::overview(view)),
            Section::new("players", "Players", lists::players(view)),
            Section::new("lists", "What the cells come down to", lists_of(view)),
            Section::new(
                "fits",
                "Knobs that fit best",
                lists::fits(view, &self.matrix.fits),
            ),
            Section::new("compared", "How it was compared", compared(view.report)),
        ];
        let sections: Sections = sections.into_iter().collect();
        let title = verdict::sentence(view);
        let body = html! {
            header {
                span.eyebrow { "playsim · conformance of players" }
                h1 { (Text(&title)) }
                (frame::figures(&verdict::figures(view)))
                (sections.links())
            }
            main { (sections) }
            (self.matrix.footer())
        };
        self.page("index.html".to_owned(), title, false, &body)
    }

    fn list(&self, path: &str, title: &'static str, list: Markup) -> Option<FolderPage> {
        let body = html! {
            header { (crumbs("", None)) h1 { (title) } }
            main { section { (list) } }
        };
        (!list.0.is_empty()).then(|| self.page(path.to_owned(), title.to_owned(), false, &body))
    }

    fn group(&self, title: &str, page: &str) -> FolderPage {
        let view = self.view("../").of_group(page);
        let heading = format!("Players by situations: {title}");
        let body = html! {
            header { (crumbs("../", None)) h1 { (Text(&heading)) } }
            main { section id="matrix" { h2.off { "The matrix" } (grid::section(&view)) } }
        };
        self.page(group_page(page), heading, false, &body)
    }

    fn player(&self, page: &str) -> FolderPage {
        let view = self.view("../").of_player(page);
        let name = view
            .columns
            .first()
            .map_or("", |column| &*column.player.name);
        let sections = [
            Section::new("player", "Versions and browsers", lists::players(&view)),
            Section::new("matrix", "Situations", grid::overview(&view)),
            Section::new(
                "adapters",
                "What its adapter decides",
                lists::adapters(&view),
            ),
            Section::new(
                "shared",
                "What it does otherwise in many situations",
                lists::shared(&view),
            ),
        ];
        let sections: Sections = sections.into_iter().collect();
        let title = format!("{name} compared with the rules");
        let body = html! {
            header { (crumbs("../", None)) h1 { (Text(&title)) } (sections.links()) }
            main { (sections) }
        };
        self.page(format!("players/{page}.html"), title, false, &body)
    }

    /// Returns the evidence for a player in a situation, in all its versions and browsers.
    fn evidence(&self, view: &View<'_>, line: &Line<'_>) -> Option<FolderPage> {
        let cells: Vec<(usize, Place<'_, '_>)> = view
            .columns
            .iter()
            .enumerate()
            .filter_map(|(at, it)| Some((at, view.place(line, it)?)))
            .collect();
        let (cells, same): (Vec<_>, Vec<_>) = cells
            .into_iter()
            .partition(|(_, place)| place.has_details());
        let (_, first) = cells.first()?;
        let title = format!("{} in {}", first.column.player.name, line.row.name);
        let has_images = cells
            .iter()
            .any(|(_, place)| !place.cell.evidence.shots.is_empty());
        let body = html! {
            header {
                (crumbs("../../", Some((first.column, first.links))))
                h1 { (Broken(&title)) }
                @if !line.row.title.is_empty() { p.lead { (prose(&line.row.title)) } }
            }
            main.mat.ev {
                @for (index, place) in &cells { (detail::body(*index, place)) }
                @for (_, place) in &same { p { (glyph("dot", "")) " " (Text(&place.column.player.label)) " is the same." } }
            }
        };
        Some(self.page(first.page(), title, has_images, &body))
    }

    fn page(&self, path: String, title: String, has_images: bool, body: &Markup) -> FolderPage {
        let view = self.view("");
        FolderPage {
            path,
            page: super::framed(&view, title, has_images, body),
        }
    }
}

/// Returns the way back from a page.
fn crumbs(up: &str, player: Option<(&Column<'_>, Links)>) -> Markup {
    html! {
        p.eyebrow {
            a href={ (up) "index.html" } { "Conformance of players" }
            @if let Some((column, links)) = player {
                " · " a href=(column.link(links, "player")) { (Text(&column.player.name)) }
            }
        }
    }
}

/// Returns links to the lists that have pages of their own.
fn lists_of(view: &View<'_>) -> Markup {
    let links = view.links;
    html! {
        ul.notes {
            @if !lists::rules(view).0.is_empty() {
                li { a href=(links.file("rules.html")) { "Rules at which cells differ" } }
            }
            @if !lists::knobs(view).0.is_empty() {
                li { a href=(links.file("knobs.html")) { "Knobs that explain cells" } }
            }
        }
    }
}
