//! Which paths there are, and what each does.
//!
//! Rules: EDIT-1 to EDIT-3, EDIT-48, CON-25.

use super::form::decoded;
use crate::knobs::{EditRoutes, Knobs, OtherOperations};
use crate::named::named;
use crate::rule;
use crate::rules::RuleId;

named! {
    /// A path that edits a video. Rules EDIT-1, EDIT-2.
    Route {
        V3 "v3" "`apiv3/video/edit/<id>.json`: the id is in the path.",
        V3Form "v3-form" "`apiv3/videos/edit.json`: the id is in the form.",
        V2Form "v2-form" "`apiv2/videos/edit.json`: the id is in the form.",
    }
}

/// One row: a path of the service.
#[derive(Debug, Clone, Copy)]
pub struct RouteRow {
    /// Which route it is.
    pub route: Route,
    /// Its path; `{id}` stands for the id of the video.
    pub path: &'static str,
    /// The rule that says so.
    pub rule: RuleId,
}

/// The paths that edit a video.
pub const ROUTES: &[RouteRow] = &[
    RouteRow { route: Route::V3, path: "/apiv3/video/edit/{id}.json", rule: rule!("EDIT-1") },
    RouteRow { route: Route::V3Form, path: "/apiv3/videos/edit.json", rule: rule!("EDIT-2") },
    RouteRow { route: Route::V2Form, path: "/apiv2/videos/edit.json", rule: rule!("EDIT-2") },
];

/// Where the other operations of the service would be. Rule EDIT-48.
const OTHERS: &[&str] =
    &["/apiv3/video/", "/apiv3/videos", "/apiv3/channel", "/apiv2/video/", "/apiv2/videos", "/apiv2/channel"];

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// To an edit; with the id, if it is in the path.
    Edit(Route, Option<String>),
    /// To an edit, with an id that is no UTF-8. Rule EDIT-49.
    NotUtf8(Route),
    /// To another operation. Rule EDIT-48.
    Other,
    /// Nowhere. Rule EDIT-3.
    Nothing,
}

/// The documented path.
impl Default for Route {
    fn default() -> Route {
        Route::V3
    }
}

impl Route {
    /// Whether the id of the video is in the path.
    #[must_use]
    pub const fn has_id_in_path(self) -> bool {
        match self {
            Route::V3 => true,
            Route::V3Form | Route::V2Form => false,
        }
    }

    /// The path that edits a video by this route.
    #[must_use]
    pub fn path(self, id: &str) -> String {
        let row = ROUTES.iter().find(|row| row.route == self);
        row.map_or_else(String::new, |row| row.path.replace("{id}", &encoded(id)))
    }
}

/// A text as it may stand between two slashes of a path.
fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let byte = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(byte).collect()
}

/// What a path leads to; its query does not count.
pub(super) fn find(path: &str, knobs: &Knobs) -> Found {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    for row in ROUTES {
        let is_there = match knobs.edit_routes {
            EditRoutes::All => true,
            EditRoutes::MainOnly => row.route.has_id_in_path(),
        };
        let Some((before, after)) = row.path.split_once("{id}") else {
            if path == row.path && is_there {
                return Found::Edit(row.route, None);
            }
            continue;
        };
        let id = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains('/') && is_there) {
            return match decoded(id.as_bytes(), false) {
                Some(id) => Found::Edit(row.route, Some(id)),
                None => Found::NotUtf8(row.route),
            };
        }
    }
    // A path that is nearly one of an edit is no other operation.
    let is_edit = ROUTES.iter().any(|row| {
        let before = row.path.split_once("{id}").map_or(row.path, |(before, _)| before);
        path.starts_with(before.trim_end_matches('/'))
    });
    let is_other = !is_edit && OTHERS.iter().any(|other| path.starts_with(other));
    match knobs.edit_other {
        OtherOperations::NotImplemented if is_other => Found::Other,
        OtherOperations::NotImplemented | OtherOperations::NotFound => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_edits_other_operations_or_nowhere() {
        let knobs = Knobs::default();
        let to = |path: &str| find(path, &knobs);
        let v3 = |id: &str| Found::Edit(Route::V3, Some(id.to_owned()));
        assert_eq!(to("/apiv3/video/edit/007.json"), v3("007"));
        assert_eq!(to("/apiv3/video/edit/a%20b%2Fc.json?x=1"), v3("a b/c"));
        assert_eq!(to("/apiv3/video/edit/a.json.json"), v3("a.json"));
        assert_eq!(to("/apiv3/video/edit/%ff.json"), Found::NotUtf8(Route::V3));
        assert_eq!(to("/apiv3/videos/edit.json"), Found::Edit(Route::V3Form, None));
        assert_eq!(to("/apiv2/videos/edit.json"), Found::Edit(Route::V2Form, None));
        for other in [
            "/apiv3/videos.json",
            "/apiv3/video/delete/1.json",
            "/apiv2/channels.json",
            "/apiv2/video/edit/1.json",
        ] {
            assert_eq!(to(other), Found::Other, "{other}");
        }
        for nowhere in [
            "",
            "/",
            "/apiv3/video/edit/.json",
            "/apiv3/video/edit/1",
            "/apiv3/video/edit/a/b.json",
            "/apiv4/videos/edit.json",
            "/apiv3/VIDEOS/edit.json",
            "apiv3/videos/edit.json",
            "/apiv3/videos/edit.jsonx",
        ] {
            assert_eq!(to(nowhere), Found::Nothing, "{nowhere}");
        }
    }

    #[test]
    fn a_route_leads_back_to_its_id() {
        for id in ["007", "a b/c", "ä.json", "%41", "?#"] {
            assert_eq!(
                find(&Route::V3.path(id), &Knobs::default()),
                Found::Edit(Route::V3, Some(id.to_owned()))
            );
        }
        let main_only = Knobs { edit_routes: EditRoutes::MainOnly, ..Knobs::default() };
        assert_eq!(find("/apiv3/videos/edit.json", &main_only), Found::Nothing);
        let none = Knobs { edit_other: OtherOperations::NotFound, ..Knobs::default() };
        assert_eq!(find("/apiv3/videos.json", &none), Found::Nothing);
    }
}
