//! Completes a report from the documents of a scenario: breaks that did not take place, pixels that
//! were not called, and the sources of media durations.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::uncalled::Held;
use super::{LengthFrom, Tag, TagOutcome, Waterfalls, schedules, uncalled};
use playsim_base::place::Place;
use playsim_scenario::{AnswerScript, MediaScript, Scenario, ScriptedAnswer};
use playsim_vast::vmap::AdSourceKind;
use playsim_vast::{self as vast, Ad, CreativeKind, Document, Root};

pub(super) fn add(report: &mut Waterfalls, scenario: &Scenario) {
    let mut texts = Texts::of(scenario);
    let held: Vec<Vec<Vec<Held>>> = report
        .breaks
        .iter()
        .map(|it| {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            let before = it.tags.iter().map(|tag| {
                let count = counts.entry(&*tag.address).or_default();
                *count += 1;
                *count - 1
            });
            let before: Vec<usize> = before.collect();
            (0..it.tags.len())
                .map(|tag| texts.held(&it.tags, tag, &before))
                .collect()
        })
        .collect();
    for (index, of_break) in held.iter().enumerate() {
        for (tag, held) in of_break.iter().enumerate() {
            for it in held
                .iter()
                .filter(|it| it.is_used && it.document.root == Root::Vmap && it.hop == 0)
            {
                let fault = schedules::fault(&report.breaks[index], tag);
                schedules::read(report, &it.name, &it.document, fault.as_deref());
            }
        }
    }
    let beacons = uncalled::Beacons::of(report);
    let found: Vec<_> = (0..report.breaks.len())
        .map(|index| uncalled::of(report, index, &held[index], &beacons))
        .collect();
    let mut media: BTreeMap<&str, &MediaScript> = BTreeMap::new();
    for (url, script) in &scenario.media {
        media.entry(url).or_insert(script);
    }
    for ((it, found), held) in report.breaks.iter_mut().zip(found).zip(&held) {
        it.uncalled = found;
        // The ads of the documents of each tag, by place.
        let mut ads = BTreeMap::new();
        for (tag, held) in it.tags.iter().zip(held).rev() {
            for it in held.iter().rev() {
                for ad in it.document.ads.iter().rev() {
                    ads.insert((tag.pod, tag.wp, &*it.name, ad.at), ad);
                }
            }
        }
        for ad in &mut it.played {
            let script = ad.media.as_deref().and_then(|url| media.get(url).copied());
            let script = script.or(scenario.media_default.as_ref());
            let place = ad.at.as_deref().and_then(uncalled::place);
            let told = place.and_then(|(name, at)| ads.get(&(ad.pod, ad.wp, name, at)).copied());
            ad.length_from = ad
                .media
                .as_ref()
                .and(script)
                .and_then(|script| length_from(script, told));
        }
    }
}

/// The bodies of a scenario, parsed on demand.
struct Texts<'s> {
    /// The responses of each URL.
    at: BTreeMap<&'s str, (&'s Arc<str>, &'s [AnswerScript])>,
    /// The name and the text of each body.
    named: BTreeMap<&'s str, (&'s Arc<str>, &'s str)>,
    /// The documents inside the breaks of a schedule, by place.
    inside: BTreeMap<Arc<str>, BTreeMap<Place, Option<Arc<Document>>>>,
    read: BTreeMap<&'s str, Arc<Document>>,
}

impl<'s> Texts<'s> {
    fn of(scenario: &'s Scenario) -> Texts<'s> {
        let mut texts = Texts {
            at: BTreeMap::new(),
            named: BTreeMap::new(),
            inside: BTreeMap::new(),
            read: BTreeMap::new(),
        };
        for (address, answers) in &scenario.network {
            texts.at.entry(address).or_insert((address, answers));
            for answer in answers {
                if let Some((name, text)) = body(address, &answer.answer) {
                    texts.named.entry(name).or_insert((name, text));
                }
            }
        }
        texts
    }

    /// Returns the documents of a tag: each one that was requested, or its own if it was not.
    /// `before`: how many tags before each one have the same URL.
    fn held(&mut self, tags: &[Tag], index: usize, before: &[usize]) -> Vec<Held> {
        let tag = &tags[index];
        let mut held = Vec::new();
        for request in tag.documents() {
            let by_name = self.named(request.file.as_deref().unwrap_or(&request.url));
            let Some((name, document)) = by_name.or_else(|| self.at(&request.url, 0)) else {
                continue;
            };
            let is_used = request.answered_us.is_some() && request.late_us.is_none();
            let (hop, url) = (request.hop.unwrap_or_default(), Some(request.url.clone()));
            held.push(Held {
                name,
                document,
                hop,
                url,
                is_used,
            });
        }
        if tag.documents().next().is_none() {
            let before = before[index];
            let found = self
                .at(&tag.address, before)
                .or_else(|| self.inside(&tag.address));
            let is_used = !matches!(tag.outcome, TagOutcome::NotAsked);
            held.extend(found.map(|(name, document)| Held {
                name,
                document,
                hop: 0,
                url: None,
                is_used,
            }));
        }
        held
    }

    /// Returns the document of this name.
    fn named(&mut self, wanted: &str) -> Option<(Arc<str>, Arc<Document>)> {
        let (name, text) = self.named.get(wanted).copied()?;
        Some((Arc::clone(name), self.read(name, text)))
    }

    /// Returns the document with which a URL responds to its nth request.
    fn at(&mut self, url: &str, nth: usize) -> Option<(Arc<str>, Arc<Document>)> {
        let (address, answers) = self.at.get(url).copied()?;
        let answer = answers.get(nth).or(answers.last())?;
        let (name, text) = body(address, &answer.answer)?;
        Some((Arc::clone(name), self.read(name, text)))
    }

    /// Returns the document inside a VMAP break whose source is at this place.
    fn inside(&mut self, place: &str) -> Option<(Arc<str>, Arc<Document>)> {
        let (name, place) = uncalled::place(place)?;
        let (name, schedule) = self.named(name)?;
        let inside = self.inside.entry(Arc::clone(&name)).or_insert_with(|| {
            let mut inside = BTreeMap::new();
            for source in schedule.breaks.iter().filter_map(|it| it.source.as_ref()) {
                let document = match &source.kind {
                    AdSourceKind::Vast(document)
                    | AdSourceKind::Custom {
                        document: Some(document),
                        ..
                    } => Some(Arc::clone(document)),
                    AdSourceKind::Tag { .. }
                    | AdSourceKind::Custom { document: None, .. }
                    | AdSourceKind::Empty => None,
                };
                inside.entry(source.at).or_insert(document);
            }
            inside
        });
        let document = inside.get(&place)?.as_ref()?;
        Some((name, Arc::clone(document)))
    }

    fn read(&mut self, name: &'s str, text: &str) -> Arc<Document> {
        Arc::clone(
            self.read
                .entry(name)
                .or_insert_with(|| Arc::new(vast::read(text))),
        )
    }
}

/// Returns the name of a body and the body itself.
fn body<'s>(address: &'s Arc<str>, answer: &'s ScriptedAnswer) -> Option<(&'s Arc<str>, &'s str)> {
    match answer {
        ScriptedAnswer::Body { name, text, .. } if name.is_empty() => Some((address, text)),
        ScriptedAnswer::Body { name, text, .. } => Some((name, text)),
        ScriptedAnswer::Redirect { .. } | ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => {
            None
        }
    }
}

/// Returns the source of the media duration of an ad, which its file and the ad in its document
/// say.
fn length_from(script: &MediaScript, ad: Option<&Ad>) -> Option<LengthFrom> {
    if !script.is_as_said {
        return Some(LengthFrom::Given);
    }
    let says = ad?.creatives.iter().any(|creative| match &creative.kind {
        CreativeKind::Linear(linear) => linear
            .duration
            .is_some_and(|length| length > playsim_base::time::Span::ZERO),
        CreativeKind::NonLinear(overlays) => overlays.min_suggested_duration().is_some(),
        CreativeKind::Companions(_) | CreativeKind::Empty => false,
    });
    Some(if says {
        LengthFrom::Ad
    } else {
        LengthFrom::Assumed
    })
}
