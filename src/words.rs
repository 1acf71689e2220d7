//! The nearest known word, for messages that propose one.

/// The known word most like `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count().max(folded.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The known address that is at most two slips away from `address`: addresses are long, and alike.
#[must_use]
pub fn slip<'a>(address: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(address.len()) <= 2)
        .map(|candidate| (distance(address, candidate), candidate))
        .filter(|(distance, _)| *distance <= 2)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `no call is named "curentTime"; did you mean "currentTime"?`, or the list of what there is.
#[must_use]
pub fn unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(meant) => format!("no {what} is named \"{word}\"; did you mean \"{meant}\"?"),
        None => {
            let all: Vec<&str> = known.into_iter().collect();
            format!("no {what} is named \"{word}\"; there are: {}", all.join(", "))
        }
    }
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(256).collect(), b.chars().take(256).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let change = rows[i][j] + usize::from(from != to);
            let mut least = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_proposed_if_it_is_near() {
        assert_eq!(nearest("curentTime", ["duration", "currentTime"]), Some("currentTime"));
        assert_eq!(nearest("adStarted", ["adStart", "start"]), Some("adStart"));
        assert_eq!(nearest("xyz", ["duration", "currentTime"]), None);
    }

    #[test]
    fn an_address_is_proposed_only_for_a_slip() {
        let known = ["https://ads.test/first", "https://ads.test/other"];
        assert_eq!(slip("https://ads.test/frist", known), Some("https://ads.test/first"));
        assert_eq!(slip("https://ads.test/third", known), None);
    }
}
