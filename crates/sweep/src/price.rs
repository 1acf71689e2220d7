//! The price of an impression: prices given for tags, or written in VAST documents.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::SweepError;
use super::summary::RunOutcome;
use super::tag::TagNumber;
use playsim_base::number::Decimal;
use playsim_scenario::{Scenario, ScriptedAnswer};
use playsim_vast as vast;

/// The price of a tag's impressions: `tag1=2.50`, in any currency, for 1,000 impressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The tag.
    pub tag: TagNumber,
    /// The price of 1,000 impressions.
    pub cpm: Decimal,
}

/// Parses `tag1=2.50`.
impl FromStr for Price {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Price, SweepError> {
        let read = || {
            let (tag, cpm) = text.split_once('=')?;
            let tag = TagNumber::new(tag.trim().strip_prefix("tag")?.parse().ok()?)?;
            let cpm: Decimal = cpm.trim().parse().ok()?;
            (cpm >= Decimal::ZERO && cpm <= Decimal::from_integer(1_000_000))
                .then_some(Price { tag, cpm })
        };
        let why = "it must be a tag and what 1,000 of its impressions earn, such as tag1=2.50";
        read().ok_or_else(|| SweepError::input(format!("\"{text}\": {why}")))
    }
}

/// All prices of a sweep.
#[derive(Debug, Clone, Default)]
pub(super) struct Prices {
    tags: Vec<Price>,
    /// The prices in documents, by the place of the ad as traces name it.
    ads: BTreeMap<String, Decimal>,
    /// The currency of the prices in documents, if they agree.
    pub(super) currency: Option<String>,
}

impl Prices {
    /// Prices of tags, and those of the scenario's documents for all other tags: `Pricing` of the
    /// model CPM, in the currency of the first one.
    pub(super) fn new(tags: &[Price], scenario: &Scenario) -> Prices {
        let mut prices = Prices {
            tags: tags.to_vec(),
            ..Prices::default()
        };
        for (address, answers) in &scenario.network {
            for answer in answers {
                if let ScriptedAnswer::Body { name, text, .. } = &answer.answer {
                    prices.note(if name.is_empty() { address } else { name }, text);
                }
            }
        }
        prices
    }

    fn note(&mut self, name: &str, text: &str) {
        // Most documents have no prices, and need not be read for them.
        if !text.contains("Pricing") {
            return;
        }
        for ad in &vast::read(text).ads {
            let Some(pricing) = &ad.pricing else { continue };
            let is_cpm = pricing
                .model
                .as_ref()
                .is_some_and(|model| model.trim().eq_ignore_ascii_case("cpm"));
            let Some(cpm) = pricing.value.trim().parse().ok().filter(|_| is_cpm) else {
                continue;
            };
            let currency = pricing
                .currency
                .as_ref()
                .map(|it| it.trim().to_ascii_uppercase())
                .unwrap_or_default();
            if self.ads.is_empty() || self.currency.as_deref().unwrap_or_default() == currency {
                self.currency = Some(currency).filter(|it| !it.is_empty());
                self.ads.insert(format!("{name}:{}", ad.at), cpm);
            }
        }
    }

    /// Whether any price is known.
    pub(super) fn are_known(&self) -> bool {
        !self.tags.is_empty() || !self.ads.is_empty()
    }

    /// The revenue of 1,000 sessions like this one; `None` if the price of one of its ads is not
    /// known.
    pub(super) fn of_outcome(&self, outcome: &RunOutcome) -> Option<Decimal> {
        let mut is_known = self.are_known();
        let earned = self.earned(outcome, |_| is_known = false);
        is_known.then(|| Decimal::from_millionths(earned))
    }

    /// The revenue of 1,000 sessions like this one, in millionths. `unknown` receives the tags
    /// of ads without a price, which earn nothing.
    pub(super) fn earned(&self, outcome: &RunOutcome, mut unknown: impl FnMut(TagNumber)) -> i64 {
        let mut sum = 0;
        for shown in &outcome.shown {
            let given = self
                .tags
                .iter()
                .rfind(|price| price.tag == shown.tag)
                .map(|price| price.cpm);
            for place in &shown.places {
                match given.or_else(|| self.ads.get(&**place).copied()) {
                    Some(price) => sum += price.millionths(),
                    None => unknown(shown.tag),
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_a_tag_and_a_number() {
        let price: Price = "tag2=2.50".parse().expect("a price");
        assert_eq!(
            (price.tag.wp(), price.cpm.to_string()),
            (1, "2.5".to_owned())
        );
        for text in [
            "tag0=1",
            "2.50",
            "tag1=",
            "tag1=-1",
            "tag1=2,50",
            "tag1=1e99",
        ] {
            let message = text.parse::<Price>().unwrap_err().to_string();
            assert!(message.contains("such as tag1=2.50"), "{message}");
        }
    }
}
