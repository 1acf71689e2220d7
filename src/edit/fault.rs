//! Faults that a test asks the service for.
//!
//! A status is answered in place of the edit; a connection that is cut and a body that stays out lose the
//! answer of an edit that was made. An answer that comes late belongs to an edit made at once.
//!
//! Rules: EDIT-44, EDIT-47.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Route;
use crate::time::Span;

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServiceFault {
    /// How long the answer takes, on the virtual clock.
    pub after: Span,
    /// The status that is answered in place of the edit.
    pub status: Option<u16>,
    /// Whether the connection is cut before the answer.
    pub cut: bool,
    /// Whether the answer has no body.
    pub empty: bool,
}

/// A fault and the call that it waits for: the next one to which all of these apply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FaultPlan {
    /// What goes wrong.
    pub fault: ServiceFault,
    /// Only the so manieth of the calls that match, counted from 1 since the plan was made; `None`: the first.
    pub nth: Option<u32>,
    /// Only a call for the video of this id.
    pub id: Option<String>,
    /// Only a call by this route.
    pub route: Option<Route>,
    /// Whether it stays for every such call instead of going with the first.
    pub always: bool,
}

impl FaultPlan {
    /// Whether a call by this route, for the video of this id, is meant.
    pub(super) fn matches(&self, route: Option<Route>, id: Option<&str>) -> bool {
        self.route.is_none_or(|only| route == Some(only))
            && self.id.as_deref().is_none_or(|only| id == Some(only))
    }
}

/// As a scenario writes it: what does not go wrong is left out.
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
