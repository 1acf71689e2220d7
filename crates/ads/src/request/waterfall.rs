//! The order in which ad tags are tried.
//!
//! A waterfall is an ordered list of ad tags, tried one after another until one fills. A break has
//! one for each of its pods. Only the order is kept here; fetching and playing is done in
//! `ad_break`.
//!
//! Rules: REQ-2, BRK-7, BRK-8.

use std::sync::Arc;

use super::hop::Hop;
use playsim_api::Fields;

/// The waterfalls of a break, and the current tag.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Waterfalls {
    pods: Vec<Vec<Arc<str>>>,
    pod: usize,
    wp: usize,
}

/// A place in the waterfalls of a break. Rule BRK-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TagPlace {
    /// The tag's index in its waterfall.
    pub(crate) wp: u32,
    /// The pod's index in the break.
    pub(crate) pod: u32,
}

impl Waterfalls {
    /// Starts at the first tag of the first pod that has tags.
    pub(crate) fn new(pods: Vec<Vec<Arc<str>>>) -> Waterfalls {
        let pod = pods.iter().take_while(|tags| tags.is_empty()).count();
        Waterfalls { pods, pod, wp: 0 }
    }

    /// All waterfalls.
    pub(crate) fn pods(&self) -> &[Vec<Arc<str>>] {
        &self.pods
    }

    /// The place of the current tag.
    pub(crate) fn place(&self) -> TagPlace {
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        TagPlace {
            wp: number(self.wp),
            pod: number(self.pod),
        }
    }

    /// The current tag; `None` after the last pod.
    pub(crate) fn tag(&self) -> Option<&Arc<str>> {
        self.pods.get(self.pod)?.get(self.wp)
    }

    /// The tag failed: moves to the next one of its waterfall, or of the next pod. Rules REQ-2,
    /// BRK-8.
    pub(crate) fn pass_tag(&mut self) {
        self.wp += 1;
        if self
            .pods
            .get(self.pod)
            .is_some_and(|tags| self.wp >= tags.len())
        {
            self.pass_pod();
        }
    }

    /// Moves past all tags.
    pub(crate) fn pass_all(&mut self) {
        self.wp = 0;
        self.pod = self.pods.len();
    }

    /// The tag filled its pod: moves to the next pod that has tags. Rule BRK-8.
    pub(crate) fn pass_pod(&mut self) {
        self.wp = 0;
        self.pod += 1;
        while self.pods.get(self.pod).is_some_and(Vec::is_empty) {
            self.pod += 1;
        }
    }
}

impl TagPlace {
    /// As fields of a trace line about an ad of the tag.
    pub(crate) fn of_ad(self, hop: &Hop) -> Fields {
        self.fields().with_some("ad", hop.id())
    }

    /// As fields of a trace line.
    pub(crate) fn fields(self) -> Fields {
        Fields::one("wp", self.wp).with("pod", self.pod)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_one_after_another_and_pods_after_their_tags() {
        let pods = vec![vec!["a".into(), "b".into()], Vec::new(), vec!["c".into()]];
        let mut waterfalls = Waterfalls::new(pods);
        assert_eq!(waterfalls.tag().map(|tag| &**tag), Some("a"));
        waterfalls.pass_tag();
        assert_eq!(waterfalls.tag().map(|tag| &**tag), Some("b"));
        assert_eq!(waterfalls.place(), TagPlace { wp: 1, pod: 0 });
        waterfalls.pass_tag();
        assert_eq!(waterfalls.tag().map(|tag| &**tag), Some("c"));
        assert_eq!(waterfalls.place(), TagPlace { wp: 0, pod: 2 });
        waterfalls.pass_pod();
        assert_eq!(waterfalls.tag(), None);
    }
}
