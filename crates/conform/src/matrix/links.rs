//! Where players, situations, cells and rules are: in the same page, or in pages of a folder.

/// How a page refers to the others.
#[derive(Debug, Clone, Copy)]
pub(super) enum Links {
    /// There is one page.
    Within,
    /// There are many, in a folder.
    Between {
        /// The way from this page up to the folder: `../` for each folder between.
        up: &'static str,
        /// Where a rule is, from the folder. Without it in the list of rules of these pages.
        rule: Option<fn(&str) -> String>,
    },
}

impl Links {
    /// Returns the URL of a file in the folder.
    pub(super) fn file(self, path: &str) -> String {
        match self {
            Links::Within => path.to_owned(),
            Links::Between { up, .. } => format!("{up}{path}"),
        }
    }

    /// Returns the URL of what has this id: in this page, or in the one with this path.
    pub(super) fn to(self, path: &str, id: &str) -> String {
        match self {
            Links::Within => format!("#{id}"),
            Links::Between { .. } => self.file(&format!("{path}#{id}")),
        }
    }

    /// Returns the URL of a rule.
    pub(super) fn rule(self, id: &str) -> String {
        match self {
            Links::Between {
                rule: Some(rule), ..
            } => self.file(&rule(id)),
            Links::Within | Links::Between { rule: None, .. } => {
                self.to("rules.html", &format!("rule-{id}"))
            }
        }
    }
}
