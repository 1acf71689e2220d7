//! What the binary and the tests of this package share with the library.
//!
//! No part of the library's interface: it changes without notice.

use crate::scenario::Scenario;

pub use crate::ads::AD_ERRORS;
pub use crate::diff::text::BEGINNING;
#[cfg(any(feature = "cli", feature = "serve"))]
pub use crate::signals::signals;
pub use crate::vast::standard_macros::{given_by_pages, is_standard as is_standard_macro};
pub use crate::world::World;

/// The responses of a scenario's URLs, its media and its records.
#[must_use]
pub fn world(scenario: &Scenario) -> World {
    World::new(scenario.surroundings())
}

/// The dictionary of codes, printed.
pub mod dictionary {
    pub use crate::dictionary::print::{json, list, markdown, text};
}

/// How text is escaped.
pub mod escape {
    pub use crate::escape::{is_control, json, line, lines, quoted};
}

/// Pages of HTML.
pub mod html {
    pub use crate::html::{escape, facts, head, page};
}

/// The table of knobs, printed.
pub mod knobs {
    pub use crate::knobs::print::{json, markdown, text};
}

/// The rule table, selected and printed.
pub mod rules {
    pub use crate::rules::print::{Selection, UnknownFilter, json, markdown, text};
}

/// Starter scenarios, and the search for scenarios among other files.
pub mod scenario {
    #[cfg(feature = "cli")]
    pub use crate::scenario::error::picture;
    pub use crate::scenario::read::{expectation_places, is_scenario};
    pub use crate::scenario::starter::{FAILURES, Ready, ready_made, starter};
}

/// The catalog file of the server, and forms.
#[cfg(feature = "serve")]
pub mod serve {
    pub use crate::serve::form::{Bytes, multipart};
    pub use crate::serve::records::{Wrong, read as read_records, stored, write as write_records};
    pub use crate::serve::store::{Change, Store, is_catalog, read as read_store};
}

/// Checks of scenarios.
#[cfg(feature = "testing")]
pub mod testing {
    pub use crate::testing::played::is_catching;
}

/// Proposals for unknown words.
pub mod words {
    pub use crate::words::{consists_of, counted, io_error, nearest, seconds, slip, unknown, wrap};
}
