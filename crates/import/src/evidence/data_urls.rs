//! Documents in `data:` URLs, which no request fetches.
//!
//! Such a document is read when something that it names is requested: until then nothing shows that
//! the page has looked at it. It gets a place in the list of requests before that one.

use super::answer;
use crate::recording::{Body, Exchange, RecordedOutcome, RequestRecording};
use playsim_base::time::Span;
use playsim_scenario::world::{data_url_body, is_data_url};
use playsim_vast as vast;
use playsim_vast::names::{Named, Names};

/// The most documents that lie in one another.
const DEPTH: usize = 10;

/// Adds the documents of `data:` URLs that ad documents name as a tag or as the next document.
pub(super) fn add(recording: &mut RequestRecording) {
    let mut from = 0;
    for _ in 0..DEPTH {
        let all = recording.exchanges.len();
        let mut found: Vec<(usize, Exchange)> = (from..all)
            .flat_map(|index| inside(&recording.exchanges, index))
            .collect();
        found.sort_by_key(|(place, _)| *place);
        if found.is_empty() {
            return;
        }
        // Those that were added are looked at next: they stand before what they name.
        from = found[0].0;
        for (place, exchange) in found.into_iter().rev() {
            recording.exchanges.insert(place, exchange);
        }
    }
}

/// Returns the documents within one, each with its place in the list.
fn inside(all: &[Exchange], index: usize) -> Vec<(usize, Exchange)> {
    let it = &all[index];
    let may_be = it.text().is_some_and(|text| text.contains("data:"));
    let Some((mut document, ..)) = may_be.then(|| answer::document(it)).flatten() else {
        return Vec::new();
    };
    let mut names = Names::default();
    document.resolve(&it.url);
    names.add(0, &document);
    let links = names.all.iter().filter(|name| {
        matches!(name.what, Named::Hop | Named::BreakTag(_)) && is_data_url(&name.written)
    });
    links
        .filter_map(|name| {
            let text = data_url_body(&name.written)?;
            let mut inner = Names::default();
            inner.add(0, &vast::read(&text));
            let is_named = |other: &Exchange| !inner.of(&other.url).is_empty();
            let place = (index + 1..all.len()).find(|place| is_named(&all[*place]))?;
            let exchange = Exchange {
                number: it.number,
                started: all[place].started,
                url: name.written.clone(),
                method: "GET".to_owned(),
                page: it.page.clone(),
                outcome: RecordedOutcome::Response(200),
                first_byte: Some(Span::ZERO),
                time: Some(Span::ZERO),
                body: Body::Text(text),
                ..Exchange::default()
            };
            Some((place, exchange))
        })
        .collect()
}
