//! What form of ads a break shows: of those that it wants, the first that the document has.
//!
//! It is settled when a document is there, since only then it is known; once an ad of the break was ready it
//! stays. A break that turns from linear ads to an overlay, or the other way round, is another kind of break
//! from there on: whoever holds it has to look. It turns into nothing that there is no room for.
//!
//! Rules: VMAP-7; VMAP 1.0.1 section 2.4.

use super::AdForm;
use crate::ads::chain::Yield;
use crate::ads::course::Course;
use crate::api::{Fields, Kind, Outbox};
use crate::knobs::Knobs;
use crate::rule;
use crate::vast::{Ad, AdKind, CreativeKind, Document};

impl Course {
    /// A document is there: the break shows the first form that it wants and the document has. Rule VMAP-7.
    pub(in crate::ads) fn settle_form(&mut self, document: &Document, knobs: &Knobs, out: &mut Outbox) {
        let Some(vmap) = self.vmap.as_ref().filter(|_| self.chain.yielded() == Yield::Nothing) else {
            return;
        };
        let of = vmap.of();
        let admission = self.admission(knobs);
        let counts = |ad: &&Ad| matches!(ad.kind, AdKind::Inline) && admission.counts(ad);
        // What a wrapper leads to is not known yet.
        let inline: Vec<&Ad> = document.ads.iter().filter(counts).collect();
        let room = vmap.room;
        let may_be = |form: AdForm| of.kind_of(form) == self.kind || room.has(of.kind_of(form));
        let has = |form: &AdForm| may_be(*form) && inline.iter().any(|ad| offers(ad, *form));
        let Some(form) = of.forms.iter().copied().find(has) else { return };
        let (from, to) = (self.kind, of.kind_of(form));
        if from != to {
            let why = format!("the document has {} ads", form.word());
            let data = Fields::one("kind", to.word()).with("from", from.word()).with("why", why);
            self.kind = to;
            out.line(rule!("VMAP-7"), Kind::Break, "turn", data);
        }
    }
}

/// Whether an ad has something of a form.
fn offers(ad: &Ad, form: AdForm) -> bool {
    ad.creatives.iter().any(|creative| match (&creative.kind, form) {
        (CreativeKind::Linear(_), AdForm::Linear) => true,
        (CreativeKind::NonLinear(nonlinear), AdForm::NonLinear) => !nonlinear.choices.is_empty(),
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
