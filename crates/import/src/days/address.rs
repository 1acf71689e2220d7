//! Which requests are for one tag: its URL without what changes.
//!
//! Scheme, host and path always count. A parameter of the query counts if it tells tags of one page
//! apart, and if its values come again: in some recording two tags of this address differ in it,
//! and it has at most half as many values as there are requests. So `slot=1` and `slot=2` are two
//! tags; a random number, which never comes again, and the width of the window, which is the same
//! for all tags of a page, do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::row::TagRow;

/// A parameter with more values than this changes: it is no longer kept, so that memory does not
/// grow with the recordings.
const MOST_VALUES: usize = 64;

/// The parameters of a query, in alphabetical order.
pub(crate) type Query = BTreeMap<String, String>;

/// Splits a URL into scheme, host and path on one side and the parameters on the other.
pub(crate) fn split(url: &str) -> (String, Query) {
    let url = url.split('#').next().unwrap_or_default();
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    (
        address.to_owned(),
        pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
    )
}

/// The requests for one address.
#[derive(Debug, Clone, Default)]
pub(super) struct Address {
    asked: u64,
    parameters: BTreeMap<String, Parameter>,
    rows: BTreeMap<Query, TagRow>,
}

/// The values of a parameter.
#[derive(Debug, Clone, Default)]
struct Parameter {
    /// How many requests have it.
    given: u64,
    /// Its values; empty if there are too many.
    values: BTreeSet<String>,
    has_too_many: bool,
    /// Whether two tags of one recording differed in it.
    differs: bool,
}

impl Parameter {
    fn limit(&mut self) {
        if self.has_too_many || self.values.len() > MOST_VALUES {
            self.has_too_many = true;
            self.values.clear();
        }
    }

    /// Returns whether it tells tags apart, among this many requests. To be left out is a value
    /// too.
    fn counts(&self, asked: u64) -> bool {
        let values = self.values.len() as u64 + u64::from(self.given < asked);
        self.differs && !self.has_too_many && values * 2 <= asked
    }
}

impl Address {
    /// Notes the queries of one recording.
    pub(super) fn note(&mut self, queries: &[&Query]) {
        self.asked += queries.len() as u64;
        for query in queries {
            for (name, value) in *query {
                let differs = queries.iter().any(|other| other.get(name) != Some(value));
                let parameter = self.parameters.entry(name.clone()).or_default();
                parameter.given += 1;
                parameter.differs |= differs;
                if !parameter.has_too_many {
                    parameter.values.insert(value.clone());
                }
            }
        }
        self.limit();
    }

    /// Returns the row of the requests with a query.
    pub(super) fn row(&mut self, mut query: Query) -> &mut TagRow {
        query.retain(|name, _| self.parameters.get(name).is_none_or(|it| !it.has_too_many));
        self.rows.entry(query).or_default()
    }

    /// Drops the values of parameters that have too many.
    fn limit(&mut self) {
        let mut is_over = false;
        for parameter in self.parameters.values_mut().filter(|it| !it.has_too_many) {
            parameter.limit();
            is_over |= parameter.has_too_many;
        }
        if is_over {
            let parameters = &self.parameters;
            let kept = |name: &str| parameters.get(name).is_none_or(|it| !it.has_too_many);
            self.rows = reduced(std::mem::take(&mut self.rows), kept);
        }
    }

    pub(super) fn merge(&mut self, other: Address) {
        self.asked += other.asked;
        for (name, parameter) in other.parameters {
            let own = self.parameters.entry(name).or_default();
            own.given += parameter.given;
            own.differs |= parameter.differs;
            own.values.extend(parameter.values);
            // Each side leaves out the parameters that are too many on it, but not yet those of the
            // other.
            own.has_too_many |= parameter.has_too_many;
            own.limit();
        }
        for (query, row) in other.rows {
            self.rows.entry(query).or_default().merge(row);
        }
        let parameters = &self.parameters;
        let kept = |name: &str| parameters.get(name).is_none_or(|it| !it.has_too_many);
        self.rows = reduced(std::mem::take(&mut self.rows), kept);
    }

    /// Returns the parameters that tell its tags apart.
    pub(super) fn counting(&self) -> Vec<String> {
        let counting = self
            .parameters
            .iter()
            .filter(|(_, it)| it.counts(self.asked));
        counting.map(|(name, _)| name.clone()).collect()
    }

    /// Returns its tags, distinguished by these parameters, each with the rest of its URL.
    pub(super) fn tags(self, counting: &[String]) -> BTreeMap<String, TagRow> {
        let rows = reduced(self.rows, |name| counting.iter().any(|it| it == name));
        let written = |query: Query| {
            let pairs: Vec<String> = query
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            if pairs.is_empty() {
                String::new()
            } else {
                format!("?{}", pairs.join("&"))
            }
        };
        rows.into_iter()
            .map(|(query, row)| (written(query), row))
            .collect()
    }
}

/// Merges rows that are the same but for parameters that do not count.
fn reduced(
    rows: BTreeMap<Query, TagRow>,
    counts: impl Fn(&str) -> bool,
) -> BTreeMap<Query, TagRow> {
    let mut merged: BTreeMap<Query, TagRow> = BTreeMap::new();
    for (mut query, row) in rows {
        query.retain(|name, _| counts(name));
        merged.entry(query).or_default().merge(row);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags of recordings, each with the URLs that it asks.
    fn tags(recordings: &[Vec<String>]) -> Vec<String> {
        let mut address = Address::default();
        for urls in recordings {
            let queries: Vec<Query> = urls.iter().map(|url| split(url).1).collect();
            address.note(&queries.iter().collect::<Vec<_>>());
            for query in queries {
                address.row(query);
            }
        }
        let counting = address.counting();
        address.tags(&counting).into_keys().collect()
    }

    #[test]
    fn what_changes_does_not_tell_tags_apart() {
        let page = |number: u32| {
            let url = |slot: u32| {
                format!(
                    "https://a.test/t?cb={number}{slot}&slot={slot}&w={}",
                    number % 2
                )
            };
            vec![url(1), url(2)]
        };
        assert_eq!(tags(&[page(1), page(2), page(3)]), ["?slot=1", "?slot=2"]);
        // One recording alone does not show which parameters recur.
        assert_eq!(tags(&[page(1)]), [""]);
        // Many recordings, with more random numbers than are kept.
        assert_eq!(
            tags(&(1..100).map(page).collect::<Vec<_>>()),
            ["?slot=1", "?slot=2"]
        );
    }

    #[test]
    fn a_parameter_that_one_tag_lacks_tells_it_apart() {
        let page = || {
            vec![
                "https://a.test/t".to_owned(),
                "https://a.test/t?again".to_owned(),
            ]
        };
        assert_eq!(tags(&[page(), page()]), ["", "?again="]);
        assert_eq!(split("https://a.test/t?a=1&b#c").1.len(), 2);
    }
}
