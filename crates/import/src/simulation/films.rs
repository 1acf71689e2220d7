//! How the films of a recorded session load and fail: when their metadata came, which types the
//! page plays, and which ads it refused.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::scenario::{FILM, Player, fault_of};
use crate::certainty::Note;
use crate::evidence::RequestFinding;
use crate::recording::{Exchange, RecordedOutcome};
use crate::verdict::{AdVerdict, LONG, PlayedLength, ad_source};
use playsim_api::NetworkFault;
use playsim_api::media::MediaFault;
use playsim_base::place::Place;
use playsim_base::time::{Position, Span};
use playsim_scenario::{MediaScript, Scenario};
use playsim_vast::CreativeKind;
use playsim_vast::names::{Name, Named};

/// Media that took longer than this to start did so for another reason than loading.
const LONGEST_LOAD: Span = Span::from_secs(10);

impl Player<'_> {
    /// Adds the media of the ads: how long they took to start, and how they failed.
    pub(super) fn media(self, scenario: &mut Scenario, notes: &mut Vec<Note>) {
        let mut files: BTreeMap<(usize, Option<Place>), Vec<&Name>> = BTreeMap::new();
        for name in self
            .evidence
            .names
            .all
            .iter()
            .filter(|it| it.what == Named::Media)
        {
            files
                .entry((name.document, name.ad))
                .or_default()
                .push(name);
        }
        for (finding, it) in self.evidence.each() {
            let Some(index) = finding.role.file() else {
                continue;
            };
            let name = &self.evidence.names.all[index];
            if scenario.media.iter().any(|(url, _)| *url == name.written) {
                continue;
            }
            // That an ad started says nothing about its interactive part.
            let is_film = name.what == Named::Media;
            let started = self
                .ads()
                .filter(|ad| is_film && (ad.document, Some(ad.at)) == (name.document, name.ad));
            // A pixel says that an ad started, and the screen knows it.
            let started = match &self.evidence.heard {
                Some(heard) => heard.shown(&name.written, it.at()),
                None => started.map(|ad| ad.start).find(|start| *start >= it.at()),
            };
            let load = it.first_byte.or(it.time).unwrap_or_default();
            // What waits after its film has come does not load.
            let seen = started
                .filter(|start| it.time.is_none() || *start < it.over() + LONG)
                .map(|start| start - it.at())
                .filter(|load| *load <= LONGEST_LOAD);
            // That the page refused the ad is why it ended the request.
            let is_refused = self.verdict.is_refused(name) && it.outcome.film_failure().is_none();
            let fails = match &it.outcome {
                _ if started.is_some() || is_refused => None,
                RecordedOutcome::Response(status) if *status >= 400 => {
                    Some((None, MediaFault::NotFound))
                }
                RecordedOutcome::Failed(how) => {
                    let how = how.as_deref().unwrap_or("without a reason");
                    notes.push(Note::inferred(format!(
                        "the ad of {} did not play, since the request failed ({how}) and no pixel shows that it started",
                        it.url
                    )));
                    Some((None, media_fault_of(how)))
                }
                RecordedOutcome::BrokeOff(_) => Some((None, MediaFault::Network)),
                RecordedOutcome::Response(_)
                | RecordedOutcome::Redirect(..)
                | RecordedOutcome::Unknown => None,
            };
            let metadata_after = if fails.is_some() {
                it.time.unwrap_or(load)
            } else {
                seen.unwrap_or(load)
            };
            // The file may be of another length than the document says.
            let file = self.verdict.ads().find_map(|ad| match ad.played {
                PlayedLength::OtherLength { file } | PlayedLength::OtherPace { length: file }
                    if Some(ad.at) == name.ad && ad.document == name.document =>
                {
                    Some(file)
                }
                PlayedLength::OtherLength { .. }
                | PlayedLength::OtherPace { .. }
                | PlayedLength::AsDocumented
                | PlayedLength::FiredEarly { .. }
                | PlayedLength::Unknown => None,
            });
            let script = MediaScript {
                duration: file.unwrap_or(FILM),
                is_as_said: file.is_none(),
                metadata_after,
                fails,
                ..MediaScript::default()
            };
            // Which of the files of an ad it loads is up to the player: any would have come so.
            let others = files.get(&(name.document, name.ad)).filter(|_| is_film);
            let others = others.into_iter().flatten().copied();
            let urls = std::iter::once(name).chain(others).map(|it| &it.written);
            for url in urls {
                if !scenario.media.iter().any(|(known, _)| known == url) {
                    scenario.media.push((url.clone(), script.clone()));
                }
            }
        }
    }

    /// Lets the player play what the page played: which of an ad's files it loads is up to the
    /// browser and the player. A type that was passed over for another one, and never loaded, is
    /// not played.
    pub(super) fn types(self, scenario: &mut Scenario, notes: &mut Vec<Note>) {
        let names = &self.evidence.names.all;
        let roles = self.evidence.each().map(|(finding, _)| finding.role);
        let loaded = roles.filter_map(|role| Some(&names[role.file()?].written));
        let loaded: BTreeSet<&Arc<str>> = loaded.collect();
        let (mut played, mut passed): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
        for ad in self.ads() {
            let source = ad_source(self.evidence, ad.document, ad.at);
            let creatives = source.into_iter().flat_map(|ad| &ad.creatives);
            for creative in creatives {
                let CreativeKind::Linear(linear) = &creative.kind else {
                    continue;
                };
                let files = || linear.media_files.iter();
                if files().any(|file| loaded.contains(&file.url)) {
                    for file in files() {
                        let of = if loaded.contains(&file.url) {
                            &mut played
                        } else {
                            &mut passed
                        };
                        of.extend(file.mime.as_deref());
                    }
                }
            }
        }
        let passed: Vec<&str> = passed.difference(&played).copied().collect();
        if !passed.is_empty() {
            let played = played.iter().filter_map(|mime| mime.parse().ok());
            scenario.page.ads.plays = Some(played.collect());
            notes.push(Note::inferred(format!(
                "the player of the simulation does not play {}: where an ad has such a file, the page loaded one of another type",
                passed.join(", ")
            )));
        }
    }

    /// Lets the page refuse the ads that it refused: their films come, and they are not played, or
    /// no further. A film of another ad that was on the screen plays when it is loaded anew.
    pub(super) fn refusals(self, scenario: &mut Scenario, notes: &mut Vec<Note>) {
        let refused = self.verdict.refused.iter();
        for it in refused.filter(|it| self.verdict.is_simulated(self.evidence, it.document)) {
            let of_ad = |ad: &&AdVerdict| (ad.document, ad.at) == (it.document, it.at);
            let begun = self.ads().find(of_ad).map(|ad| ad.start);
            let is_film = |name: &&Name| {
                (name.document, name.ad) == (it.document, Some(it.at))
                    && matches!(name.what, Named::Media | Named::Interactive)
            };
            let films = || self.evidence.names.all.iter().filter(is_film);
            let media = |(finding, _): &(&RequestFinding, &Exchange)| {
                let name = finding.role.file();
                name.is_some_and(|name| is_film(&&self.evidence.names.all[name]))
            };
            // The player of the simulation gives a film up that takes longer.
            let longest = scenario.knobs.ad_media_timeout - Span::from_millis(1);
            let asked = self.evidence.each().find(media).map(|(_, film)| film.at());
            let loaded = self
                .evidence
                .each()
                .filter(media)
                .map(|(_, film)| &*film.url);
            let loaded: Vec<&str> = loaded.collect();
            let asked = asked.unwrap_or(self.evidence.answer(it.document).over());
            let refused = |script: MediaScript| MediaScript {
                metadata_after: match begun {
                    Some(_) => script.metadata_after,
                    None => (it.time - asked).min(longest),
                },
                fails: script.fails.or(Some((
                    begun.map(|begun| Position::ZERO + (it.time - begun)),
                    MediaFault::Refused(it.code.clamp(1, 9_999)),
                ))),
                ..script
            };
            for film in films() {
                // A player that has the choice loads the film that was loaded on the page.
                let is_shared = self.is_film_of_another(film);
                if is_shared && !loaded.contains(&&*film.written) && films().count() > 1 {
                    continue;
                }
                let media = &mut scenario.media;
                let place = media.iter().position(|(url, _)| *url == film.written);
                let place = place.unwrap_or_else(|| {
                    let script = MediaScript {
                        duration: FILM,
                        is_as_said: true,
                        ..MediaScript::default()
                    };
                    media.push((film.written.clone(), script));
                    media.len() - 1
                });
                let script = &mut media[place].1;
                if is_shared && script.earlier.is_empty() {
                    script.earlier.push(refused(script.clone()));
                } else {
                    *script = refused(std::mem::take(script));
                }
            }
            let id = ad_source(self.evidence, it.document, it.at).and_then(|ad| ad.id.as_deref());
            let id = id.map_or_else(|| "the ad".to_owned(), |id| format!("the ad {id}"));
            notes.push(Note::seen(format!(
                "the simulation does not play {} of {}{}: the page refused it with code {} (entry {})",
                id,
                self.evidence.exchange(it.document).url,
                if begun.is_some() { " any further" } else { "" },
                it.code,
                it.entry
            )));
        }
    }

    /// Returns whether an ad that was on the screen and not refused has a film of the same address.
    pub(super) fn is_film_of_another(self, film: &Name) -> bool {
        let is_of = |ad: &AdVerdict, name: &Name| {
            (name.document, name.ad) == (ad.document, Some(ad.at)) && name.written == film.written
        };
        self.ads().any(|ad| {
            (ad.document, Some(ad.at)) != (film.document, film.ad)
                && self.evidence.names.all.iter().any(|name| is_of(ad, name))
        })
    }
}

/// Returns the same for media.
fn media_fault_of(how: &str) -> MediaFault {
    match fault_of(how) {
        Some(NetworkFault::Cors) => MediaFault::Cors,
        Some(NetworkFault::Blocked) => MediaFault::Blocked,
        Some(
            NetworkFault::Refused
            | NetworkFault::Reset
            | NetworkFault::Truncated
            | NetworkFault::Redirects,
        )
        | None => MediaFault::Network,
    }
}
