//! Prints the breaks of a VMAP document for people.
//!
//! A document embedded in a break is indented below it; its warnings are listed with all others.

use std::fmt::{self, Write};

use super::super::value::clock;
use super::super::vmap::{AdSource, AdSourceKind, Break, BreakType, TimeOffset};
use super::super::{Document, Root};
use super::about::write_extensions;
use super::{line, part, quoted, trackers, write_overview};

/// Writes one break: its offset, types and interval; then its source and its trackers.
pub(super) fn write_break(out: &mut String, it: &Break) -> fmt::Result {
    write!(out, "  break")?;
    part(out, " ", it.id.as_ref().map(quoted))?;
    match &it.time_offset {
        Some(TimeOffset::Unreadable(written)) => write!(out, " never (\"{}\")", line(written))?,
        Some(offset) => write!(out, " at {offset}")?,
        None => write!(out, " never")?,
    }
    let types: Vec<&str> = it.types.iter().map(BreakType::word).collect();
    if !types.is_empty() {
        write!(out, ", {}", line(&types.join(" or ")))?;
    }
    part(out, ", repeated every ", it.repeat_after.map(clock))?;
    writeln!(out)?;
    match &it.source {
        Some(source) => write_source(out, source)?,
        None => writeln!(out, "    no source")?,
    }
    trackers(out, "    ", &it.tracking)?;
    write_extensions(out, "    ", &it.extensions)
}

fn write_source(out: &mut String, source: &AdSource) -> fmt::Result {
    write!(out, "    source")?;
    part(out, " ", source.id.as_ref().map(quoted))?;
    match &source.kind {
        AdSourceKind::Tag { uri, template_type } => {
            part(out, " of type ", template_type.as_deref().map(line))?;
            writeln!(
                out,
                " requests {}",
                line(uri.as_ref().map_or("(no URL)", |uri| &uri.text))
            )?;
        }
        AdSourceKind::Vast(document) => write_embedded(out, document)?,
        AdSourceKind::Custom {
            template_type,
            data,
            document,
        } => {
            let template_type = line(template_type.as_deref().unwrap_or("unknown"));
            write!(
                out,
                " contains custom data of type {template_type}, {} bytes",
                data.len()
            )?;
            match document {
                Some(document) => {
                    write!(out, ", which")?;
                    write_embedded(out, document)?;
                }
                None => writeln!(out)?,
            }
        }
        AdSourceKind::Empty => writeln!(out, " is empty")?,
    }
    let pods = source.allow_multiple_ads.map(|is| {
        if is {
            "accepts several ads"
        } else {
            "refuses several ads"
        }
    });
    let follow = source.follow_redirects.map(|is| {
        if is {
            "follows wrappers"
        } else {
            "ignores wrappers"
        }
    });
    let said: Vec<&str> = pods.into_iter().chain(follow).collect();
    if said.is_empty() {
        Ok(())
    } else {
        writeln!(out, "      {}", said.join(", "))
    }
}

fn write_embedded(out: &mut String, document: &Document) -> fmt::Result {
    if document.root == Root::None {
        return writeln!(out, " contains no document");
    }
    let mut inner = String::new();
    write_overview(&mut inner, document)?;
    let mut lines = inner.lines();
    writeln!(out, " contains {}", lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| writeln!(out, "    {line}"))
}
