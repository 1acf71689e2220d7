//! Options of a judge, and information besides the trace.

use std::sync::Arc;

use playsim_api::{Decimal, Fields, Value};
use playsim_base::time::Span;
use playsim_scenario::world::MAX_REDIRECTS;
use playsim_scenario::{Scenario, ScriptedAnswer};
use playsim_vast::vmap::TimeOffset;

/// How late or early a tracker, a picture or a cue point may be, unless the options say otherwise.
///
/// Chromium's `timeupdate` comes each 265.6 ms. Measured in real players, the quartiles of an ad of
/// 4 s therefore come 50, 115 and 178 ms late (medians), outliers one `timeupdate` later, up to 451
/// ms; 450 ms covers nearly all.
pub const WITHIN: Span = Span::from_millis(450);

/// Options of a judge, and information besides the trace.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CheckOptions {
    /// How late or early something may be. It never excuses a wrong order.
    pub within: Span,
    /// Documents that the trace does not contain, each with its URL, in the order of their
    /// requests.
    pub documents: Vec<(Arc<str>, Arc<str>)>,
    /// The URLs that a scenario answers, those of media among them.
    pub urls: Vec<Arc<str>>,
    /// Whether `urls` has all media that a scenario answers: it has no media for all other URLs.
    pub names_all_media: bool,
    /// The films of the content, if they are known.
    pub films: Vec<Arc<str>>,
    /// When the ads of a tag are due: one row for each request of its URL, in order.
    pub dues: Vec<(Arc<str>, TimeOffset)>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            within: WITHIN,
            documents: Vec::new(),
            urls: Vec::new(),
            names_all_media: false,
            films: Vec::new(),
            dues: Vec::new(),
        }
    }
}

impl CheckOptions {
    /// Adds what a scenario says: the documents that its URLs return, the films of its videos, and
    /// when the ads of its ad objects are due.
    #[must_use]
    pub fn with_scenario(mut self, scenario: &Scenario) -> CheckOptions {
        for (url, answers) in &scenario.network {
            self.urls.push(url.clone());
            for (nth, answer) in answers.iter().enumerate() {
                if let Some(text) = body(scenario, &answer.answer, nth, MAX_REDIRECTS) {
                    self.documents.push((url.clone(), text));
                }
            }
        }
        self.urls
            .extend(scenario.media.iter().map(|(url, _)| url.clone()));
        self.names_all_media = scenario.media_default.is_none();
        let videos = || scenario.videos.iter().map(|script| &script.video);
        self.films
            .extend(videos().flat_map(|video| video.renditions.iter().map(|(_, url)| url.clone())));
        let players = std::iter::once(&scenario.player)
            .chain(scenario.players.iter().map(|(_, player)| player));
        let ads = players
            .flat_map(|player| &player.ads)
            .chain(videos().flat_map(|video| &video.ads));
        for ad in ads.filter_map(Value::as_map) {
            self.dues.extend(dues(ad));
        }
        self
    }
}

/// Returns the body of the nth answer of a URL, following a redirect to another URL.
/// Rule CHN-4.
///
/// A browser's script sees the response under the URL that it requested.
fn body(
    scenario: &Scenario,
    answer: &ScriptedAnswer,
    nth: usize,
    redirects: u32,
) -> Option<Arc<str>> {
    match answer {
        ScriptedAnswer::Body { text, .. } => Some(text.clone()),
        ScriptedAnswer::Redirect { to, .. } => {
            let (_, answers) = scenario.network.iter().find(|(url, _)| url == to)?;
            let next = answers.get(nth).or(answers.last())?;
            body(scenario, &next.answer, nth, redirects.checked_sub(1)?)
        }
        ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => None,
    }
}

/// Returns when the ads of an ad object are due, for each of its tags. Rules AD-1, AD-8.
fn dues(ad: &Fields) -> Vec<(Arc<str>, TimeOffset)> {
    let is_share = ad.text("adTimeType").is_some_and(|unit| **unit == *"%");
    let offset = |cue: Decimal| {
        let millionths = u64::try_from(cue.millionths()).ok()?;
        let share = u32::try_from(millionths / 100).ok().map(TimeOffset::Share);
        if is_share {
            share
        } else {
            Some(TimeOffset::At(Span::from_micros(millionths)))
        }
    };
    let offsets: Vec<TimeOffset> = match ad.integer("adType") {
        Some(0) => vec![TimeOffset::Start],
        Some(1) => {
            let cues = ad
                .get("cuepoints")
                .and_then(Value::as_list)
                .unwrap_or_default();
            cues.iter()
                .filter_map(Value::as_number)
                .filter_map(offset)
                .collect()
        }
        Some(2) => vec![TimeOffset::End],
        Some(_) | None => Vec::new(),
    };
    let tags = ["mobile", "desktop", "adTagUrl"]
        .into_iter()
        .filter_map(|key| ad.get(key));
    let tags = tags.flat_map(|tags| tags.as_list().unwrap_or(std::slice::from_ref(tags)));
    let tags: Vec<Arc<str>> = tags
        .filter_map(Value::as_text)
        .map(|tag| Arc::from(&**tag))
        .collect();
    offsets
        .iter()
        .flat_map(|offset| tags.iter().map(move |tag| (tag.clone(), offset.clone())))
        .collect()
}
