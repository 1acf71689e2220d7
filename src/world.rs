//! Everything outside the players, as data: what addresses answer, what media play, which records exist.
//!
//! A [`World`] is made once per scenario and shared by all its runs; documents are read here, once. What
//! a run uses up (the answers of an address) is counted in the run.
//!
//! Rules: MEL-6, REQ-3, EV-36.

use std::sync::Arc;

use crate::api::{Answer, Fetched, NetworkFault};
use crate::media::{Delivery, Failure, Live, MediaFault, MediaInfo, SimidScript, Stall, Vpaid, VpaidScript};
use crate::time::{Position, Span, Time};
use crate::vast;
use crate::video::Video;

/// A video's record and how long its answer takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoScript {
    /// The record.
    pub video: Arc<Video>,
    /// How long its answer takes.
    pub record_after: Span,
}

/// What a media address does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaScript {
    /// The length.
    pub duration: Span,
    /// How long its metadata takes.
    pub metadata_after: Span,
    /// Where data runs out, and for how long.
    pub stalls: Vec<(Position, Span)>,
    /// Where and how it fails; before metadata if no place is given.
    pub fails: Option<(Option<Position>, MediaFault)>,
    /// For a live stream: its window, and when it runs. Rules LIVE-1 to LIVE-3.
    pub live: Option<Live>,
    /// How its data arrive; `None`: all of it with the metadata. Rule MEL-25.
    pub delivery: Option<Delivery>,
    /// How long it takes to show it in place of another rendition. Rule QUAL-5.
    pub switch_after: Span,
    /// For a VPAID unit: what it does by itself. Rules BRK-2, MUTE-6, CLICK-4.
    pub vpaid: Option<Vpaid>,
    /// For a VPAID unit: what it says and when. Rule VPAID-1.
    pub vpaid_script: Option<Arc<VpaidScript>>,
    /// For the page of a SIMID unit: what it asks and answers. Rule SIMID-1.
    pub simid: Option<Arc<SimidScript>>,
}

/// One answer of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerScript {
    /// How long it takes.
    pub after: Span,
    /// What comes.
    pub answer: ScriptedAnswer,
}

/// What an address answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptedAnswer {
    /// An HTTP answer.
    Body {
        /// The status.
        status: u16,
        /// What messages call the body: a file's name, or empty for a text of the scenario.
        name: Arc<str>,
        /// The body.
        text: Arc<str>,
    },
    /// Another address answers in its place. Rule CHN-4.
    Redirect {
        /// The status.
        status: u16,
        /// The other address.
        to: Arc<str>,
    },
    /// The connection fails.
    Fails(NetworkFault),
    /// Nothing ever comes.
    Silence,
}

/// What a scenario says of its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The video records.
    pub videos: &'a [VideoScript],
    /// What media addresses play.
    pub media: &'a [(Arc<str>, MediaScript)],
    /// What media addresses play that are not listed; `None`: they are not found.
    pub media_default: Option<&'a MediaScript>,
    /// What addresses answer, used up in order; the last repeats.
    pub network: &'a [(Arc<str>, Vec<AnswerScript>)],
    /// Query parameters that do not count when an address is looked up.
    pub ignore_query: &'a [Arc<str>],
}

/// What a scenario's addresses answer.
#[derive(Debug)]
pub struct World {
    /// Ascending by address.
    routes: Vec<(Arc<str>, Vec<Reply>)>,
    ignored_parameters: Vec<Arc<str>>,
    /// Ascending by address.
    media: Vec<(Arc<str>, MediaReply)>,
    media_default: Option<MediaReply>,
    videos: Vec<(Arc<Video>, Span)>,
}

/// One answer, ready to be given.
#[derive(Debug, Clone)]
pub struct Reply {
    /// How long it takes.
    pub after: Span,
    /// What comes.
    pub comes: Comes,
}

/// What comes of a request.
#[derive(Debug, Clone)]
pub enum Comes {
    /// Nothing ever.
    Nothing,
    /// An answer, or word that there is none.
    Fetched(Fetched),
    /// Another address answers in its place, with this status. Rule CHN-4.
    Redirect(u16, Arc<str>),
}

/// What a media address does, ready to be given.
#[derive(Debug, Clone)]
pub struct MediaReply {
    /// How long its metadata takes.
    pub after: Span,
    /// What comes, as long as it is no live stream that does not run.
    pub loaded: Result<Arc<MediaInfo>, MediaFault>,
}

impl MediaReply {
    /// What comes at an instant. Rule LIVE-1.
    ///
    /// # Errors
    ///
    /// Why it cannot be played.
    pub fn at(&self, now: Time) -> Result<Arc<MediaInfo>, MediaFault> {
        let loaded = self.loaded.clone()?;
        match loaded.live {
            Some(live) if !live.runs(now) => Err(MediaFault::NotRunning),
            Some(_) | None => Ok(loaded),
        }
    }
}

/// Where an address stands in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteIndex(usize);

impl World {
    /// Prepares a scenario's surroundings; reads its documents.
    #[must_use]
    pub fn new(scenario: Surroundings<'_>) -> World {
        let mut routes: Vec<_> = scenario
            .network
            .iter()
            .map(|(address, answers)| {
                let replies = answers.iter().map(|answer| reply(address, answer)).collect();
                (without_parameters(address, scenario.ignore_query), replies)
            })
            .collect();
        routes.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut media: Vec<_> =
            scenario.media.iter().map(|(address, script)| (address.clone(), media_reply(script))).collect();
        media.sort_by(|(a, _), (b, _)| a.cmp(b));
        World {
            routes,
            ignored_parameters: scenario.ignore_query.to_vec(),
            media,
            media_default: scenario.media_default.map(media_reply),
            videos: scenario
                .videos
                .iter()
                .map(|script| (script.video.clone(), script.record_after))
                .collect(),
        }
    }

    /// How many addresses are listed.
    #[must_use]
    pub fn routes(&self) -> usize {
        self.routes.len()
    }

    /// Finds an address; parameters that do not count are left out first.
    #[must_use]
    pub fn route(&self, url: &str) -> Option<RouteIndex> {
        let bare;
        let url = if self.ignored_parameters.is_empty() {
            url
        } else {
            bare = without_parameters(url, &self.ignored_parameters);
            &bare
        };
        self.routes.binary_search_by(|(address, _)| (**address).cmp(url)).ok().map(RouteIndex)
    }

    /// The n-th answer of an address, from 0; the last repeats.
    #[must_use]
    pub fn reply(&self, RouteIndex(index): RouteIndex, nth: u32) -> Option<&Reply> {
        let replies = &self.routes[index].1;
        replies.get(nth as usize).or_else(|| replies.last())
    }

    /// Where an address stands, as a number below [`World::routes`].
    #[must_use]
    pub fn number(RouteIndex(index): RouteIndex) -> usize {
        index
    }

    /// What a media address does; `None` if it is not listed and nothing stands for the others.
    #[must_use]
    pub fn media(&self, url: &str) -> Option<&MediaReply> {
        match self.media.binary_search_by(|(address, _)| (**address).cmp(url)) {
            Ok(index) => Some(&self.media[index].1),
            Err(_) => self.media_default.as_ref(),
        }
    }

    /// The listed addresses that answer documents.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.routes.iter().map(|(address, _)| &**address)
    }

    /// The listed addresses that play media.
    pub fn media_addresses(&self) -> impl Iterator<Item = &str> {
        self.media.iter().map(|(address, _)| &**address)
    }

    /// The ids of the videos.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.videos.iter().map(|(video, _)| &*video.id)
    }

    /// A video's record and how long its answer takes.
    #[must_use]
    pub fn record(&self, id: &str) -> Option<&(Arc<Video>, Span)> {
        self.videos.iter().find(|(video, _)| *video.id == *id)
    }
}

fn reply(address: &Arc<str>, script: &AnswerScript) -> Reply {
    let comes = match &script.answer {
        ScriptedAnswer::Body { status, name, text } => {
            let name = if name.is_empty() { address } else { name };
            let document = Arc::new(vast::read(text));
            let (text, name) = (text.clone(), name.clone());
            Comes::Fetched(Fetched::Answer(Answer { status: *status, text, name, document }))
        }
        ScriptedAnswer::Redirect { status, to } => Comes::Redirect(*status, to.clone()),
        ScriptedAnswer::Fails(fault) => Comes::Fetched(Fetched::Failed(*fault)),
        ScriptedAnswer::Silence => Comes::Nothing,
    };
    Reply { after: script.after, comes }
}

fn media_reply(script: &MediaScript) -> MediaReply {
    let loaded = match script.fails {
        Some((None, fault)) => Err(fault),
        fails => {
            let mut stalls: Vec<Stall> =
                script.stalls.iter().map(|(at, length)| Stall { at: *at, length: *length }).collect();
            stalls.sort();
            let fails = fails.and_then(|(at, how)| Some(Failure { at: at?, how }));
            Ok(Arc::new(MediaInfo {
                duration: if script.live.is_some() { Span::MAX } else { script.duration },
                stalls,
                fails,
                live: script.live,
                delivery: script.delivery.clone(),
                switch_after: script.switch_after,
                vpaid: script.vpaid,
                vpaid_script: script.vpaid_script.clone(),
                simid: script.simid.clone(),
            }))
        }
    };
    MediaReply { after: script.metadata_after, loaded }
}

/// An address without the query parameters of these names.
fn without_parameters(url: &str, ignored: &[Arc<str>]) -> Arc<str> {
    let (head, fragment) = url.split_once('#').map_or((url, None), |(head, rest)| (head, Some(rest)));
    let Some((path, query)) = head.split_once('?').filter(|_| !ignored.is_empty()) else {
        return Arc::from(url);
    };
    let counts = |parameter: &&str| {
        let name = parameter.split_once('=').map_or(*parameter, |(name, _)| name);
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
    fn parameters_that_do_not_count_are_left_out() {
        let ignored = ["cb".into()];
        let bare = |url: &str| without_parameters(url, &ignored).to_string();
        assert_eq!(bare("https://a.test/x?cb=1&y=2"), "https://a.test/x?y=2");
        assert_eq!(bare("https://a.test/x?cb=1"), "https://a.test/x");
        assert_eq!(bare("https://a.test/x?y=2#f"), "https://a.test/x?y=2#f");
    }
}
