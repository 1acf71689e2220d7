//! Whether the category of an ad is blocked or missing.
//!
//! Rules: SEL-6, PRD-7; VAST 4.3 sections 3.4.5, 3.19.2.

use super::hop::Hop;
use crate::error::AdErrorCode;
use playsim_api::Text;
use playsim_api::page::AdTerms;
use playsim_vast::{AdKind, Category};

/// Checks the categories of the ad at the end of these hops against the page and the wrappers
/// before it.
///
/// # Errors
///
/// 204 if it has none but one is required, 205 if one of them is blocked.
pub(crate) fn judge(hops: &[Hop], terms: &AdTerms) -> Result<(), (AdErrorCode, Text)> {
    let Some((hop, wrappers)) = hops.split_last() else {
        return Ok(());
    };
    let categories = &hop.ad().categories;
    if terms.requires_category
        && categories
            .iter()
            .all(|category| category.codes().next().is_none())
    {
        let why = "the ad has no category, but the page requires one";
        return Err((AdErrorCode::CategoryMissing, why.into()));
    }
    for category in categories {
        for code in category.codes() {
            let by_page = terms.blocked.iter().any(|blocked| {
                let is_of_it = blocked
                    .authority
                    .as_deref()
                    .is_none_or(|whose| is_of(category, whose));
                is_of_it && blocked.category.eq_ignore_ascii_case(code)
            });
            if by_page {
                let why = format!("the ad's category \"{code}\" is blocked by the page");
                return Err((AdErrorCode::CategoryBlocked, why.into()));
            }
            if let Some(wrapper) = wrappers
                .iter()
                .find(|wrapper| blocks(wrapper, category, code))
            {
                let at = wrapper.place(wrapper.ad().at);
                let why = format!(
                    "the ad's category \"{code}\" is blocked by the wrapper at {}",
                    &*at
                );
                return Err((AdErrorCode::CategoryBlocked, why.into()));
            }
        }
    }
    Ok(())
}

/// Whether a wrapper blocks a category. Both must be of the same authority, unless one of them
/// names none.
fn blocks(wrapper: &Hop, category: &Category, code: &str) -> bool {
    let AdKind::Wrapper(redirection) = &wrapper.ad().kind else {
        return false;
    };
    redirection.blocked_categories.iter().any(|blocked| {
        let is_same_list = blocked
            .authority
            .as_deref()
            .is_none_or(|whose| is_of(category, whose));
        is_same_list
            && blocked
                .codes()
                .any(|other| other.eq_ignore_ascii_case(code))
    })
}

/// Whether a category belongs to this authority's list, or names no authority.
fn is_of(category: &Category, authority: &str) -> bool {
    let bare = |text: &str| {
        let text = text.trim().trim_end_matches('/').to_ascii_lowercase();
        let text = text
            .split_once("://")
            .map_or(text.as_str(), |(_, rest)| rest)
            .to_owned();
        text.strip_prefix("www.").map(str::to_owned).unwrap_or(text)
    };
    category
        .authority
        .as_deref()
        .is_none_or(|found| bare(found) == bare(authority))
}
