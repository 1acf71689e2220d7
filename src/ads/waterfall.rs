//! The order in which ad tags are tried.
//!
//! A waterfall is an ordered list of ad tags, tried one after another until one fills. A break has one for
//! each of its pods. Only the order is kept here; fetching and playing is done in `ad_break`.
//!
//! Rules: REQ-2, REQ-16, BRK-7, BRK-8.

use std::sync::Arc;

use crate::api::Fields;

/// The waterfalls of a break, and the current tag.
#[derive(Debug, Clone)]
pub(super) struct Waterfalls {
    pods: Vec<Vec<Arc<str>>>,
    pod: usize,
    wp: usize,
}

/// A place in the waterfalls of a break. Rule BRK-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagPlace {
    /// The tag's index in its waterfall.
    pub(super) wp: u32,
    /// The pod's index in the break.
    pub(super) pod: u32,
}

impl Waterfalls {
    /// Starts at the first tag of the first pod that has tags.
    pub(super) fn new(pods: Vec<Vec<Arc<str>>>) -> Waterfalls {
        let pod = pods.iter().take_while(|tags| tags.is_empty()).count();
        Waterfalls { pods, pod, wp: 0 }
    }

    /// All waterfalls.
    pub(super) fn pods(&self) -> &[Vec<Arc<str>>] {
        &self.pods
    }

    /// The place of the current tag.
    pub(super) fn place(&self) -> TagPlace {
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        TagPlace { wp: number(self.wp), pod: number(self.pod) }
    }

    /// The current tag; `None` after the last pod.
    pub(super) fn tag(&self) -> Option<&Arc<str>> {
        self.pods.get(self.pod)?.get(self.wp)
    }

    /// The tag failed: moves to the next one of its waterfall, or of the next pod. Rules REQ-2, BRK-8.
    pub(super) fn pass_tag(&mut self) {
        self.wp += 1;
        if self.pods.get(self.pod).is_some_and(|tags| self.wp >= tags.len()) {
            self.pass_pod();
        }
    }

    /// Moves past all tags.
    pub(super) fn pass_all(&mut self) {
        self.wp = 0;
        self.pod = self.pods.len();
    }

    /// The tag filled its pod: moves to the next pod that has tags. Rule BRK-8.
    pub(super) fn pass_pod(&mut self) {
        self.wp = 0;
        self.pod += 1;
        while self.pods.get(self.pod).is_some_and(Vec::is_empty) {
            self.pod += 1;
        }
    }
}

impl TagPlace {
    /// As fields of a trace line.
    pub(super) fn fields(self) -> Fields {
        Fields::one("wp", self.wp).with("pod", self.pod)
    }
}

/// Whether a string can be a URL: it has a scheme, or starts like a path. Rule REQ-16.
pub(super) fn is_url(text: &str) -> bool {
    if text.starts_with('/') {
        return true;
    }
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.bytes();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !rest.is_empty()
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

    #[test]
    fn urls_have_a_scheme_or_start_like_a_path() {
        for text in ["https://a.test/x", "//a.test/x", "/x", "HTTP://a", "data:,x"] {
            assert!(is_url(text), "{text}");
        }
        for text in ["", "a.test/x", "not a url", "x y:z", ":x", "http:", "1a:b"] {
            assert!(!is_url(text), "{text}");
        }
    }
}
