//! Things by their URLs, to find those that a written URL became without a look at all others.

use playsim_vast::{UrlAnchor, is_filled};

/// Things, each with a URL.
#[derive(Debug)]
pub(super) struct ByUrl<'r, T> {
    all: Vec<(&'r str, T)>,
    /// The URLs from their ends, with the index of the thing.
    backward: Vec<(String, usize)>,
}

impl<T> Default for ByUrl<'_, T> {
    fn default() -> Self {
        ByUrl {
            all: Vec::new(),
            backward: Vec::new(),
        }
    }
}

impl<'r, T: Copy> ByUrl<'r, T> {
    pub(super) fn add(&mut self, url: &'r str, it: T) {
        self.all.push((url, it));
    }

    /// Sorts what was added.
    pub(super) fn sort(&mut self) {
        self.all.sort_by_key(|(url, _)| *url);
        let backward = self.all.iter().enumerate();
        self.backward = backward
            .map(|(index, (url, _))| (url.chars().rev().collect(), index))
            .collect();
        self.backward.sort_unstable();
    }

    /// Returns what has a written URL with its macros replaced, in no particular order.
    pub(super) fn filled<'a>(&'a self, written: &'a str) -> impl Iterator<Item = T> + 'a {
        let (begins, ends) = match UrlAnchor::of(written) {
            UrlAnchor::Begins(text) => (Some(text), None),
            UrlAnchor::Ends(text) => (None, Some(text.chars().rev().collect::<String>())),
        };
        let forward = begins.into_iter().flat_map(|begin| {
            let from = self.all.partition_point(|(url, _)| *url < begin);
            let found = self.all[from..].iter();
            found.take_while(move |(url, _)| url.starts_with(begin))
        });
        let backward = ends.into_iter().flat_map(|end| {
            let from = self.backward.partition_point(|(url, _)| *url < end);
            let found = self.backward[from..].iter();
            let found = found.take_while(move |(url, _)| url.starts_with(&*end));
            found.map(|(_, index)| &self.all[*index])
        });
        forward
            .chain(backward)
            .filter(|(url, _)| is_filled(written, url))
            .map(|(_, it)| *it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_written_url_became_is_found() {
        let urls = [
            "https://t.test/a",
            "https://t.test/a?c=303",
            "https://t.test/ab",
            "https://ads.test/x/pixel",
            "https://ads.test/pixels",
        ];
        let mut by_url = ByUrl::default();
        for (index, url) in urls.iter().enumerate() {
            by_url.add(url, index);
        }
        by_url.sort();
        for written in [
            "https://t.test/a",
            "https://t.test/a?c=[ERRORCODE]",
            "https://t.test/[X]",
            "../pixel",
            "/pixel",
            "//t.test/a",
            "[URL]",
            "",
        ] {
            let mut found: Vec<usize> = by_url.filled(written).collect();
            found.sort_unstable();
            let due = (0..urls.len()).filter(|at| is_filled(written, urls[*at]));
            assert_eq!(found, due.collect::<Vec<_>>(), "{written}");
        }
    }
}
