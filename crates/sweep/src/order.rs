//! The order in which the tags of a waterfall are asked, and which of them are left out.
//!
//! A tag keeps its number, and with it its answer, latency, fill rate and price, wherever it is
//! asked.

use std::fmt;
use std::sync::Arc;

use super::SweepError;
use super::tag::{self, TagNumber};
use playsim_api::{Fields, Value};
use playsim_scenario::Scenario;

/// The most tags of which all orders are played: 720 of them.
pub const MAX_ORDERED: usize = 6;

/// The fields of an ad object with a list of tags.
const LISTS: [&str; 3] = ["mobile", "desktop", "adTagUrl"];

/// The tags of a waterfall in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagOrder(Arc<[TagNumber]>);

impl TagOrder {
    /// Parses an order such as `2,1,3`.
    pub(super) fn read(text: &str) -> Result<TagOrder, String> {
        let mut tags = Vec::new();
        for word in text.split(',').map(str::trim) {
            let number = word
                .strip_prefix("tag")
                .unwrap_or(word)
                .parse()
                .ok()
                .and_then(TagNumber::new);
            let Some(tag) = number else {
                return Err(format!(
                    "\"{word}\" is not the number of a tag, from 1; an order is written like 2,1,3, several like \
                     2,1,3|1,2,3, and all of them as order=all"
                ));
            };
            if tags.contains(&tag) {
                return Err(format!(
                    "{tag} is in it twice; each tag is asked once, as in 2,1,3"
                ));
            }
            tags.push(tag);
        }
        Ok(TagOrder(tags.into()))
    }

    /// The order in which this many tags are given.
    pub(super) fn as_given(tags: usize) -> TagOrder {
        TagOrder(
            (0..tags)
                .map(|wp| TagNumber::of_wp(u32::try_from(wp).unwrap_or(u32::MAX)))
                .collect(),
        )
    }

    /// All orders of this many tags, beginning with the one in which they are given.
    pub(super) fn all(tags: usize) -> Result<Vec<TagOrder>, SweepError> {
        if tags > MAX_ORDERED {
            return Err(SweepError::input(format!(
                "order=all: there are {tags} tags, and all orders are played of {MAX_ORDERED} at most, which are 720; \
                 list those that matter, such as order={}|{}",
                TagOrder::as_given(tags),
                TagOrder::as_given(tags).with_first_two_changed()
            )));
        }
        let mut all = vec![Vec::new()];
        for _ in 0..tags {
            let longer = |before: &Vec<TagNumber>| {
                let before = before.clone();
                let rest = TagOrder::as_given(tags)
                    .0
                    .iter()
                    .copied()
                    .collect::<Vec<_>>()
                    .into_iter();
                let rest = rest.filter(|tag| !before.contains(tag)).collect::<Vec<_>>();
                rest.into_iter()
                    .map(move |tag| [before.as_slice(), &[tag]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        Ok(all.into_iter().map(|tags| TagOrder(tags.into())).collect())
    }

    fn with_first_two_changed(&self) -> TagOrder {
        let mut tags = self.0.to_vec();
        tags.swap(0, 1);
        TagOrder(tags.into())
    }

    /// The tags, in the order in which they are asked.
    #[must_use]
    pub fn tags(&self) -> &[TagNumber] {
        &self.0
    }

    /// Checks that it has each of this many tags.
    pub(super) fn check(&self, tags: usize) -> Result<(), SweepError> {
        let given = TagOrder::as_given(tags);
        if let Some(tag) = self.0.iter().find(|tag| !given.0.contains(tag)) {
            let there_are = tag::there_are(tags);
            return Err(SweepError::input(format!(
                "order={self}: {there_are}, and none is {tag}"
            )));
        }
        if let Some(tag) = given.0.iter().find(|tag| !self.0.contains(tag)) {
            return Err(SweepError::input(format!(
                "order={self}: {tag} is missing; an order has every tag once, as in order={given}; to leave a tag out, \
                 add {tag}.off"
            )));
        }
        Ok(())
    }

    /// The same without these tags.
    pub(super) fn without(&self, off: &[TagNumber]) -> TagOrder {
        TagOrder(
            self.0
                .iter()
                .copied()
                .filter(|tag| !off.contains(tag))
                .collect(),
        )
    }

    /// Puts the tags of all ad objects in this order.
    pub(super) fn put(&self, scenario: &mut Scenario) {
        for ad in &mut scenario.player.ads {
            let Value::Map(fields) = ad else { continue };
            let list = |(name, value): (&playsim_api::Text, &Value)| {
                let tags = value.as_list().filter(|_| LISTS.contains(&&**name));
                let ordered = tags.map(|tags| Value::List(self.ordered(tags)));
                (name.clone(), ordered.unwrap_or_else(|| value.clone()))
            };
            let changed: Fields = fields.iter().map(list).collect();
            *ad = Value::Map(changed);
        }
    }

    /// The tags of one list in this order.
    fn ordered(&self, tags: &[Value]) -> Vec<Value> {
        let at = |tag: &TagNumber| {
            usize::try_from(tag.wp())
                .ok()
                .and_then(|wp| tags.get(wp))
                .cloned()
        };
        self.0.iter().filter_map(at).collect()
    }
}

/// The lists of tags in the ad objects of a scenario's settings.
pub(super) fn listed(scenario: &Scenario) -> Vec<&[Value]> {
    let maps = scenario.player.ads.iter().filter_map(Value::as_map);
    let lists = maps.flat_map(|fields| LISTS.iter().filter_map(|name| fields.get(name)));
    lists.filter_map(Value::as_list).collect()
}

/// As in `--vary`: `2,1,3`.
impl fmt::Display for TagOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, tag) in self.0.iter().enumerate() {
            let gap = if at == 0 { "" } else { "," };
            write!(f, "{gap}{}", tag.wp() + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_are_played_once_and_the_given_one_first() {
        let all = TagOrder::all(3).expect("three tags have few orders");
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(all, ["1,2,3", "1,3,2", "2,1,3", "2,3,1", "3,1,2", "3,2,1"]);
        assert_eq!(TagOrder::all(6).map(|all| all.len()).ok(), Some(720));
        let message = TagOrder::all(7).unwrap_err().to_string();
        assert!(
            message.contains("there are 7 tags") && message.contains("order=1,2,3,4,5,6,7|2,1,3"),
            "{message}"
        );
    }

    #[test]
    fn an_order_has_every_tag_once() {
        let order = TagOrder::read("tag2, 1,3").expect("an order");
        assert_eq!(order.to_string(), "2,1,3");
        assert!(order.check(3).is_ok());
        assert!(
            order
                .check(4)
                .unwrap_err()
                .to_string()
                .contains("tag4 is missing")
        );
        assert!(
            order
                .check(2)
                .unwrap_err()
                .to_string()
                .contains("there are 2 tags, tag1 to tag2, and none is tag3")
        );
        assert_eq!(order.without(&[TagNumber::of_wp(1)]).to_string(), "1,3");
        for text in ["1,1", "0,1", "a,b", "1,,2", ""] {
            assert!(TagOrder::read(text).is_err(), "{text}");
        }
    }
}
