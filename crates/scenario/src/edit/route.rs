//! The paths of the service, and their meanings.
//!
//! Rules: EDIT-1 to EDIT-3, EDIT-48, CON-25.

use percent_encoding::utf8_percent_encode;

use playsim_base::escape::{RESERVED, percent_decoded};
use playsim_base::named::named;
use playsim_rules::knobs::{EditRoutes, KnobReader, OtherOperations};

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
    /// Its path, with `{id}` in place of the id of the video.
    pub path: &'static str,
}

/// The paths that edit a video. Rules EDIT-1, EDIT-2.
pub const ROUTES: &[RouteRow] = &[
    RouteRow {
        route: Route::V3,
        path: "/apiv3/video/edit/{id}.json",
    },
    RouteRow {
        route: Route::V3Form,
        path: "/apiv3/videos/edit.json",
    },
    RouteRow {
        route: Route::V2Form,
        path: "/apiv2/videos/edit.json",
    },
];

/// The paths of the other operations of the service. Rule EDIT-48.
const OTHERS: &[&str] = &[
    "/apiv3/video/",
    "/apiv3/videos",
    "/apiv3/channel",
    "/apiv2/video/",
    "/apiv2/videos",
    "/apiv2/channel",
];

/// The meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// An edit, with the id if that is in the path.
    Edit(Route, Option<String>),
    /// An edit with an id that is not UTF-8. Rule EDIT-49.
    NotUtf8(Route),
    /// Another operation. Rule EDIT-48.
    Other,
    /// Nothing, with the path that was probably meant. Rule EDIT-3.
    Nothing(Option<String>),
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

    /// Returns the path that edits a video by this route.
    #[must_use]
    pub fn path(self, id: &str) -> String {
        let row = ROUTES.iter().find(|row| row.route == self);
        row.map_or_else(String::new, |row| {
            row.path
                .replace("{id}", &utf8_percent_encode(id, RESERVED).to_string())
        })
    }
}

/// Returns the meaning of a path; its query is ignored.
pub(super) fn find(path: &str, knobs: &KnobReader) -> Found {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    for row in ROUTES {
        let is_there = match knobs.edit_routes() {
            EditRoutes::All => true,
            EditRoutes::MainOnly => row.route.has_id_in_path(),
        };
        let Some((before, after)) = row.path.split_once("{id}") else {
            if path == row.path && is_there {
                return Found::Edit(row.route, None);
            }
            continue;
        };
        let id = path
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains('/') && is_there) {
            return match percent_decoded(id.as_bytes()) {
                Some(id) => Found::Edit(row.route, Some(id)),
                None => Found::NotUtf8(row.route),
            };
        }
    }
    // A path with "edit" in it is not another operation; it gets a suggestion.
    let meant = meant(path, knobs);
    let is_other = meant.is_none() && OTHERS.iter().any(|other| path.starts_with(other));
    match knobs.edit_other() {
        OtherOperations::NotImplemented if is_other => Found::Other,
        OtherOperations::NotImplemented | OtherOperations::NotFound => Found::Nothing(meant),
    }
}

/// The path of an edit that this one looks like: with another version, with `video` and `videos`
/// confused, with or without an id, without `.json`, in capitals, or with extra slashes. Rule
/// EDIT-3.
fn meant(path: &str, knobs: &KnobReader) -> Option<String> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let version = parts
        .next()
        .filter(|version| is_like(version, "apiv", false))?;
    parts
        .next()
        .filter(|noun| is_like(noun, "video", true) || is_like(noun, "videos", true))?;
    parts
        .next()
        .filter(|verb| is_like(without_json(verb), "edit", true))?;
    let id = parts.next().map(without_json).filter(|id| !id.is_empty());
    let route = match id {
        Some(_) => Route::V3,
        None if knobs.edit_routes() == EditRoutes::MainOnly => Route::V3,
        None if version.ends_with('2') => Route::V2Form,
        None => Route::V3Form,
    };
    let row = ROUTES.iter().find(|row| row.route == route)?;
    // The id in the path is already encoded.
    Some(row.path.replace("{id}", id.unwrap_or("<video_id>")))
}

/// Whether a part of a path is this word, or begins with it, ignoring case.
fn is_like(part: &str, word: &str, whole: bool) -> bool {
    let begin = part
        .get(..word.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    begin && (!whole || part.len() == word.len())
}

fn without_json(part: &str) -> &str {
    match part
        .len()
        .checked_sub(".json".len())
        .and_then(|at| part.split_at_checked(at))
    {
        Some((name, end)) if end.eq_ignore_ascii_case(".json") => name,
        Some(_) | None => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_rules::knobs::Knobs;

    #[test]
    fn paths_are_edits_other_operations_or_unknown() {
        let knobs = KnobReader::default();
        let to = |path: &str| find(path, &knobs);
        let v3 = |id: &str| Found::Edit(Route::V3, Some(id.to_owned()));
        assert_eq!(to("/apiv3/video/edit/007.json"), v3("007"));
        assert_eq!(to("/apiv3/video/edit/a%20b%2Fc.json?x=1"), v3("a b/c"));
        assert_eq!(to("/apiv3/video/edit/a.json.json"), v3("a.json"));
        assert_eq!(to("/apiv3/video/edit/%ff.json"), Found::NotUtf8(Route::V3));
        assert_eq!(
            to("/apiv3/videos/edit.json"),
            Found::Edit(Route::V3Form, None)
        );
        assert_eq!(
            to("/apiv2/videos/edit.json"),
            Found::Edit(Route::V2Form, None)
        );
        for other in [
            "/apiv3/videos.json",
            "/apiv3/video/delete/1.json",
            "/apiv2/channels.json",
            "/apiv3/video/editors/1.json",
        ] {
            assert_eq!(to(other), Found::Other, "{other}");
        }
        for nowhere in [
            "",
            "/",
            "/apiv",
            "/api/video/edit/1.json",
            "/video/edit/1.json",
            "/apiv4/clips/1",
        ] {
            assert_eq!(to(nowhere), Found::Nothing(None), "{nowhere}");
        }
    }

    #[test]
    fn a_path_that_is_nearly_right_gets_a_response_with_the_right_one() {
        let knobs = KnobReader::default();
        for (path, meant) in [
            ("/apiv2/video/edit/1.json", "/apiv3/video/edit/1.json"),
            (
                "/apiv2/videos/edit/a%20b.json",
                "/apiv3/video/edit/a%20b.json",
            ),
            ("/apiv3/videos/edit/1.json?x=1", "/apiv3/video/edit/1.json"),
            ("/apiv3/video/edit/1", "/apiv3/video/edit/1.json"),
            ("/apiv3/video/edit/1.json/", "/apiv3/video/edit/1.json"),
            ("/apiv3//video/edit/1.json", "/apiv3/video/edit/1.json"),
            ("/APIV3/Video/Edit/1.JSON", "/apiv3/video/edit/1.json"),
            ("/apiv3/video/edit/a/b.json", "/apiv3/video/edit/a.json"),
            ("apiv3/videos/edit.json", "/apiv3/videos/edit.json"),
            ("/apiv3/video/edit.json", "/apiv3/videos/edit.json"),
            ("/apiv3/video/edit/.json", "/apiv3/videos/edit.json"),
            ("/apiv3/videos/edit", "/apiv3/videos/edit.json"),
            ("/apiv2/video/edit.json", "/apiv2/videos/edit.json"),
            ("/apiv2/videos/edit/", "/apiv2/videos/edit.json"),
            ("/apiv4/videos/edit.json", "/apiv3/videos/edit.json"),
        ] {
            assert_eq!(
                find(path, &knobs),
                Found::Nothing(Some(meant.to_owned())),
                "{path}"
            );
        }
        let main_only = KnobReader::from(Knobs {
            edit_routes: EditRoutes::MainOnly,
            ..Knobs::default()
        });
        let meant = Found::Nothing(Some("/apiv3/video/edit/<video_id>.json".to_owned()));
        assert_eq!(find("/apiv2/videos/edit.json", &main_only), meant);
    }

    #[test]
    fn the_path_of_a_route_has_its_id() {
        for id in ["007", "a b/c", "ä.json", "%41", "?#"] {
            assert_eq!(
                find(&Route::V3.path(id), &KnobReader::default()),
                Found::Edit(Route::V3, Some(id.to_owned()))
            );
        }
        let main_only = KnobReader::from(Knobs {
            edit_routes: EditRoutes::MainOnly,
            ..Knobs::default()
        });
        let meant = Found::Nothing(Some("/apiv3/video/edit/<video_id>.json".to_owned()));
        assert_eq!(find("/apiv3/videos/edit.json", &main_only), meant);
        let none = KnobReader::from(Knobs {
            edit_other: OtherOperations::NotFound,
            ..Knobs::default()
        });
        assert_eq!(find("/apiv3/videos.json", &none), Found::Nothing(None));
    }
}
