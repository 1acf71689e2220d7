//! The responses of a run: how many of the world were consumed, and the changes by an
//! [`Intercept`].
//!
//! Rules: REQ-17, REQ-19, CHN-4.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use playsim_api::Request;
use playsim_base::time::Span;
use playsim_scenario::world::{Intercept, Intercepted, PreparedAnswer, ReplyResult, World};

/// The state of the simulated network.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// How many responses of each URL were consumed.
    used: Vec<u32>,
    /// Changes the world's responses in this run.
    intercept: Option<Arc<dyn Intercept>>,
}

/// What intercepts is the same in all forks of a run.
impl Hash for Network {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.used.hash(hasher);
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
        Network {
            used: vec![0; world.routes()],
            intercept: None,
        }
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
            None => (None, Span::ZERO, None),
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

    /// Replaces the world by one with the same consumed responses.
    pub(super) fn replace(&mut self, old: &World, new: &World) {
        let used = |url: &str| {
            let place = old.addresses().position(|known| known == url);
            place.map_or(0, |place| self.used[place])
        };
        self.used = new.addresses().map(used).collect();
    }
}
