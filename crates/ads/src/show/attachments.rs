//! The attachments of an ad's media: icons, companions, and the viewability measurement.
//!
//! Each linear ad and each overlay has one [`Attachments`] and notifies it when the ad gets ready,
//! starts, runs, halts and ends. Its timed parts follow the clock of the ad.
//!
//! Rules: ADX-4 to ADX-18; VAST 4.3 sections 3.5, 3.11, 3.13, 3.14.

use std::sync::Arc;

use super::companions::{Companions, Placed};
use super::icons::Icons;
use super::viewable::Viewing;
use crate::error::Failure;
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::hop::Hop;
use playsim_api::media::Playhead;
use playsim_api::page::Sides;
use playsim_api::{AdLine, Because, BreakKind, Cause, Fields, Outbox, Text, UiLine};
use playsim_base::time::{Span, Time};
use playsim_rules::{self as rules, RuleId};

/// The attachments of an ad's media.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Attachments {
    pub(crate) icons: Icons,
    pub(crate) companions: Companions,
    viewing: Viewing,
    /// The URL of the open fallback image. Rule ADX-11.
    fallback: Option<Text>,
    measures_view: bool,
    /// How long an end card is shown. Rule ADX-17.
    card_shows_for: Span,
}

impl Attachments {
    /// Chooses the attachments of the ad at the end of these hops.
    ///
    /// # Errors
    ///
    /// 602 if the ad requires companions that have no slot on the page. Rule ADX-13.
    pub(crate) fn of(
        hops: &[Hop],
        kind: BreakKind,
        cx: &Scope<'_>,
    ) -> Result<Box<Attachments>, Failure> {
        Ok(Box::new(Attachments {
            icons: Icons::choose(hops, kind, cx.around.sides),
            companions: Companions::place(hops, kind, cx.around.sides, cx.around.size)?,
            viewing: Viewing::of(hops, kind),
            fallback: None,
            measures_view: cx.around.sides.measures_view,
            card_shows_for: cx.knobs().ad_end_card(),
        }))
    }

    /// Logs the choice: the ad is ready and has this duration. Rules ADX-8, ADX-12, ADX-14.
    pub(crate) fn log_choice(&self, hops: &[Hop], length: Span, cx: &mut Scope<'_>) {
        self.icons.log_choice(hops, length, cx);
        if !self.companions.is_visible() {
            self.companions.log_choice(hops, cx);
        }
    }

    /// The ad starts. Rules ADX-6, ADX-15.
    pub(crate) fn start(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        if !self.companions.is_visible() {
            self.companions.show(cause, ad, cx);
        }
        self.viewing.begin(self.measures_view, cause, ad, cx);
        self.viewing.see(cx.now(), cx.macros.is_seen());
    }

    /// The clock of the ad starts or stops. Rule ADX-4.
    pub(crate) fn run(&mut self, now: Time, runs: bool) {
        self.viewing.run(now, runs);
    }

    /// The player came into the user's view or left it. Rule ADX-4.
    pub(crate) fn see(&mut self, now: Time, is_seen: bool) {
        self.viewing.see(now, is_seen);
    }

    /// When the next icon or view event is due, if the ad's clock keeps running. `passed` is
    /// returned for an icon whose position has already been passed.
    pub(crate) fn due(&self, head: &Playhead, passed: Time) -> Option<Time> {
        // Nothing is due while the clock stands, or advances at a rate of 0.
        let icon = self.icons.next_at().and_then(|at| {
            head.reaches(at)
                .or_else(|| head.reaches_or_passed(at).map(|_| passed))
        });
        [icon, self.viewing.due()].into_iter().flatten().min()
    }

    /// Does the work that is due. Rules ADX-4, ADX-9.
    pub(crate) fn wake(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.icons.reach(ad.playhead, cause, ad, cx);
        self.viewing.wake(cause, ad, cx);
    }

    /// The ad is about to end, for `cause`. Rules ADX-5, ADX-9.
    pub(crate) fn end(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.close_fallback(
            Because {
                rule: rules::ADX_11,
                cause,
            },
            &mut cx.out,
        );
        self.icons.hide_all(
            Because {
                rule: rules::ADX_9,
                cause,
            },
            &mut cx.out,
        );
        self.viewing.wake(cause, ad, cx);
        self.viewing.end(cause, ad, cx);
    }

    /// One part of the ad is over and another follows: each part has its own icons. Rules ADX-9,
    /// SEL-1.
    pub(super) fn end_part(&mut self, cause: Cause, _: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.close_fallback(
            Because {
                rule: rules::ADX_11,
                cause,
            },
            &mut cx.out,
        );
        self.icons.hide_all(
            Because {
                rule: rules::ADX_9,
                cause,
            },
            &mut cx.out,
        );
        self.viewing.run(cx.now(), false);
    }

    /// The counterpart of `self` for the next part of the ad, with the icons of that part. Rule
    /// SEL-1.
    pub(crate) fn next_part(
        &self,
        hops: &[Hop],
        kind: BreakKind,
        sides: &Sides,
    ) -> Box<Attachments> {
        Box::new(Attachments {
            icons: Icons::choose(hops, kind, sides),
            ..self.clone()
        })
    }

    /// Removes everything from the screen.
    pub(crate) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        let because = Because {
            rule,
            cause: out.cause(),
        };
        self.close_fallback(because, out);
        self.icons.hide_all(because, out);
        self.companions.hide(rule, out);
    }

    /// The end card and how long it is shown. Rule ADX-17.
    pub(crate) fn card(&self) -> Option<(Arc<Placed>, Span)> {
        self.companions
            .card()
            .map(|card| (Arc::clone(card), self.card_shows_for))
    }

    /// Whether a fallback image is open.
    pub(crate) fn has_fallback(&self) -> bool {
        self.fallback.is_some()
    }

    /// Opens a fallback image. Rule ADX-11.
    pub(crate) fn open_fallback(&mut self, data: Fields, cause: Cause, cx: &mut Scope<'_>) {
        self.fallback = Some(
            data.get("url")
                .and_then(|url| url.as_text().cloned())
                .unwrap_or_else(|| "".into()),
        );
        cx.out.line(
            Because {
                rule: rules::ADX_11,
                cause,
            },
            UiLine::IconFallback,
            Fields::one("visible", true).and(data),
        );
    }

    /// Closes the fallback image, if one is open. Rule ADX-11.
    pub(crate) fn close_fallback(&mut self, because: Because, out: &mut Outbox) {
        if let Some(url) = self.fallback.take() {
            let data =
                Fields::one("visible", false).with_some("url", (!url.is_empty()).then_some(url));
            out.line(because, UiLine::IconFallback, data);
        }
    }
}

/// Logs which captions of an ad match the language of the page. Rule ADX-25.
pub(crate) fn log_captions(hop: &Hop, sides: &Sides, cx: &mut Scope<'_>) {
    let captions: Vec<_> = hop.linears().flat_map(|linear| &linear.captions).collect();
    if captions.is_empty() {
        return;
    }
    let primary = |language: &str| {
        language
            .split(['-', '_'])
            .next()
            .unwrap_or(language)
            .to_ascii_lowercase()
    };
    let chosen = sides.language.as_deref().and_then(|wanted| {
        let said = |file: &&&playsim_vast::CaptionFile| {
            file.language.as_deref().unwrap_or_default().to_owned()
        };
        let exact = captions
            .iter()
            .find(|file| said(file).eq_ignore_ascii_case(wanted));
        exact.or_else(|| {
            captions
                .iter()
                .find(|file| primary(&said(file)) == primary(wanted))
        })
    });
    let data = Fields::one("files", captions.len());
    let data = match chosen {
        Some(file) => data
            .with("url", Text::from(&file.url.text))
            .with_some("language", file.language.as_ref().map(Text::from))
            .with_some("type", file.mime.as_ref().map(Text::from))
            .with("at", hop.place(file.url.at)),
        None if sides.language.is_none() => data.with("why", "the page has no language"),
        None => data.with("why", "none is in the page's language"),
    };
    cx.out.line(rules::ADX_25, AdLine::SelectCaptions, data);
}

/// Logs the details that the documents give of an ad that fills, such as price and ids. Rule
/// ADX-26.
pub(crate) fn log_details(hops: &[Hop], cx: &mut Scope<'_>) {
    let Some(hop) = hops.last() else { return };
    let ad = hop.ad();
    let price = hops.iter().find_map(|hop| hop.ad().pricing.as_ref());
    let price = price.map(|price| {
        let model = price.model.iter().map(|model| format!(" {model}"));
        let currency = price.currency.iter().map(|currency| format!(" {currency}"));
        format!(
            "{}{}",
            price.value,
            currency.chain(model).collect::<String>()
        )
    });
    let ids = hop
        .creatives()
        .flat_map(|creative| &creative.universal_ids)
        .filter_map(|id| {
            let value = id.value.as_deref()?;
            Some(id.registry.as_deref().map_or_else(
                || value.to_owned(),
                |registry| format!("{value} ({registry})"),
            ))
        });
    let ids: Vec<String> = ids.collect();
    let index = hops
        .iter()
        .rev()
        .flat_map(|hop| &hop.ad().extensions)
        .find_map(|extension| {
            let is_waterfall = extension.kind.as_deref() == Some("waterfall");
            extension
                .attribute("fallback_index")
                .filter(|_| is_waterfall)
        });
    let serving_id = ad.serving_id.as_ref().map(Text::from);
    if price.is_none() && ids.is_empty() && index.is_none() && serving_id.is_none() {
        return;
    }
    let data = Fields::NONE
        .with_some("price", price)
        .with_some("serving_id", serving_id)
        .with_some("universal_ids", (!ids.is_empty()).then(|| ids.join(", ")))
        .with_some("fallback_index", index.map(str::to_owned));
    cx.out.line(rules::ADX_26, AdLine::About, data);
}
