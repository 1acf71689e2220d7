//! playsim for other languages: text in, text out, both in JSON.
//!
//! [`request`] has no state. A [`World`] is a running simulation whose page code is outside:
//! functions of the host language are listeners like any other, and act through [`Within`] while
//! they run.
//!
//! Every answer is a JSON text. An error is `{ "message" }`, with `code` and `rule` if a call of
//! the player failed, and with `mistakes` and their places if a text could not be read.

mod answers;
#[cfg(feature = "recordings")]
mod columns;
#[cfg(feature = "explore")]
mod explored;
mod golden;
mod look;
mod operation;
mod read;
#[cfg(feature = "recordings")]
mod recording;
mod request;
mod tables;
mod values;
#[cfg(feature = "recordings")]
mod what_if;
mod world;

pub use answers::of_scenario as scenario_failure;
#[cfg(feature = "recordings")]
pub use columns::{ColumnValues, SweepColumn, Texts, sweep_columns};
pub use operation::show;
pub use playsim::time::Time;
#[cfg(feature = "recordings")]
pub use recording::{Recording, Recordings};
pub use request::request;
pub use world::{Moved, Within, World};

/// A JSON text, or an error as a JSON text.
pub type Answer = Result<String, String>;
