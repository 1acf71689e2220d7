//! Prints overlays, companions, icons and the files that are not played, for people.

use std::fmt::{self, Write};

use super::super::value::{clock, offset_text};
use super::super::{
    AdParameters, CaptionFile, Companion, CompanionAds, Icon, IconPosition, InteractiveFile,
    MediaFile, NonLinear, NonLinearAds, Offset, Required, Resource, ResourceKind,
};
use super::about::write_extensions;
use super::{clicks, clip, line, part, trackers, urls, write_media_file};

/// Writes overlays after the heading of their creative.
pub(super) fn write_overlays(out: &mut String, ads: &NonLinearAds) -> fmt::Result {
    write!(out, ", overlay, choices {}", ads.choices.len())?;
    part(out, ", at least ", ads.min_suggested_duration().map(clock))?;
    writeln!(out)?;
    ads.choices
        .iter()
        .try_for_each(|choice| write_choice(out, choice))?;
    ads.icons
        .iter()
        .try_for_each(|icon| write_icon(out, icon))?;
    trackers(out, "      ", &ads.tracking)
}

fn write_choice(out: &mut String, choice: &NonLinear) -> fmt::Result {
    let size = (choice.width, choice.height);
    let expanded = (choice.expanded_width, choice.expanded_height);
    write_head(
        out,
        "choice",
        choice.id.as_deref(),
        size,
        &[("expands to", expanded)],
    )?;
    write_scaling(out, choice.scalable, choice.maintain_aspect_ratio)?;
    part(out, ", ", choice.duration.map(clock))?;
    part(out, ", ", choice.api_framework.as_deref().map(clip))?;
    writeln!(out)?;
    write_resources(out, "        ", &choice.resources)?;
    choice
        .media_files
        .iter()
        .try_for_each(|file| write_media_file(out, "        media", file))?;
    write_files(
        out,
        "        ",
        &choice.mezzanines,
        &choice.interactive_files,
        &choice.captions,
    )?;
    write_ad_parameters(out, "        ", choice.ad_parameters.as_ref())?;
    clicks(out, "        ", &choice.clicks)?;
    write_extensions(out, "        ", &choice.extensions)
}

/// Writes companions after the heading of their creative.
pub(super) fn write_companions(out: &mut String, ads: &CompanionAds) -> fmt::Result {
    write!(out, ", companions {}", ads.companions.len())?;
    part(out, ", required ", ads.required.map(Required::word))?;
    writeln!(out)?;
    ads.companions
        .iter()
        .try_for_each(|companion| write_companion(out, companion))
}

fn write_companion(out: &mut String, companion: &Companion) -> fmt::Result {
    let sizes = [
        ("shows", (companion.asset_width, companion.asset_height)),
        (
            "expands to",
            (companion.expanded_width, companion.expanded_height),
        ),
    ];
    let size = (companion.width, companion.height);
    write_head(out, "companion", companion.id.as_deref(), size, &sizes)?;
    part(
        out,
        ", for slot ",
        companion
            .ad_slot_id
            .as_ref()
            .map(|slot| format!("\"{}\"", clip(slot))),
    )?;
    part(
        out,
        ", pixel ratio ",
        companion.px_ratio.as_deref().map(clip),
    )?;
    part(
        out,
        ", rendered ",
        companion
            .rendering_mode
            .as_ref()
            .map(|mode| clip(mode.word())),
    )?;
    part(out, ", ", companion.api_framework.as_deref().map(clip))?;
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
    write_head(
        out,
        "icon",
        icon.program.as_deref(),
        (icon.width, icon.height),
        &[],
    )?;
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
    part(out, ", from ", icon.offset.map(clock))?;
    part(out, ", for ", icon.duration.map(clock))?;
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
    part(out, ", ", icon.api_framework.as_deref().map(clip))?;
    writeln!(out)?;
    write_resources(out, "        ", &icon.resources)?;
    urls(out, "        ", "view", &icon.view_tracking)?;
    clicks(out, "        ", &icon.clicks)?;
    for image in &icon.fallback_images {
        write!(out, "  ")?;
        write_head(
            out,
            "fallback image",
            image.alt_text.as_deref(),
            (image.width, image.height),
            &[],
        )?;
        writeln!(out)?;
        write_resources(out, "          ", &image.resources)?;
    }
    Ok(())
}

type Size = (Option<u32>, Option<u32>);

/// Writes its kind, its name and its sizes; the caller completes the line.
fn write_head(
    out: &mut String,
    what: &str,
    name: Option<&str>,
    size: Size,
    more: &[(&str, Size)],
) -> fmt::Result {
    write!(out, "      {what}")?;
    part(out, " ", name.map(|name| format!("\"{}\"", clip(name))))?;
    part(out, " ", size_text(size))?;
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
pub(super) fn write_scaling(
    out: &mut String,
    scalable: Option<bool>,
    keeps: Option<bool>,
) -> fmt::Result {
    part(
        out,
        ", ",
        scalable.map(|is| if is { "scalable" } else { "not scalable" }),
    )?;
    part(
        out,
        ", ",
        keeps.map(|keeps| {
            if keeps {
                "keeps its proportions"
            } else {
                "may be distorted"
            }
        }),
    )
}

fn write_resources(out: &mut String, indent: &str, resources: &[Resource]) -> fmt::Result {
    for resource in resources {
        write!(out, "{indent}{}", resource.kind.word())?;
        part(out, " ", resource.mime.as_deref().map(clip))?;
        match resource.kind {
            ResourceKind::Html => writeln!(out, " {}", clip(&resource.content))?,
            ResourceKind::Static | ResourceKind::IFrame => {
                writeln!(out, " {}", line(&resource.content))?
            }
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
    parameters.map_or(Ok(()), |found| {
        writeln!(out, "{indent}parameters {}", clip(&found.text))
    })
}

/// Writes the files other than the media files.
pub(super) fn write_files(
    out: &mut String,
    indent: &str,
    mezzanines: &[MediaFile],
    interactive: &[InteractiveFile],
    captions: &[CaptionFile],
) -> fmt::Result {
    mezzanines
        .iter()
        .try_for_each(|file| write_media_file(out, &format!("{indent}mezzanine"), file))?;
    for file in interactive {
        write!(out, "{indent}interactive")?;
        for word in [&file.mime, &file.api_framework].into_iter().flatten() {
            write!(out, " {}", line(word))?;
        }
        let length = |is_variable| {
            if is_variable {
                "of variable duration,"
            } else {
                "of fixed duration,"
            }
        };
        part(out, ", ", file.variable_duration.map(length))?;
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
