//! Rules about macros in ad URLs: no line cites them, the URLs show them.

use playsim::api::{Kind, Value};
use playsim::trace::Trace;

use super::Absence;
use super::support::play;

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "unknown values are -1, withheld ones -2, and list items are encoded separately",
        rules: &["MAC-1", "MAC-5"],
        check: || {
            let page = "macros: { IFA: withheld, REGULATIONS: [gdpr, \"a,b\"] }";
            is(
                page,
                "",
                "[IFA]|[IFATYPE]|[REGULATIONS]|[SERVERSIDE]|[LIMITADTRACKING]",
                "-2|-1|gdpr,a%2Cb|0|0",
            )
        },
    },
    Absence {
        name: "the commas of a list are encoded where a product does so",
        rules: &["PRD-12"],
        check: || {
            let page = "macros: { REGULATIONS: [gdpr, \"a,b\"] }";
            let url = "[REGULATIONS]|[PLAYERSIZE]|[IFA]";
            is(
                page,
                "macros.lists: encoded",
                url,
                "gdpr%2Ca%2Cb|640%2C360|-1",
            )
        },
    },
    Absence {
        name: "the media file is the one that plays, or for a product the first",
        rules: &["PRD-13"],
        check: || {
            is("", "", "[ASSETURI]", "https%3A%2F%2Fads.test%2Fspot.mp4")?;
            is(
                "",
                "macros.asset_uri: first",
                "[ASSETURI]",
                "https%3A%2F%2Fads.test%2Ffirst.flv",
            )
        },
    },
    Absence {
        name: "macros are filled in, unless a product fills none",
        rules: &["PRD-38"],
        check: || {
            is("", "", "[ADTYPE]", "video")?;
            is("", "macros.urls: trackers", "[ADTYPE]", "video")?;
            is("", "macros.urls: error_code", "[ADTYPE]", "[ADTYPE]")?;
            is("", "macros.urls: none", "[ADTYPE]", "[ADTYPE]")
        },
    },
    Absence {
        name: "the spellings of real tags are filled unless a knob prevents it",
        rules: &["MAC-3"],
        check: || {
            let url = "%%ADTYPE%%|${ADTYPE}|[ADTYPE]|[adtype]";
            is("", "", url, "video|video|video|[adtype]")?;
            is(
                "",
                "macros.spelling: strict",
                url,
                "%%ADTYPE%%|${ADTYPE}|video|[adtype]",
            )
        },
    },
    Absence {
        name: "clock, player, break and ad give their values at the instant of the call",
        rules: &["MAC-4"],
        check: || {
            let url =
                "[TIMESTAMP]|[ADPLAYHEAD]|[PLAYERSIZE]|[PLAYERSTATE]|[BREAKPOSITION]|[ADCOUNT]";
            is(
                "",
                "",
                url,
                "2000-01-01T00%3A00%3A00.000Z|00%3A00%3A00.000|640,360|muted|1|1",
            )
        },
    },
    Absence {
        name: "the position of the content is that of the content also while an ad plays, or for a product that of the ad",
        rules: &["MAC-8"],
        check: || {
            let in_mid_roll = |knobs: &str| {
                let url = "[CONTENTPLAYHEAD]|[MEDIAPLAYHEAD]|[ADPLAYHEAD]";
                let trace = ad("", knobs, url, "  - { at: 3s, do: pushAds }\n");
                impressions(&trace).pop().unwrap_or_default()
            };
            let content = in_mid_roll("");
            let of_ad = in_mid_roll("macros.content_playhead: ad");
            let due = [
                "00%3A00%3A01.000|00%3A00%3A01.000|00%3A00%3A00.000",
                "00%3A00%3A00.000|00%3A00%3A01.000|00%3A00%3A00.000",
            ];
            if [content.as_str(), of_ad.as_str()] == due {
                Ok(())
            } else {
                Err(format!("{content} and {of_ad}, not {due:?}"))
            }
        },
    },
    Absence {
        name: "a cachebuster is drawn for each URL, and is the same within it",
        rules: &["MAC-2"],
        check: || {
            let trace = ad("", "", "[CACHEBUSTING]|[CACHEBUSTING]", "");
            let [first, second] = &impressions(&trace)[..] else {
                return Err("not two impressions".into());
            };
            let one = |url: &str| {
                url.split_once('|')
                    .is_some_and(|(a, b)| a == b && a.len() == 8)
            };
            if one(first) && one(second) && first != second {
                Ok(())
            } else {
                Err(format!("{first} {second}"))
            }
        },
    },
    Absence {
        name: "each break has one transaction id of its own",
        rules: &["MAC-6"],
        check: || {
            let trace = ad("", "", "[TRANSACTIONID]", "  - { at: 3s, do: pushAds }\n");
            let urls = impressions(&trace);
            let [first, again, other, _] = &urls[..] else {
                return Err(format!("not two breaks: {urls:?}"));
            };
            if first == again && first != other && first.len() == 36 {
                Ok(())
            } else {
                Err(format!("{urls:?}"))
            }
        },
    },
    Absence {
        name: "a click has the position that the scenario gives",
        rules: &["MAC-7"],
        check: || {
            let steps = "  - { at: 1s, user: { click: [12, 34] } }\n  - { at: 1s, user: click }\n";
            let trace = ad("", "", "x", steps);
            let urls = of(&trace, "clickTracking");
            if urls == ["12,34", "-1"] {
                Ok(())
            } else {
                Err(format!("{urls:?}"))
            }
        },
    },
];

/// The URL of an impression, filled.
fn is(page: &str, knobs: &str, url: &str, due: &str) -> Result<(), String> {
    let trace = ad(page, knobs, url, "");
    let found = impressions(&trace);
    if found.first().is_some_and(|found| found == due) {
        Ok(())
    } else {
        Err(format!("{found:?}, not {due}"))
    }
}

/// A muted player whose pre-roll calls a URL twice when it starts. Of its two files the second
/// plays.
fn ad(page: &str, knobs: &str, url: &str, steps: &str) -> Trace {
    play(&format!(
        r#"
page: {{ {page} }}
knobs: {{ {knobs} }}
videos: [{{ id: v1, renditions: {{ sd: film.mp4 }} }}]
media: {{ default: {{ duration: 2s }} }}
network:
  https://ads.test/a:
    text: "<VAST version='4.2'><Ad><InLine><Impression>{url}</Impression><Impression>{url}</Impression><Creatives><Creative><Linear><VideoClicks><ClickTracking>[CLICKPOS]</ClickTracking></VideoClicks><MediaFiles><MediaFile type='video/x-flv' delivery='progressive'>first.flv</MediaFile><MediaFile type='video/mp4' delivery='progressive'>spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
player:
  muted: true
  ads: [{{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }}]
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "640", height: "360", video: v1 }} }} }}
  - {{ on: ready, do: play }}
{steps}"#
    ))
}

fn impressions(trace: &Trace) -> Vec<String> {
    of(trace, "impression")
}

fn of(trace: &Trace, name: &str) -> Vec<String> {
    let beacons = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Beacon && *record.name == *name);
    beacons
        .filter_map(|record| match record.data.get("url") {
            Some(Value::Text(url)) => Some(url.to_string()),
            _ => None,
        })
        .collect()
}
