//! Prints the description of an ad as a whole, for people.

use std::fmt::{self, Write};

use super::super::value::clock;
use super::super::{Ad, AdKind, Extension, Verification, VerificationKind, Wrapper};
use super::{clip, line, part, trackers, urls};

/// Writes the lines about an ad between its heading and its creatives.
pub(super) fn write_about(out: &mut String, ad: &Ad) -> fmt::Result {
    if let Some(ad_type) = &ad.ad_type {
        writeln!(out, "    of type {}", clip(ad_type.word()))?;
    }
    if let Some(conditional) = ad.conditional {
        writeln!(
            out,
            "    {}",
            if conditional {
                "conditional"
            } else {
                "not conditional"
            }
        )?;
    }
    let advertiser = [&ad.advertiser, &ad.advertiser_id];
    for (what, said) in [
        ("ad system version", [&ad.ad_system_version, &None]),
        ("serving id", [&ad.serving_id, &None]),
        ("description", [&ad.description, &None]),
        ("advertiser", advertiser),
    ] {
        let words: Vec<_> = said
            .into_iter()
            .flatten()
            .map(|text| format!("\"{}\"", clip(text)))
            .collect();
        if !words.is_empty() {
            writeln!(out, "    {what} {}", words.join(", id "))?;
        }
    }
    if let Some(pricing) = &ad.pricing {
        write!(out, "    price {}", clip(&pricing.value))?;
        for word in [&pricing.currency, &pricing.model].into_iter().flatten() {
            write!(out, " {}", clip(word))?;
        }
        writeln!(out)?;
    }
    if let Some(expires) = ad.expires {
        writeln!(out, "    expires after {}", clock(expires))?;
    }
    let blocked = match &ad.kind {
        AdKind::Wrapper(Wrapper {
            blocked_categories, ..
        }) => blocked_categories.as_slice(),
        AdKind::Inline | AdKind::Broken(_) => &[],
    };
    let about = ad.categories.iter().map(|category| ("category", category));
    for (what, category) in
        about.chain(blocked.iter().map(|category| ("blocks category", category)))
    {
        let authority = category.authority.as_deref().unwrap_or("(no authority)");
        writeln!(
            out,
            "    {what} \"{}\" of {}",
            clip(&category.text),
            clip(authority)
        )?;
    }
    if let Some(survey) = &ad.survey {
        writeln!(out, "    survey {}", line(&survey.url.text))?;
    }
    Ok(())
}

/// Writes the measurement of an ad, and its extensions.
pub(super) fn write_measured(out: &mut String, ad: &Ad) -> fmt::Result {
    if let Some(viewable) = &ad.viewable {
        urls(out, "    ", "viewable", &viewable.viewable)?;
        urls(out, "    ", "not viewable", &viewable.not_viewable)?;
        urls(out, "    ", "view undetermined", &viewable.undetermined)?;
    }
    ad.verifications
        .iter()
        .try_for_each(|it| write_verification(out, it))?;
    write_extensions(out, "    ", &ad.extensions)
}

fn write_verification(out: &mut String, verification: &Verification) -> fmt::Result {
    write!(
        out,
        "    verified by {}",
        clip(verification.vendor.as_deref().unwrap_or("(no vendor)"))
    )?;
    writeln!(
        out,
        "{}",
        if verification.in_extension {
            ", in an extension"
        } else {
            ""
        }
    )?;
    for resource in &verification.resources {
        let kind = match resource.kind {
            VerificationKind::JavaScript => "script",
            VerificationKind::Executable => "executable",
            VerificationKind::Flash => "flash",
        };
        write!(out, "      {kind}")?;
        for word in [&resource.api_framework, &resource.mime]
            .into_iter()
            .flatten()
        {
            write!(out, " {}", clip(word))?;
        }
        let optional = |is_optional| {
            if is_optional {
                "browser optional,"
            } else {
                "browser needed,"
            }
        };
        part(out, ", ", resource.browser_optional.map(optional))?;
        writeln!(out, " {}", line(&resource.url.text))?;
    }
    if let Some(parameters) = &verification.parameters {
        writeln!(out, "      parameters {}", clip(parameters))?;
    }
    urls(out, "      ", "viewable", verification.viewable.as_slice())?;
    trackers(out, "      ", &verification.tracking)
}

/// Writes extensions by type and size, without their content.
pub(super) fn write_extensions(
    out: &mut String,
    indent: &str,
    extensions: &[Extension],
) -> fmt::Result {
    for extension in extensions {
        write!(out, "{indent}extension")?;
        match &extension.kind {
            Some(kind) => write!(out, " \"{}\"", clip(kind))?,
            None => write!(out, " (no type)")?,
        }
        for (name, value) in &extension.attributes {
            write!(out, ", {} {}", clip(name), clip(value))?;
        }
        writeln!(out, ", {} bytes", extension.xml.len())?;
    }
    Ok(())
}
