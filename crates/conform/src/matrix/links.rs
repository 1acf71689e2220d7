//! Where players, situations, cells and rules are: in the same page, or in pages of a folder.

use super::view::{Column, Line, Place};

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

    /// Returns the URL of the page of a player. In a single page its row in the list of players.
    pub(super) fn player(self, column: &Column<'_>) -> String {
        self.of_player(column, "player")
    }

    /// Returns the URL of the decisions of a player's adapter.
    pub(super) fn decides(self, column: &Column<'_>) -> String {
        self.of_player(column, "decides")
    }

    /// Returns the URL of what a player does otherwise in many situations.
    pub(super) fn shared(self, column: &Column<'_>) -> String {
        self.of_player(column, "shared")
    }

    fn of_player(self, column: &Column<'_>, part: &str) -> String {
        match self {
            Links::Within => format!("#{part}-{}", column.id),
            Links::Between { .. } => self.file(&format!("players/{}.html#{part}-{}", column.page, column.id)),
        }
    }

    /// Returns the URL of a situation.
    pub(super) fn situation(self, line: &Line<'_>) -> String {
        match self {
            Links::Within => format!("#{}", line.id),
            Links::Between { .. } => self.file(&format!("{}#{}", group_page(&line.page), line.id)),
        }
    }

    /// Returns the URL of a rule.
    pub(super) fn rule(self, id: &str) -> String {
        match self {
            Links::Within => format!("#rule-{id}"),
            Links::Between { rule: Some(rule), .. } => self.file(&rule(id)),
            Links::Between { rule: None, .. } => self.file(&format!("rules.html#rule-{id}")),
        }
    }
}

/// Returns the path of the page of a group of situations.
pub(super) fn group_page(page: &str) -> String {
    format!("situations/{page}.html")
}

impl Place<'_, '_> {
    /// The id of its details.
    pub(super) fn id(&self) -> String {
        match self.links {
            Links::Within => format!("{}--{}", self.line.id, self.column.id),
            Links::Between { .. } => self.column.own_id.clone(),
        }
    }

    /// Returns the path of the page with its details, of those in a folder.
    pub(super) fn page(&self) -> String {
        format!("players/{}/{}.html", self.column.page, self.line.id)
    }

    /// Returns the URL of its details, or of its row if it has none.
    pub(super) fn link(&self) -> String {
        match self.links {
            _ if !self.has_details() => self.links.situation(self.line),
            Links::Within => format!("#{}", self.id()),
            Links::Between { .. } => self.links.file(&format!("{}#{}", self.page(), self.id())),
        }
    }
}
