//! The waterfall as a picture: a row for each tag, ad and the content on one time axis. Rows open to details.

use std::fmt::{self, Write};

use super::fate::{Fate, name, took, words};
use super::glyphs::{ARROW, glyph};
use super::scale::{Scale, X, end_of, seconds, short};
use super::verdict::{TagPlace, first_start, waited};
use super::{View, axis, break_id};
use crate::waterfall::{AdBreakKind, AdBreakOutcome, AdBreakReport, Played, Tag};
use playsim_base::html::Text;
use playsim_base::words::counted;

mod ad;
mod bars;
mod detail;

/// The most breaks, and rows of each, that are drawn.
pub(super) const MOST_BREAKS: usize = 40;
pub(super) const MOST_ROWS: usize = 60;
/// The height of a row's drawing in pixels.
const HEIGHT: u32 = 46;

/// A break with its axis, while it is drawn.
struct Figure<'v, 'a> {
    view: &'v View<'a>,
    it: &'a AdBreakReport,
    index: usize,
    scale: Scale,
}

/// Writes the pictures of all breaks; the row of the tag that the verdict names is open.
pub(super) fn write(view: &View<'_>, named: Option<TagPlace>, html: &mut String) -> fmt::Result {
    let breaks = &view.report.breaks;
    if breaks.is_empty() {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">Seconds since the run began. ");
    html.push_str("A row opens to what happened, what it means, who acts, and its requests.</p>\n");
    for (index, it) in breaks.iter().enumerate().take(MOST_BREAKS) {
        let figure = Figure { view, it, index, scale: Scale::of_break(it) };
        figure.write(named.filter(|(of, _)| *of == index).map(|(_, tag)| tag), html)?;
    }
    if breaks.len() > MOST_BREAKS {
        let more = breaks.len() - MOST_BREAKS;
        writeln!(
            html,
            "<p class=\"muted\">{} after these are not drawn; the trace has them.</p>",
            counted(more, "ad break")
        )?;
    }
    key(html);
    Ok(())
}

impl Figure<'_, '_> {
    fn write(&self, named: Option<usize>, html: &mut String) -> fmt::Result {
        let it = self.it;
        if self.view.report.breaks.len() > 1 {
            let outcome = if it.outcome == AdBreakOutcome::Open { "unfinished" } else { it.outcome.word() };

            let after = waited(it).map(|wait| format!(" after {} s", seconds(wait))).unwrap_or_default();
            write!(html, "<h3 id=\"{}\">{} ", break_id(self.index), Text(&self.view.label(it)))?;
            writeln!(
                html,
                "<span class=\"muted plain\">{}{after}, {}</span></h3>",
                Text(outcome),
                Text(&it.why)
            )?;
        }
        html.push_str("<div class=\"wf\">");
        axis::write(&self.scale, &break_id(self.index), it.begin_us, HEIGHT, html)?;
        for (index, tag) in it.tags.iter().enumerate().take(MOST_ROWS) {
            self.tag(index, tag, named == Some(index), html)?;
        }
        if it.tags.len() > MOST_ROWS {
            let more = counted(it.tags.len() - MOST_ROWS, "more tag");
            write!(html, "<p class=\"rest muted\">{more}, listed below.</p>")?;
        }
        self.sum(html)?;
        for (index, ad) in it.played.iter().enumerate().take(MOST_ROWS) {
            self.ad(index, ad, html)?;
        }
        if it.played.len() > MOST_ROWS {
            let more = counted(it.played.len() - MOST_ROWS, "more ad");
            write!(html, "<p class=\"rest muted\">{more}.</p>")?;
        }
        self.content(html)?;
        html.push_str("</div>\n");
        Ok(())
    }

    /// Opens the drawing of a row.
    fn plot(&self, title: &str, html: &mut String) -> fmt::Result {
        let id = break_id(self.index);
        write!(
            html,
            "<span class=\"pl\"><svg class=\"plot\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            Text(title)
        )?;
        write!(html, "<use href=\"#{id}-grid\"/>")
    }

    fn tag(&self, index: usize, tag: &Tag, is_open: bool, html: &mut String) -> fmt::Result {
        let fate = Fate::of(tag);
        let (tone, said) = (fate.tone(), words(tag, self.view.report));
        let number = if self.has_pods() {
            format!("{}.{}", u64::from(tag.pod) + 1, u64::from(tag.wp) + 1)
        } else {
            (u64::from(tag.wp) + 1).to_string()
        };
        let named = name(tag);
        let open = if is_open { " open=\"\"" } else { "" };
        write!(
            html,
            "<details id=\"{}-t{index}\"{open}><summary class=\"row\"><span class=\"who\">{ARROW}",
            break_id(self.index)
        )?;
        glyph(fate.glyph(), tone, html)?;
        write!(
            html,
            "<span class=\"n\">{number}</span><span class=\"a\" title=\"{}\">{}</span>",
            Text(&tag.address),
            Text(&named)
        )?;
        write!(html, "<span class=\"o\">{}", Text(&said))?;
        if let Some(code) = tag.code {
            write!(html, " · <b class=\"{tone}\">{code}</b>")?;
        }
        html.push_str("</span></span>");
        let asked = tag.until_decided().map(|request| request.asked_us).min();
        let span = match (asked, tag.decided_us) {
            (Some(from), Some(to)) => format!(", from {} to {} seconds", seconds(from), seconds(to)),
            _ => String::new(),
        };
        let code = tag.code.map_or_else(String::new, |code| format!(" {code}"));
        self.plot(&format!("Tag {number}, {named}: {said}{code}{span}"), html)?;
        bars::tag(&self.scale, tag, fate, html)?;
        html.push_str("</svg></span><span class=\"took\">");
        match (took(tag), asked) {
            (Some(took), Some(asked)) => {
                write!(html, "{}<span>at {}</span>", seconds(took), seconds(asked))?;
            }
            (None, Some(asked)) => write!(html, "<span>at {}</span>", seconds(asked))?,
            (_, None) => {}
        }
        html.push_str("</span></summary><div class=\"in\">");
        detail::tag(self, tag, fate, html)?;
        html.push_str("</div></details>");
        Ok(())
    }

    fn has_pods(&self) -> bool {
        self.it.tags.iter().any(|tag| tag.pod > 0)
    }

    /// Writes the line below the tags: how long the viewer waited.
    fn sum(&self, html: &mut String) -> fmt::Result {
        let Some(wait) = waited(self.it).filter(|_| !self.it.tags.is_empty()) else { return Ok(()) };
        let what = match (first_start(self.it), &self.it.outcome) {
            (Some(_), _) => "until the first ad",
            (None, AdBreakOutcome::Scheduled) => "until the schedule was there",
            (None, _) => "until the break gave up",
        };
        write!(html, "<div class=\"row sum\"><span class=\"who\"><span class=\"a\">{what}</span></span>")?;
        write!(html, "<span class=\"took\">{}</span></div>", seconds(wait))
    }

    fn ad(&self, index: usize, ad: &Played, html: &mut String) -> fmt::Result {
        let of = self.it.played.len();
        let (glyph_name, tone, end) = ad::end(ad);
        let id = ad.ad.as_deref().filter(|id| !id.is_empty()).unwrap_or("ad without an id");
        let count = if of > 1 { format!("ad {} of {of}, ", index + 1) } else { String::new() };
        write!(
            html,
            "<details id=\"{}-a{index}\"><summary class=\"row\"><span class=\"who\">{ARROW}",
            break_id(self.index)
        )?;
        glyph(glyph_name, tone, html)?;
        write!(html, "<span class=\"n\"></span><span class=\"a\" title=\"{0}\">{0}</span>", Text(id))?;
        write!(html, "<span class=\"o\">{count}{end}</span></span>")?;
        let span = match (ad.start_us, ad.end_us) {
            (Some(from), Some(to)) => format!(", from {} to {} seconds", seconds(from), seconds(to)),
            (Some(from), None) => format!(", from {} seconds on", seconds(from)),
            (None, _) => String::new(),
        };
        self.plot(&format!("Ad {id}: {end}{span}"), html)?;
        ad::bar(self, ad, html)?;
        html.push_str("</svg></span><span class=\"took\">");
        if let Some(start) = ad.start_us {
            if let Some(end) = ad.end_us {
                html.push_str(&seconds(end.saturating_sub(start)));
            }
            write!(html, "<span>at {}</span>", seconds(start))?;
        }
        html.push_str("</span></summary><div class=\"in\">");
        ad::detail(self, index, ad, html)?;
        html.push_str("</div></details>");
        Ok(())
    }

    /// Writes the row of the content: when it goes on.
    fn content(&self, html: &mut String) -> fmt::Result {
        let it = self.it;
        let plays_on = it.kind.plays_on();
        let resumed = it.end_us.and_then(|end| self.view.content_after(it.player.as_deref(), end));
        let Some(from) = (if plays_on { Some(it.begin_us) } else { resumed }) else { return Ok(()) };
        let length = self.view.report.content_us.map(|length| format!("lasts {} s", short(length)));
        let length = length.unwrap_or_default();
        let what = if plays_on {
            "plays on".to_owned()
        } else {
            format!("{} at {}", if it.kind == AdBreakKind::Pre { "begins" } else { "goes on" }, seconds(from))
        };
        html.push_str("<div class=\"row\"><span class=\"who\">");
        glyph("dot", "muted", html)?;
        write!(html, "<span class=\"a\">content</span><span class=\"o\">{length}</span></span>")?;
        self.plot(&format!("The content {what}"), html)?;
        let (left, right) = (self.scale.start(from), X(97_000));
        if !plays_on && from >= end_of(it) {
            write!(html, "<line class=\"lead\" x1=\"{left}\" x2=\"{left}\" y1=\"0\" y2=\"16\"/>")?;
        }
        write!(
            html,
            "<rect class=\"b-content\" x=\"{left}\" y=\"16\" width=\"{}\" height=\"12\"/>",
            left.to(right)
        )?;
        write!(
            html,
            "<svg x=\"{right}\" y=\"12\" overflow=\"visible\"><path class=\"b-content\" d=\"M0 0l8 10-8 10z\"/></svg>"
        )?;
        write!(html, "</svg></span><span class=\"took\"><span>at {}</span></span></div>", seconds(from))
    }
}

/// Writes what the kinds of bars mean.
fn key(html: &mut String) {
    const BARS: &[(&str, &str)] = &[
        ("b-req", "tag"),
        ("b-hop", "wrapper hop"),
        ("b-media", "media"),
        ("b-hollow", "answer without an ad"),
        ("b-wait", "waiting for nothing"),
        ("b-late", "came too late"),
        ("b-ad", "ad, with its pixels below"),
        ("b-content", "content"),
    ];
    html.push_str("<ul class=\"key\">");
    for (class, what) in BARS {
        html.push_str("<li><svg class=\"k\" aria-hidden=\"true\"><rect class=\"");
        html.push_str(class);
        html.push_str("\" x=\"1\" y=\"1\" width=\"20\" height=\"8\"/></svg>");
        html.push_str(what);
        html.push_str("</li>");
    }
    html.push_str("</ul>\n");
}
