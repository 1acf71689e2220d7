//! Everything outside the players, as data: the responses of URLs, the media they play, the
//! existing records.
//!
//! A [`World`] is shared by all runs of a scenario, and by other scenarios with the same
//! surroundings; documents are read here, when they are first needed and each text once. How many
//! responses of a URL a run has used up is counted in the run.
//!
//! Rules: MEL-6, REQ-3, REQ-20, CHN-4, CHN-11, EV-36.

use std::fmt;
use std::sync::Arc;

use playsim_api::media::{
    Delivery, Failure, Live, LoadFault, MediaFault, MediaInfo, SimidScript, Stall, VpaidScript,
};
use playsim_api::video::Video;
use playsim_api::{NetworkFault, Request, Response};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::RelativeUrls;
use playsim_vast as vast;

mod data_url;
mod documents;
mod listed;
mod written;

pub use data_url::{data_url_body, is_data_url};
pub use documents::resolve;
use documents::{Documents, Known, LazyDocument};
use listed::Listed;
use written::Media;

/// A video's record and its delay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoScript {
    /// The record.
    pub video: Arc<Video>,
    /// How long the response takes.
    pub record_after: Span,
}

/// The media at a URL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaScript {
    /// The length.
    pub duration: Span,
    /// Whether the scenario leaves the length open: the media last as long as the ad that plays
    /// them says, or `duration` if the ad says nothing. Rule BRK-22.
    pub is_as_said: bool,
    /// How long its metadata take.
    pub metadata_after: Span,
    /// Where data run out, and for how long.
    pub stalls: Vec<(Position, Span)>,
    /// Where and how it fails; before the metadata if no position is given.
    pub fails: Option<(Option<Position>, MediaFault)>,
    /// For a live stream: its window, and when it runs. Rules LIVE-1 to LIVE-3.
    pub live: Option<Live>,
    /// How its data arrive; `None`: all of them with the metadata. Rule MEL-25.
    pub delivery: Option<Delivery>,
    /// How long it takes to switch to it from another rendition. Rule QUAL-5.
    pub switch_after: Span,
    /// Whether a film that is really served has a sound track. A simulation does not hear it.
    pub has_sound: bool,
    /// For a VPAID unit: the actions that it takes on its own, its messages and their times. Rules
    /// BRK-2, MUTE-6, CLICK-4, VPAID-1.
    pub vpaid: Option<Arc<VpaidScript>>,
    /// For the page of a SIMID unit: its requests and responses. Rule SIMID-1.
    pub simid: Option<Arc<SimidScript>>,
    /// The media of the first loads, in order; all later loads are of these. They have none of
    /// their own. Rule MEL-28.
    pub earlier: Vec<MediaScript>,
}

/// One response of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerScript {
    /// How long it takes.
    pub after: Span,
    /// The response itself.
    pub answer: ScriptedAnswer,
    /// The MIME type that a body states; `None`: what its name or its beginning says.
    pub content_type: Option<Arc<str>>,
}

impl From<Video> for VideoScript {
    fn from(video: Video) -> VideoScript {
        VideoScript {
            video: Arc::new(video),
            record_after: Span::ZERO,
        }
    }
}

impl MediaScript {
    /// Media of this length, with nothing special about them.
    #[must_use]
    pub fn of_length(duration: Span) -> MediaScript {
        MediaScript {
            duration,
            ..MediaScript::default()
        }
    }

    /// The media of the loads in order; the last ones are those of all later loads. `None` if there
    /// are none.
    #[must_use]
    pub fn of_loads(loads: Vec<MediaScript>) -> Option<MediaScript> {
        let mut earlier = loads;
        let last = earlier.pop()?;
        Some(MediaScript { earlier, ..last })
    }

    /// The media of the loads in order; the last ones are those of all later loads.
    pub fn loads(&self) -> impl Iterator<Item = &MediaScript> {
        self.earlier.iter().chain(std::iter::once(self))
    }
}

impl AnswerScript {
    /// A response with status 200 and this body, at once.
    #[must_use]
    pub fn body(text: impl Into<Arc<str>>) -> AnswerScript {
        ScriptedAnswer::Body {
            status: 200,
            name: "".into(),
            text: text.into(),
        }
        .into()
    }

    /// The same response, after this time.
    #[must_use]
    pub fn after(self, after: Span) -> AnswerScript {
        AnswerScript { after, ..self }
    }
}

impl From<ScriptedAnswer> for AnswerScript {
    fn from(answer: ScriptedAnswer) -> AnswerScript {
        AnswerScript {
            content_type: None,
            after: Span::ZERO,
            answer,
        }
    }
}

/// What a URL answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// The responses to requests for documents, used up in order; the last repeats.
    Responses(Vec<AnswerScript>),
    /// What loads of media play.
    Media(MediaScript),
}

impl<T: Into<AnswerScript>> From<T> for Answers {
    fn from(answer: T) -> Answers {
        Answers::Responses(vec![answer.into()])
    }
}

impl From<MediaScript> for Answers {
    fn from(media: MediaScript) -> Answers {
        Answers::Media(media)
    }
}

/// The responses of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptedAnswer {
    /// An HTTP response.
    Body {
        /// The status.
        status: u16,
        /// The name of the body in messages: a file's name, or empty for a string in the scenario.
        name: Arc<str>,
        /// The body.
        text: Arc<str>,
    },
    /// Another URL responds in its place. Rule CHN-4.
    Redirect {
        /// The status.
        status: u16,
        /// The other URL.
        to: Arc<str>,
    },
    /// The connection fails.
    Fails(NetworkFault),
    /// There is never a response.
    Silence,
}

/// The maximum number of redirects per request, as in browsers. Rule CHN-4.
pub const MAX_REDIRECTS: u32 = 20;

/// The parts of a scenario that describe everything outside the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surroundings<'a> {
    /// The video records.
    pub videos: &'a [VideoScript],
    /// The media at the listed URLs.
    pub media: &'a [(Arc<str>, MediaScript)],
    /// The media at all other URLs; `None`: not found.
    pub media_default: Option<&'a MediaScript>,
    /// The responses of URLs, used up in order; the last repeats.
    pub network: &'a [(Arc<str>, Vec<AnswerScript>)],
    /// Query parameters that are ignored when a URL is looked up.
    pub ignore_query: &'a [Arc<str>],
    /// Which relative URLs in documents are resolved. Rule CHN-11.
    pub relative_urls: RelativeUrls,
}

/// The responses of a scenario's URLs.
#[derive(Debug)]
pub struct World {
    routes: Listed<Route>,
    ignored_parameters: Vec<Arc<str>>,
    media: Media,
    media_default: Option<MediaReply>,
    videos: Vec<(Arc<Video>, Span)>,
    /// Whether an ad blocker stops a listed URL, so that beacons have to be looked up. Rule REQ-19.
    blocks: bool,
    /// The documents of its responses, for worlds that have some of them too.
    documents: Known,
}

/// The responses of a URL, prepared.
#[derive(Debug)]
struct Route {
    replies: Vec<Reply>,
    /// The index among the scenario's URLs of responses.
    listing: usize,
    /// Whether a document writes the listed URL, which resolves to this one. Rule CHN-11.
    is_resolved: bool,
}

/// One response, prepared.
#[derive(Debug, Clone)]
pub struct Reply {
    /// How long it takes.
    pub after: Span,
    /// The response itself.
    pub result: ReplyResult,
}

impl Reply {
    /// Whether an ad blocker stops the request. Rule REQ-19.
    fn is_blocked(&self) -> bool {
        matches!(self.result, ReplyResult::Fails(NetworkFault::Blocked))
    }

    /// The response, if it has a body.
    pub(crate) fn body(&self) -> Option<&Body> {
        match &self.result {
            ReplyResult::Body(body) => Some(body),
            ReplyResult::Fails(_) | ReplyResult::Redirect(..) | ReplyResult::Nothing => None,
        }
    }
}

/// Changes the responses of a world for one run.
///
/// The simulation asks it about every document and every media file that is requested, except after
/// a redirect. It must be a pure function of the request: forks of a run share it.
pub trait Intercept: fmt::Debug + Send + Sync {
    /// The replacement of the response to a request.
    fn intercept(&self, request: &Request) -> Intercepted;
}

/// Returns the replacement of the response to a request; by default none.
#[derive(Debug, Clone, Default)]
pub struct Intercepted {
    /// How long it takes, instead of the scenario's value.
    pub after: Option<Span>,
    /// The response itself, instead of the scenario's; for documents only.
    pub answer: Option<PreparedAnswer>,
}

/// A response that is prepared: its document is read once, when it is first requested.
#[derive(Debug, Clone)]
pub struct PreparedAnswer(ReplyResult);

impl PreparedAnswer {
    /// Prepares a response. `address` is the base of its relative URLs, and its name in
    /// messages if it has none.
    #[must_use]
    pub fn new(address: &Arc<str>, answer: &ScriptedAnswer, which: RelativeUrls) -> PreparedAnswer {
        PreparedAnswer(prepared(
            address,
            answer,
            None,
            &mut Documents::new(which, None),
        ))
    }

    /// The response as it arrives.
    pub fn into_result(self) -> ReplyResult {
        self.0
    }
}

/// The result of a request.
#[derive(Debug, Clone)]
pub enum ReplyResult {
    /// There is never a response.
    Nothing,
    /// A response.
    Body(Body),
    /// The connection fails.
    Fails(NetworkFault),
    /// Another URL responds in its place, with this status. Rule CHN-4.
    Redirect(u16, Arc<str>),
}

/// A response with a body.
#[derive(Debug, Clone)]
pub struct Body {
    /// The HTTP status.
    pub status: u16,
    /// The name of the body in messages: its file's name, or its URL.
    pub name: Arc<str>,
    /// The MIME type that it states.
    pub content_type: Option<Arc<str>>,
    document: Arc<LazyDocument>,
}

impl Body {
    /// The body.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        self.document.text()
    }

    /// The response as a player receives it. Reads its document, unless that has been read.
    #[must_use]
    pub fn response(&self) -> Response {
        let (text, document) = (
            Arc::clone(self.text()),
            Arc::clone(&self.document.read().document),
        );
        Response {
            status: self.status,
            text,
            name: Arc::clone(&self.name),
            document,
        }
    }
}

/// The media at a URL, prepared.
#[derive(Debug, Clone)]
pub struct MediaReply {
    /// How long its metadata take.
    pub after: Span,
    /// The media or the failure, not counting a live stream that is not running.
    pub loaded: Result<Arc<MediaInfo>, LoadFault>,
    /// Those of the first loads.
    earlier: Vec<MediaReply>,
    /// The index among the scenario's media; `None` of those that are not listed.
    listed: Option<usize>,
}

impl MediaReply {
    /// The media of the n-th load, from 0; the last repeat. Rule MEL-28.
    #[must_use]
    pub fn load(&self, nth: u32) -> &MediaReply {
        self.earlier.get(nth as usize).unwrap_or(self)
    }

    /// The index among the scenario's media; `None` of those that are not listed. URLs to which a
    /// relative one resolves share its index.
    #[must_use]
    pub fn listed(&self) -> Option<usize> {
        self.listed
    }

    /// The media or the failure at an instant. Rule LIVE-1.
    ///
    /// # Errors
    ///
    /// Why it cannot be played.
    pub fn at(&self, now: Time) -> Result<Arc<MediaInfo>, LoadFault> {
        running(self.loaded.clone(), now)
    }
}

/// Returns what comes of media at an instant: a live stream that does not run is a failure. Rule
/// LIVE-1.
///
/// # Errors
///
/// Why it cannot be played.
pub fn running(
    loaded: Result<Arc<MediaInfo>, LoadFault>,
    now: Time,
) -> Result<Arc<MediaInfo>, LoadFault> {
    let loaded = loaded?;
    match loaded.live {
        Some(live) if !live.runs(now) => Err(MediaFault::NotRunning.into()),
        Some(_) | None => Ok(loaded),
    }
}

/// The index of a URL among those of the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteIndex(usize);

/// The world of a scenario: the responses of its URLs, its media and its records.
#[must_use]
pub fn world(scenario: &crate::Scenario) -> World {
    World::new(scenario.surroundings())
}

impl World {
    /// Prepares everything outside the players. A document is read when it is first needed.
    #[must_use]
    pub fn new(scenario: Surroundings<'_>) -> World {
        World::sharing(scenario, None)
    }

    /// The same, without reading documents again that another world has.
    #[must_use]
    pub fn sharing(scenario: Surroundings<'_>, other: Option<&World>) -> World {
        let mut documents =
            Documents::new(scenario.relative_urls, other.map(|other| &other.documents));
        let mut routes: Vec<_> = scenario
            .network
            .iter()
            .enumerate()
            .map(|(listing, (address, answers))| {
                let route = Route {
                    replies: replies(address, answers, &mut documents),
                    listing,
                    is_resolved: false,
                };
                (key_of(address, scenario.ignore_query), route)
            })
            .collect();
        written::list_routes(scenario, &mut documents, &mut routes);
        let bodies = routes
            .iter()
            .flat_map(|(_, route)| &route.replies)
            .filter_map(Reply::body);
        let bodies = bodies.map(|body| Arc::clone(&body.document)).collect();
        let media = scenario
            .media
            .iter()
            .enumerate()
            .map(|(index, (address, script))| (address.clone(), media_reply(script, Some(index))));
        World {
            blocks: routes
                .iter()
                .flat_map(|(_, route)| &route.replies)
                .any(Reply::is_blocked),
            media: Media::new(media.collect(), bodies),
            routes: Listed::new(routes),
            ignored_parameters: scenario.ignore_query.to_vec(),
            media_default: scenario
                .media_default
                .map(|script| media_reply(script, None)),
            videos: scenario
                .videos
                .iter()
                .map(|script| (script.video.clone(), script.record_after))
                .collect(),
            documents: documents.into_known(),
        }
    }

    /// Returns the entry of a scenario's network that a URL's responses come from; `None` if the
    /// URL is not listed itself, but resolved from a document.
    #[must_use]
    pub fn listing<'a>(
        &self,
        RouteIndex(index): RouteIndex,
        network: &'a mut [(Arc<str>, Vec<AnswerScript>)],
    ) -> Option<&'a mut (Arc<str>, Vec<AnswerScript>)> {
        let (_, route) = self.routes.all.get(index)?;
        network
            .get_mut(route.listing)
            .filter(|_| !route.is_resolved)
    }

    /// Returns the index of the listed URL whose responses a URL has, because a document writes it
    /// relative; `None` if the URL is listed itself. Rule CHN-11.
    #[must_use]
    pub fn written(&self, RouteIndex(index): RouteIndex) -> Option<usize> {
        let (_, route) = self.routes.all.get(index)?;
        route.is_resolved.then_some(route.listing)
    }

    /// The URLs to which a listed one is resolved, by the index of that one.
    pub fn resolved(&self, listing: usize) -> impl Iterator<Item = &Arc<str>> {
        let all = self.routes.all.iter();
        all.filter(move |(_, route)| route.is_resolved && route.listing == listing)
            .map(|(address, _)| address)
    }

    /// How many URLs are listed.
    #[must_use]
    pub fn routes(&self) -> usize {
        self.routes.all.len()
    }

    /// Finds a URL, after removing the ignored parameters. One that is not listed is found below a
    /// listed one with macros, such as `https://ads.test/a?cb=[CACHEBUSTING]`, if it is that URL
    /// with other text in their place.
    #[must_use]
    pub fn route(&self, url: &str) -> Option<RouteIndex> {
        let bare;
        let url = if self.ignored_parameters.is_empty() {
            url
        } else {
            bare = without_parameters(url, &self.ignored_parameters);
            &bare
        };
        self.routes.find(url).map(RouteIndex)
    }

    /// The response of a URL that is not listed: that of a `data:` URL, which needs no server;
    /// `None` for any other. Rule REQ-20.
    #[must_use]
    pub fn unlisted(&self, url: &Arc<str>) -> Option<ReplyResult> {
        // A document has no base to resolve relative URLs against.
        let which = RelativeUrls::AsWritten;
        is_data_url(url).then(|| PreparedAnswer::new(url, &data_url::answer(url), which).0)
    }

    /// The n-th response of a URL, from 0; the last repeats. `None` if it has none, or belongs to
    /// another world.
    #[must_use]
    pub fn reply(&self, RouteIndex(index): RouteIndex, nth: u32) -> Option<&Reply> {
        let (_, Route { replies, .. }) = self.routes.all.get(index)?;
        replies.get(nth as usize).or_else(|| replies.last())
    }

    /// Whether an ad blocker stops the next request of a URL, of which `used` counts the responses
    /// used up by route. Rule REQ-19.
    #[must_use]
    pub fn is_blocked(&self, url: &str, used: &[u32]) -> bool {
        let is_blocked = |route| {
            self.reply(route, used[World::number(route)])
                .is_some_and(Reply::is_blocked)
        };
        self.blocks && self.route(url).is_some_and(is_blocked)
    }

    /// The listed URLs that an ad blocker stops, those of media last.
    pub fn blocked(&self) -> impl Iterator<Item = &str> {
        let routes = self
            .routes
            .all
            .iter()
            .filter(|(_, route)| route.replies.iter().any(Reply::is_blocked));
        let is_blocked = |url: &&str| {
            let is_blocked = |media: &MediaReply| {
                let fault = media.loaded.as_ref().err();
                fault.is_some_and(|fault| fault.how == MediaFault::Blocked)
            };
            self.listed_media(url)
                .is_some_and(|media| is_blocked(media) || media.earlier.iter().any(is_blocked))
        };
        routes
            .map(|(url, _)| &**url)
            .chain(self.media_addresses().filter(is_blocked))
    }

    /// Returns the body of the next response of a URL, starting at its first: called in the order
    /// of a run's requests, it gives the bodies that the run received. `None` if the response has
    /// no body.
    pub fn bodies(&self) -> impl FnMut(&str) -> Option<Arc<str>> + '_ {
        let mut used = vec![0; self.routes()];
        move |url| {
            let Some(route) = self.route(url) else {
                return is_data_url(url).then(|| data_url_body(url)).flatten();
            };
            let nth = &mut used[World::number(route)];
            let reply = self.reply(route, *nth)?;
            *nth += 1;
            reply.body().map(|body| Arc::clone(body.text()))
        }
    }

    /// The index of a URL, a number below [`World::routes`].
    #[must_use]
    pub fn number(RouteIndex(index): RouteIndex) -> usize {
        index
    }

    /// The documents of all responses, each with the URL that responds with it. Reads all of them.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &Arc<vast::Document>)> {
        self.routes.all.iter().flat_map(|(address, route)| {
            let bodies = route.replies.iter().filter_map(Reply::body);
            bodies.map(move |body| (&**address, &body.document.read().document))
        })
    }

    /// The media at a URL, if it is listed itself, with macros, or as a document writes it.
    #[must_use]
    pub fn listed_media(&self, url: &str) -> Option<&MediaReply> {
        self.media.find(url)
    }

    /// The media at a URL; `None` if it is not listed, not even with macros, and there is no
    /// default.
    #[must_use]
    pub fn media(&self, url: &str) -> Option<&MediaReply> {
        self.listed_media(url).or(self.media_default.as_ref())
    }

    /// For each of the scenario's media, the index of the load that all later ones repeat.
    #[must_use]
    pub fn last_loads(&self) -> Vec<u32> {
        let mut last = vec![0; self.media.listed().len()];
        for (_, media) in self.media.listed() {
            if let Some(place) = media.listed.and_then(|index| last.get_mut(index)) {
                *place = u32::try_from(media.earlier.len()).unwrap_or(u32::MAX);
            }
        }
        last
    }

    /// The listed URLs of documents.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.routes.addresses()
    }

    /// The listed URLs of media, and those that documents write relative and that are listed as
    /// written. Reads all documents.
    pub fn media_addresses(&self) -> impl Iterator<Item = &str> {
        self.media.whole().addresses()
    }

    /// The listed URL of media, or one that a document writes relative and that is listed as
    /// written, from which another differs by a typing error.
    #[must_use]
    pub fn media_meant(&self, url: &str) -> Option<&str> {
        self.media.meant(url)
    }

    /// The ids of the videos.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.videos.iter().map(|(video, _)| &*video.id)
    }

    /// A video's record and its delay.
    #[must_use]
    pub fn record(&self, id: &str) -> Option<&(Arc<Video>, Span)> {
        self.videos.iter().find(|(video, _)| *video.id == *id)
    }
}

/// Prepares the responses of a URL.
fn replies(
    address: &Arc<str>,
    answers: &[AnswerScript],
    documents: &mut Documents<'_>,
) -> Vec<Reply> {
    let reply = |script: &AnswerScript| Reply {
        after: script.after,
        result: prepared(
            address,
            &script.answer,
            script.content_type.as_ref(),
            documents,
        ),
    };
    answers.iter().map(reply).collect()
}

/// Prepares one response.
fn prepared(
    address: &Arc<str>,
    answer: &ScriptedAnswer,
    content_type: Option<&Arc<str>>,
    documents: &mut Documents<'_>,
) -> ReplyResult {
    match answer {
        ScriptedAnswer::Body { status, name, text } => {
            let name = if name.is_empty() { address } else { name };
            ReplyResult::Body(Body {
                status: *status,
                name: name.clone(),
                content_type: content_type.cloned(),
                document: documents.at(address, text),
            })
        }
        ScriptedAnswer::Redirect { status, to } => {
            // A relative `Location` is resolved against the requested URL. RFC 9110 section 10.2.2
            let target = vast::resolve(address, to).map_or_else(|| to.clone(), Arc::from);
            ReplyResult::Redirect(*status, target)
        }
        ScriptedAnswer::Fails(fault) => ReplyResult::Fails(*fault),
        ScriptedAnswer::Silence => ReplyResult::Nothing,
    }
}

fn media_reply(script: &MediaScript, listed: Option<usize>) -> MediaReply {
    let loaded = match script.fails {
        Some((None, how)) => Err(LoadFault {
            how,
            is_live: script.live.is_some(),
        }),
        fails => {
            let mut stalls: Vec<Stall> = script
                .stalls
                .iter()
                .map(|(at, length)| Stall {
                    at: *at,
                    length: *length,
                })
                .collect();
            stalls.sort();
            let fails = fails.and_then(|(at, how)| Some(Failure { at: at?, how }));
            Ok(Arc::new(MediaInfo {
                duration: if script.live.is_some() {
                    Span::MAX
                } else {
                    script.duration
                },
                is_as_said: script.is_as_said,
                stalls,
                fails,
                live: script.live,
                delivery: script.delivery.clone(),
                switch_after: script.switch_after,
                has_sound: script.has_sound,
                vpaid: script.vpaid.clone(),
                simid: script.simid.clone(),
            }))
        }
    };
    MediaReply {
        after: script.metadata_after,
        loaded,
        earlier: script
            .earlier
            .iter()
            .map(|script| media_reply(script, listed))
            .collect(),
        listed,
    }
}

/// The URL by which a listed one is found.
fn key_of(address: &Arc<str>, ignored: &[Arc<str>]) -> Arc<str> {
    if ignored.is_empty() {
        Arc::clone(address)
    } else {
        without_parameters(address, ignored)
    }
}

/// A URL without the query parameters of these names.
fn without_parameters(url: &str, ignored: &[Arc<str>]) -> Arc<str> {
    let (head, fragment) = url
        .split_once('#')
        .map_or((url, None), |(head, rest)| (head, Some(rest)));
    let Some((path, query)) = head.split_once('?').filter(|_| !ignored.is_empty()) else {
        return Arc::from(url);
    };
    let counts = |parameter: &&str| {
        let name = parameter
            .split_once('=')
            .map_or(*parameter, |(name, _)| name);
        !ignored.iter().any(|ignored| **ignored == *name)
    };
    let kept: Vec<&str> = query.split('&').filter(counts).collect();
    let mut bare = path.to_owned();
    if !kept.is_empty() {
        bare.push('?');
        bare.push_str(&kept.join("&"));
    }
    if let Some(fragment) = fragment {
        bare.push('#');
        bare.push_str(fragment);
    }
    bare.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_parameters_are_removed() {
        let ignored = ["cb".into()];
        let bare = |url: &str| without_parameters(url, &ignored).to_string();
        assert_eq!(bare("https://a.test/x?cb=1&y=2"), "https://a.test/x?y=2");
        assert_eq!(bare("https://a.test/x?cb=1"), "https://a.test/x");
        assert_eq!(bare("https://a.test/x?y=2#f"), "https://a.test/x?y=2#f");
    }
}
