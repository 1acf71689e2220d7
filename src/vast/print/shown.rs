//! Prints overlays, companions, icons and the files that are not played, for people.

use std::fmt::{self, Write};

use super::super::value::{clock, offset_text};
use super::super::{
    AdParameters, CaptionFile, Companion, CompanionAds, Icon, IconPosition, InteractiveFile, MediaFile,
    NonLinear, NonLinearAds, Offset, Resource, ResourceKind,
};
use super::about::write_extensions;
use super::{clicks, clip, line, trackers, urls, write_media_file};

/// Writes overlays after the heading of their creative.
pub(super) fn write_overlays(out: &mut String, ads: &NonLinearAds) -> fmt::Result {
    write!(out, ", overlay, choices {}", ads.choices.len())?;
    if let Some(span) = ads.min_suggested_duration() {
        write!(out, ", at least {}", clock(span))?;
    }
    writeln!(out)?;
    ads.choices.iter().try_for_each(|choice| write_choice(out, choice))?;
    ads.icons.iter().try_for_each(|icon| write_icon(out, icon))?;
    trackers(out, "      ", &ads.tracking)
}

fn write_choice(out: &mut String, choice: &NonLinear) -> fmt::Result {
    let size = (choice.width, choice.height);
    let expanded = (choice.expanded_width, choice.expanded_height);
    write_head(out, "choice", choice.id.as_deref(), size, &[("expands to", expanded)])?;
    write_scaling(out, choice.scalable, choice.maintain_aspect_ratio)?;
    if let Some(span) = choice.duration {
        write!(out, ", {}", clock(span))?;
    }
    write_framework(out, choice.api_framework.as_deref())?;
    writeln!(out)?;
    write_resources(out, "        ", &choice.resources)?;
    choice.media_files.iter().try_for_each(|file| write_media_file(out, "        media", file))?;
    write_files(out, "        ", &choice.mezzanines, &choice.interactive_files, &choice.captions)?;
    write_ad_parameters(out, "        ", choice.ad_parameters.as_ref())?;
    clicks(out, "        ", &choice.clicks)?;
    write_extensions(out, "        ", &choice.extensions)
}

/// Writes companions after the heading of their creative.
pub(super) fn write_companions(out: &mut String, ads: &CompanionAds) -> fmt::Result {
    write!(out, ", companions {}", ads.companions.len())?;
    if let Some(required) = ads.required {
        write!(out, ", required {}", required.word())?;
    }
    writeln!(out)?;
    ads.companions.iter().try_for_each(|companion| write_companion(out, companion))
}

fn write_companion(out: &mut String, companion: &Companion) -> fmt::Result {
    let sizes = [
        ("shows", (companion.asset_width, companion.asset_height)),
        ("expands to", (companion.expanded_width, companion.expanded_height)),
    ];
    let size = (companion.width, companion.height);
    write_head(out, "companion", companion.id.as_deref(), size, &sizes)?;
    if let Some(slot) = &companion.ad_slot_id {
        write!(out, ", for slot \"{}\"", clip(slot))?;
    }
    if let Some(ratio) = &companion.px_ratio {
        write!(out, ", pixel ratio {}", clip(ratio))?;
    }
    if let Some(mode) = &companion.rendering_mode {
        write!(out, ", rendered {}", clip(mode.word()))?;
    }
    write_framework(out, companion.api_framework.as_deref())?;
    writeln!(out)?;
    write_resources(out, "        ", &companion.resources)?;
    if let Some(text) = &companion.alt_text {
        writeln!(out, "        alternative text \"{}\"", clip(text))?;
    }
    write_ad_parameters(out, "        ", companion.ad_parameters.as_ref())?;
    trackers(out, "        ", &companion.tracking)?;
    clicks(out, "        ", &companion.clicks)?;
    write_extensions(out, "        ", &companion.extensions)
}

/// Writes one icon.
pub(super) fn write_icon(out: &mut String, icon: &Icon) -> fmt::Result {
    write_head(out, "icon", icon.program.as_deref(), (icon.width, icon.height), &[])?;
    for (position, near, far) in [(icon.x, "left", "right"), (icon.y, "top", "bottom")] {
        match position {
            Some(IconPosition::Near) => write!(out, ", {near}")?,
            Some(IconPosition::Far) => write!(out, ", {far}")?,
            Some(IconPosition::Pixels(pixels)) => write!(out, ", {pixels} from {near}")?,
            Some(IconPosition::Share(share)) => {
                write!(out, ", {} from {near}", offset_text(Offset::Share(share)))?;
            }
            None => {}
        }
    }
    if let Some(offset) = icon.offset {
        write!(out, ", from {}", clock(offset))?;
    }
    if let Some(duration) = icon.duration {
        write!(out, ", for {}", clock(duration))?;
    }
    for (what, text) in [
        ("pixel ratio", &icon.px_ratio),
        ("alternative text", &icon.alt_text),
        ("hover", &icon.hover_text),
        ("regs", &icon.regs),
    ] {
        if let Some(text) = text {
            write!(out, ", {what} {}", clip(text))?;
        }
    }
    write_framework(out, icon.api_framework.as_deref())?;
    writeln!(out)?;
    write_resources(out, "        ", &icon.resources)?;
    urls(out, "        ", "view", &icon.view_tracking)?;
    clicks(out, "        ", &icon.clicks)?;
    for image in &icon.fallback_images {
        write!(out, "  ")?;
        write_head(out, "fallback image", image.alt_text.as_deref(), (image.width, image.height), &[])?;
        writeln!(out)?;
        write_resources(out, "          ", &image.resources)?;
    }
    Ok(())
}

type Size = (Option<u32>, Option<u32>);

/// Writes what it is, its name and its sizes; the caller completes the line.
fn write_head(
    out: &mut String,
    what: &str,
    name: Option<&str>,
    size: Size,
    more: &[(&str, Size)],
) -> fmt::Result {
    write!(out, "      {what}")?;
    if let Some(name) = name {
        write!(out, " \"{}\"", clip(name))?;
    }
    if let Some(size) = size_text(size) {
        write!(out, " {size}")?;
    }
    for (what, size) in more {
        if let Some(size) = size_text(*size) {
            write!(out, ", {what} {size}")?;
        }
    }
    Ok(())
}

/// Returns a size as `640x360`; `?` for an unknown side.
pub(super) fn size_text((width, height): Size) -> Option<String> {
    let side = |side: Option<u32>| side.map_or(String::from("?"), |side| side.to_string());
    (width.is_some() || height.is_some()).then(|| format!("{}x{}", side(width), side(height)))
}

/// Writes whether it may be scaled.
pub(super) fn write_scaling(out: &mut String, scalable: Option<bool>, keeps: Option<bool>) -> fmt::Result {
    match scalable {
        Some(true) => write!(out, ", scalable")?,
        Some(false) => write!(out, ", not scalable")?,
        None => {}
    }
    match keeps {
        Some(true) => write!(out, ", keeps its proportions"),
        Some(false) => write!(out, ", may be distorted"),
        None => Ok(()),
    }
}

fn write_framework(out: &mut String, framework: Option<&str>) -> fmt::Result {
    framework.map_or(Ok(()), |framework| write!(out, ", {}", clip(framework)))
}

fn write_resources(out: &mut String, indent: &str, resources: &[Resource]) -> fmt::Result {
    for resource in resources {
        write!(out, "{indent}{}", resource.kind.word())?;
        if let Some(mime) = &resource.mime {
            write!(out, " {}", clip(mime))?;
        }
        match resource.kind {
            ResourceKind::Html => writeln!(out, " {}", clip(&resource.content))?,
            ResourceKind::Static | ResourceKind::IFrame => writeln!(out, " {}", line(&resource.content))?,
        }
    }
    Ok(())
}

/// Writes the first line of the data for a scripted creative.
pub(super) fn write_ad_parameters(
    out: &mut String,
    indent: &str,
    parameters: Option<&AdParameters>,
) -> fmt::Result {
    parameters.map_or(Ok(()), |found| writeln!(out, "{indent}parameters {}", clip(&found.text)))
}

/// Writes the files other than the media files.
pub(super) fn write_files(
    out: &mut String,
    indent: &str,
    mezzanines: &[MediaFile],
    interactive: &[InteractiveFile],
    captions: &[CaptionFile],
) -> fmt::Result {
    mezzanines.iter().try_for_each(|file| write_media_file(out, &format!("{indent}mezzanine"), file))?;
    for file in interactive {
        write!(out, "{indent}interactive")?;
        for word in [&file.mime, &file.api_framework].into_iter().flatten() {
            write!(out, " {}", line(word))?;
        }
        match file.variable_duration {
            Some(true) => write!(out, ", of variable duration,")?,
            Some(false) => write!(out, ", of fixed duration,")?,
            None => {}
        }
        match &file.html {
            Some(html) => writeln!(out, " {}", clip(html))?,
            None => writeln!(out, " {}", line(&file.url.text))?,
        }
        write_ad_parameters(out, indent, file.ad_parameters.as_ref())?;
    }
    for file in captions {
        write!(out, "{indent}captions")?;
        for word in [&file.mime, &file.language].into_iter().flatten() {
            write!(out, " {}", clip(word))?;
        }
        writeln!(out, " {}", line(&file.url.text))?;
    }
    Ok(())
}
