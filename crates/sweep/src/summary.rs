//! The outcome of one session: a sink that keeps no trace.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::tag::TagNumber;
use super::unknown::{GivenUp, UnknownAnswer};
use playsim_api::{
    self as api, AdLine, BreakKind, BreakLine, BreakNumber, Code, EventName, Fields, Kind, NetLine,
    Text, Value,
};
use playsim_base::time::Time;
use playsim_report::waterfall::AdBreakOutcome;
use playsim_trace::{PlayerIndex, Record, Sink};

/// The outcome of a session, in a few words and figures.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct RunOutcome {
    /// The tags that showed an ad, each once, in the order of their first ads.
    pub filled_by: Vec<TagNumber>,
    /// How many breaks asked a tag for ads.
    pub breaks: u32,
    /// How many of them showed an ad.
    pub breaks_filled: u32,
    /// The tags that gave no ad, in order, with their error codes.
    pub failed: Vec<FailedTag>,
    /// The first picture after the beginning of the first break; `None` if there was none.
    pub first_frame: Option<FirstFrame>,
    /// How many ads were shown, by tag, in the order of `filled_by`.
    pub shown: Vec<ShownAds>,
    /// How often tracking URLs were called, by event, in the order of their first calls.
    pub pixels: Vec<Pixels>,
    /// How many requests went to URLs that the scenario does not list; each got a 404.
    pub unlisted: u32,
    /// The tags that were asked, each once, in the order of their numbers.
    pub asked: Vec<AskedTag>,
    /// The tags with an unknown answer for which the session waited longer than is known. Its
    /// outcome is then unknown, too.
    pub unknown: Vec<UnknownAnswer>,
    /// How the run ended; `None` before its end.
    #[serde(serialize_with = "as_word")]
    pub ended: Option<api::Outcome>,
    /// The breaks that asked a tag for ads, in the order in which they began. Not part of the JSON
    /// of a table.
    #[serde(skip)]
    pub by_break: Vec<BreakOutcome>,
    /// The requests of tags and wrappers that the player gave up. Not part of the JSON of a table.
    #[serde(skip)]
    pub given_up: Vec<GivenUp>,
}

/// The outcome of a break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakOutcome {
    /// The number of its player, from 1, in the order in which players are created.
    pub player: u32,
    /// Its kind.
    pub kind: BreakKind,
    /// The cue point of a mid-roll or overlay, in microseconds from the start of the content.
    pub cue_us: Option<u64>,
    /// The tag that showed its first ad.
    pub filled_by: Option<TagNumber>,
    /// How many ads it showed.
    pub ads: u32,
    /// The tags that gave it no ad, in order.
    pub failed: Vec<FailedTag>,
}

/// A tag that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AskedTag {
    /// The tag.
    pub tag: TagNumber,
    /// How many wrappers deep it was followed; 0: only its own document was requested.
    pub hops: u32,
}

/// A tag that gave no ad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FailedTag {
    /// The tag.
    pub tag: TagNumber,
    /// Its error code; `None` if it had none.
    pub code: Option<u16>,
}

/// The first picture of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FirstFrame {
    /// How long after the beginning of the first break, in microseconds. Without breaks: after the
    /// start of the run.
    pub after_us: u64,
    /// The picture.
    pub of: Shows,
}

/// The kind of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// An ad.
    Ad,
    /// The content.
    Content,
}

/// The ads of a tag that were shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownAds {
    /// The tag.
    pub tag: TagNumber,
    /// The place of each ad in its document, as `file:line:column`; empty if unknown.
    #[serde(rename = "ads", serialize_with = "as_texts")]
    pub places: Vec<Text>,
}

/// Calls of the tracking URLs of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pixels {
    /// The event, such as `impression`.
    #[serde(serialize_with = "as_text")]
    pub event: Text,
    /// How many calls.
    pub calls: u32,
}

/// As in `--vary`: `tag1`.
impl Serialize for TagNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn as_text<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn as_texts<S: Serializer>(texts: &[Text], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| &**text))
}

fn as_word<S: Serializer>(ended: &Option<api::Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    ended.map(api::Outcome::name).serialize(serializer)
}

impl Shows {
    /// As in JSON: `ad` or `content`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Shows::Ad => "ad",
            Shows::Content => "content",
        }
    }
}

impl RunOutcome {
    /// How many tracking URLs were called.
    #[must_use]
    pub fn pixels(&self) -> u32 {
        self.pixels.iter().map(|it| it.calls).sum()
    }

    /// Whether any ad was shown.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        !self.filled_by.is_empty()
    }

    /// Gives its tags other numbers.
    pub(super) fn rename(&mut self, number: impl Fn(TagNumber) -> TagNumber) {
        let failed =
            |failed: &mut Vec<FailedTag>| failed.iter_mut().for_each(|it| it.tag = number(it.tag));
        self.filled_by
            .iter_mut()
            .for_each(|tag| *tag = number(*tag));
        failed(&mut self.failed);
        self.shown.iter_mut().for_each(|it| it.tag = number(it.tag));
        self.asked.iter_mut().for_each(|it| it.tag = number(it.tag));
        self.asked.sort_unstable();
        self.unknown
            .iter_mut()
            .for_each(|it| it.tag = number(it.tag));
        self.unknown.sort_unstable();
        self.given_up
            .iter_mut()
            .for_each(|it| it.tag = number(it.tag));
        for it in &mut self.by_break {
            it.filled_by = it.filled_by.map(&number);
            failed(&mut it.failed);
        }
    }

    /// Whether it depends on an answer that was not recorded.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Whether the viewer and the advertiser get the same: the same ads of the same tags, and an ad
    /// or the content as the first picture. Times, and the ways in which tags fail, may differ.
    /// What is unknown is like everything unknown.
    pub(super) fn is_like(&self, other: &RunOutcome) -> bool {
        if self.is_unknown() || other.is_unknown() {
            return self.is_unknown() && other.is_unknown();
        }
        let frame = |it: &RunOutcome| it.first_frame.map(|frame| frame.of);
        self.filled_by == other.filled_by
            && (self.breaks, self.breaks_filled) == (other.breaks, other.breaks_filled)
            && self.shown == other.shown
            && frame(self) == frame(other)
    }
}

/// A sink that counts what became of a session while it runs.
///
/// ```
/// # #[cfg(feature = "yaml")] {
/// use playsim::sweep::Summary;
/// use playsim::{Simulation, scenario};
///
/// let [(name, text), (_, document)] = scenario::demo();
/// let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
/// let mut summary = Summary::default();
/// Simulation::new(&demo)?.run_into(&mut summary);
/// let outcome = summary.outcome();
/// assert_eq!(outcome.filled_by[0].to_string(), "tag3");
/// assert_eq!(outcome.first_frame.map(|frame| frame.after_us), Some(2_310_000));
/// # }
/// # Ok::<(), playsim::ScenarioError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Summary {
    outcome: RunOutcome,
    breaks: Vec<OpenBreak>,
    /// When the requests of tags and wrappers were sent that are not over: their numbers and times.
    open: Vec<(i64, Time)>,
    /// When the content first moved.
    content: Option<Time>,
}

#[derive(Debug, Clone)]
struct OpenBreak {
    key: (Option<PlayerIndex>, Option<BreakNumber>),
    begin: Time,
    end: Option<Time>,
    /// Whether it asks for ads, and not only for a schedule.
    asks: bool,
    first_ad: Option<Time>,
    /// The tag and the ad that are next on the screen.
    ready: Option<(TagNumber, Text)>,
    outcome: BreakOutcome,
}

impl Summary {
    /// The outcome of the session.
    #[must_use]
    pub fn outcome(mut self) -> RunOutcome {
        self.outcome.breaks = count(self.breaks.iter().filter(|it| it.asks));
        self.outcome.breaks_filled = count(self.breaks.iter().filter(|it| it.first_ad.is_some()));
        self.outcome.first_frame = self.first_frame();
        self.outcome.by_break = self
            .breaks
            .into_iter()
            .filter(|it| it.asks)
            .map(|it| it.outcome)
            .collect();
        self.outcome
    }

    fn first_frame(&self) -> Option<FirstFrame> {
        let content = |at: Time, begin: Time| FirstFrame {
            after_us: (at - begin).micros(),
            of: Shows::Content,
        };
        let Some(first) = self.breaks.iter().find(|it| it.asks) else {
            return self.content.map(|at| content(at, Time::ZERO));
        };
        if let Some(at) = first.first_ad {
            return Some(FirstFrame {
                after_us: (at - first.begin).micros(),
                of: Shows::Ad,
            });
        }
        // After a pre-roll the content may still have to load; after a mid-roll it continues at
        // once.
        let at = if first.outcome.kind == BreakKind::Pre {
            self.content
        } else {
            first.end
        };
        at.map(|at| content(at, first.begin))
    }

    fn open(&mut self, record: &Record) -> Option<&mut OpenBreak> {
        let key = (record.player, record.in_break);
        self.breaks.iter_mut().rfind(|it| it.key == key)
    }

    fn break_line(&mut self, record: &Record) {
        if record.is(BreakLine::Begin) {
            let kind = record
                .data
                .text("kind")
                .and_then(|kind| BreakKind::from_name(kind));
            let cue = record.data.get("cue").and_then(Value::as_number);
            let outcome = BreakOutcome {
                player: record.player.map_or(1, |player| u32::from(player.0) + 1),
                kind: kind.unwrap_or(BreakKind::Pre),
                cue_us: cue.and_then(|cue| u64::try_from(cue.millionths()).ok()),
                filled_by: None,
                ads: 0,
                failed: Vec::new(),
            };
            self.breaks.push(OpenBreak {
                key: (record.player, record.in_break),
                outcome,
                begin: record.at,
                end: None,
                asks: true,
                first_ad: None,
                ready: None,
            });
        } else if record.is(BreakLine::End) {
            let is_schedule = record
                .data
                .text("outcome")
                .is_some_and(|outcome| **outcome == *AdBreakOutcome::Scheduled.word());
            if let Some(open) = self.open(record) {
                open.end = Some(record.at);
                open.asks &= !is_schedule;
            }
        }
    }

    fn ad_line(&mut self, record: &Record) {
        if record.is(AdLine::Fill) {
            let ready = tag(&record.data).map(|tag| {
                let place = record.data.text("at").cloned();
                (tag, place.unwrap_or(Text::Static("")))
            });
            if let Some(open) = self.open(record) {
                open.ready = ready;
            }
        } else if record.is(AdLine::NoFill)
            && let Some(tag) = tag(&record.data)
        {
            let code = record
                .data
                .integer("code")
                .and_then(|code| u16::try_from(code).ok());
            self.outcome.failed.push(FailedTag { tag, code });
            if let Some(open) = self.open(record) {
                open.outcome.failed.push(FailedTag { tag, code });
            }
        }
    }

    fn net_line(&mut self, record: &Record) {
        let hop = record
            .data
            .integer("hop")
            .and_then(|hop| u32::try_from(hop).ok());
        let (Some(tag), Some(hops)) = (tag(&record.data), hop) else {
            return;
        };
        let id = record.data.integer("id").unwrap_or_default();
        if !record.is(NetLine::Request) {
            if !record.is(NetLine::Redirect) {
                self.end_request(id, tag, record);
            }
            return;
        }
        self.open.push((id, record.at));
        match self.outcome.asked.binary_search_by_key(&tag, |it| it.tag) {
            Ok(at) => self.outcome.asked[at].hops = self.outcome.asked[at].hops.max(hops),
            Err(at) => self.outcome.asked.insert(at, AskedTag { tag, hops }),
        }
    }

    /// A request is over: answered, failed or given up.
    fn end_request(&mut self, id: i64, tag: TagNumber, record: &Record) {
        let Some(at) = self.open.iter().position(|(open, _)| *open == id) else {
            return;
        };
        let (_, sent) = self.open.swap_remove(at);
        if record.is(NetLine::Timeout) {
            let url = record.data.text("url").cloned().unwrap_or(Text::Static(""));
            let waited_us = (record.at - sent).micros();
            self.outcome.given_up.push(GivenUp {
                tag,
                url,
                waited_us,
            });
        }
    }

    fn event(&mut self, record: &Record) {
        if record.is(EventName::AdStart) {
            let Some(open) = self.open(record) else {
                return;
            };
            open.first_ad.get_or_insert(record.at);
            open.outcome.ads += 1;
            let Some((tag, place)) = open.ready.take() else {
                return;
            };
            open.outcome.filled_by.get_or_insert(tag);
            match self.outcome.shown.iter_mut().find(|shown| shown.tag == tag) {
                Some(shown) => shown.places.push(place),
                None => {
                    self.outcome.filled_by.push(tag);
                    self.outcome.shown.push(ShownAds {
                        tag,
                        places: vec![place],
                    });
                }
            }
        } else if self.content.is_none() && record.is(EventName::Start) {
            self.content = Some(record.at);
        }
    }

    fn beacon(&mut self, record: &Record) {
        // No server counts requests that an ad blocker stops. Rule REQ-19
        if record.data.get("how").is_some() {
            return;
        }
        match self
            .outcome
            .pixels
            .iter_mut()
            .find(|it| it.event == record.name)
        {
            Some(pixels) => pixels.calls += 1,
            None => self.outcome.pixels.push(Pixels {
                event: record.name.clone(),
                calls: 1,
            }),
        }
    }
}

impl Sink for Summary {
    fn record(&mut self, record: &Record, _: Option<&Arc<str>>) {
        match record.kind {
            Kind::Break => self.break_line(record),
            Kind::Ad => self.ad_line(record),
            Kind::Event => self.event(record),
            Kind::Beacon => self.beacon(record),
            Kind::Diag if record.is(Code::AddressNotListed) => self.outcome.unlisted += 1,
            Kind::Outcome => self.outcome.ended = api::Outcome::from_name(&record.name),
            Kind::Net => self.net_line(record),
            Kind::Diag
            | Kind::Header
            | Kind::Call
            | Kind::User
            | Kind::Page
            | Kind::Listener
            | Kind::State
            | Kind::Media
            | Kind::Native
            | Kind::Ui
            | Kind::Analytics
            | Kind::Measurement
            | Kind::Edit => {}
        }
    }

    fn wants_digest(&self) -> bool {
        false
    }
}

fn tag(data: &Fields) -> Option<TagNumber> {
    data.integer("wp")
        .and_then(|wp| u32::try_from(wp).ok())
        .map(TagNumber::of_wp)
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
