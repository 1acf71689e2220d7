//! The ground of playsim: whole microseconds, exact decimals, the values of page code, enums made
//! from tables of names, places in texts, text for messages and pages, and threads for independent
//! work.

pub mod chance;
pub mod code;
pub mod escape;
#[cfg(feature = "html")]
pub mod html;
pub mod interval;
pub mod json;
pub mod named;
pub mod number;
pub mod place;
pub mod time;
pub mod value;
pub mod watch;
pub mod words;
pub mod workers;
