//! The documents of a world. Each is read when it is first needed, and a text only once, whichever
//! responses and scenarios have it.
//!
//! Rules: CHN-11.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use playsim_rules::knobs::RelativeUrls;
use playsim_vast::{self as vast, Document, Resolved, UrlScope};

/// Resolves the relative URLs that a player resolves; also returns whether another base could have
/// another result. Rule CHN-11.
pub fn resolve(document: &mut Document, base: &str, which: RelativeUrls) -> (Vec<Resolved>, bool) {
    match which {
        RelativeUrls::Resolve => document.resolve_at(base, UrlScope::All),
        RelativeUrls::Wrappers => document.resolve_at(base, UrlScope::Documents),
        RelativeUrls::AsWritten => (Vec::new(), false),
    }
}

/// Documents by their text.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    which: RelativeUrls,
    own: Known,
    /// Those of another world, if there is one.
    others: Option<&'a Known>,
}

/// Documents by their text, and then by the URL that responds with it. Those of a world resolve
/// relative URLs in one way.
pub(super) type Known = BTreeMap<Arc<str>, BTreeMap<Arc<str>, Arc<LazyDocument>>>;

/// A lazily parsed document. The result does not depend on the first reader.
#[derive(Debug)]
pub(super) struct LazyDocument {
    text: Arc<str>,
    /// The URL that its relative URLs are resolved against.
    base: Arc<str>,
    which: RelativeUrls,
    own: OnceLock<Read>,
    /// The parsed document if it does not depend on its URL. Empty until it is read, and if it has
    /// relative URLs.
    anywhere: Arc<OnceLock<Read>>,
}

/// A document that was read, with its URLs resolved.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) document: Arc<Document>,
    /// The URLs that were resolved.
    pub(super) resolved: Arc<[Resolved]>,
}

impl<'a> Documents<'a> {
    /// No documents yet; those of another world need not be read again.
    pub(super) fn new(which: RelativeUrls, others: Option<&'a Known>) -> Documents<'a> {
        Documents {
            which,
            own: Known::new(),
            others,
        }
    }

    /// Returns the document of a response of this URL.
    pub(super) fn at(&mut self, base: &Arc<str>, text: &Arc<str>) -> Arc<LazyDocument> {
        let which = self.which;
        let same = |it: &&Arc<LazyDocument>| it.which == which;
        let others = self.others.and_then(|others| others.get(text));
        let own = self.own.entry(Arc::clone(text)).or_default();
        if let Some(known) = own.get(base) {
            return Arc::clone(known);
        }
        let known = others.and_then(|others| others.get(base)).filter(same);
        let document = known.map_or_else(
            || {
                let others = others.and_then(|others| others.values().next());
                let same = own.values().next().or(others.filter(same));
                Arc::new(LazyDocument {
                    text: Arc::clone(text),
                    base: Arc::clone(base),
                    which,
                    own: OnceLock::new(),
                    anywhere: same.map_or_else(Arc::default, |it| Arc::clone(&it.anywhere)),
                })
            },
            Arc::clone,
        );
        own.insert(Arc::clone(base), Arc::clone(&document));
        document
    }

    /// Returns all documents.
    pub(super) fn into_known(self) -> Known {
        self.own
    }
}

impl LazyDocument {
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The URL that its relative URLs are resolved against.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Returns the result; `None` before it was read.
    pub(super) fn known(&self) -> Option<&Read> {
        self.anywhere.get().or_else(|| self.own.get())
    }

    /// Reads the document, unless it has been read.
    pub(super) fn read(&self) -> &Read {
        self.known().unwrap_or_else(|| {
            self.own.get_or_init(|| {
                let mut document = vast::read(&self.text);
                let (resolved, has_relative) = resolve(&mut document, &self.base, self.which);
                let read = Read {
                    document: Arc::new(document),
                    resolved: resolved.into(),
                };
                if !has_relative {
                    // Another thread may have been faster; it has read the same.
                    let _ = self.anywhere.set(read.clone());
                }
                read
            })
        })
    }
}
