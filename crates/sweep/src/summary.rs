//! The outcome of one session: a sink that keeps no trace.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::tag::TagNumber;
use super::unknown::{GivenUp, UnknownAnswer};
use playsim_api::{self as api, AdLine, BreakKind, Code, EventName, Kind, NetLine, Text};
use playsim_base::time::Time;
use playsim_trace::session::{AdBreakKind, AdBreakOutcome, AdBreaks, SessionBreak};
use playsim_trace::{Record, Sink};

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
    breaks: AdBreaks<'static, Shown>,
    /// When the requests of tags and wrappers were sent that are not over: their numbers and times.
    open: Vec<(i64, Time)>,
    /// When the content first moved.
    content: Option<Time>,
}

/// The ads of a break.
#[derive(Debug, Clone, Default)]
struct Shown {
    first: Option<Time>,
    /// The tag and the ad that are next on the screen.
    ready: Option<(TagNumber, Text)>,
    filled_by: Option<TagNumber>,
    ads: u32,
    failed: Vec<FailedTag>,
}

/// Whether a break asks for ads, and not only for a schedule.
fn asks(it: &&SessionBreak<Shown>) -> bool {
    !matches!(it.end, Some((_, AdBreakOutcome::Scheduled)))
}

impl From<SessionBreak<Shown>> for BreakOutcome {
    fn from(it: SessionBreak<Shown>) -> BreakOutcome {
        BreakOutcome {
            player: it.player.map_or(1, |player| u32::from(player.0) + 1),
            kind: BreakKind::from_name(it.kind.word()).unwrap_or(BreakKind::Pre),
            cue_us: it.cue_us,
            filled_by: it.own.filled_by,
            ads: it.own.ads,
            failed: it.own.failed,
        }
    }
}

impl Summary {
    /// The outcome of the session.
    #[must_use]
    pub fn outcome(mut self) -> RunOutcome {
        let breaks = &self.breaks.all;
        self.outcome.breaks = count(breaks.iter().filter(asks));
        self.outcome.breaks_filled = count(breaks.iter().filter(|it| it.own.first.is_some()));
        self.outcome.first_frame = self.first_frame();
        self.breaks.all.retain(|it| asks(&it));
        self.outcome.by_break = self.breaks.all.into_iter().map(Into::into).collect();
        self.outcome
    }

    fn first_frame(&self) -> Option<FirstFrame> {
        let content = |at: Time, begin: Time| FirstFrame {
            after_us: (at - begin).micros(),
            of: Shows::Content,
        };
        let Some(first) = self.breaks.all.iter().find(asks) else {
            return self.content.map(|at| content(at, Time::ZERO));
        };
        if let Some(at) = first.own.first {
            return Some(FirstFrame {
                after_us: (at - first.begin).micros(),
                of: Shows::Ad,
            });
        }
        // After a pre-roll the content may still have to load; after a mid-roll it continues at
        // once.
        let at = match (&first.kind, &first.end) {
            (AdBreakKind::Pre, _) => self.content,
            (_, end) => end.as_ref().map(|(at, _)| *at),
        };
        at.map(|at| content(at, first.begin))
    }

    fn ad_line(&mut self, record: &Record) {
        if record.is(AdLine::Fill) {
            if let Some(its) = self.breaks.take(record) {
                let place = record.data.text("at").cloned();
                its.own.ready = tag(record).zip(place.or(Some(Text::Static(""))));
            }
        } else if record.is(AdLine::NoFill)
            && let Some(tag) = tag(record)
        {
            let code = record.data.integer("code");
            let code = code.and_then(|code| u16::try_from(code).ok());
            self.outcome.failed.push(FailedTag { tag, code });
            if let Some(its) = self.breaks.take(record) {
                its.own.failed.push(FailedTag { tag, code });
            }
        }
    }

    fn net_line(&mut self, record: &Record) {
        let hop = record
            .data
            .integer("hop")
            .and_then(|hop| u32::try_from(hop).ok());
        let (Some(tag), Some(hops)) = (tag(record), hop) else {
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
            let Some(its) = self.breaks.take(record) else {
                return;
            };
            its.own.first.get_or_insert(record.at);
            its.own.ads += 1;
            let Some((tag, place)) = its.own.ready.take() else {
                return;
            };
            its.own.filled_by.get_or_insert(tag);
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
            Kind::Break => _ = self.breaks.take(record),
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

fn tag(record: &Record) -> Option<TagNumber> {
    Some(TagNumber::of_wp(record.tag()?.wp))
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
