//! Random edit calls: valid ones, invalid ones, and faults.

use std::sync::Arc;

use playsim_api::catalog::fields;
use playsim_scenario::{EditScript, Route, ServiceFault};

use super::grid::beats;
use super::plan::Plan;
use super::source::Source;

/// Names that no field has, or that are broken.
const ODD: &[&str] = &[
    "nmae",
    "data[Video]",
    "data[name]",
    "name[]",
    "a[b",
    "[x]",
    "pixels[zeta]",
    "Chapter[title]",
];
/// Texts that one field or another takes, or none.
const TEXTS: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "true",
    "Other",
    "a, b",
    "US,DE",
    "31-12-1999",
    "02-01-2000",
    "00-00-0000",
    "2000-01-02",
    "https://shop.test/x",
    "shop.test",
    "7",
];

/// An edit of one of the records.
pub(super) fn edit(plan: &Plan, source: &mut Source) -> EditScript {
    let route = *source.pick(Route::ALL);
    let mut sent: Vec<(Arc<str>, Arc<str>)> = Vec::new();
    let all: Vec<_> = fields().filter(|field| field.name != "id").collect();
    for _ in 0..source.index(5) {
        let field = source.pick(&all);
        // Of pixels one will do, and of a clickthrough one spelling.
        let most = if !field.kind.lists.is_empty() { 2 } else { 1 };
        for name in field.form_names(source.chance(1, 2)).into_iter().take(most) {
            let text = if source.chance(2, 3) {
                field.example
            } else {
                *source.pick(TEXTS)
            };
            if sent.iter().all(|(known, _)| **known != *name) {
                sent.push((name.into(), text.into()));
            }
        }
    }
    if source.chance(1, 6) {
        sent.push(((*source.pick(ODD)).into(), (*source.pick(TEXTS)).into()));
    }
    let fault = source.chance(1, 6).then(|| ServiceFault {
        after: beats(4, source),
        status: source.chance(1, 3).then_some(503),
        cut: source.chance(1, 4),
        empty: source.chance(1, 4),
    });
    let header = |name: &str, value: Option<&str>| (Arc::from(name), value.map(Arc::from));
    let headers = match source.below(8) {
        0 => vec![header("User-Agent", None)],
        1 => vec![header("Authorization", Some("Bearer abc"))],
        _ => Vec::new(),
    };
    EditScript {
        id: Some(Arc::from(&**source.pick(&plan.videos))),
        fields: sent,
        route,
        headers,
        fault,
    }
}
