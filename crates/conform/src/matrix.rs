//! The report as one web page: players side by side, one row for each situation.
//!
//! A [`MatrixPage`] is one file that loads nothing. It works without a script: a cell is a link to
//! its details, so that its URL can be shared. The only script adds a text filter, and the page's
//! policy allows it by its hash.
//!
//! For many players [`MatrixPage::pages`] divides it among small pages of a folder.
//!
//! Rules: TRACE-8, TRACE-9.

use std::fmt;

use maud::{Markup, html};

use super::fit::Fit;
use super::report::Report;
use playsim_base::html::{Page, Script, Text};
use playsim_base::words::seconds;
use playsim_report::page::frame::{self, Section, Sections};
use playsim_report::page::{PARTS_STYLE, glyphs};

mod detail;
mod evidence;
mod grid;
mod links;
mod lists;
mod names;
mod pages;
mod verdict;
mod view;

use links::Links;
use pages::Folder;
pub use pages::FolderPage;
use view::View;

/// The style of the page, in addition to that of all reports.
const STYLE: &str = include_str!("matrix/matrix.css");
/// The script of the page. When it changes, the test of its hash fails with the new one.
const SCRIPT: Script = Script {
    text: include_str!("matrix/matrix.js"),
    sha256: "NGyNtds27ou6NVMdIY4p4Oh2swwtJSAGS3Jwb4iWtwc=",
};

/// The page of a report.
#[derive(Debug, Clone)]
pub struct MatrixPage<'a> {
    report: &'a Report,
    fits: Vec<(&'a str, &'a Fit)>,
    command: Option<String>,
}

impl<'a> MatrixPage<'a> {
    /// The page of a report. Players that agree in more situations are further to the left.
    #[must_use]
    pub fn new(report: &'a Report) -> MatrixPage<'a> {
        MatrixPage {
            report,
            fits: Vec::new(),
            command: None,
        }
    }

    /// With the knobs that fit a player best. A player that the report does not have is left out.
    #[must_use]
    pub fn with_fit(mut self, player: &'a str, fit: &'a Fit) -> MatrixPage<'a> {
        self.fits.push((player, fit));
        self
    }

    /// With the command line that writes the same page.
    #[must_use]
    pub fn with_command(mut self, command: impl Into<String>) -> MatrixPage<'a> {
        self.command = Some(command.into());
        self
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, sink: &mut impl fmt::Write) -> fmt::Result {
        self.page().write(sink)
    }

    /// Returns the page, whose body can be shown in another frame.
    #[must_use]
    pub fn page(&self) -> Page {
        let view = View::of(self.report, Links::Within);
        let sentence = verdict::sentence(&view);
        let sections = self.sections(&view);
        let body = html! {
            header {
                span.eyebrow { "playsim · conformance of players" }
                h1 { (Text(&sentence)) }
                (frame::figures(&verdict::figures(&view)))
                (sections.links())
            }
            main { (sections) }
            (self.footer())
        };
        let has_images = view
            .cells()
            .any(|place| !place.cell.evidence.shots.is_empty());
        framed(&view, sentence, has_images, &body)
    }

    /// Returns the same as small pages of a folder, of which `index.html` is the first: their
    /// number grows with that of players and situations, and their size hardly does.
    ///
    /// `rule` gives the URL of a rule, seen from the folder. Without it links to rules lead to a
    /// list of those that matter here.
    #[must_use]
    pub fn pages(&self, rule: Option<fn(&str) -> String>) -> Vec<FolderPage> {
        Folder { matrix: self, rule }.pages()
    }

    fn footer(&self) -> Markup {
        html! {
            footer {
                @if let Some(command) = &self.command {
                    p { "Written again, this gives the same bytes:" }
                    pre { (Text(command)) }
                }
                p {
                    "In lines: > call, ^ user, ? request, < answer, ! pixel, * decision or screen; a bare word is an event."
                }
            }
        }
    }

    fn sections(&self, view: &View<'_>) -> Sections {
        let sections = [
            Section::new("baseline", "Against the baseline", lists::changes(view)),
            Section::new("matrix", "Players by situations", grid::section(view)),
            Section::new(
                "shared",
                "What players do otherwise in many situations",
                lists::shared(view),
            ),
            Section::new("players", "Players", lists::players(view)),
            Section::new("adapters", "What adapters decide", lists::adapters(view)),
            Section::new("knobs", "Knobs that explain cells", lists::knobs(view)),
            Section::new("fits", "Knobs that fit best", lists::fits(view, &self.fits)),
            Section::new("rules", "Rules at which cells differ", lists::rules(view)),
            Section::new("compared", "How it was compared", compared(self.report)),
        ];
        sections.into_iter().collect()
    }
}

/// Returns a page with the style and the script that all of them share.
fn framed(view: &View<'_>, title: String, has_images: bool, body: &Markup) -> Page {
    let style = format!("{PARTS_STYLE}{STYLE}{}", grid::style(view));
    let body = html! { (glyphs::DEFINITIONS) (body) };
    Page {
        title,
        style: style.into(),
        script: Some(SCRIPT),
        has_images,
        body,
    }
}

/// Returns how the two sides were compared.
fn compared(report: &Report) -> Markup {
    html! {
        p.lead {
            "Each recording of a real player is compared with playsim's own run of the same scenario."
        }
        ol.how {
            li {
                b { "Order first." } " Requests and pixels, films on the screen, and documented events must come in the same "
                "order. No tolerance hides an order."
            }
            li {
                b { "Then times, counted from the film that was shown last," } " to within " (seconds(report.within_us))
                " s. A late ad is one difference, and does not repeat in each line after it. A player learns of positions only "
                "from time to time (in Chromium every 265.6 ms), so that events at a position come later than in playsim."
            }
            li {
                b { "Then times, counted from the start," } " to within " (seconds(report.overall_us))
                " s: small delays that add up."
            }
        }
        p {
            "What the recorder could not hear does not count as missing. A recording that cannot be compared at all is listed as "
            "such, and never counts as agreeing. A cell is the same with a knob when one documented choice of playsim, turned "
            "alone, explains the whole situation. A case that was not played as it is written, because of its adapter, its page "
            "or a step that was never due, says nothing about the player."
        }
        p {
            "A rule rests on the reference, on a standard, or on a choice of playsim where neither settles it. A difference from a "
            "choice is information about the player, not a failure."
        }
    }
}

#[cfg(test)]
mod tests;
