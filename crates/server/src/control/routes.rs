//! The table of the control routes.
//!
//! Rules: EDIT-44 to EDIT-46.

/// A control route.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// The effect of the route, in one sentence.
    pub(crate) about: &'static str,
    /// The schema of the request body; `None` for a request without one.
    pub(crate) takes: Option<&'static str>,
    /// The schema of the response body.
    pub(crate) gives: &'static str,
    pub(crate) act: Act,
}

/// The action of a control route.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    GiveRecords,
    PutRecords,
    GiveJournal,
    Reset,
    PlanFaults,
    SetClock,
    GiveOpenapi,
}

macro_rules! routes {
    (@takes) => { None };
    (@takes $takes:literal) => { Some($takes) };
    ($($method:literal $path:literal $act:ident ($($takes:literal)?) -> $gives:literal, $about:literal;)*) => {
        /// All control routes.
        pub(crate) const ROUTES: &[Route] = &[$(Route {
            method: $method,
            path: $path,
            about: $about,
            takes: routes!(@takes $($takes)?),
            gives: $gives,
            act: Act::$act,
        },)*];
    };
}

routes! {
    "GET" "/_control/records" GiveRecords () -> "Records", "Returns all records, sorted by id.";
    "PUT" "/_control/records" PutRecords ("Records") -> "Count",
        "Replaces all records. A reset restores these records.";
    "GET" "/_control/journal" GiveJournal () -> "Journal",
        "Returns the requests since the start or the last reset, oldest first; at most ten thousand.";
    "POST" "/_control/reset" Reset () -> "Count",
        "Restores the records that were last put, or the initial ones, clears the journal and the faults, and \
         sets the clock to its start.";
    "POST" "/_control/faults" PlanFaults ("Faults") -> "Count",
        "Replaces the planned faults; an empty list removes them all.";
    "POST" "/_control/clock" SetClock ("ClockChange") -> "Clock",
        "Moves the clock, or lets it follow the real time; an empty object only returns the current time.";
    "GET" "/_control/openapi.json" GiveOpenapi () -> "Openapi", "Returns this description.";
}
