//! The form of ads that a VMAP break shows: the first of the forms it accepts that its document
//! has.
//!
//! The form is known only when a document has arrived, and it is final once an ad of the break was
//! ready. A break that changes between linear ads and an overlay becomes a break of another kind,
//! so its owner has to check the kind after each input. It never changes to a kind for which there
//! is no space.
//!
//! Rules: VMAP-7; VMAP 1.0.1 section 2.4.

use crate::ad_break::course::Course;
use crate::plan::vmap::AdForm;
use crate::report::context::Scope;
use crate::request::chain::Yield;
use playsim_api::{BreakLine, Fields};
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;
use playsim_vast::{Ad, AdKind, CreativeKind, Document};

impl Course {
    /// Sets the form when a document arrives: the first that the break accepts and the document
    /// has. Rule VMAP-7.
    pub(crate) fn settle_form(
        &mut self,
        document: &Document,
        knobs: &KnobReader,
        cx: &mut Scope<'_>,
    ) {
        let Some(vmap) = self
            .vmap
            .as_ref()
            .filter(|_| self.chain.yielded() == Yield::Nothing)
        else {
            return;
        };
        let of = vmap.of();
        let admission = self.admission(knobs);
        let counts = |ad: &&Ad| matches!(ad.kind, AdKind::Inline) && admission.counts(ad);
        // The target of a wrapper is not known yet.
        let inline: Vec<&Ad> = document.ads.iter().filter(counts).collect();
        let room = vmap.room;
        let may_be = |form: AdForm| of.kind_of(form) == self.kind || room.has(of.kind_of(form));
        let has = |form: &AdForm| may_be(*form) && inline.iter().any(|ad| offers(ad, *form));
        let Some(form) = of.forms.iter().copied().find(has) else {
            return;
        };
        let (from, to) = (self.kind, of.kind_of(form));
        if from != to {
            let why = format!("the document has {} ads", form.word());
            let data = Fields::one("kind", to.name())
                .with("from", from.name())
                .with("why", why);
            (self.kind, cx.kind) = (to, to);
            cx.out.line(rules::VMAP_7, BreakLine::Turn, data);
        }
    }
}

/// Whether an ad has a creative of this form.
fn offers(ad: &Ad, form: AdForm) -> bool {
    ad.creatives
        .iter()
        .any(|creative| match (&creative.kind, form) {
            (CreativeKind::Linear(_), AdForm::Linear) => true,
            (CreativeKind::NonLinear(nonlinear), AdForm::NonLinear) => {
                !nonlinear.choices.is_empty()
            }
            (CreativeKind::Companions(ads), AdForm::Display) => ads.shown().is_some(),
            (
                CreativeKind::Linear(_)
                | CreativeKind::NonLinear(_)
                | CreativeKind::Companions(_)
                | CreativeKind::Empty,
                AdForm::Linear | AdForm::NonLinear | AdForm::Display,
            ) => false,
        })
}
