//! The breaks of a trace with their lines: the tags tried in them, and the ads that filled them.
//!
//! Every line belongs to a break. Within it, a decision belongs to the tag at the same place in the
//! waterfalls.

use super::{AdBreakKind, AdBreaks, SessionBreak, TagPosition, kind};
use crate::{Filter, Record, Trace};
use playsim_api::{AdLine, BreakLine, EventName, LineName, NetLine, Purpose};

/// The breaks of a trace with their contents; each list is in the order of its first lines.
#[derive(Debug, Default)]
pub(crate) struct Ads<'a> {
    pub(crate) breaks: Vec<BreakLines<'a>>,
    pub(crate) tags: Vec<Tag<'a>>,
    pub(crate) spots: Vec<Spot<'a>>,
}

/// A break with its own lines: the first, those with which it changes its kind, and the last. Rule
/// VMAP-7.
pub(crate) type BreakLines<'a> = SessionBreak<Vec<&'a Record>>;

/// An ad tag that was tried.
#[derive(Debug)]
pub(crate) struct Tag<'a> {
    /// Its break, as an index into the list.
    pub(crate) in_break: Option<usize>,
    /// Its place in the waterfalls.
    place: Option<TagPosition>,
    /// The request; `None` if there was none.
    pub(crate) request: Option<&'a Record>,
    /// The decisions about its response, one for each ad of it: `fill`, `no-fill`, `reject`, or
    /// `schedule` for a response with breaks instead of ads.
    pub(crate) decisions: Vec<&'a Record>,
}

/// An ad that filled its slot.
#[derive(Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) in_break: Option<usize>,
    /// The decision to play it.
    pub(crate) fill: &'a Record,
    /// The event with which it began; `None` if the ad was held and dropped before that.
    pub(crate) start: Option<&'a Record>,
    /// The line with which it ended; `None` if the run ended first.
    pub(crate) end: Option<&'a Record>,
}

/// Collects the breaks of a trace.
pub(crate) fn ads(trace: &Trace) -> Ads<'_> {
    let mut ads = Ads::default();
    let mut breaks: AdBreaks<'_, Vec<&Record>> = AdBreaks::of(trace);
    for record in &trace.records {
        let its = breaks.take(record);
        let in_break = its.as_ref().map(|it| it.index);
        match record.line_name() {
            Some(LineName::Break(line)) => {
                if let Some(its) = its {
                    its.own.push(record);
                    if line == BreakLine::End {
                        ads.end_spots(record, in_break);
                    }
                }
            }
            Some(LineName::Net(NetLine::Request)) if record.purpose() == Some(Purpose::AdTag) => {
                ads.tags.push(Tag {
                    in_break,
                    place: record.tag(),
                    request: Some(record),
                    decisions: Vec::new(),
                });
            }
            Some(LineName::Ad(
                name @ (AdLine::Fill | AdLine::NoFill | AdLine::Reject | AdLine::Schedule),
            )) => {
                ads.decide(record, in_break);
                if name == AdLine::Fill {
                    ads.end_spots(record, in_break);
                    ads.spots.push(Spot {
                        in_break,
                        fill: record,
                        start: None,
                        end: None,
                    });
                }
            }
            Some(LineName::Event(EventName::AdStart | EventName::VpaidStart)) => {
                let is_next = |spot: &&mut Spot<'_>| {
                    spot.is_in(record, in_break) && spot.start.is_none() && spot.end.is_none()
                };
                if let Some(spot) = ads.spots.iter_mut().rev().find(is_next) {
                    spot.start = Some(record);
                }
            }
            Some(
                LineName::Event(EventName::AdComplete | EventName::AdSkip)
                | LineName::Ad(AdLine::Failed),
            ) => {
                let is_over = |spot: &&mut Spot<'_>| {
                    spot.is_in(record, in_break) && spot.start.is_some() && spot.end.is_none()
                };
                for spot in ads.spots.iter_mut().filter(is_over) {
                    spot.end = Some(record);
                }
            }
            Some(_) | None => {}
        }
    }
    ads.breaks = breaks.all;
    ads
}

impl<'a> Ads<'a> {
    /// Ends the ads of a break that are still playing.
    fn end_spots(&mut self, end: &'a Record, in_break: Option<usize>) {
        for spot in self
            .spots
            .iter_mut()
            .filter(|spot| spot.is_in(end, in_break) && spot.end.is_none())
        {
            spot.end = Some(end);
        }
    }

    /// Adds a decision to its tag. A tag with an invalid URL has no request.
    fn decide(&mut self, line: &'a Record, in_break: Option<usize>) {
        let place = line.tag();
        let is_its_own = |tag: &Tag<'_>| (tag.in_break, tag.place) == (in_break, place);
        let index = self.tags.iter().rposition(is_its_own).unwrap_or_else(|| {
            self.tags.push(Tag {
                in_break,
                place,
                request: None,
                decisions: Vec::new(),
            });
            self.tags.len() - 1
        });
        self.tags[index].decisions.push(line);
    }
}

impl<'a> BreakLines<'a> {
    pub(crate) fn first(&self) -> &'a Record {
        self.own[0]
    }

    /// Returns the last line; `None` if the run ended first.
    pub(crate) fn last(&self) -> Option<&'a Record> {
        self.own.last().copied().filter(|line| line.ends_break())
    }

    /// Returns whether it is shown: whether its first or last line is.
    pub(crate) fn is_shown(&self, filter: &Filter) -> bool {
        filter.shows(self.first()) || self.last().is_some_and(|end| filter.shows(end))
    }

    /// Returns the kind with which it began.
    pub(crate) fn first_kind(&self) -> AdBreakKind {
        kind(self.first(), "kind")
    }

    /// Returns how it ended, or `open` if the run ended first.
    pub(crate) fn outcome(&self) -> &str {
        self.end
            .as_ref()
            .map_or("open", |(_, outcome)| outcome.word())
    }
}

impl Spot<'_> {
    /// Returns whether it is in the break of a line.
    fn is_in(&self, line: &Record, in_break: Option<usize>) -> bool {
        self.fill.player == line.player && self.in_break == in_break
    }

    /// Returns the ad's id in its document, or a note that it has none.
    pub(crate) fn name(&self) -> String {
        let id = self.fill.data.text("ad");
        id.map_or_else(|| "(no id)".to_owned(), ToString::to_string)
    }

    /// Returns how it ended.
    pub(crate) fn outcome(&self) -> &'static str {
        let Some(_) = self.start else {
            return "not started";
        };
        let Some(end) = self.end else { return "open" };
        match end.line_name() {
            Some(LineName::Event(EventName::AdComplete)) => "complete",
            Some(LineName::Event(EventName::AdSkip)) => "skipped",
            Some(LineName::Ad(AdLine::Failed)) => "failed",
            Some(_) | None => "ended early",
        }
    }
}
