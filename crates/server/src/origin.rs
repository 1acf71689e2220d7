//! A scenario's network and media as a real server.
//!
//! [`Origin`] decides about the response to a request: a pure function of the request and of how
//! often its URL was asked for before. [`OriginServer`] does it, on a socket.
//!
//! - Every host of the scenario is served, by the `Host` header or as an HTTP proxy; `https` URLs
//!   too, by host and path, over plain HTTP.
//! - Which response a URL has is decided by the [`World`](playsim_scenario::world::World) that
//!   simulations use.
//! - Films are made while they are sent ([`Film`]).
//! - Trackers that documents name get an empty image; any other URL gets a 404.
//!
//! Rules: REQ-3, CHN-4, MEL-6, MEL-7, MEL-17, MEL-25.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use playsim_api::NetworkFault;
use playsim_base::time::Span;
use playsim_scenario::Scenario;
use playsim_scenario::world::{ReplyResult, RouteIndex, World};
use playsim_vast::names::{Named, Names, browser_form};
use playsim_vast::{CreativeKind, Document};

mod answer;
mod ebml;
mod film;
mod media;
mod range;
mod server;

pub use answer::{
    Answer, Asked, AssetKind, End, OriginBody, OriginResponse, OriginSource, Piece, Reply,
};
pub use film::{Film, FilmPlan};
pub use server::{Counting, Decided, Log, OriginEntry, OriginOutcome, OriginServer, OriginSite};

use media::Facts;

/// The network and the media of a scenario, as a server answers them.
#[derive(Debug)]
pub struct Origin {
    world: World,
    documents: Vec<Arc<Document>>,
    names: Names,
    hosts: BTreeSet<String>,
    /// Whether `https` URLs of the scenario's hosts are written as `http` in responses.
    is_plain: bool,
}

/// A URL with responses or media that are used up in order: a number below [`Origin::counters`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    number: usize,
    uses_up: bool,
}

impl Counter {
    /// Returns the number.
    #[must_use]
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns whether the request uses one up. One for a later part of a film does not: it belongs
    /// to the last load.
    #[must_use]
    pub fn uses_up(self) -> bool {
        self.uses_up
    }
}

/// The path of a redirect loop.
const LOOP: &str = "/.playsim/loop/";
const PLAIN: &str = "text/plain; charset=utf-8";
const XML: &str = "text/xml; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Endings of texts with their MIME types.
const TEXTS: &[(&str, &str)] = &[
    ("xml", XML),
    ("html", HTML),
    ("htm", HTML),
    ("js", SCRIPT),
    ("mjs", SCRIPT),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("txt", PLAIN),
    ("vtt", "text/vtt; charset=utf-8"),
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("mpd", "application/dash+xml"),
];

/// A transparent picture of one pixel.
const GIF: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";
/// The same as PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdacd\xf8\xcfP\x0f\0\x03\x86\x01\x80Z4}k\0\0\0\0IEND\xaeB`\x82";
/// The same as SVG.
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>";
/// A body that pages may not read: a document without an ad, for clients that do not ask.
const UNREADABLE: &str = "<VAST version=\"4.2\"/>\n";
/// The beginning of a body that is cut off.
const BEGINNING: &str = "<?xml version=\"1.0\"?>\n<VAST version=\"4.2\">\n<Ad id=\"1\">\n";

impl Origin {
    /// Reads the responses of a scenario. With `is_plain`, `https` URLs of its hosts become `http`
    /// in documents and redirects, because the server has no TLS.
    #[must_use]
    pub fn new(scenario: &Scenario, is_plain: bool) -> Origin {
        let world = World::new(scenario.surroundings());
        let mut names = Names::default();
        let mut documents = Vec::new();
        for (_, document) in world.documents() {
            names.add(documents.len(), document);
            documents.push(Arc::clone(document));
        }
        let listed = world.addresses().chain(world.media_addresses());
        let named = names.all.iter().map(|name| &*name.written);
        let renditions = scenario
            .videos
            .iter()
            .flat_map(|it| it.video.renditions.iter().map(|(_, url)| &**url));
        let hosts = listed
            .chain(named)
            .chain(renditions)
            .filter_map(host_of)
            .collect();
        Origin {
            world,
            documents,
            names,
            hosts,
            is_plain,
        }
    }

    /// Returns the names of all hosts that the scenario lists or its documents name, in order.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.iter().map(String::as_str)
    }

    /// Returns the listed URLs of responses and of media, in order.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.world.addresses().chain(self.world.media_addresses())
    }

    /// Returns how many URLs play media.
    #[must_use]
    pub fn media(&self) -> usize {
        self.world.media_addresses().count()
    }

    /// Returns the rules that lead Chromium to a server at an address: `*.test`, and each other
    /// host of the scenario.
    #[must_use]
    pub fn resolver_rules(&self, at: SocketAddr) -> String {
        let names = self
            .hosts()
            .map(|host| host.split(':').next().unwrap_or_default());
        let others: BTreeSet<&str> = names.filter(|name| !name.ends_with(".test")).collect();
        let rule = |name: &str| format!("MAP {name} {at}");
        let rules = std::iter::once("*.test").chain(others).map(rule);
        rules.collect::<Vec<_>>().join(",")
    }

    /// Returns the listed URLs that an ad blocker stops, which no server can do. Rule REQ-19.
    pub fn blocked(&self) -> impl Iterator<Item = &str> {
        self.world.blocked()
    }

    /// Returns how many URLs have responses or media that are used up in order.
    #[must_use]
    pub fn counters(&self) -> usize {
        self.world.routes() + self.world.last_loads().len()
    }

    /// Returns which responses a request uses up: none if it is not a request for a listed
    /// response.
    #[must_use]
    pub fn counter(&self, asked: &Asked<'_>) -> Option<Counter> {
        if matches!(asked.method, "OPTIONS" | "HEAD") {
            return None;
        }
        if let Some(route) = self.route(asked.url) {
            let number = World::number(route);
            return Some(Counter {
                number,
                uses_up: true,
            });
        }
        let forms = forms(asked.url);
        let media = forms
            .iter()
            .find_map(|form| self.world.listed_media(form))?;
        Some(Counter {
            number: self.world.routes() + media.listed()?,
            uses_up: media::begins(asked),
        })
    }

    /// Decides about a request whose URL was requested this many times before.
    #[must_use]
    pub fn answer(&self, asked: &Asked<'_>, before: u32) -> Answer {
        let (what, after, mut reply) = self.decide(asked, before);
        if let Reply::Response(response) = &mut reply {
            if asked.method == "HEAD" {
                response.body = OriginBody::default();
            }
            let headers = if response.is_shared {
                shared_headers(asked)
            } else {
                private_headers()
            };
            response.headers.extend(headers);
        }
        Answer { what, after, reply }
    }

    fn decide(&self, asked: &Asked<'_>, before: u32) -> (AssetKind, Span, Reply) {
        if asked.method == "OPTIONS" {
            let response = OriginResponse {
                is_shared: !self.is_unshared(asked.url, before),
                ..preflight(asked)
            };
            return (AssetKind::Preflight, Span::ZERO, response.into());
        }
        if let Some(nth) = path(asked.url).strip_prefix(LOOP) {
            let next = nth.parse::<u64>().unwrap_or_default().saturating_add(1);
            return (
                AssetKind::Loop,
                Span::ZERO,
                redirect(302, &format!("{LOOP}{next}")).into(),
            );
        }
        let names = self.named(asked.url);
        if let Some(route) = self.route(asked.url)
            && let Some(listed) = self.world.reply(route, before)
        {
            let is_hop = names.iter().any(|what| **what == Named::Hop);
            let event = names.iter().find_map(|what| what.event());
            let what = match (is_hop, event) {
                (true, _) => AssetKind::Wrapper,
                (false, Some(event)) => AssetKind::Tracker(event.to_owned()),
                (false, None) => AssetKind::Tag,
            };
            return (what, listed.after, self.reply(&listed.result));
        }
        let forms = forms(asked.url);
        if let Some(listed) = forms.iter().find_map(|form| self.world.listed_media(form)) {
            return self.medium(asked, listed.load(before));
        }
        if let Some(event) = names.iter().find_map(|what| what.event()) {
            return (
                AssetKind::Tracker(event.to_owned()),
                Span::ZERO,
                OriginResponse::of(200, "image/gif", OriginSource::Bytes(GIF.into())).into(),
            );
        }
        let is_film = names.iter().any(|what| **what == Named::Media)
            || names.is_empty() && media::is_of_film(asked.url);
        if is_film && let Some(default) = self.world.media(asked.url) {
            return self.medium(asked, default);
        }
        let is_file = |what: &&Named| match what {
            Named::Page | Named::Resource | Named::Interactive | Named::Verification => true,
            Named::Hop | Named::BreakTag(_) | Named::Media | Named::Pixel(_) => false,
        };
        if let Some(what) = names.iter().find(|what| is_file(what)) {
            return (AssetKind::File, Span::ZERO, file(asked.url, what).into());
        }
        let text =
            "the scenario lists no response and no media for this URL, and no document names it\n";
        (
            AssetKind::Unknown,
            Span::ZERO,
            OriginResponse::text(404, PLAIN, text).into(),
        )
    }

    fn medium(
        &self,
        asked: &Asked<'_>,
        media: &playsim_scenario::world::MediaReply,
    ) -> (AssetKind, Span, Reply) {
        let scripted = media.loaded.as_ref().ok();
        if scripted.is_some_and(|info| info.vpaid.is_some()) {
            return (
                AssetKind::File,
                media.after,
                OriginResponse::text(200, SCRIPT, EMPTY_SCRIPT).into(),
            );
        }
        if scripted.is_some_and(|info| info.simid.is_some()) {
            return (
                AssetKind::File,
                media.after,
                OriginResponse::text(200, HTML, EMPTY_PAGE).into(),
            );
        }
        let (after, reply) = media::answer(asked, media, &self.facts(asked.url));
        (AssetKind::Film, after, reply)
    }

    /// Whether a URL responds without CORS headers. Rule REQ-18.
    fn is_unshared(&self, url: &str, before: u32) -> bool {
        let listed = self
            .route(url)
            .and_then(|route| self.world.reply(route, before));
        let is_cors = |it: &playsim_scenario::world::Reply| {
            matches!(it.result, ReplyResult::Fails(NetworkFault::Cors))
        };
        listed.is_some_and(is_cors)
    }

    /// The facts that documents state about a media file.
    fn facts(&self, url: &str) -> Facts {
        let names = forms(url).into_iter().flat_map(|form| self.names.of(&form));
        for name in names
            .map(|index| &self.names.all[index])
            .filter(|name| name.what == Named::Media)
        {
            for creative in documents(&self.documents[name.document])
                .flat_map(|it| &it.ads)
                .flat_map(|ad| &ad.creatives)
            {
                let CreativeKind::Linear(linear) = &creative.kind else {
                    continue;
                };
                let mut files = linear.media_files.iter().chain(&linear.mezzanines);
                if let Some(file) = files.find(|file| file.url == name.written) {
                    let is_some = |length: &u32| *length > 0;
                    let size = file.width.filter(is_some).zip(file.height.filter(is_some));
                    return Facts {
                        said: linear.duration,
                        size,
                        mime: file.mime.clone(),
                    };
                }
            }
        }
        Facts::default()
    }

    fn reply(&self, result: &ReplyResult) -> Reply {
        match result {
            ReplyResult::Nothing => Reply::Never,
            // Requests that a browser blocks do not arrive. Those of other clients must fail as
            // well.
            ReplyResult::Fails(NetworkFault::Refused | NetworkFault::Blocked) => Reply::Closed,
            ReplyResult::Fails(NetworkFault::Cors) => OriginResponse {
                is_shared: false,
                ..OriginResponse::text(200, XML, UNREADABLE)
            }
            .into(),
            ReplyResult::Fails(NetworkFault::Reset) => Reply::Reset,
            ReplyResult::Fails(NetworkFault::Redirects) => {
                redirect(302, &format!("{LOOP}1")).into()
            }
            ReplyResult::Fails(NetworkFault::Truncated) => {
                let mut cut = OriginResponse::text(200, XML, BEGINNING);
                cut.body.end = End::Cut(Span::ZERO);
                let length = (2 * BEGINNING.len()).to_string();
                cut.headers.retain(|(name, _)| *name != "content-length");
                cut.with("content-length", length).into()
            }
            ReplyResult::Redirect(status, to) => redirect(*status, &self.plain(to)).into(),
            ReplyResult::Body(answer) => {
                let begins = || match answer
                    .text()
                    .trim_start_matches(['\u{feff}', ' ', '\r', '\n', '\t'])
                    .bytes()
                    .next()
                {
                    Some(b'<') => XML,
                    Some(b'{' | b'[') => "application/json",
                    Some(_) | None => PLAIN,
                };
                let mime = answer
                    .content_type
                    .as_deref()
                    .or_else(|| media::type_of_text(&answer.name))
                    .unwrap_or_else(begins);
                OriginResponse::text(answer.status, mime, self.plain(answer.text())).into()
            }
        }
    }

    /// Writes `https` URLs of the scenario's hosts as `http`.
    fn plain(&self, text: &Arc<str>) -> Arc<str> {
        const SECURE: &str = "https://";
        if !self.is_plain || !text.contains(SECURE) {
            return Arc::clone(text);
        }
        let mut written = String::with_capacity(text.len());
        let mut rest = &**text;
        while let Some((before, after)) = rest.split_once(SECURE) {
            let end = after
                .find(|letter: char| !is_of_host(letter))
                .unwrap_or(after.len());
            let is_ours = self.hosts.contains(&after[..end].to_ascii_lowercase());
            written.push_str(before);
            written.push_str(if is_ours { "http://" } else { SECURE });
            rest = after;
        }
        written.push_str(rest);
        written.into()
    }

    fn route(&self, url: &str) -> Option<RouteIndex> {
        forms(url).iter().find_map(|form| self.world.route(form))
    }

    /// The purposes for which documents name a URL.
    fn named(&self, url: &str) -> Vec<&Named> {
        let found = forms(url).into_iter().flat_map(|form| self.names.of(&form));
        found.map(|index| &self.names.all[index].what).collect()
    }
}

/// A document and those in the breaks of its schedule.
fn documents(document: &Document) -> impl Iterator<Item = &Document> {
    std::iter::once(document).chain(document.embedded())
}

/// The forms in which a scenario may have written the URL that a browser asks for: with either
/// scheme, without the slash that browsers add to a host, and as a path alone.
fn forms(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let mut forms = vec![format!("http://{rest}"), format!("https://{rest}")];
    if let Some(query) = path
        .strip_prefix('/')
        .filter(|query| query.is_empty() || query.starts_with('?'))
    {
        forms.extend([
            format!("http://{host}{query}"),
            format!("https://{host}{query}"),
        ]);
    }
    if path.len() > 1 {
        forms.extend([path[1..].to_owned(), path.to_owned()]);
    }
    forms
}

fn is_of_host(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | ':')
}

/// Returns the host of a URL, with its port if it has one.
fn host_of(url: &str) -> Option<String> {
    let form = browser_form(url);
    let (_, rest) = form.split_once("://")?;
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    (!host.is_empty() && host.chars().all(is_of_host)).then(|| host.to_owned())
}

fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| &rest[at..])
}

fn redirect(status: u16, to: &str) -> OriginResponse {
    // A URL with control characters would not be a header.
    let to: String = to.chars().filter(|letter| !letter.is_control()).collect();
    OriginResponse::text(status, PLAIN, "").with("location", to)
}

const EMPTY_SCRIPT: &str = "// playsim serves no programs\n";
const EMPTY_PAGE: &str = "<!doctype html><title>playsim</title>\n";

/// A small file of the kind that the URL's ending says, or the name.
fn file(url: &str, what: &Named) -> OriginResponse {
    match media::ending(url)
        .unwrap_or_default()
        .to_ascii_lowercase()
        .as_str()
    {
        "png" => OriginResponse::of(200, "image/png", OriginSource::Bytes(PNG.into())),
        "svg" => OriginResponse::text(200, "image/svg+xml", SVG),
        "js" | "mjs" => OriginResponse::text(200, SCRIPT, EMPTY_SCRIPT),
        "html" | "htm" => OriginResponse::text(200, HTML, EMPTY_PAGE),
        _ if *what == Named::Page => OriginResponse::text(200, HTML, EMPTY_PAGE),
        _ if matches!(what, Named::Interactive | Named::Verification) => {
            OriginResponse::text(200, SCRIPT, EMPTY_SCRIPT)
        }
        _ => OriginResponse::of(200, "image/gif", OriginSource::Bytes(GIF.into())),
    }
}

/// The answer to a preflight: everything is allowed. Fetch standard, section 3.3.3
fn preflight(asked: &Asked<'_>) -> OriginResponse {
    let wanted = asked.wanted_headers.unwrap_or("*").to_owned();
    OriginResponse {
        status: 204,
        headers: Vec::new(),
        body: OriginBody::default(),
        is_shared: true,
    }
    .with(
        "access-control-allow-methods",
        "GET, HEAD, POST, PUT, DELETE, OPTIONS",
    )
    .with("access-control-allow-headers", wanted)
    .with("access-control-allow-private-network", "true")
}

/// The headers of a response that pages of any origin may read.
fn shared_headers(asked: &Asked<'_>) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        (
            "access-control-allow-origin",
            asked.origin.unwrap_or("*").to_owned(),
        ),
        (
            "access-control-expose-headers",
            "accept-ranges, content-length, content-range".to_owned(),
        ),
        ("timing-allow-origin", "*".to_owned()),
    ];
    headers.extend(private_headers());
    if asked.origin.is_some() {
        headers.push(("access-control-allow-credentials", "true".to_owned()));
        headers.push(("vary", "origin".to_owned()));
    }
    headers
}

/// The headers of every response, which is not to be stored.
fn private_headers() -> Vec<(&'static str, String)> {
    vec![("cache-control", "no-store".to_owned())]
}

#[cfg(test)]
mod tests;
