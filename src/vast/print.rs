//! A document as people and programs read it.
//!
//! [`text`] is an overview for those who run ads; [`json`] is the contract of `playsim vast --format json`.
//! Both take the document's name, so that a place can be written `name:line:column`.

mod about;
mod breaks;
mod json;
mod shown;

use std::fmt::{self, Write};

pub use json::json;

use super::value::{clock, offset_text};
use super::{
    Ad, AdKind, Clicks, Creative, CreativeKind, Document, Linear, MediaFile, Root, Tracking, Url, Warning,
    Wrapper, clip,
};

/// An overview: what the root is, each ad or break with what it holds, then what was tolerated and what is wrong.
///
/// Ends with a line feed. Addresses stand as written, macros not filled.
#[must_use]
pub fn text(name: &str, document: &Document) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = write_document(&mut out, name, document);
    out
}

/// What the root element is called; `None` if there is none.
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
    // What was tolerated in documents inside this one stands at its place among the rest.
    let all = || document.embedded().chain([document]);
    let mut warnings: Vec<&Warning> = all().flat_map(|it| &it.warnings).collect();
    warnings.sort_by_key(|warning| warning.at);
    write_warnings(out, name, &warnings)?;
    for fault in all().filter_map(|it| it.fault.as_ref()) {
        writeln!(out, "{name}:{}: error {}: {}", fault.at, fault.code, fault.text)?;
    }
    Ok(())
}

/// The document without its oddities; its name is written before.
fn write_overview(out: &mut String, document: &Document) -> fmt::Result {
    write!(out, "{}", root_name(&document.root).unwrap_or("not XML"))?;
    if let Some(version) = &document.version {
        write!(out, " {version}")?;
    }
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
    document.breaks.iter().try_for_each(|it| breaks::write_break(out, it))?;
    about::write_extensions(out, "  ", &document.extensions)
}

/// Each kind of warning a few times; a document tends to repeat its oddities at every address.
fn write_warnings(out: &mut String, name: &str, warnings: &[&Warning]) -> fmt::Result {
    const SHOWN: usize = 5;
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for warning in warnings {
        let row = counts.iter().position(|(code, _)| *code == warning.code).unwrap_or(counts.len());
        if row == counts.len() {
            counts.push((warning.code, 0));
        }
        counts[row].1 += 1;
        if counts[row].1 <= SHOWN {
            writeln!(out, "{name}:{}: {} [{}]", warning.at, warning.text, warning.code)?;
        }
    }
    for (code, count) in counts.iter().filter(|(_, count)| *count > SHOWN) {
        writeln!(out, "{name}: {} more of the same kind [{code}]", count - SHOWN)?;
    }
    Ok(())
}

fn write_ad(out: &mut String, ad: &Ad) -> fmt::Result {
    write!(out, "  ad")?;
    if let Some(id) = &ad.id {
        write!(out, " \"{id}\"")?;
    }
    let kind = match &ad.kind {
        AdKind::Inline => "in-line",
        AdKind::Wrapper(_) => "wrapper",
        AdKind::Broken(_) => "broken",
    };
    write!(out, " {kind}")?;
    if let Some(sequence) = ad.sequence {
        write!(out, ", sequence {sequence}")?;
    }
    if let Some(system) = &ad.ad_system {
        write!(out, ", by \"{system}\"")?;
    }
    if let Some(title) = &ad.title {
        write!(out, ", \"{title}\"")?;
    }
    writeln!(out)?;
    if let AdKind::Wrapper(wrapper) = &ad.kind {
        write_wrapper(out, wrapper)?;
    }
    about::write_about(out, ad)?;
    urls(out, "    ", "impression", &ad.impressions)?;
    urls(out, "    ", "error", &ad.errors)?;
    about::write_measured(out, ad)?;
    ad.creatives.iter().try_for_each(|creative| write_creative(out, creative))
}

fn write_wrapper(out: &mut String, wrapper: &Wrapper) -> fmt::Result {
    let target = wrapper.tag_uri.as_ref().map_or("nowhere", |uri| &uri.text);
    let follow = if wrapper.follow_additional_wrappers { "follows" } else { "ignores" };
    let pods = if wrapper.allow_multiple_ads { "accepts" } else { "refuses" };
    let fallback = match wrapper.fallback_on_no_ad {
        Some(true) => "takes another ad here if it gets none",
        Some(false) => "takes no other ad if it gets none",
        None => "does not say what if it gets none",
    };
    writeln!(out, "    leads to {target}")?;
    writeln!(out, "    {follow} further wrappers, {pods} several ads, {fallback}")
}

fn write_creative(out: &mut String, creative: &Creative) -> fmt::Result {
    write!(out, "    creative")?;
    if let Some(id) = &creative.id {
        write!(out, " \"{id}\"")?;
    }
    if let Some(sequence) = creative.sequence {
        write!(out, ", sequence {sequence}")?;
    }
    if let Some(id) = &creative.ad_id {
        write!(out, ", ad id \"{}\"", clip(id))?;
    }
    for id in &creative.universal_ids {
        let value = id.value.as_deref().unwrap_or("nothing");
        write!(out, ", universal id \"{}\"", clip(value))?;
        if let Some(registry) = &id.registry {
            write!(out, " of {}", clip(registry))?;
        }
    }
    if let Some(framework) = &creative.api_framework {
        write!(out, ", {}", clip(framework))?;
    }
    write_kind(out, &creative.kind)?;
    for kind in &creative.also {
        write!(out, "    beside it")?;
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
    if let Some(offset) = linear.skip_offset {
        write!(out, ", skip from {}", offset_text(offset))?;
    }
    writeln!(out)?;
    linear.media_files.iter().try_for_each(|file| write_media_file(out, "      media", file))?;
    shown::write_files(out, "      ", &linear.mezzanines, &linear.interactive_files, &linear.captions)?;
    shown::write_ad_parameters(out, "      ", linear.ad_parameters.as_ref())?;
    linear.icons.iter().try_for_each(|icon| shown::write_icon(out, icon))?;
    trackers(out, "      ", &linear.tracking)?;
    clicks(out, "      ", &linear.clicks)?;
    about::write_extensions(out, "      ", &linear.extensions)
}

fn clicks(out: &mut String, indent: &str, clicks: &Clicks) -> fmt::Result {
    if let Some(through) = &clicks.through {
        writeln!(out, "{indent}click leads to {}", through.text)?;
    }
    urls(out, indent, "click", &clicks.tracking)?;
    urls(out, indent, "custom click", &clicks.custom)
}

fn write_media_file(out: &mut String, what: &str, file: &MediaFile) -> fmt::Result {
    write!(out, "{what} {}", file.mime.as_deref().unwrap_or("of no type"))?;
    if let Some(codec) = &file.codec {
        write!(out, " {}", clip(codec))?;
    }
    if let Some(delivery) = &file.delivery {
        write!(out, " {delivery}")?;
    }
    if let Some(size) = shown::size_text((file.width, file.height)) {
        write!(out, " {size}")?;
    }
    if let Some(bitrate) = file.bitrate {
        write!(out, " {bitrate} kbit/s")?;
    }
    if let Some(framework) = &file.api_framework {
        write!(out, " {framework}")?;
    }
    let address = if file.url.is_empty() { "(no address)" } else { &*file.url };
    writeln!(out, " {address}")
}

/// Trackers by event, in the order in which the events first stand in the document.
fn trackers(out: &mut String, indent: &str, tracking: &[Tracking]) -> fmt::Result {
    // Sorted by the event's first place, so that a document with many names takes no longer.
    let mut order: Vec<usize> = (0..tracking.len()).collect();
    order.sort_by(|a, b| tracking[*a].event.cmp(&tracking[*b].event).then(a.cmp(b)));
    let mut groups: Vec<&[usize]> = order.chunk_by(|a, b| tracking[*a].event == tracking[*b].event).collect();
    groups.sort_by_key(|group| group.first().copied());
    for tracker in groups.into_iter().flatten().map(|index| &tracking[*index]) {
        match tracker.offset {
            Some(offset) => {
                writeln!(out, "{indent}{} {} {}", tracker.event, offset_text(offset), tracker.url.text)?;
            }
            None => writeln!(out, "{indent}{} {}", tracker.event, tracker.url.text)?,
        }
    }
    Ok(())
}

fn urls(out: &mut String, indent: &str, what: &str, urls: &[Url]) -> fmt::Result {
    urls.iter().try_for_each(|url| writeln!(out, "{indent}{what} {}", url.text))
}
