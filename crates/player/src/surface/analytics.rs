//! Analytics of a player: custom analytics events and audience measurement.
//!
//! Page code triggers the former, a knob enables the latter. No event of the player writes an
//! analytics line on its own.
//!
//! Rules: GA-1 to GA-4, EDIT-60.
use crate::content::Items;
use playsim_api::{
    ApiError, Because, Cause, Code, Fields, Line, MeasurementLine, Outbox, Output, Text, Value,
};
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;

/// `GoogleAnalytics.fireCustom(category, action)`.
///
/// # Errors
///
/// `ga_outside_ready` outside of a ready callback, with the knob; `bad_argument` without two
/// strings. Rules GA-2, GA-3.
pub(crate) fn fire_custom(
    knobs: &KnobReader,
    args: &[Value],
    within_ready: bool,
    out: &mut Outbox,
) -> Result<Value, ApiError> {
    const OUTSIDE: &str = "GoogleAnalytics.fireCustom() must be called in a ready callback";
    if !within_ready && knobs.ga_strict().is_on() {
        let rule = rules::GA_2;
        return Err(ApiError {
            code: Code::GaOutsideReady,
            text: OUTSIDE.into(),
            rule,
        });
    }
    let text = |index: usize| args.get(index).and_then(Value::as_text);
    let (Some(category), Some(action)) = (text(0), text(1)) else {
        let text = "GoogleAnalytics.fireCustom(category, action) takes two strings";
        return Err(ApiError {
            code: Code::BadArgument,
            text: text.into(),
            rule: rules::GA_3,
        });
    };
    if within_ready {
        out.decide(rules::GA_1);
    } else {
        out.decide(rules::GA_2);
        out.diag(rules::GA_2, Code::GaOutsideReady, OUTSIDE);
    }
    let data = Fields::one("action", action.clone());
    out.put(
        rules::GA_1,
        Output::Line(Line::analytics(category.clone(), data)),
    );
    Ok(Value::Undefined)
}

impl Items {
    /// The audience-measurement fields of the item that starts, if the knob is on. Rule EDIT-60.
    pub(crate) fn measure_start(&self, knobs: &KnobReader, start: Cause, out: &mut Outbox) {
        let Some(video) = self
            .playlist
            .video()
            .filter(|_| knobs.comscore_trace().is_on())
        else {
            return;
        };
        let values = video
            .comscore
            .iter()
            .map(|(name, value)| (Text::from(name), Value::from(value)));
        let data: Fields = values.collect();
        if !data.is_empty() {
            let line = Line::new(MeasurementLine::Start, data);
            out.put(
                Because {
                    rule: rules::EDIT_60,
                    cause: start,
                },
                Output::Line(line),
            );
        }
    }
}
