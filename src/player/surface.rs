//! What the user hears, sees and clicks: sound, size and fullscreen, the view; and analytics.

mod analytics;
mod click;
pub(super) mod sound;
pub(super) mod view;
