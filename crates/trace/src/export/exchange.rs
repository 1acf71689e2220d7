//! Requests with their responses.

use std::collections::BTreeMap;

use super::integer;
use crate::{Filter, Record, Trace};
use playsim_api::{Kind, NetLine};

/// A request and its outcome.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub(super) request: &'a Record,
    /// The redirects, in order. Rule CHN-4.
    pub(super) redirects: Vec<&'a Record>,
    /// The line that ended the wait: a response, a failure or the timeout. `None` if the run ended
    /// first.
    pub(super) answer: Option<&'a Record>,
    /// A response that came after the timeout. Rule REQ-10.
    pub(super) late: Option<&'a Record>,
}

/// Returns all requests of a trace, in order.
pub(super) fn exchanges(trace: &Trace) -> Vec<Exchange<'_>> {
    let mut exchanges: Vec<Exchange<'_>> = Vec::new();
    let mut by_id = BTreeMap::new();
    for record in trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Net)
    {
        let Some(id) = integer(record, "id") else {
            continue;
        };
        if record.is(NetLine::Request) {
            by_id.insert(id, exchanges.len());
            exchanges.push(Exchange {
                request: record,
                redirects: Vec::new(),
                answer: None,
                late: None,
            });
        } else if let Some(exchange) = by_id.get(&id).map(|index| &mut exchanges[*index]) {
            if record.is(NetLine::Redirect) {
                exchange.redirects.push(record);
                continue;
            }
            let place = if exchange.answer.is_none() {
                &mut exchange.answer
            } else {
                &mut exchange.late
            };
            place.get_or_insert(record);
        }
    }
    exchanges
}

impl<'a> Exchange<'a> {
    /// Returns its lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = &'a Record> + '_ {
        let ends = [self.answer, self.late].into_iter().flatten();
        std::iter::once(self.request)
            .chain(self.redirects.iter().copied())
            .chain(ends)
    }

    /// Returns whether one of its lines is shown. All of it is shown then, because a part would be
    /// misleading.
    pub(super) fn is_shown(&self, filter: &Filter) -> bool {
        self.lines().any(|line| filter.shows(line))
    }

    /// Returns its outcome in a word; `unanswered` if the run ended first.
    pub(super) fn word(&self) -> &'a str {
        self.answer.map_or("unanswered", |answer| &answer.name)
    }
}
