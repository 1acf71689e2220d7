//! Breaks that run on their own, in a small simulated world of documents and media.

use std::sync::Arc;

use super::*;
use playsim_api::media::{Failure, MediaFault, MediaInfo, Stall};
use playsim_api::page::{AdTerms, Sides};
use playsim_api::{
    Cause, Class, EventName, Fetched, Item, Kind, NetworkFault, Outbox, Output, PlayerIndex,
    Purpose, RequestId, Response, Wake,
};
use playsim_base::place::Place;
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::{KnobReader, Knobs};
use playsim_vast::{
    self as vast, Ad, AdKind, Children, Creative, CreativeKind, Document, Linear, MediaFile,
    Offset, Root, TrackedEvent, Tracking, Url, Wrapper,
};

/// The context of a break in a test.
macro_rules! cx {
    ($now:expr, $around:ident, $macros:ident, $out:ident) => {
        &mut Context {
            around: $around,
            macros: &mut $macros,
            out: begin($now, &mut $out),
        }
    };
}

mod documents;
mod playing;
mod properties;
mod resolving;

/// The outbox of the next input.
fn begin(now: Time, out: &mut Outbox) -> &mut Outbox {
    out.begin(PlayerIndex(0), Cause::Script, now);
    out
}

const AT: Place = Place { line: 1, column: 1 };

pub(super) fn url(text: &str) -> Url {
    Url::new(text, AT)
}

pub(super) fn file(url: &str, mime: &str) -> MediaFile {
    MediaFile {
        url: url.into(),
        mime: Some(mime.into()),
        ..MediaFile::default()
    }
}

fn ad_of(id: &str, kind: AdKind, linear: Linear) -> Ad {
    let creative = Creative {
        kind: CreativeKind::Linear(linear),
        at: AT,
        ..Creative::default()
    };
    Ad {
        id: Some(id.into()),
        kind,
        impressions: vec![url(&format!("https://{id}.test/imp"))],
        errors: vec![url(&format!("https://{id}.test/err?[ERRORCODE]"))],
        creatives: vec![creative],
        at: AT,
        ..Ad::default()
    }
}

fn tracking(id: &str, event: &str, offset: Option<Offset>) -> Tracking {
    Tracking {
        event: TrackedEvent::of(event),
        url: url(&format!("https://{id}.test/{event}")),
        offset,
    }
}

/// An in-line ad whose media is `https://m.test/ID.mp4`.
pub(super) fn ad(id: &str) -> Ad {
    let media_files = vec![file(&format!("https://m.test/{id}.mp4"), "video/mp4")];
    let events = [
        "start",
        "creativeView",
        "midpoint",
        "complete",
        "skip",
        "pause",
        "resume",
    ];
    let tracking = events
        .iter()
        .map(|event| tracking(id, event, None))
        .collect();
    ad_of(
        id,
        AdKind::Inline,
        Linear {
            media_files,
            tracking,
            ..Linear::default()
        },
    )
}

pub(super) fn ad_with_files(media_files: Vec<MediaFile>) -> Ad {
    ad_of(
        "files",
        AdKind::Inline,
        Linear {
            media_files,
            ..Linear::default()
        },
    )
}

pub(super) fn wrapper(id: &str, to: &str) -> Ad {
    let kind = AdKind::Wrapper(Wrapper {
        tag_uri: Some(url(to)),
        ..Wrapper::default()
    });
    ad_of(
        id,
        kind,
        Linear {
            tracking: vec![tracking(id, "start", None)],
            ..Linear::default()
        },
    )
}

pub(super) fn sequenced(ad: Ad, sequence: u32) -> Ad {
    Ad {
        sequence: Some(sequence),
        ..ad
    }
}

pub(super) fn document(ads: Vec<Ad>) -> Document {
    let error_urls = vec![url("https://root.test/err?[ERRORCODE]")];
    Document {
        root: Root::Vast,
        version: Some("4.2".into()),
        error_urls,
        ads,
        ..Document::default()
    }
}

fn linear_of(ad: &mut Ad) -> &mut Linear {
    let CreativeKind::Linear(linear) = &mut ad.creatives[0].kind else {
        panic!("the ad is not linear")
    };
    linear
}

fn skippable(mut ad: Ad, offset: Offset) -> Ad {
    linear_of(&mut ad).skip_offset = Some(offset);
    ad
}

fn wrapper_with(id: &str, to: &str, change: impl FnOnce(&mut Wrapper)) -> Ad {
    let mut ad = wrapper(id, to);
    let AdKind::Wrapper(wrapper) = &mut ad.kind else {
        panic!("the ad is not a wrapper")
    };
    change(wrapper);
    ad
}

/// An action of a user or a player on the break.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Pause,
    Resume,
    Skip,
    Start,
    Abort,
}

/// The surroundings of a break.
#[derive(Debug)]
struct World {
    knobs: Knobs,
    sides: Sides,
    answers: Vec<(&'static str, Span, Option<Fetched>)>,
    media: Vec<(&'static str, Span, Result<MediaInfo, MediaFault>)>,
    deeds: Vec<(Time, Deed)>,
    /// Whether a ready ad is started at once.
    starts: bool,
    /// The kinds of lines to keep.
    kinds: Vec<Kind>,
}

enum Entry {
    Fetched(RequestId, Fetched),
    Loaded(RequestId, Result<MediaInfo, MediaFault>),
    Deed(Deed),
}

fn answer(document: Document) -> Option<Fetched> {
    Some(Fetched::Response(Response {
        status: 200,
        text: "<VAST/>".into(),
        name: "a.xml".into(),
        document: document.into(),
    }))
}

fn ms(millis: u64) -> Span {
    Span::from_millis(millis)
}

fn lasting(millis: u64) -> Result<MediaInfo, MediaFault> {
    Ok(MediaInfo {
        duration: ms(millis),
        ..MediaInfo::default()
    })
}

impl World {
    fn new() -> World {
        World {
            knobs: Knobs::default(),
            sides: Sides::default(),
            answers: Vec::new(),
            media: Vec::new(),
            deeds: Vec::new(),
            starts: true,
            kinds: Vec::new(),
        }
    }

    fn with(mut self, url: &'static str, after_ms: u64, document: Document) -> World {
        self.answers.push((url, ms(after_ms), answer(document)));
        self
    }

    fn with_fetched(mut self, url: &'static str, after_ms: u64, fetched: Option<Fetched>) -> World {
        self.answers.push((url, ms(after_ms), fetched));
        self
    }

    fn media(
        mut self,
        url: &'static str,
        after_ms: u64,
        info: Result<MediaInfo, MediaFault>,
    ) -> World {
        self.media.push((url, ms(after_ms), info));
        self
    }

    fn deed(mut self, at_ms: u64, deed: Deed) -> World {
        self.deeds.push((Time::from_millis(at_ms), deed));
        self
    }

    fn keeping(mut self, kinds: &[Kind]) -> World {
        self.kinds = kinds.to_vec();
        self
    }

    fn run(self, tags: &[&str]) -> Vec<String> {
        self.run_pods(vec![tags.iter().map(|tag| Arc::from(*tag)).collect()])
    }

    /// Runs a break to its end and returns its output, one string for each line.
    fn run_pods(self, pods: Vec<Vec<Arc<str>>>) -> Vec<String> {
        let (mut out, mut macros) = (Outbox::new(), Macros::new("main", 0, 0));
        let knobs = KnobReader::from(self.knobs.clone());
        let (sides, terms) = (self.sides.clone(), AdTerms::default());
        let around = Surroundings {
            knobs: &knobs,
            terms: &terms,
            size: (640, 360),
            sides: &sides,
        };
        let plan = BreakPlan::new(BreakKind::Pre, "test", pods);
        let mut agenda: Vec<(Time, Class, Entry)> = self
            .deeds
            .iter()
            .map(|(at, deed)| (*at, Class::Action, Entry::Deed(*deed)))
            .collect();
        let (mut log, mut now) = (Vec::new(), Time::ZERO);
        let mut ad_break = AdBreak::open(plan, cx!(now, around, macros, out));
        for _ in 0..1_000 {
            if self.starts && ad_break.phase() == Phase::Ready {
                ad_break.start(cx!(now, around, macros, out));
            }
            while let Some(item) = out.pop() {
                self.take(now, item, &mut agenda, &mut log);
            }
            for item in out.take_diagnostics() {
                log.extend(self.text(now, &item.output));
            }
            // A wake that was not requested changes nothing.
            for class in [Class::Net, Class::Media, Class::Timer, Class::Action] {
                if ad_break.next_wake() != Some(Wake { at: now, class }) {
                    ad_break.wake(class, cx!(now, around, macros, out));
                    assert!(out.pop().is_none());
                }
            }
            let entry = agenda
                .iter()
                .enumerate()
                .min_by_key(|(index, (at, class, _))| (*at, *class, *index));
            let entry = entry.map(|(index, (at, class, _))| ((*at, *class), index));
            let wake = ad_break.next_wake().map(|wake| (wake.at, wake.class));
            match (wake, entry) {
                (None, None) => return log,
                (Some(wake), entry) if entry.is_none_or(|(due, _)| wake < due) => {
                    now = wake.0;
                    ad_break.wake(wake.1, cx!(now, around, macros, out));
                }
                (_, Some((_, index))) => {
                    let (at, _, entry) = agenda.remove(index);
                    now = at;
                    match entry {
                        Entry::Fetched(id, fetched) => {
                            note_unawaited(now, ad_break.awaits(id), &mut log);
                            ad_break.fetched(id, &fetched, cx!(now, around, macros, out));
                        }
                        Entry::Loaded(id, info) => {
                            note_unawaited(now, ad_break.awaits(id), &mut log);
                            ad_break.loaded(id, info.map(Arc::new), cx!(now, around, macros, out));
                        }
                        Entry::Deed(Deed::Pause) => ad_break.pause(cx!(now, around, macros, out)),
                        Entry::Deed(Deed::Resume) => ad_break.resume(cx!(now, around, macros, out)),
                        Entry::Deed(Deed::Start) => ad_break.start(cx!(now, around, macros, out)),
                        Entry::Deed(Deed::Skip) => {
                            ad_break.skip(cx!(now, around, macros, out));
                        }
                        Entry::Deed(Deed::Abort) => {
                            let dropped = ad_break.abort(&mut out);
                            log.extend(
                                std::iter::from_fn(|| out.pop())
                                    .filter_map(|item| self.text(now, &item.output)),
                            );
                            log.extend(dropped.iter().map(|(id, why)| format!("{} {why:?}", id.0)));
                            return log;
                        }
                    }
                }
                (Some(_), None) => unreachable!("a wake without an entry is handled above"),
            }
        }
        panic!("the break does not end: {log:#?}");
    }

    fn take(
        &self,
        now: Time,
        item: Item,
        agenda: &mut Vec<(Time, Class, Entry)>,
        log: &mut Vec<String>,
    ) {
        log.extend(self.text(now, &item.output));
        let Output::Fetch(request) = item.output else {
            return;
        };
        let entry = match request.purpose {
            Purpose::Media => {
                let script = self.media.iter().find(|(url, _, _)| *url == &*request.url);
                let (after, info) = script.map_or((ms(0), lasting(4_000)), |(_, after, info)| {
                    (*after, info.clone())
                });
                Some((after, Entry::Loaded(request.id, info)))
            }
            Purpose::AdTag | Purpose::Wrapper => {
                let script = self
                    .answers
                    .iter()
                    .find(|(url, _, _)| *url == &*request.url);
                match script {
                    Some((_, after, fetched)) => fetched
                        .clone()
                        .map(|fetched| (*after, Entry::Fetched(request.id, fetched))),
                    None => {
                        let refused = Fetched::Failed(NetworkFault::Refused);
                        Some((ms(0), Entry::Fetched(request.id, refused)))
                    }
                }
            }
            Purpose::Record | Purpose::Playlist => None,
        };
        agenda.extend(entry.map(|(after, entry)| (now + after, Class::Net, entry)));
    }

    fn text(&self, now: Time, output: &Output) -> Option<String> {
        let seconds = playsim_api::Decimal::seconds(now.micros());
        match output {
            Output::Event(event) if event.data.is_empty() => {
                Some(format!("{seconds} {}", event.name))
            }
            Output::Event(event) => Some(format!("{seconds} {} {}", event.name, event.data)),
            Output::Line(line) if !self.kinds.contains(&line.kind()) => None,
            Output::Line(line) if line.kind() == Kind::Beacon => {
                let address = line
                    .data()
                    .get("url")
                    .and_then(|url| url.as_text())
                    .unwrap();
                Some(format!("{seconds} ! {} {}", line.name(), &**address))
            }
            Output::Line(line) => Some(format!("{seconds} * {} {}", line.name(), line.data())),
            Output::Fetch(request) => self
                .kinds
                .contains(&Kind::Net)
                .then(|| format!("{seconds} ? {}", request.url)),
            Output::TimeUpdates(_)
            | Output::Callback
            | Output::Task(_)
            | Output::Media(_)
            | Output::Entry(_) => {
                panic!("unexpected output of a break: {output:?}")
            }
        }
    }
}

fn note_unawaited(now: Time, expected: Option<Expected>, log: &mut Vec<String>) {
    match expected {
        Some(Expected::Awaited) => {}
        Some(Expected::GivenUp(why)) => log.push(format!(
            "{} {why:?}",
            playsim_api::Decimal::seconds(now.micros())
        )),
        None => panic!("the break does not know this request"),
    }
}

const A: &str = "https://t.test/a";
const B: &str = "https://t.test/b";
const C: &str = "https://t.test/c";

fn codes(log: &[String]) -> Vec<&str> {
    log.iter()
        .filter_map(|line| line.split_once("\"code\":"))
        .map(|(_, rest)| &rest[..3])
        .collect()
}

fn names(log: &[String]) -> Vec<&str> {
    log.iter()
        .filter_map(|line| line.split(' ').nth(1))
        .collect()
}

/// How often an event is among names.
fn count(names: &[&str], event: EventName) -> usize {
    names.iter().filter(|name| **name == event.name()).count()
}
