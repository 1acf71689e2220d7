//! The report as one web page: players side by side, one row for each situation.
//!
//! A [`MatrixPage`] is one file that loads nothing. It works without a script: a cell is a link to its details, so that its URL
//! can be shared. The only script adds a text filter, and the page's policy allows it by its hash.
//!
//! Rules: TRACE-8, TRACE-9.

use std::fmt::{self, Write};

use super::fit::Fit;
use super::report::Report;
use playsim_base::html::{Document, Script, Text};
use playsim_base::words::seconds;
use playsim_report::page::frame::{Sections, write_figures};
use playsim_report::page::{PARTS_STYLE, glyphs};

mod detail;
mod evidence;
mod grid;
mod lists;
mod names;
mod verdict;
mod view;

use view::View;

/// The style of the page, in addition to that of all reports.
const STYLE: &str = include_str!("matrix/matrix.css");
/// The script of the page. The test of its hash says what it must be when the script changes.
const SCRIPT: Script =
    Script { text: include_str!("matrix/matrix.js"), sha256: "NGyNtds27ou6NVMdIY4p4Oh2swwtJSAGS3Jwb4iWtwc=" };

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
        MatrixPage { report, fits: Vec::new(), command: None }
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
        let view = View::of(self.report);
        let sentence = verdict::sentence(&view);
        let sections = self.sections(&view)?;
        let mut html = String::from(glyphs::DEFINITIONS);
        html.push_str("<header><span class=\"eyebrow\">playsim · conformance of players</span>\n");
        writeln!(html, "<h1>{}</h1>", Text(&sentence))?;
        write_figures(&verdict::figures(&view), &mut html)?;
        sections.write_links(&mut html)?;
        html.push_str("</header>\n<main>\n");
        sections.write(&mut html)?;
        html.push_str("</main>\n");
        self.footer(&mut html)?;
        let style = format!("{PARTS_STYLE}{STYLE}{}", grid::style(&view));
        let document = Document { title: &sentence, style: &style, script: Some(SCRIPT) };
        let has_images = view.cells().any(|place| !place.cell.evidence.shots.is_empty());
        if has_images { document.write_with_images(&html, sink) } else { document.write(&html, sink) }
    }

    fn sections(&self, view: &View<'_>) -> Result<Sections, fmt::Error> {
        let mut sections = Sections::default();
        sections.add("baseline", "Against the baseline", |html| lists::changes(view, html))?;
        sections.add("matrix", "Players by situations", |html| grid::write(view, html))?;
        let many = "What players do otherwise in many situations";
        sections.add("shared", many, |html| lists::shared(view, html))?;
        sections.add("players", "Players", |html| lists::players(view, html))?;
        sections.add("adapters", "What adapters decide", |html| lists::adapters(view, html))?;
        sections.add("knobs", "Knobs that explain cells", |html| lists::knobs(view, html))?;
        sections.add("fits", "Knobs that fit best", |html| lists::fits(view, &self.fits, html))?;
        sections.add("rules", "Rules at which cells differ", |html| lists::rules(view, html))?;
        sections.add("compared", "How it was compared", |html| compared(self.report, html))?;
        Ok(sections)
    }

    fn footer(&self, html: &mut String) -> fmt::Result {
        html.push_str("<footer>");
        if let Some(command) = &self.command {
            write!(html, "<p>Written again, this gives the same bytes:</p><pre>{}</pre>", Text(command))?;
        }
        html.push_str("<p>In lines: &gt; call, ^ user, ? request, &lt; answer, ! pixel, * decision or screen; a bare word is ");
        html.push_str("an event.</p></footer>\n");
        Ok(())
    }
}

/// Says how the two sides were compared.
fn compared(report: &Report, html: &mut String) -> fmt::Result {
    html.push_str("<p class=\"lead\">Each recording of a real player is compared with playsim&#39;s own run of the same scenario.</p>\n<ol class=\"how\">");
    html.push_str("<li><b>Order first.</b> Requests and pixels, films on the screen, and documented events must come in the same ");
    html.push_str("order. No tolerance hides an order.</li>");
    write!(
        html,
        "<li><b>Then times, counted from the film that was shown last,</b> to within {} s. A late ad is one difference, and ",
        seconds(report.within_us)
    )?;
    html.push_str("does not repeat in each line after it. A player learns of positions only from time to time (in Chromium every ");
    html.push_str("265.6 ms), so that what depends on one comes later than in playsim.</li>");
    writeln!(
        html,
        "<li><b>Then times, counted from the start,</b> to within {} s: small delays that add up.</li></ol>",
        seconds(report.overall_us)
    )?;
    html.push_str("<p>What the recorder could not hear does not count as missing. A recording that cannot be compared at all is ");
    html.push_str("listed as such, and never counts as agreeing. A cell is the same with a knob when one documented choice of playsim, turned ");
    html.push_str("alone, explains the whole situation. A case that was not played as it is written, because of its adapter, its page or a ");
    html.push_str("step that was never due, says nothing about the player.</p>\n");
    html.push_str("<p>A rule rests on the reference, on a standard, or on a choice of playsim where neither settles it. A ");
    html.push_str("difference from a choice is information about the player, not a failure.</p>");
    Ok(())
}

#[cfg(test)]
mod tests;
