//! The responses of a run: how many of the world were consumed, and the changes by an
//! [`Intercept`].
//!
//! Rules: REQ-17, REQ-19, REQ-20, CHN-4, MEL-28.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use playsim_api::Request;
use playsim_base::time::Span;
use playsim_scenario::world::{
    Intercept, Intercepted, MediaReply, PreparedAnswer, ReplyResult, World,
};

/// The state of the simulated network.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// How many responses of each URL were consumed.
    used: Vec<u32>,
    /// How often the media of each URL were loaded.
    loads: Vec<Loads>,
    /// Changes the world's responses in this run.
    intercept: Option<Arc<dyn Intercept>>,
}

/// How often the media of a URL were loaded. Rule MEL-28.
#[derive(Debug, Clone, Copy)]
struct Loads {
    count: u32,
    /// The index of the load that all later ones repeat.
    last: u32,
}

impl Loads {
    /// Returns the index of the next load, as far as it makes a difference.
    fn next(self) -> u32 {
        self.count.min(self.last)
    }
}

/// What intercepts is the same in all forks of a run.
impl Hash for Network {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.used.hash(hasher);
        self.loads
            .iter()
            .for_each(|loads| loads.next().hash(hasher));
    }
}

/// The response to a request for a document.
#[derive(Debug)]
pub(super) struct Answer {
    /// Which response of its URL it is, from 0; `None` if the scenario does not list the URL.
    pub(super) nth: Option<u32>,
    pub(super) after: Span,
    /// `None`: a 404.
    pub(super) result: Option<ReplyResult>,
}

impl Network {
    /// Returns the network before any request.
    pub(super) fn new(world: &World) -> Network {
        let loads = |last| Loads { count: 0, last };
        Network {
            used: vec![0; world.routes()],
            loads: world.last_loads().into_iter().map(loads).collect(),
            intercept: None,
        }
    }

    /// Returns the media of the next load of a URL, and counts it.
    pub(super) fn load<'a>(&mut self, media: &'a MediaReply) -> &'a MediaReply {
        let loads = media.listed().and_then(|index| self.loads.get_mut(index));
        loads.map_or(media, |loads| {
            let next = loads.next();
            loads.count = loads.count.saturating_add(1);
            media.load(next)
        })
    }

    /// Returns how often the media of a URL were loaded, by their index.
    pub(super) fn loaded(&self, listed: usize) -> u32 {
        self.loads.get(listed).map_or(0, |loads| loads.count)
    }

    /// Changes responses from now on.
    pub(super) fn set_intercept(&mut self, intercept: Arc<dyn Intercept>) {
        self.intercept = Some(intercept);
    }

    /// Consumes the next response for a document, after `redirects` redirects; `None` if nothing
    /// ever comes.
    pub(super) fn respond(
        &mut self,
        world: &World,
        request: &Request,
        redirects: u32,
    ) -> Option<Answer> {
        let route = world.route(&request.url);
        let (nth, after, result) = match route {
            Some(route) => {
                let used = &mut self.used[World::number(route)];
                let (nth, reply) = (*used, world.reply(route, *used)?);
                *used += 1;
                (Some(nth), reply.after, Some(reply.result.clone()))
            }
            None => (None, Span::ZERO, world.unlisted(&request.url)),
        };
        // Redirects are part of the response that was changed.
        let changed = if redirects == 0 {
            self.intercepted(request)
        } else {
            Intercepted::default()
        };
        let result = changed.answer.map(PreparedAnswer::into_result).or(result);
        Some(Answer {
            nth,
            after: changed.after.unwrap_or(after),
            result,
        })
    }

    /// Returns the changes to a response.
    pub(super) fn intercepted(&self, request: &Request) -> Intercepted {
        self.intercept
            .as_ref()
            .map_or_else(Intercepted::default, |it| it.intercept(request))
    }

    /// Returns whether an ad blocker stops requests for this URL. That consumes no response. Rule
    /// REQ-19.
    pub(super) fn is_blocked(&self, world: &World, url: &str) -> bool {
        world.is_blocked(url, &self.used)
    }

    /// Returns how many responses of a listed URL were consumed.
    pub(super) fn used(&self, world: &World, url: &str) -> usize {
        let used = world
            .route(url)
            .map_or(0, |route| self.used[World::number(route)]);
        usize::try_from(used).unwrap_or(usize::MAX)
    }

    /// Returns whether any response was consumed.
    pub(super) fn is_used(&self) -> bool {
        self.used.iter().any(|used| *used > 0)
    }

    /// Replaces the world by one with the same consumed responses. `loaded` says how often media
    /// that it lists anew were loaded, as those of another listing.
    pub(super) fn replace(&mut self, old: &World, new: &World, loaded: u32) {
        let used = |url: &str| {
            let place = old.addresses().position(|known| known == url);
            place.map_or(0, |place| self.used[place])
        };
        self.used = new.addresses().map(used).collect();
        let loads = new.last_loads().into_iter().enumerate();
        let loads = loads.map(|(index, last)| Loads {
            count: self.loads.get(index).map_or(loaded, |loads| loads.count),
            last,
        });
        self.loads = loads.collect();
    }
}
