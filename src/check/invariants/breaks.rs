//! A break as a whole: one end, and requests that add up.
//!
//! Breaks are told apart by their lines; two at a time (an overlay beside another) are not judged.
//!
//! Rules: INV-11, INV-12.

use super::{Findings, event, integer, is, of_each_player, text};
use crate::api::Kind;
use crate::trace::{Record, Trace};

/// The lines of one break.
#[derive(Debug, Default)]
struct Break<'a> {
    lines: Vec<&'a Record>,
    /// Its last line; `None`: the run or the player ended before.
    end: Option<&'a Record>,
    /// Whether another was open beside it.
    is_mixed: bool,
}

impl Break<'_> {
    fn was_aborted(&self) -> bool {
        self.end.and_then(|end| text(end, "outcome")).is_some_and(|outcome| **outcome == *"aborted")
    }

    fn count(&self, kind: Kind, name: &str) -> usize {
        self.lines.iter().filter(|record| is(record, kind, name)).count()
    }

    /// The places in the waterfalls that such lines name.
    fn places(&self, kind: Kind, name: &str) -> Vec<(Option<i64>, Option<i64>)> {
        let named = self.lines.iter().filter(|record| is(record, kind, name));
        let mut places: Vec<_> =
            named.map(|record| (integer(record, "pod"), integer(record, "wp"))).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// All breaks of one player.
fn breaks<'a>(lines: &mut dyn Iterator<Item = &'a Record>) -> Vec<Break<'a>> {
    let (mut open, mut done): (Vec<Break<'a>>, Vec<Break<'a>>) = (Vec::new(), Vec::new());
    for record in lines {
        if is(record, Kind::Break, "begin") {
            open.push(Break::default());
            let is_mixed = open.len() > 1;
            for each in &mut open {
                each.is_mixed |= is_mixed;
            }
        }
        for each in &mut open {
            each.lines.push(record);
        }
        if is(record, Kind::Break, "end")
            && let Some(mut ended) = open.pop()
        {
            ended.end = Some(record);
            done.push(ended);
        }
        if is(record, Kind::State, "destroyed") {
            done.append(&mut open);
        }
    }
    done.append(&mut open);
    done
}

/// A break that requested something ends in one `adEnd`, or was aborted. Rule INV-11.
pub(super) fn one_end(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut is_open = false;
        for ad_break in breaks(&mut lines.inspect(|record| {
            // An `adEnd` belongs to an open break: seen here, because outside of one nobody counts it.
            is_open |= is(record, Kind::Break, "begin");
            if event(record) == "adEnd" && !is_open {
                findings.add(record, "adEnd comes outside of any break");
            }
            is_open &= !is(record, Kind::Break, "end");
        })) {
            if ad_break.is_mixed {
                continue;
            }
            let ends = ad_break.count(Kind::Event, "adEnd");
            let due = usize::from(!ad_break.was_aborted());
            let (Some(last), asked) = (ad_break.lines.last(), ad_break.count(Kind::Event, "requestAd"))
            else {
                continue;
            };
            if ad_break.end.is_some() && asked > 0 && ends != due {
                findings.add(last, format!("the break has {ends} adEnd; {due} was due"));
            } else if ad_break.end.is_none() && is(last, Kind::State, "destroyed") {
                findings.add(last, "the player was destroyed, and its break was not aborted");
            }
        }
    });
}

/// A `requestAd` for each tag that is tried; each fails with an `adError` or wins. Rule INV-12.
pub(super) fn requests_add_up(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        for ad_break in breaks(lines) {
            let Some(end) = ad_break.end.filter(|_| !ad_break.is_mixed) else { continue };
            // What was told to a destroyed player was dropped. EVT-21
            let is_dropped = |record: &&&Record| {
                is(record, Kind::Diag, "event_dropped")
                    && text(record, "text").is_some_and(|text| text.starts_with("requestAd "))
            };
            let dropped = ad_break.lines.iter().filter(is_dropped).count();
            let events = ad_break.count(Kind::Event, "requestAd") + dropped;
            let is_tag = |record: &&&Record| {
                is(record, Kind::Net, "request")
                    && text(record, "purpose").is_some_and(|is| **is == *"ad-tag")
            };
            let requests = ad_break.lines.iter().filter(is_tag).count();
            if events != requests {
                findings.add(end, format!("the break tried {requests} tags, and told of {events}"));
            }
            let winners = ad_break.places(Kind::Ad, "fill");
            let is_partly_playable =
                ad_break.places(Kind::Ad, "reject").iter().any(|place| winners.contains(place));
            if ad_break.was_aborted() || is_partly_playable || ad_break.count(Kind::Ad, "failed") > 0 {
                continue;
            }
            let errors = ad_break.count(Kind::Event, "adError");
            let no_addresses = ad_break
                .places(Kind::Ad, "no-fill")
                .iter()
                .filter(|place| {
                    !ad_break
                        .lines
                        .iter()
                        .filter(is_tag)
                        .any(|tag| (integer(tag, "pod"), integer(tag, "wp")) == **place)
                })
                .count();
            if errors + winners.len() != events + no_addresses {
                let winners = winners.len();
                findings.add(
                    end,
                    format!("{errors} adError and {winners} winners for {events} requestAd and {no_addresses} tags that are no address"),
                );
            }
        }
    });
}
