//! The bodies of fuzz targets, which tests replay over their seed corpus.
//!
//! Each takes any input and panics if something does not hold.
//!
//! Those that play sessions have a budget: a session ends after a minute of simulated time at the
//! latest, and has at most 2,000 tasks in each second of it. One that ends by another limit of the
//! engine breaks a law, so that what takes too long is a finding, too.

#[cfg(feature = "serve")]
mod edits;
mod player;
#[cfg(feature = "import")]
mod recordings;
mod sessions;

#[cfg(feature = "serve")]
pub use edits::{fields, form};
pub use player::player;
#[cfg(feature = "import")]
pub use recordings::recording;
pub use sessions::{session, text, vast};
