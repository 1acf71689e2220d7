//! URLs with what they have, found as they are or by their macros.

use std::sync::Arc;

use playsim_vast as vast;

/// URLs, each with something.
#[derive(Debug)]
pub(super) struct Listed<T> {
    /// Ascending by URL.
    pub(super) all: Vec<(Arc<str>, T)>,
    /// The indices of those with macros, the longest URL first: it leaves the least open.
    open: Vec<usize>,
}

impl<T> Listed<T> {
    pub(super) fn new(mut all: Vec<(Arc<str>, T)>) -> Listed<T> {
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut open: Vec<usize> = (0..all.len())
            .filter(|index| !vast::macros(&all[*index].0).is_empty())
            .collect();
        open.sort_by_key(|index| std::cmp::Reverse(all[*index].0.len()));
        Listed { all, open }
    }

    /// Returns the index of a URL, or else of one with macros that it fills.
    pub(super) fn find(&self, url: &str) -> Option<usize> {
        self.exact(url).or_else(|| self.filled(url))
    }

    /// Returns the index of a URL.
    pub(super) fn exact(&self, url: &str) -> Option<usize> {
        self.all
            .binary_search_by(|(address, _)| (**address).cmp(url))
            .ok()
    }

    /// Returns the index of a URL with macros that another one fills.
    pub(super) fn filled(&self, url: &str) -> Option<usize> {
        self.open
            .iter()
            .copied()
            .find(|index| vast::is_filled(&self.all[*index].0, url))
    }

    /// The URLs with macros.
    pub(super) fn open(&self) -> impl Iterator<Item = &str> {
        self.open.iter().map(|index| &*self.all[*index].0)
    }

    /// The URLs.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(address, _)| &**address)
    }
}
