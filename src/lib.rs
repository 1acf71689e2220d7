//! A headless stand-in for an ad-supported web video player.
//!
//! A [`Scenario`] goes in: a page, videos, media, ad tags with their responses and delays, and the
//! actions of page code and user. playsim plays it on a virtual clock, in microseconds of real
//! time, and an exact [`Trace`] comes out: every call, event, ad request, wrapper hop, beacon and
//! error, each with its cause and the rule that decided. The same scenario gives the same bytes on
//! every machine.
//!
//! ```
//! # #[cfg(feature = "yaml")] {
//! use playsim::{Scenario, Simulation};
//!
//! // One video of ten seconds, and a pre-roll whose only ad tag responds without an ad.
//! let scenario: Scenario = r#"
//!     videos: [{ id: film, renditions: { sd: film.mp4 } }]
//!     media: { film.mp4: { duration: 10s } }
//!     player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
//!     network: { https://ads.test/a: { after: 200ms, text: "<VAST version='4.2'/>" } }
//! "#.parse()?;
//! let trace = Simulation::new(&scenario)?.run();
//! let events: Vec<_> = trace.events().map(|event| event.name.name()).collect();
//! assert_eq!(events[..5], ["ready", "requestAd", "loadedmetadata", "adError", "adEnd"]);
//! # }
//! # Ok::<(), playsim::ScenarioError>(())
//! ```
//!
//! A scenario can be built in Rust as well:
//!
//! ```
//! use playsim::api::{EventName, Fields, Value};
//! use playsim::scenario::{AnswerScript, MediaScript};
//! use playsim::time::Span;
//! use playsim::video::{Rendition, Video};
//! use playsim::{Scenario, Simulation};
//!
//! let tag = "https://ads.test/a";
//! let ad = Fields::one("adType", 0).with("adTimeType", "s");
//! let ad = ad.with("mobile", Value::List(vec![tag.into()]));
//! let scenario = Scenario::default()
//!     .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
//!     .with_media("film.mp4", MediaScript::of_length(Span::from_secs(10)))
//!     .with_ad(ad)
//!     .with_answer(
//!         tag,
//!         AnswerScript::body("<VAST version='4.2'/>").after(Span::from_millis(200)),
//!     );
//! let trace = Simulation::new(&scenario)?.run();
//! assert!(trace.events().any(|event| event.name == EventName::AdError));
//! # Ok::<(), playsim::ScenarioError>(())
//! ```
//!
//! # Design
//!
//! One input goes in at a time, all its consequences come out, and both are written to the trace.
//! Nothing happens between inputs. A [`Player`](player::Player) never fetches, never waits and
//! never reads a clock: it requests what it needs (a document, media, a wake-up) and gets the
//! results as inputs. Programs other than the [`Simulation`] can drive it: give it inputs with a
//! time, take its outputs, and ask when it wants to be woken.
//!
//! - Time is whole microseconds ([`time`]); there are no floats.
//! - Positions are an anchor and a rate ([`media::Playhead`]), and due times are computed, not
//!   scheduled: cost follows events, not simulated time.
//! - At one instant the order is one rule: class of work, then insertion ([`sim`]).
//! - Everything the player does rests on a row of the rule table ([`rules`]); a trace line names
//!   it.
//! - An error in what a user wrote is an `Err` with its place. An ad, media or server that
//!   misbehaves inside the simulation is data in the trace. A panic is a bug in playsim.
//!
//! Nothing in the library reads a clock, a file, a socket or an environment variable; only the
//! command line does, and `serve`, which has a feature of its own. With `default-features = false`
//! there is only the engine.

// The command line is written like any other program that uses the library.
#[cfg(feature = "cli")]
extern crate self as playsim;

#[cfg(feature = "cli")]
pub mod cli;

pub use playsim_api::{self as api, catalog, media, page, video};
pub use playsim_base::{place, time};
pub use playsim_check::{self as check, diff, recording};
#[cfg(feature = "conform")]
pub use playsim_conform as conform;
pub use playsim_element as element;
#[cfg(feature = "fetch")]
pub use playsim_fetch as fetch;
#[cfg(feature = "import")]
pub use playsim_import as import;
pub use playsim_player as player;
#[cfg(feature = "report")]
pub use playsim_report::{self as report, dictionary};
pub use playsim_rules::{self as rules, knobs};
pub use playsim_scenario::{self as scenario, edit};
#[cfg(feature = "serve")]
pub use playsim_server as serve;
#[cfg(feature = "origin")]
pub use playsim_server::origin;
pub use playsim_sim as sim;
#[cfg(feature = "sweep")]
pub use playsim_sweep as sweep;
#[cfg(feature = "testing")]
pub use playsim_testing as testing;
pub use playsim_trace as trace;
pub use playsim_vast as vast;

pub use scenario::{Scenario, ScenarioError};
pub use sim::Simulation;
pub use trace::Trace;
