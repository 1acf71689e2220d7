//! Random scenarios, the laws that hold for all of them, and the smallest scenario that breaks one.
//!
//! Authors of page code, ad servers or players can state properties that must always hold, and
//! have them tried on sessions that no one would write by hand:
//!
//! ```
//! use playsim::api::EventName;
//! use playsim::testing::{Broken, Feature, Options, Source, check, scenario};
//!
//! // Whatever the ad servers respond, and however late: an ad that completes has started.
//! let features = [Feature::Ads, Feature::Late, Feature::Faults];
//! let options = Options::default().features(features).steps(0..=6);
//! for seed in 0..100 {
//!     let trace = check(&scenario(&mut Source::from_seed(seed), &options))?;
//!     let count = |name| trace.events().filter(|event| event.name == name).count();
//!     assert!(count(EventName::AdComplete) <= count(EventName::AdStart), "seed {seed}");
//! }
//! # Ok::<(), Broken>(())
//! ```
//!
//! - A [`Source`] makes the choices: the same seed, or the same bytes of a fuzzer, give the same
//!   scenario.
//! - [`scenario()`] draws one, as a whole or [around](Options::around) one of your own.
//! - [`check`] plays it and checks the [`LAWS`], which include the
//!   [invariants](playsim_check::invariants) and the expectations of the scenario. [`Broken`] holds
//!   the data of a report.
//! - [`shrink()`] reduces a scenario that fails by any other measure.
//! - [`Coverage`] counts the coverage of a series of scenarios.
//!
//! With the feature `arbitrary`, [`Session`] is drawn from a fuzzer's bytes; with `proptest`,
//! [`sessions`] is a strategy that shrinks by structure and proposes only scenarios that can be
//! played. Both print a session as YAML.

mod ad_laws;
mod ad_objects;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod around;
mod attachments;
mod calls;
mod cast;
mod checks;
mod coverage;
mod documents;
mod drawn;
mod edits;
pub mod explore;
mod feature;
pub mod fuzz;
mod grid;
mod laws;
mod lines;
mod listening;
mod options;
mod places;
mod plan;
pub(crate) mod played;
#[cfg(feature = "proptest")]
mod proptest;
mod records;
mod session;
mod settings;
mod shrink;
mod source;
mod steps;
mod terms;
mod units;
mod unreached;
mod values;
mod vary;
mod wholly;
mod world;

#[cfg(feature = "proptest")]
pub use self::proptest::{SessionTree, Sessions, sessions};
pub use checks::{Broken, Checks, check};
pub use coverage::{Coverage, Reached};
pub use drawn::scenario;
pub use explore::{Bounds, Explored, explore};
pub use feature::Feature;
pub use laws::{LAWS, Law};
pub use options::{MAX_STEPS, Options};
pub use played::is_catching;
pub use session::Session;
pub use shrink::shrink;
pub use source::Source;
pub use vary::Vary;
