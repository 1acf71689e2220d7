//! Relative URLs of documents. If a scenario lists such a URL as written, but not as resolved, the
//! resolved URL has the same responses or media.
//!
//! Which URLs these are is only known from the documents, and reading them is most of the cost of
//! preparing a world. The URLs of responses are looked for at once, but only in a scenario that
//! lists a relative one, which is rare. Media are looked for when they are requested: then the
//! document that names them has usually been read.
//!
//! Rule: CHN-11.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

use super::documents::{Documents, LazyDocument};
use super::listed::Listed;
use super::{MediaReply, Reply, Route, Surroundings, replies, without_parameters};
use playsim_base::words;
use playsim_vast::{self as vast, Resolved};

/// The largest total length of the URLs that [`list_routes`] adds, in bytes. Documents that point
/// to subfolders of themselves would otherwise add ever longer URLs without end.
const MAX_AS_WRITTEN: usize = 256 << 10;

/// Adds the URLs of responses that are listed as written.
pub(super) fn list_routes(
    scenario: Surroundings<'_>,
    documents: &mut Documents<'_>,
    routes: &mut Vec<(Arc<str>, Route)>,
) {
    if scenario
        .network
        .iter()
        .all(|(address, _)| vast::scheme(address).is_some())
    {
        return;
    }
    fn found(replies: &[Reply]) -> impl Iterator<Item = Resolved> {
        let bodies = replies.iter().filter_map(Reply::body);
        bodies.flat_map(|body| body.document.read().resolved.iter().cloned())
    }
    // The nearest URLs come first, so that an endless chain leaves space for the others.
    let mut waiting: VecDeque<Resolved> = routes
        .iter()
        .flat_map(|(_, route)| found(&route.replies))
        .collect();
    let mut known: BTreeSet<Arc<str>> = routes.iter().map(|(address, _)| address.clone()).collect();
    let mut space = MAX_AS_WRITTEN;
    while let Some(Resolved { written, address }) = waiting.pop_front() {
        if let Some((listing, (_, answers))) = scenario
            .network
            .iter()
            .enumerate()
            .find(|(_, (listed, _))| *listed == written)
        {
            let listed = without_parameters(&address, scenario.ignore_query);
            if listed.len() <= space && known.insert(listed.clone()) {
                space -= listed.len();
                let replies = replies(&address, answers, documents);
                waiting.extend(found(&replies));
                let is_resolved = true;
                let route = Route {
                    replies,
                    listing,
                    is_resolved,
                };
                routes.push((listed, route));
            }
        }
    }
}

/// The media of a world.
#[derive(Debug)]
pub(super) struct Media {
    listed: Listed<MediaReply>,
    /// The documents in the order of the scenario.
    documents: Vec<Arc<LazyDocument>>,
    /// Whether a relative URL may resolve to one with macros.
    is_open: bool,
    /// With all URLs that are listed as written, once they are needed.
    whole: OnceLock<Listed<MediaReply>>,
}

impl Media {
    pub(super) fn new(
        listed: Vec<(Arc<str>, MediaReply)>,
        documents: Vec<Arc<LazyDocument>>,
    ) -> Media {
        let listed = Listed::new(listed);
        let has_macros = |url: &str| !vast::macros(url).is_empty();
        let is_open = listed.open().any(is_relative)
            || listed.addresses().any(|url| url.starts_with(['?', '#']))
            || documents
                .iter()
                .map(|it| it.base())
                .any(|base| has_macros(base) && has_macros(folder(base)));
        Media {
            listed,
            documents,
            is_open,
            whole: OnceLock::new(),
        }
    }

    /// Returns the media that the scenario lists.
    pub(super) fn listed(&self) -> &[(Arc<str>, MediaReply)] {
        &self.listed.all
    }

    /// Returns the media at a URL, as [`Media::whole`] would find it; reads no more documents than
    /// necessary.
    pub(super) fn find(&self, url: &str) -> Option<&MediaReply> {
        let Listed { all, .. } = &self.listed;
        if let Some(index) = self.listed.exact(url) {
            return Some(&all[index].1);
        }
        let whole = || {
            let whole = self.whole();
            whole.find(url).map(|index| &whole.all[index].1)
        };
        if self.is_open {
            return whole();
        }
        let mut same = all
            .iter()
            .filter(|(written, _)| is_relative(written) && url.ends_with(end(written)));
        match (same.next(), same.next()) {
            (Some((written, reply)), None) if self.is_named(written, url) => Some(reply),
            (Some(_), Some(_)) => whole(),
            _ => self.listed.filled(url).map(|index| &all[index].1),
        }
    }

    /// Whether a document writes a URL that resolves to another. Looks first at those that have
    /// been read.
    fn is_named(&self, written: &str, url: &str) -> bool {
        let is_it = |it: &Resolved| *it.written == *written && *it.address == *url;
        let leads =
            |it: &&Arc<LazyDocument>| vast::resolve(it.base(), written).as_deref() == Some(url);
        self.documents
            .iter()
            .filter_map(|it| it.known())
            .any(|it| it.resolved.iter().any(is_it))
            || self
                .documents
                .iter()
                .filter(leads)
                .any(|it| it.read().resolved.iter().any(is_it))
    }

    /// Returns the listed URL that was probably intended by one that is not listed; reads documents
    /// only if one of them may name it.
    pub(super) fn meant(&self, url: &str) -> Option<&str> {
        let relative = || self.listed.addresses().filter(|url| is_relative(url));
        let mut bases: Vec<&str> = self
            .documents
            .iter()
            .map(|document| document.base())
            .collect();
        bases.dedup_by_key(|base| folder(base));
        let mut resolved = bases
            .into_iter()
            .flat_map(|base| relative().filter_map(|it| vast::resolve(base, it)));
        let may_be_named = resolved.any(|it| words::slip(url, [&*it]).is_some());
        words::slip(
            url,
            if may_be_named {
                self.whole()
            } else {
                &self.listed
            }
            .addresses(),
        )
    }

    /// Returns the media, with those that are listed as written. Reads all documents.
    pub(super) fn whole(&self) -> &Listed<MediaReply> {
        let Listed { all, .. } = &self.listed;
        if self.listed.addresses().all(|url| !is_relative(url)) {
            return &self.listed;
        }
        self.whole.get_or_init(|| {
            let mut whole = all.clone();
            let mut known: BTreeSet<Arc<str>> =
                all.iter().map(|(address, _)| address.clone()).collect();
            for Resolved { written, address } in
                self.documents.iter().flat_map(|it| &*it.read().resolved)
            {
                if let Some((_, reply)) = all.iter().find(|(listed, _)| listed == written)
                    && known.insert(address.clone())
                {
                    whole.push((address.clone(), reply.clone()));
                }
            }
            Listed::new(whole)
        })
    }
}

/// Whether a URL may be relative.
fn is_relative(url: &str) -> bool {
    vast::scheme(url).is_none()
}

/// The common prefix of a URL and all relative URLs resolved against it: everything before the last
/// path segment.
fn folder(base: &str) -> &str {
    let path = memchr::memchr2(b'?', b'#', base.as_bytes()).map_or(base, |end| &base[..end]);
    match memchr::memrchr(b'/', path.as_bytes()) {
        Some(slash) if !path[..slash].ends_with('/') => &path[..=slash],
        Some(_) | None => path,
    }
}

/// How every URL ends that a relative one resolves to.
fn end(written: &str) -> &str {
    let name = written.rsplit('/').next().unwrap_or_default();
    // `.` and `..` are resolved.
    if name.starts_with('.') { "" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{AnswerScript, MediaScript, World};
    use playsim_base::time::Span;
    use playsim_rules::knobs::RelativeUrls;

    fn ad(file: &str) -> String {
        format!(
            "<VAST version='4.2'><Ad><InLine><Creatives><Creative><Linear><MediaFiles><MediaFile>{file}</MediaFile>\
             </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
        )
    }

    fn wrapper(uri: &str) -> String {
        format!(
            "<VAST version='4.2'><Ad><Wrapper><VASTAdTagURI>{uri}</VASTAdTagURI></Wrapper></Ad></VAST>"
        )
    }

    /// A world of these responses and media; each medium has another length.
    fn world(network: &[(&str, String)], media: &[&str]) -> World {
        let answer = |text: &String| vec![AnswerScript::body(text.as_str())];
        let network: Vec<_> = network
            .iter()
            .map(|(url, text)| (Arc::from(*url), answer(text)))
            .collect();
        let lengths = (1..).map(|length| MediaScript::of_length(Span::from_secs(length)));
        let media: Vec<_> = media
            .iter()
            .map(|url| Arc::from(*url))
            .zip(lengths)
            .collect();
        World::new(Surroundings {
            videos: &[],
            media: &media,
            media_default: None,
            network: &network,
            ignore_query: &[],
            relative_urls: RelativeUrls::Resolve,
        })
    }

    #[test]
    fn a_url_that_is_meant_is_found_as_with_all_documents_read() {
        let network = [
            ("https://a.test/1", ad("spot.mp4")),
            ("https://other.test/2", ad("clip.mp4")),
        ];
        let media = ["spot.mp4", "clip.mp4", "https://a.test/some-film.mp4"];
        for (url, meant, read) in [
            (
                "https://a.test/some-flim.mp4",
                Some("https://a.test/some-film.mp4"),
                0,
            ),
            ("https://c.test/other.mp4", None, 0),
            (
                "https://a.test/sopt.mp4",
                Some("https://a.test/spot.mp4"),
                2,
            ),
            ("https://a.test/cilp.mp4", None, 2),
        ] {
            let [lazy, eager] = [(); 2].map(|()| world(&network, &media));
            assert_eq!(
                (lazy.media_meant(url), found(&lazy, "").1),
                (meant, read),
                "{url}"
            );
            assert_eq!(words::slip(url, eager.media_addresses()), meant, "{url}");
        }
    }

    /// The length of the media at a URL, in seconds, and how many documents were read to find it.
    fn found(world: &World, url: &str) -> (Option<u64>, usize) {
        let length = |reply: &MediaReply| {
            reply
                .loaded
                .as_ref()
                .map_or(0, |it| it.duration.micros() / 1_000_000)
        };
        let length = world.media.find(url).map(length);
        (
            length,
            world
                .media
                .documents
                .iter()
                .filter(|it| it.known().is_some())
                .count(),
        )
    }

    #[test]
    fn media_are_found_as_with_all_documents_read() {
        let network = [
            ("https://a.test/x/1", ad("spot.mp4")),
            ("https://a.test/x/2", ad("./spot.mp4")),
            ("https://a.test/y/3?c=[CB]", ad("../z/clip.mp4")),
            ("https://b.test/[ID]/4", ad("clip.mp4")),
            ("https://b.test/5", ad("shot-[CB].mp4")),
        ];
        let media = [
            "spot.mp4",
            "./spot.mp4",
            "../z/clip.mp4",
            "clip.mp4",
            "shot-[CB].mp4",
            "https://a.test/l",
        ];
        let hosts = [
            "",
            "https://a.test/",
            "https://a.test/x/",
            "https://a.test/z/",
            "https://b.test/7/",
            "https://b.test/",
        ];
        let names = [
            "spot.mp4",
            "clip.mp4",
            "shot-3.mp4",
            "shot-[CB].mp4",
            "other.mp4",
            "l",
        ];
        // With some of the documents, so that it is not always the same one that decides which are
        // read.
        for part in 0..1_u32 << network.len() {
            let chosen = |number: usize| part >> number & 1 == 1;
            let network: Vec<_> = network
                .iter()
                .enumerate()
                .filter(|(at, _)| chosen(*at))
                .map(|(_, it)| it.clone())
                .collect();
            for host in hosts {
                for name in names {
                    let url = format!("{host}{name}");
                    let [lazy, eager] = [(); 2].map(|()| world(&network, &media));
                    let whole = eager.media.whole();
                    let due = whole
                        .find(&url)
                        .map(|index| whole.all[index].1.loaded.clone());
                    let found = lazy.media.find(&url).map(|reply| reply.loaded.clone());
                    assert_eq!(found, due, "{url} with {network:?}");
                }
            }
        }
    }

    #[test]
    fn only_documents_that_may_name_a_medium_are_read() {
        let network = [
            ("https://a.test/1", ad("1.mp4")),
            ("https://a.test/2", ad("2.mp4")),
            ("https://b.test/3", ad("2.mp4")),
        ];
        let world = world(&network, &["1.mp4", "2.mp4", "https://a.test/3.mp4"]);
        assert_eq!(found(&world, "https://a.test/3.mp4"), (Some(3), 0));
        assert_eq!(found(&world, "https://a.test/4.mp4"), (None, 0));
        assert_eq!(found(&world, "https://c.test/2.mp4"), (None, 0));
        assert_eq!(found(&world, "https://b.test/2.mp4"), (Some(2), 1));
        assert_eq!(found(&world, "https://a.test/1.mp4"), (Some(1), 2));
        // The first document would be read before the second, but for the one that is known by now.
        assert_eq!(found(&world, "https://b.test/1.mp4"), (None, 2));
        assert_eq!(found(&world, "https://a.test/2.mp4"), (Some(2), 3));
    }

    #[test]
    fn responses_that_are_listed_as_written_are_listed_as_resolved() {
        let network = [
            ("https://a.test/x/1", wrapper("in/2")),
            ("in/2", wrapper("3")),
            ("3", ad("spot.mp4")),
        ];
        let world = world(&network, &["spot.mp4"]);
        let resolved = [
            "https://a.test/x/1",
            "https://a.test/x/in/2",
            "https://a.test/x/in/3",
        ];
        assert!(resolved.iter().all(|url| world.route(url).is_some()));
        assert_eq!(found(&world, "https://a.test/x/in/spot.mp4").0, Some(1));
        assert_eq!(found(&world, "https://a.test/x/spot.mp4").0, None);
    }
}
