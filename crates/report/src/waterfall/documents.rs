//! Completes a report from the documents of a scenario: breaks that did not take place, pixels that
//! were not called, and the sources of media durations.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::uncalled::Held;
use super::{LengthFrom, Played, Tag, TagOutcome, Waterfalls, schedules, uncalled};
use playsim_scenario::{Scenario, ScriptedAnswer};
use playsim_vast::vmap::AdSourceKind;
use playsim_vast::{self as vast, CreativeKind, Document, Root};

pub(super) fn add(report: &mut Waterfalls, scenario: &Scenario) {
    let mut texts = Texts::of(scenario);
    let held: Vec<Vec<Vec<Held>>> = report
        .breaks
        .iter()
        .map(|it| {
            (0..it.tags.len())
                .map(|tag| texts.held(&it.tags, tag))
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
    let found: Vec<_> = (0..report.breaks.len())
        .map(|index| uncalled::of(report, index, &held[index]))
        .collect();
    for ((it, found), held) in report.breaks.iter_mut().zip(found).zip(&held) {
        it.uncalled = found;
        for ad in &mut it.played {
            let tag = it
                .tags
                .iter()
                .position(|tag| (tag.pod, tag.wp) == (ad.pod, ad.wp));
            ad.length_from = length_from(ad, tag.map_or(&[], |tag| &held[tag]), scenario);
        }
    }
}

/// The bodies of a scenario, parsed on demand.
struct Texts<'s> {
    scenario: &'s Scenario,
    read: BTreeMap<&'s str, Arc<Document>>,
}

impl<'s> Texts<'s> {
    fn of(scenario: &'s Scenario) -> Texts<'s> {
        Texts {
            scenario,
            read: BTreeMap::new(),
        }
    }

    /// Returns the documents of a tag: each one that was requested, or its own if it was not.
    fn held(&mut self, tags: &[Tag], index: usize) -> Vec<Held> {
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
            let before = tags[..index]
                .iter()
                .filter(|it| it.address == tag.address)
                .count();
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
        let scenario = self.scenario;
        let answers = scenario
            .network
            .iter()
            .flat_map(|(address, all)| all.iter().map(move |it| (address, it)));
        let found = answers.filter_map(|(address, answer)| body(address, &answer.answer));
        let (name, text) = found.into_iter().find(|(name, _)| ***name == *wanted)?;
        Some((Arc::clone(name), self.read(name, text)))
    }

    /// Returns the document with which a URL responds to its nth request.
    fn at(&mut self, url: &str, nth: usize) -> Option<(Arc<str>, Arc<Document>)> {
        let (address, answers) = self
            .scenario
            .network
            .iter()
            .find(|(address, _)| **address == *url)?;
        let answer = answers.get(nth).or(answers.last())?;
        let (name, text) = body(address, &answer.answer)?;
        Some((Arc::clone(name), self.read(name, text)))
    }

    /// Returns the document inside a VMAP break whose source is at this place.
    fn inside(&mut self, place: &str) -> Option<(Arc<str>, Arc<Document>)> {
        let name = place.rsplitn(3, ':').nth(2)?;
        let (name, schedule) = self.named(name)?;
        let mut sources = schedule.breaks.iter().filter_map(|it| it.source.as_ref());
        let source = sources.find(|source| format!("{name}:{}", source.at) == place)?;
        match &source.kind {
            AdSourceKind::Vast(document)
            | AdSourceKind::Custom {
                document: Some(document),
                ..
            } => Some((name, Arc::clone(document))),
            AdSourceKind::Tag { .. }
            | AdSourceKind::Custom { document: None, .. }
            | AdSourceKind::Empty => None,
        }
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

/// Returns the source of the media duration of an ad.
fn length_from(ad: &Played, held: &[Held], scenario: &Scenario) -> Option<LengthFrom> {
    let media = ad.media.as_deref()?;
    let listed = scenario
        .media
        .iter()
        .find(|(address, _)| **address == *media)
        .map(|(_, script)| script);
    if !listed.or(scenario.media_default.as_ref())?.is_as_said {
        return Some(LengthFrom::Given);
    }
    let place = ad.at.as_deref()?;
    let ads = held
        .iter()
        .flat_map(|it| it.document.ads.iter().map(move |ad| (&it.name, ad)));
    let ad = ads
        .into_iter()
        .find(|(name, ad)| format!("{name}:{}", ad.at) == place)
        .map(|(_, ad)| ad)?;
    let says = ad.creatives.iter().any(|creative| match &creative.kind {
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
