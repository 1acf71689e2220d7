//! Knobs that nothing in a run reads: changing them changes nothing.
//!
//! Lists, for each knob here, the lines without which it is never read. Knobs that are read in
//! every run, or that no line indicates, have no row.
//!
//! Rule: INV-26.

use playsim_api::{Decimal, Kind};
use playsim_rules::knobs::{AbsentBreak, Knob, Knobs};
use playsim_scenario::Scenario;
use playsim_trace::{Record, Trace};

use super::lines::Lines;
use super::played::{Played, Why};
use super::settings;
use super::source::Source;

/// The lines without which a knob is never read.
struct KnobReads {
    knobs: &'static [&'static str],
    /// Names of calls, of actions of the user or the page, and of diagnostics.
    acts: &'static [&'static str],
    /// Names of events and states.
    tells: &'static [&'static str],
    /// Kinds of lines.
    kinds: &'static [Kind],
}

const ROWS: &[KnobReads] = &[
    KnobReads {
        knobs: &[
            "ad.after_start_error",
            "ad.break_timeout",
            "ad.before_start",
            "ad.broken",
            "ad.empty_is_error",
            "ad.engine",
            "ad.expires",
            "ad.failed_status",
            "ad.fallback_on_no_ad",
            "ad.first_broken",
            "ad.hop_timeout",
            "ad.late",
            "ad.max_documents",
            "ad.max_wrappers",
            "ad.max_wrappers_counts",
            "ad.media_choice",
            "ad.media_timeout",
            "ad.no_media_code",
            "ad.not_used",
            "ad.pod_reserve",
            "ad.stall_timeout",
            "ad.timeout",
            "ad.tracker_urls",
            "ad.wrapper_broken",
            "ad.wrapper_chained",
            "ad.wrapper_fetch_code",
            "ad.wrapper_pod",
            "ad.attempts",
            "ad.pod_plays",
            "ad.retry_after",
            "ad.wrapper_limit_code",
            "cue.check",
            "midroll.ask_passed",
            "midroll.join",
            "midroll.rewind",
            "preroll.hold",
            "quartile.at",
            "ad.error_urls",
            "ad.root_errors",
            "ad.tracker_order",
            "ad.unshowable_media_code",
            "creative_view.at",
            "resume.at_start",
            "ad_end.scope",
            "ad_error.codes",
            "ad_error.scope",
            "adpos.base",
            "break.max_duration",
            "break.overrun",
            "complete.at",
            "ended.vs_postroll",
            "macros",
            "macros.asset_uri",
            "macros.lists",
            "midroll.hold",
            "midroll.seek_policy",
            "push_ads.source",
            "quartile.catch_up",
            "quartile.in_seek",
            "seek.during_ad",
            "vpaid.refused",
            "vpaid.start",
            "overlay.complete",
            "postroll.timeout",
            "preroll.timeout",
            "skip.shortest",
        ],
        acts: &["setAd", "playAd", "pushAds"],
        tells: &[],
        kinds: &[Kind::Break, Kind::Ad],
    },
    KnobReads {
        knobs: &["volume.out_of_range", "volume.zero_mutes"],
        acts: &["volume", "muted", "mute", "unmute"],
        tells: &["volumechange"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["mute.volumechange"],
        acts: &["muted", "mute", "unmute", "volume"],
        tells: &["mutechange"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["fullscreen.toggle", "fullscreen.event"],
        acts: &["toggleFullScreen", "fullscreen"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["ga.strict"],
        acts: &["GoogleAnalytics.fireCustom"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["src.pre_roll", "src.strict"],
        acts: &["src"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["quality.reload_events"],
        acts: &["setHD", "setVideoSource"],
        tells: &["qualityChange"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["playlist.wrap"],
        acts: &["next", "previous"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["playlist.on_error"],
        acts: &[],
        tells: &["failed"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["playlist.advance_delay"],
        acts: &[],
        tells: &["ended", "failed"],
        kinds: &[],
    },
    // A post-roll delays `ended`.
    KnobReads {
        knobs: &["ended.pause_event"],
        acts: &[],
        tells: &["ended"],
        kinds: &[Kind::Break],
    },
    KnobReads {
        knobs: &["timeupdate.period", "timeupdate.jitter", "detect"],
        acts: &[],
        tells: &["playing", "ad-playing", "timeupdate"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["seeked.cause"],
        acts: &["currentTime", "currentChapter", "seek"],
        tells: &["seeked"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["play.returns"],
        acts: &["play"],
        tells: &["play"],
        kinds: &[],
    },
    KnobReads {
        knobs: &["bus.dedupe"],
        acts: &["on", "once", "add", "addOnce"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["bus.array_everywhere"],
        acts: &["once", "off", "add", "addOnce", "remove"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["init.no_class"],
        acts: &["no_class"],
        tells: &[],
        kinds: &[],
    },
    KnobReads {
        knobs: &["compat.property_calls"],
        acts: &["isReady", "playlistLength", "currentIndex", "isFullScreen"],
        tells: &[],
        kinds: &[],
    },
    // A player may be destroyed before `start` is delivered.
    KnobReads {
        knobs: &["comscore.trace"],
        acts: &["event_dropped"],
        tells: &["start"],
        kinds: &[],
    },
];

/// A knob that nothing in a run reads changes nothing but the header. Rule INV-26.
pub(super) fn changes_nothing(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let idle = idle(played);
    if idle.is_empty() {
        return Ok(());
    }
    let mut other = played.scenario.clone();
    let turned: Vec<&str> = (0..3).map(|_| *source.pick(&idle)).collect();
    for name in &turned {
        settings::set_randomly(named(name), &mut other.knobs, source);
    }
    let what = format!("with {} turned", turned.join(", "));
    without_header(played.trace).same(&what, &without_header(&played.play(&other)?))
}

/// The same without chance: each such knob with each of its values, and all of them at once.
pub(super) fn wholly(played: &Played<'_>) -> Result<(), Why> {
    let scenario = played.scenario;
    let own = without_header(played.trace);
    let same = |what: &str, knobs: Knobs| {
        if knobs == scenario.knobs {
            return Ok(());
        }
        let other = Scenario {
            knobs,
            ..scenario.clone()
        };
        own.same(what, &without_header(&played.play(&other)?))
    };
    let mut together: Vec<Knobs> = Vec::new();
    for name in idle(played) {
        for (place, value) in settings::choices(named(name)).iter().enumerate() {
            if together.len() == place {
                together.push(scenario.knobs.clone());
            }
            settings::set(name, value, &mut together[place]);
            let mut alone = scenario.knobs.clone();
            settings::set(name, value, &mut alone);
            same(&format!("with {name}={value}"), alone)?;
        }
    }
    together
        .into_iter()
        .try_for_each(|knobs| same("with every knob turned that nothing reads", knobs))
}

/// The knobs that nothing reads.
fn idle(played: &Played<'_>) -> Vec<&'static str> {
    let Played {
        scenario, trace, ..
    } = *played;
    let idle = ROWS
        .iter()
        .filter(|row| row.is_idle(trace))
        .flat_map(|row| row.knobs)
        .copied();
    // A player that begins with volume 0 is muted by this knob without any call.
    let is_silent = [&scenario.player]
        .into_iter()
        .chain(scenario.players.iter().map(|(_, player)| player))
        .any(|player| player.volume == Decimal::ZERO);
    // The time limit of a break that does not come decides how long content is held for it.
    let knobs = &scenario.knobs;
    let waits = [knobs.preroll_absent, knobs.postroll_absent].contains(&AbsentBreak::AfterTimeout);
    let is_limit =
        |name: &str| ["ad.break_timeout", "preroll.timeout", "postroll.timeout"].contains(&name);
    let is_read =
        |name: &str| (is_silent && name == "volume.zero_mutes") || (waits && is_limit(name));
    idle.filter(|name| !is_read(name)).collect()
}

fn named(name: &str) -> &'static Knob {
    Knob::named(name).expect("a row names knobs")
}

fn without_header(trace: &Trace) -> Lines {
    Lines::of(trace, |record| record.kind == Kind::Header)
}

impl KnobReads {
    fn is_idle(&self, trace: &Trace) -> bool {
        let is_asked = |record: &Record| {
            let names = match record.kind {
                Kind::Call | Kind::User | Kind::Page | Kind::Diag => self.acts,
                Kind::Event | Kind::State | Kind::Media => self.tells,
                Kind::Header
                | Kind::Listener
                | Kind::Native
                | Kind::Net
                | Kind::Beacon
                | Kind::Ad
                | Kind::Break
                | Kind::Ui
                | Kind::Analytics
                | Kind::Measurement
                | Kind::Edit
                | Kind::Outcome => &[],
            };
            names.contains(&&*record.name) || self.kinds.contains(&record.kind)
        };
        !trace.records.iter().any(is_asked)
    }
}
