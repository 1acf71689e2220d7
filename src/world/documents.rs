//! The documents of a world: each text is read once, whichever responses and scenarios have it.
//!
//! Rules: CHN-11.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::knobs::RelativeUrls;
use crate::vast::{self, Document, Resolved};

/// Documents by their text.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    which: RelativeUrls,
    own: Known,
    /// Those of another world, if there is one.
    others: Option<&'a Known>,
}

/// Documents that were read, by their text.
pub(super) type Known = BTreeMap<Arc<str>, Vec<Read>>;

/// A document that was read, with its URLs resolved.
#[derive(Debug, Clone)]
pub(super) struct Read {
    which: RelativeUrls,
    /// The URL that its relative URLs were resolved against; `None` if it has none and is the same everywhere.
    base: Option<Arc<str>>,
    pub(super) document: Arc<Document>,
    /// The URLs that were resolved.
    pub(super) resolved: Arc<[Resolved]>,
}

impl<'a> Documents<'a> {
    /// No documents yet; those of another world need not be read again.
    pub(super) fn new(which: RelativeUrls, others: Option<&'a Known>) -> Documents<'a> {
        Documents { which, own: Known::new(), others }
    }

    /// Returns the document of a response of this URL.
    pub(super) fn read(&mut self, address: &Arc<str>, text: &Arc<str>) -> Read {
        let known = |all: &Known| all.get(text)?.iter().find(|read| read.is_at(address, self.which)).cloned();
        if let Some(read) = known(&self.own) {
            return read;
        }
        let read = self.others.and_then(known).unwrap_or_else(|| Read::new(address, text, self.which));
        self.own.entry(Arc::clone(text)).or_default().push(read.clone());
        read
    }

    /// Returns what was read.
    pub(super) fn into_known(self) -> Known {
        self.own
    }
}

impl Read {
    fn new(address: &Arc<str>, text: &str, which: RelativeUrls) -> Read {
        let mut document = vast::read(text);
        let (resolved, has_relative) = document.resolve_at(address, which);
        Read {
            which,
            base: has_relative.then(|| Arc::clone(address)),
            document: Arc::new(document),
            resolved: resolved.into(),
        }
    }

    /// Whether it is what a response of this URL would be read as.
    fn is_at(&self, address: &Arc<str>, which: RelativeUrls) -> bool {
        self.which == which && self.base.as_ref().is_none_or(|base| base == address)
    }
}
