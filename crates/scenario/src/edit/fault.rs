//! Faults that a test plans for the service.
//!
//! A status replaces the edit. A closed connection and an empty body lose the answer to an edit
//! that was made, and a late answer is that of an edit made at once.
//!
//! Rules: EDIT-44, EDIT-47.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Route;
use playsim_base::time::Span;

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ServiceFault {
    /// How long the answer takes on the virtual clock.
    pub after: Span,
    /// The status that is returned instead of editing.
    pub status: Option<u16>,
    /// Whether the connection is closed before the answer.
    pub cut: bool,
    /// Whether the answer has no body.
    pub empty: bool,
}

/// A fault and the call that it waits for: the next one that meets all of these conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct FaultPlan {
    /// The kind of fault.
    pub fault: ServiceFault,
    /// Only the nth matching call, counted from 1 since the plan was made; `None`: the first.
    pub nth: Option<u32>,
    /// Only a call for the video with this id.
    pub id: Option<String>,
    /// Only a call by this route.
    pub route: Option<Route>,
    /// Whether it applies to every such call, and not only to the first.
    pub always: bool,
}

impl FaultPlan {
    /// Whether a call by this route, for the video with this id, matches.
    pub(super) fn matches(&self, route: Option<Route>, id: Option<&str>) -> bool {
        self.route.is_none_or(|only| route == Some(only))
            && self.id.as_deref().is_none_or(|only| id == Some(only))
    }
}

/// As a scenario writes it: without what does not go wrong.
impl Serialize for ServiceFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.after > Span::ZERO {
            map.serialize_entry("after", &self.after.in_seconds())?;
        }
        if let Some(status) = self.status {
            map.serialize_entry("status", &status)?;
        }
        for (name, is_so) in [("cut", self.cut), ("empty", self.empty)] {
            if is_so {
                map.serialize_entry(name, &true)?;
            }
        }
        map.end()
    }
}
