//! What is measured of a player: custom analytics events, and audience measurement.
//!
//! Page code asks for the one, a knob for the other. No event of the player makes an analytics line by
//! itself.
//!
//! Rules: GA-1 to GA-4, EDIT-60.

use super::*;
use crate::api::Cause;

impl Player {
    /// `GoogleAnalytics.fireCustom(category, action)`.
    ///
    /// # Errors
    ///
    /// `ga_outside_ready` outside of a ready callback, with the knob; `bad_argument` without two texts.
    /// Rules GA-2, GA-3.
    pub(super) fn fire_custom(
        &mut self,
        args: &[Value],
        within_ready: bool,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        const OUTSIDE: &str = "GoogleAnalytics.fireCustom() belongs into a ready callback";
        if !within_ready && self.settings.knobs.ga_strict.is_on() {
            let rule = rule!("GA-2");
            return Err(ApiError { code: "ga_outside_ready", text: OUTSIDE.into(), rule });
        }
        let text = |index: usize| args.get(index).and_then(Value::as_text);
        let (Some(category), Some(action)) = (text(0), text(1)) else {
            let text = "GoogleAnalytics.fireCustom(category, action) takes two texts";
            return Err(ApiError { code: "bad_argument", text: text.into(), rule: rule!("GA-3") });
        };
        if within_ready {
            out.decide(rule!("GA-1"));
        } else {
            out.decide(rule!("GA-2"));
            out.diag(rule!("GA-2"), "ga_outside_ready", OUTSIDE);
        }
        let data = Fields::one("action", action.clone());
        out.line(rule!("GA-1"), Kind::Analytics, category.clone(), data);
        Ok(Value::Undefined)
    }

    /// The audience-measurement fields of the item that starts, with the knob. Rule EDIT-60.
    pub(super) fn measure_start(&self, start: Cause, out: &mut Outbox) {
        let Some(video) = self.playlist.video().filter(|_| self.settings.knobs.comscore_trace.is_on()) else {
            return;
        };
        let values = video.comscore.iter().map(|(name, value)| (Text::from(name), Value::from(value)));
        let data: Fields = values.collect();
        if !data.is_empty() {
            let line = crate::api::Line { kind: Kind::Measurement, name: "start".into(), data };
            out.put_because(start, rule!("EDIT-60"), Output::Line(line));
        }
    }
}
