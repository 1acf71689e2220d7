//! Random edit calls: right ones, wrong ones, and what goes wrong with them.

use std::sync::Arc;

use playsim::catalog::fields;
use playsim::scenario::{EditScript, Route, ServiceFault};

use super::dice::Dice;
use super::world::VIDEOS;

/// Names that no field has, or that are broken.
const ODD: &[&str] =
    &["nmae", "data[Video]", "data[name]", "name[]", "a[b", "[x]", "pixels[zeta]", "Chapter[title]"];
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
pub(crate) fn edit(dice: &mut Dice) -> EditScript {
    let route = *dice.pick(Route::ALL);
    let mut sent: Vec<(Arc<str>, Arc<str>)> = Vec::new();
    let all: Vec<_> = fields().filter(|field| field.name != "id").collect();
    for _ in 0..dice.index(5) {
        let field = dice.pick(&all);
        // Of pixels one will do, and of a clickthrough one spelling.
        let most = if !field.kind.lists.is_empty() { 2 } else { 1 };
        for name in field.form_names(dice.chance(1, 2)).into_iter().take(most) {
            let text = if dice.chance(2, 3) { field.example } else { *dice.pick(TEXTS) };
            if sent.iter().all(|(known, _)| **known != *name) {
                sent.push((name.into(), text.into()));
            }
        }
    }
    if dice.chance(1, 6) {
        sent.push(((*dice.pick(ODD)).into(), (*dice.pick(TEXTS)).into()));
    }
    let fault = dice.chance(1, 6).then(|| ServiceFault {
        after: super::world::beats(4, dice),
        status: dice.chance(1, 3).then_some(503),
        cut: dice.chance(1, 4),
        empty: dice.chance(1, 4),
    });
    let header = |name: &str, value: Option<&str>| (Arc::from(name), value.map(Arc::from));
    let headers = match dice.below(8) {
        0 => vec![header("User-Agent", None)],
        1 => vec![header("Authorization", Some("Bearer abc"))],
        _ => Vec::new(),
    };
    EditScript { id: Some((*dice.pick(VIDEOS)).into()), fields: sent, route, headers, fault }
}
