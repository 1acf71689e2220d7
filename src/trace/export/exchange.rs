//! Requests with their answers.

use std::collections::BTreeMap;

use super::integer;
use crate::api::Kind;
use crate::time::Span;
use crate::trace::{Filter, Record, Trace};

/// A request and what became of it.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub(super) request: &'a Record,
    /// Where HTTP sent it on, in order. Rule CHN-4.
    pub(super) redirects: Vec<&'a Record>,
    /// What ended the waiting: an answer, a failure, the timeout. `None`: the run ended before.
    pub(super) answer: Option<&'a Record>,
    /// An answer that came after the timeout. Rule REQ-10.
    pub(super) late: Option<&'a Record>,
}

/// All requests of a trace, in their order.
pub(super) fn exchanges(trace: &Trace) -> Vec<Exchange<'_>> {
    let mut exchanges: Vec<Exchange<'_>> = Vec::new();
    let mut by_id = BTreeMap::new();
    for record in trace.records.iter().filter(|record| record.kind == Kind::Net) {
        let Some(id) = integer(record, "id") else { continue };
        if &*record.name == "request" {
            by_id.insert(id, exchanges.len());
            exchanges.push(Exchange { request: record, redirects: Vec::new(), answer: None, late: None });
        } else if let Some(exchange) = by_id.get(&id).map(|index| &mut exchanges[*index]) {
            if &*record.name == "redirect" {
                exchange.redirects.push(record);
                continue;
            }
            let place = if exchange.answer.is_none() { &mut exchange.answer } else { &mut exchange.late };
            place.get_or_insert(record);
        }
    }
    exchanges
}

impl<'a> Exchange<'a> {
    /// Its lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = &'a Record> + '_ {
        let ends = [self.answer, self.late].into_iter().flatten();
        std::iter::once(self.request).chain(self.redirects.iter().copied()).chain(ends)
    }

    /// Whether one of its lines is wanted: then all of it is shown, for half of it would say something else.
    pub(super) fn is_shown(&self, filter: &Filter) -> bool {
        self.lines().any(|line| filter.shows(line))
    }

    /// How long the player waited, in a run that ended so.
    pub(super) fn waited(&self, trace: &Trace) -> Span {
        let end = self.answer.or(trace.records.last()).map_or(self.request.at, |record| record.at);
        end - self.request.at
    }

    /// What became of it in a word; `unanswered` if the run ended before.
    pub(super) fn word(&self) -> &'a str {
        self.answer.map_or("unanswered", |answer| &answer.name)
    }
}
