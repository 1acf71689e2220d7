//! The ad source of a VMAP break: a document inside the break, or a tag.
//!
//! Rules: VMAP-8 to VMAP-10, VMAP-12; VMAP 1.0.1 section 2.3.2.

use std::sync::Arc;

use super::VmapBreak;
use crate::error::{AdErrorCode, Failure};
use playsim_vast::Document;
use playsim_vast::vmap::AdSourceKind;

/// The template types of responses that can be read. Rule VMAP-12.
const TEMPLATES: &[&str] = &["vast", "vast2", "vast3", "vast4"];

impl VmapBreak {
    /// The only waterfall of the break: its tag, or the place of its document. Rules VMAP-9,
    /// VMAP-10.
    pub(crate) fn waterfalls(&self) -> Vec<Vec<Arc<str>>> {
        let Some(source) = self.ad_source() else {
            return Vec::new();
        };
        let tag = match &source.kind {
            AdSourceKind::Tag { uri: Some(uri), .. } => Arc::clone(&uri.text),
            AdSourceKind::Tag { uri: None, .. }
            | AdSourceKind::Vast(_)
            | AdSourceKind::Custom { .. }
            | AdSourceKind::Empty => source.at.in_file(&self.name).into(),
        };
        vec![vec![tag]]
    }

    /// Returns the document inside the break, or why its tag is not requested; `None` if the tag is
    /// requested.
    pub(crate) fn document(&self) -> Option<Result<&Arc<Document>, Failure>> {
        let source = self.ad_source()?;
        let at = || self.place(source.at);
        let refused = |what: &str, template: &Option<Arc<str>>| {
            let template = template.as_deref().unwrap_or_default();
            let why = format!("{what} with template type \"{template}\" is not supported");
            Failure::at(AdErrorCode::BreakTemplate, why, at())
        };
        let nothing = |why| Some(Err(Failure::at(AdErrorCode::BreakExtract, why, at())));
        if self.form().is_none() {
            let why = "none of the break's types can be shown here";
            return Some(Err(Failure::at(
                AdErrorCode::BreakType,
                why,
                self.place(self.row().at),
            )));
        }
        match &source.kind {
            AdSourceKind::Tag { template_type, .. } if !is_read(template_type.as_deref()) => {
                Some(Err(refused("an ad tag", template_type)))
            }
            AdSourceKind::Tag { uri: None, .. } => nothing("the ad tag of the break has no URL"),
            AdSourceKind::Tag { uri: Some(_), .. } => None,
            AdSourceKind::Vast(document) => Some(Ok(document)),
            AdSourceKind::Custom {
                document: Some(document),
                ..
            } => Some(Ok(document)),
            AdSourceKind::Custom {
                template_type,
                document: None,
                ..
            } => Some(Err(refused("custom ad data", template_type))),
            AdSourceKind::Empty => nothing("the ad source of the break is empty"),
        }
    }
}

/// Whether responses of a template type can be read; without a type it is VAST. Rule VMAP-12.
fn is_read(template: Option<&str>) -> bool {
    template.is_none_or(|template| {
        TEMPLATES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(template.trim()))
    })
}
