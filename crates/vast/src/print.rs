//! Prints a document for people and for programs.
//!
//! [`text`] is an overview for people; [`json`] is the contract of `playsim vast --format json`.
//! Both take the name of the document, for places of the form `name:line:column`. Quotations from
//! the document are escaped: each stays on its line, and a terminal interprets nothing in it. Rule
//! TRACE-9.

mod about;
mod breaks;
mod json;
mod shown;

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

pub use json::{json, json_with};

use super::value::{clock, offset_text};
use super::{
    Ad, AdKind, Clicks, Creative, CreativeKind, Document, Linear, MediaFile, Root, Tracking, Url,
    Warning, WarningCode, Wrapper,
};
use playsim_base::escape::{self, line};

/// Returns an overview: the root, each ad or break with its content, then the warnings and the
/// faults.
///
/// It ends with a line feed. URLs are printed as written, without macro expansion.
#[must_use]
pub fn text(name: &str, document: &Document) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_document(&mut out, &line(name), document);
    match escape::lines(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(escaped) => escaped,
    }
}

/// Writes a part of a line that not every document has, after the words that introduce it.
fn part(out: &mut String, before: &str, part: Option<impl fmt::Display>) -> fmt::Result {
    part.map_or(Ok(()), |part| write!(out, "{before}{part}"))
}

fn quoted(text: &Arc<str>) -> String {
    format!("\"{}\"", line(text))
}

/// Shortens a value for a quotation on one line.
fn clip(text: &str) -> String {
    line(&super::clip(text)).into_owned()
}

/// Returns the name of the root element; `None` if there is none.
fn root_name(root: &Root) -> Option<&str> {
    match root {
        Root::None => None,
        Root::Vast => Some("VAST"),
        Root::Vmap => Some("VMAP"),
        Root::Vast1 => Some("VideoAdServingTemplate"),
        Root::Other(name) => Some(name),
    }
}

fn write_document(out: &mut String, name: &str, document: &Document) -> fmt::Result {
    write!(out, "{name}: ")?;
    write_overview(out, document)?;
    // Warnings of embedded documents are sorted in by place.
    let all = || document.embedded().chain([document]);
    let mut warnings: Vec<&Warning> = all().flat_map(|it| &it.warnings).collect();
    warnings.sort_by_key(|warning| warning.at);
    write_warnings(out, name, &warnings)?;
    for fault in all().flat_map(Document::faults) {
        writeln!(
            out,
            "{name}:{}: error {}: {}",
            fault.at,
            fault.code,
            line(&fault.text)
        )?;
    }
    Ok(())
}

/// Writes the document without its warnings; the caller has written its name.
fn write_overview(out: &mut String, document: &Document) -> fmt::Result {
    let is_empty = document
        .fault
        .as_ref()
        .is_some_and(|fault| fault.code == 303);
    let nothing = if is_empty { "empty" } else { "not XML" };
    write!(
        out,
        "{}",
        line(root_name(&document.root).unwrap_or(nothing))
    )?;
    part(out, " ", document.version.as_deref().map(line))?;
    match (document.ads.len(), &document.root) {
        (0, Root::Vast) => writeln!(out, ", no ad")?,
        (0, Root::Vmap) if document.fault.is_none() => match document.breaks.len() {
            0 => writeln!(out, ", no break")?,
            1 => writeln!(out, ", 1 break")?,
            many => writeln!(out, ", {many} breaks")?,
        },
        (0, Root::None | Root::Vmap | Root::Vast1 | Root::Other(_)) => writeln!(out)?,
        (1, _) => writeln!(out, ", 1 ad")?,
        (many, _) => writeln!(out, ", {many} ads")?,
    }
    urls(out, "  ", "error", &document.error_urls)?;
    document.ads.iter().try_for_each(|ad| write_ad(out, ad))?;
    document
        .breaks
        .iter()
        .try_for_each(|it| breaks::write_break(out, it))?;
    about::write_extensions(out, "  ", &document.extensions)
}

/// Writes each kind of warning a few times only: a document tends to repeat them at every URL.
fn write_warnings(out: &mut String, name: &str, warnings: &[&Warning]) -> fmt::Result {
    const SHOWN: usize = 5;
    let mut counts: Vec<(WarningCode, usize)> = Vec::new();
    for warning in warnings {
        let row = counts
            .iter()
            .position(|(code, _)| *code == warning.code)
            .unwrap_or(counts.len());
        if row == counts.len() {
            counts.push((warning.code, 0));
        }
        counts[row].1 += 1;
        if counts[row].1 <= SHOWN {
            writeln!(
                out,
                "{name}:{}: {} [{}]",
                warning.at,
                line(&warning.text),
                warning.code
            )?;
        }
    }
    for (code, count) in counts.iter().filter(|(_, count)| *count > SHOWN) {
        writeln!(
            out,
            "{name}: {} more of the same kind [{code}]",
            count - SHOWN
        )?;
    }
    Ok(())
}

fn write_ad(out: &mut String, ad: &Ad) -> fmt::Result {
    write!(out, "  ad")?;
    part(out, " ", ad.id.as_ref().map(quoted))?;
    let kind = match &ad.kind {
        AdKind::Inline => "in-line",
        AdKind::Wrapper(_) => "wrapper",
        AdKind::Broken(_) => "broken",
    };
    write!(out, " {kind}")?;
    part(out, ", sequence ", ad.sequence)?;
    part(out, ", by ", ad.ad_system.as_ref().map(quoted))?;
    part(out, ", ", ad.title.as_ref().map(quoted))?;
    writeln!(out)?;
    if let AdKind::Wrapper(wrapper) = &ad.kind {
        write_wrapper(out, wrapper)?;
    }
    about::write_about(out, ad)?;
    urls(out, "    ", "impression", &ad.impressions)?;
    urls(out, "    ", "error", &ad.errors)?;
    about::write_measured(out, ad)?;
    ad.creatives
        .iter()
        .try_for_each(|creative| write_creative(out, creative))
}

fn write_wrapper(out: &mut String, wrapper: &Wrapper) -> fmt::Result {
    let target = wrapper.tag_uri.as_ref().map_or("(no URL)", |uri| &uri.text);
    let follow = if wrapper.follow_additional_wrappers {
        "follows"
    } else {
        "ignores"
    };
    let pods = if wrapper.allow_multiple_ads {
        "accepts"
    } else {
        "refuses"
    };
    let fallback = match wrapper.fallback_on_no_ad {
        Some(true) => "uses another ad of this document if it gets none",
        Some(false) => "uses no other ad if it gets none",
        None => "has no fallback rule if it gets none",
    };
    writeln!(out, "    loads {}", line(target))?;
    writeln!(
        out,
        "    {follow} further wrappers, {pods} several ads, {fallback}"
    )
}

fn write_creative(out: &mut String, creative: &Creative) -> fmt::Result {
    write!(out, "    creative")?;
    part(out, " ", creative.id.as_ref().map(quoted))?;
    part(out, ", sequence ", creative.sequence)?;
    part(
        out,
        ", ad id ",
        creative
            .ad_id
            .as_ref()
            .map(|id| format!("\"{}\"", clip(id))),
    )?;
    for id in &creative.universal_ids {
        let value = id.value.as_deref().unwrap_or("(empty)");
        write!(out, ", universal id \"{}\"", clip(value))?;
        part(out, " of ", id.registry.as_deref().map(clip))?;
    }
    part(out, ", ", creative.api_framework.as_deref().map(clip))?;
    write_kind(out, &creative.kind)?;
    for kind in &creative.also {
        write!(out, "    also")?;
        write_kind(out, kind)?;
    }
    about::write_extensions(out, "      ", &creative.extensions)
}

fn write_kind(out: &mut String, kind: &CreativeKind) -> fmt::Result {
    match kind {
        CreativeKind::Linear(linear) => write_linear(out, linear),
        CreativeKind::NonLinear(overlays) => shown::write_overlays(out, overlays),
        CreativeKind::Companions(companions) => shown::write_companions(out, companions),
        CreativeKind::Empty => writeln!(out, ", empty"),
    }
}

fn write_linear(out: &mut String, linear: &Linear) -> fmt::Result {
    write!(out, ", linear")?;
    match linear.duration {
        Some(span) => write!(out, ", {}", clock(span))?,
        None if linear.media_files.is_empty() => {}
        None => write!(out, ", as long as its media")?,
    }
    part(out, ", skip from ", linear.skip_offset.map(offset_text))?;
    writeln!(out)?;
    linear
        .media_files
        .iter()
        .try_for_each(|file| write_media_file(out, "      media", file))?;
    shown::write_files(
        out,
        "      ",
        &linear.mezzanines,
        &linear.interactive_files,
        &linear.captions,
    )?;
    shown::write_ad_parameters(out, "      ", linear.ad_parameters.as_ref())?;
    linear
        .icons
        .iter()
        .try_for_each(|icon| shown::write_icon(out, icon))?;
    trackers(out, "      ", &linear.tracking)?;
    clicks(out, "      ", &linear.clicks)?;
    about::write_extensions(out, "      ", &linear.extensions)
}

fn clicks(out: &mut String, indent: &str, clicks: &Clicks) -> fmt::Result {
    if let Some(through) = &clicks.through {
        writeln!(out, "{indent}click opens {}", line(&through.text))?;
    }
    urls(out, indent, "click", &clicks.tracking)?;
    urls(out, indent, "custom click", &clicks.custom)
}

fn write_media_file(out: &mut String, what: &str, file: &MediaFile) -> fmt::Result {
    write!(
        out,
        "{what} {}",
        line(file.mime.as_deref().unwrap_or("(no type)"))
    )?;
    part(out, " ", file.codec.as_deref().map(clip))?;
    part(out, " ", file.delivery.as_deref().map(line))?;
    part(out, " ", shown::size_text((file.width, file.height)))?;
    if let Some(bitrate) = file.bitrate {
        write!(out, " {bitrate} kbit/s")?;
    }
    part(out, " ", file.api_framework.as_deref().map(line))?;
    let url = if file.url.is_empty() {
        "(no URL)"
    } else {
        &*file.url
    };
    writeln!(out, " {}", line(url))
}

/// Writes trackers by event, in the order in which the events first appear in the document.
fn trackers(out: &mut String, indent: &str, tracking: &[Tracking]) -> fmt::Result {
    // Sorted by the first place of each event, so that many different names do not take longer.
    let mut order: Vec<usize> = (0..tracking.len()).collect();
    order.sort_by(|a, b| {
        tracking[*a]
            .event
            .name()
            .cmp(tracking[*b].event.name())
            .then(a.cmp(b))
    });
    let mut groups: Vec<&[usize]> = order
        .chunk_by(|a, b| tracking[*a].event == tracking[*b].event)
        .collect();
    groups.sort_by_key(|group| group.first().copied());
    for tracker in groups.into_iter().flatten().map(|index| &tracking[*index]) {
        let (event, url) = (tracker.event.to_string(), line(&tracker.url.text));
        let event = line(&event);
        match tracker.offset {
            Some(offset) => {
                writeln!(out, "{indent}{event} {} {url}", offset_text(offset))?;
            }
            None => writeln!(out, "{indent}{event} {url}")?,
        }
    }
    Ok(())
}

fn urls(out: &mut String, indent: &str, what: &str, urls: &[Url]) -> fmt::Result {
    urls.iter()
        .try_for_each(|url| writeln!(out, "{indent}{what} {}", line(&url.text)))
}
