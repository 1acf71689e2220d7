//! The control route that moves the clock.

use axum::response::Response;
use jiff::Timestamp;
use serde_json::json;

use super::object::{Object, Wrong};
use super::{answer, problem, refused};
use crate::app::App;
use crate::clock::{ClockSetBack, Pace};
use playsim_base::time::Span;

const FORM: &str = "the body must be a JSON object such as { \"advance\": \"90s\" }, \
                    { \"at\": \"2026-03-01T00:00:00Z\" } or { \"follow\": \"real\" }";

/// A change of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Change {
    advance: Option<Span>,
    at: Option<Timestamp>,
    follow: Option<Pace>,
}

/// Changes the clock as the body says, and responds with its time.
pub(super) fn change(app: &App, text: &str) -> Response {
    let change = match read(text) {
        Ok(change) => change,
        Err(wrong) => return refused(&wrong),
    };
    let mut state = app.state();
    let clock = &mut state.clock;
    let moved = match change {
        Change {
            advance: Some(by), ..
        } => {
            clock.advance(by);
            Ok(())
        }
        Change { at: Some(at), .. } => clock.move_to(at),
        Change {
            follow: Some(pace), ..
        } => clock.follow(pace),
        Change {
            advance: None,
            at: None,
            follow: None,
        } => Ok(()),
    };
    if let Err(ClockSetBack { now }) = moved {
        let detail = format!(
            "the clock is at {now} and cannot go back; POST /_control/reset sets it to its start"
        );
        return problem(409, &detail, &[]);
    }
    let now = clock.now();
    let shown = json!({ "now": clock.calendar(now).to_string(), "t": now.micros(), "follow": clock.pace().to_string() });
    answer::json(shown.to_string())
}

fn read(text: &str) -> Result<Change, Vec<Wrong>> {
    let mut object = Object::read(text, text, FORM)?;
    let change = Change {
        advance: object.take("advance", "a duration such as \"90s\"", |text: String| {
            text.parse::<Span>().ok()
        }),
        at: object.take(
            "at",
            "a date and time such as \"2026-03-01T00:00:00Z\"",
            |text: String| text.parse().ok(),
        ),
        follow: object.take("follow", "\"still\" or \"real\"", |word: String| {
            word.parse::<Pace>().ok()
        }),
    };
    let count = [
        change.advance.is_some(),
        change.at.is_some(),
        change.follow.is_some(),
    ];
    if count.into_iter().filter(|is_there| *is_there).count() > 1 {
        object.refuse(
            "use only one of advance, at and follow, such as { \"advance\": \"90s\" }".to_owned(),
        );
    }
    object.end("the clock").map(|()| change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_change_at_a_time_is_accepted() {
        let advance = Change {
            advance: Some(Span::from_secs(90)),
            ..Change::default()
        };
        assert_eq!(read("{ \"advance\": \"90s\" }"), Ok(advance));
        assert_eq!(read("{}"), Ok(Change::default()));
        let real = Change {
            follow: Some(Pace::Real),
            ..Change::default()
        };
        assert_eq!(read("{ \"follow\": \"real\" }"), Ok(real));
        let wrong = |text: &str| read(text).unwrap_err()[0].to_string();
        assert!(
            wrong("{ \"advance\": \"90s\", \"follow\": \"real\" }")
                .starts_with("1:1: use only one of")
        );
        assert!(
            wrong("{ \"advance\": 90 }")
                .starts_with("1:14: field \"advance\" is 90; it must be a duration")
        );
        assert!(wrong("{ \"folow\": \"real\" }").ends_with("did you mean \"follow\"?"));
        assert!(wrong("").starts_with("1:1: "), "{}", wrong(""));
    }
}
