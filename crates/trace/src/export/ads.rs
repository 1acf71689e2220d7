//! Breaks, the tags tried in them, and the ads that filled them.
//!
//! Every line belongs to a break. Within it, a decision belongs to the tag at the same place in the
//! waterfalls.

use super::{field, integer};
use crate::{BreakFinder, Filter, Record, Trace};
use playsim_api::{AdLine, BreakLine, EventName, LineName, NetLine, Purpose};

/// The breaks of a trace with their contents; each list is in the order of its first lines.
#[derive(Debug, Default)]
pub(super) struct Ads<'a> {
    pub(super) breaks: Vec<Break<'a>>,
    pub(super) tags: Vec<Tag<'a>>,
    pub(super) spots: Vec<Spot<'a>>,
}

/// A break.
#[derive(Debug)]
pub(super) struct Break<'a> {
    pub(super) begin: &'a Record,
    /// The lines with which a break of a VMAP document changes its kind. Rule VMAP-7.
    pub(super) turns: Vec<&'a Record>,
    /// The last line; `None` if the run ended first.
    pub(super) end: Option<&'a Record>,
}

/// An ad tag that was tried.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Its break, as an index into the list.
    pub(super) in_break: Option<usize>,
    /// Its place in the waterfalls.
    place: WaterfallPosition,
    /// The request; `None` if there was none.
    pub(super) request: Option<&'a Record>,
    /// The decisions about its response, one for each ad of it: `fill`, `no-fill`, `reject`, or
    /// `schedule` for a response with breaks instead of ads.
    pub(super) decisions: Vec<&'a Record>,
}

/// An ad that filled its slot.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    pub(super) in_break: Option<usize>,
    /// The decision to play it.
    pub(super) fill: &'a Record,
    /// The event with which it began; `None` if the ad was held and dropped before that.
    pub(super) start: Option<&'a Record>,
    /// The line with which it ended; `None` if the run ended first.
    pub(super) end: Option<&'a Record>,
}

/// Collects the breaks of a trace.
pub(super) fn ads(trace: &Trace) -> Ads<'_> {
    let mut ads = Ads::default();
    let mut finder = BreakFinder::new(trace);
    for record in &trace.records {
        let in_break = finder.take(record);
        match record.line_name() {
            Some(LineName::Break(BreakLine::Begin)) => ads.breaks.push(Break {
                begin: record,
                turns: Vec::new(),
                end: None,
            }),
            Some(LineName::Break(BreakLine::Turn)) => {
                if let Some(index) = in_break {
                    ads.breaks[index].turns.push(record);
                }
            }
            Some(LineName::Break(BreakLine::End)) => {
                if let Some(index) = in_break {
                    ads.breaks[index].end = Some(record);
                    ads.end_spots(record, in_break);
                }
            }
            Some(LineName::Net(NetLine::Request)) if record.purpose() == Some(Purpose::AdTag) => {
                ads.tags.push(Tag {
                    in_break,
                    place: place(record),
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
    ads
}

/// A place in the waterfalls of a break.
type WaterfallPosition = [Option<i64>; 2];

fn place(record: &Record) -> WaterfallPosition {
    [integer(record, "wp"), integer(record, "pod")]
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
        let place = place(line);
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

    /// Returns whether a break is shown: whether its first or last line is.
    pub(super) fn shows_break(&self, index: usize, filter: &Filter) -> bool {
        let one = &self.breaks[index];
        filter.shows(one.begin) || one.end.is_some_and(|end| filter.shows(end))
    }
}

impl Break<'_> {
    /// Returns `pre`, `mid`, `post`, `overlay` or `command`.
    pub(super) fn kind(&self) -> String {
        field(self.begin, "kind")
    }

    /// Returns how it ended, or `open` if the run ended first.
    pub(super) fn outcome(&self) -> String {
        self.end
            .map_or_else(|| "open".to_owned(), |end| field(end, "outcome"))
    }
}

impl Spot<'_> {
    /// Returns whether it is in the break of a line.
    fn is_in(&self, line: &Record, in_break: Option<usize>) -> bool {
        self.fill.player == line.player && self.in_break == in_break
    }

    /// Returns the ad's id in its document, or a note that it has none.
    pub(super) fn name(&self) -> String {
        let id = self.fill.data.text("ad");
        id.map_or_else(|| "(no id)".to_owned(), ToString::to_string)
    }

    /// Returns how it ended.
    pub(super) fn outcome(&self) -> &'static str {
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
