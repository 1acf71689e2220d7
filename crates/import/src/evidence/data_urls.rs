//! Documents in `data:` URLs, which no request fetches.
//!
//! Such a document is read when something that it names is requested: until then nothing shows that
//! the page has looked at it. It gets a place in the list of requests before that one.

use std::collections::BTreeSet;
use std::sync::Arc;

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
        let found = documents(&recording.exchanges, from);
        // Those that were added are looked at next: they stand before what they name.
        let Some((first, _)) = found.first() else {
            return;
        };
        from = *first;
        let mut found = found.into_iter().peekable();
        let all = std::mem::take(&mut recording.exchanges);
        for (index, exchange) in all.into_iter().enumerate() {
            while let Some((_, inner)) = found.next_if(|(place, _)| *place == index) {
                recording.exchanges.push(inner);
            }
            recording.exchanges.push(exchange);
        }
    }
}

/// Returns the documents within those from a place on, each with the place of the first request for
/// something that it names, in the order of these.
fn documents(all: &[Exchange], from: usize) -> Vec<(usize, Exchange)> {
    let mut links: Vec<(usize, Exchange)> = Vec::new();
    let mut names = Names::default();
    for (index, it) in all.iter().enumerate().skip(from) {
        for (url, text) in inside(it) {
            names.add(links.len(), &vast::read(&text));
            let inner = Exchange {
                number: it.number,
                url,
                method: "GET".to_owned(),
                page: it.page.clone(),
                outcome: RecordedOutcome::Response(200),
                first_byte: Some(Span::ZERO),
                time: Some(Span::ZERO),
                body: Body::Text(text),
                ..Exchange::default()
            };
            links.push((index, inner));
        }
    }
    let mut found = Vec::new();
    let mut open: BTreeSet<usize> = (0..links.len()).collect();
    for (place, it) in all.iter().enumerate().skip(from) {
        if open.is_empty() {
            break;
        }
        for name in names.of(&it.url) {
            let link = names.all[name].document;
            let (index, inner) = &links[link];
            if *index < place && open.remove(&link) {
                let inner = Exchange {
                    started: it.started,
                    ..inner.clone()
                };
                found.push((place, inner));
            }
        }
    }
    found
}

/// Returns the `data:` URLs in a document that lead to another one, each with its text.
fn inside(it: &Exchange) -> Vec<(Arc<str>, Arc<str>)> {
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
    let links = links.map(|name| Some((name.written.clone(), data_url_body(&name.written)?)));
    links.flatten().collect()
}
