//! A scenario that was drawn, for the crates that draw: it is printed as it would be written to a
//! file.

use std::fmt;
use std::ops::Deref;

use playsim_scenario::Scenario;

/// A scenario that was drawn, for `proptest` and `arbitrary`. It is printed as YAML with its
/// documents, or as JSON without the feature `yaml`, so that a failure that they print can be
/// copied into a file and played.
#[derive(Clone, PartialEq, Eq)]
pub struct Session(pub Scenario);

impl Deref for Session {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        &self.0
    }
}

impl AsRef<Scenario> for Session {
    fn as_ref(&self) -> &Scenario {
        &self.0
    }
}

impl From<Session> for Scenario {
    fn from(session: Session) -> Scenario {
        session.0
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(&self.0))
    }
}

/// A scenario as it is written to a file, with its documents.
pub(super) fn text(scenario: &Scenario) -> String {
    let scenario = scenario.inlined();
    #[cfg(feature = "yaml")]
    return scenario.to_yaml();
    #[cfg(not(feature = "yaml"))]
    return scenario.to_json();
}
