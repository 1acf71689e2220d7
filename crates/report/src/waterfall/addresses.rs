//! Shortens URLs so that different ones still look different.

use std::collections::BTreeMap;

use playsim_base::words::fitted;

/// The maximum number of attempts to separate URLs that look the same.
const ROUNDS: usize = 8;
/// The maximum number of characters shown before the first difference, to include the name of the
/// parameter.
const LEAD: usize = 16;

/// The form of each URL within a number of columns.
#[derive(Debug, Default)]
pub(super) struct Cut {
    forms: BTreeMap<String, String>,
}

impl Cut {
    /// Returns the forms of these URLs.
    pub(super) fn of<'a>(addresses: impl Iterator<Item = &'a str>, width: usize) -> Cut {
        let mut forms: BTreeMap<String, String> = addresses
            .map(|address| (address.to_owned(), fitted(address, width)))
            .collect();
        for _ in 0..ROUNDS {
            let groups = colliding(&forms);
            if groups.is_empty() {
                break;
            }
            for group in groups {
                let focus = common_prefix(&group);
                for address in group {
                    let form = around(&address, focus, width);
                    forms.insert(address, form);
                }
            }
        }
        for group in colliding(&forms) {
            for (number, address) in (1..).zip(group) {
                let number = format!("#{number}");
                let form = fitted(&address, width.saturating_sub(number.len())) + &number;
                forms.insert(address, form);
            }
        }
        Cut { forms }
    }

    /// Returns a URL as it is shown.
    pub(super) fn form<'c>(&'c self, address: &'c str) -> &'c str {
        self.forms.get(address).map_or(address, |form| form)
    }

    /// Returns whether part of a URL is left out.
    pub(super) fn is_cut(&self, address: &str) -> bool {
        self.form(address) != address
    }
}

/// Returns the groups of URLs that look the same.
fn colliding(forms: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let mut by_form: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (address, form) in forms {
        by_form.entry(form).or_default().push(address.clone());
    }
    by_form
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// Returns the number of characters in the common prefix.
fn common_prefix(group: &[String]) -> usize {
    let Some((first, rest)) = group.split_first() else {
        return 0;
    };
    let same = |other: &String| {
        first
            .chars()
            .zip(other.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    rest.iter().map(same).min().unwrap_or(0)
}

/// Returns the beginning of a URL and the part where it differs from others.
fn around(address: &str, focus: usize, width: usize) -> String {
    let letters: Vec<char> = address.chars().collect();
    let head = (width / 3).min(letters.len());
    let room = width.saturating_sub(head + 2).max(1);
    let lead = letters[..focus].iter().rev().take(LEAD.min(room / 2));
    let back = lead.take_while(|letter| !"/?&;".contains(**letter)).count();
    let from = (focus - back)
        .max(head)
        .min(letters.len().saturating_sub(room).max(head));
    let to = (from + room).min(letters.len());
    let text = |part: &[char]| part.iter().collect::<String>();
    let more = if to < letters.len() { "…" } else { "" };
    let gap = if from > head { "…" } else { "" };
    fitted(
        &format!(
            "{}{gap}{}{more}",
            text(&letters[..head]),
            text(&letters[from..to])
        ),
        width,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_urls_look_different_and_show_where_they_differ() {
        let tag = |position: &str, pod: u32| {
            format!(
                "https://ads.test/gampad/ads?slot=/1234/sample&sz=640x480&vpos={position}&pod={pod}&lip=true&end=30000"
            )
        };
        let all = [
            tag("preroll", 1),
            tag("midroll", 2),
            tag("midroll", 3),
            "https://ads.test/a".to_owned(),
        ];
        let cut = Cut::of(all.iter().map(String::as_str), 40);
        let forms: Vec<&str> = all.iter().map(|address| cut.form(address)).collect();
        assert_eq!(
            forms,
            [
                "https://ads.t…vpos=preroll&pod=1&lip=tr…",
                "https://ads.t…vpos=midroll&pod=2&lip=tr…",
                "https://ads.t…vpos=midroll&pod=3&lip=tr…",
                "https://ads.test/a",
            ]
        );
        assert!(cut.is_cut(&all[0]) && !cut.is_cut(&all[3]));
    }

    #[test]
    fn many_urls_stay_different_in_narrow_columns() {
        let all: Vec<String> = (0..200)
            .map(|number| {
                format!(
                    "https://a.test/{}?n={number}&{}",
                    "x".repeat(50),
                    "y".repeat(50)
                )
            })
            .collect();
        for width in [14, 30] {
            let cut = Cut::of(all.iter().map(String::as_str), width);
            let mut forms: Vec<&str> = all.iter().map(|address| cut.form(address)).collect();
            assert!(
                forms.iter().all(|form| form.chars().count() <= width),
                "{forms:?}"
            );
            forms.sort_unstable();
            forms.dedup();
            assert_eq!(forms.len(), all.len());
        }
    }
}
