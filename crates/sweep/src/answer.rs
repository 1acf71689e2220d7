//! The answer of a sweep in sentences, the main one first.

use super::order::TagOrder;
use super::summary::RunOutcome;
use super::table::Table;
use super::tag::TagNumber;
use super::unknown::UnknownAnswer;
use playsim_base::number::Decimal;
use playsim_base::words::counted;

mod along;
mod chance;
mod rows;

/// Writes the answer of this table.
pub(super) fn of(table: &Table) -> Vec<String> {
    let Some(now) = &table.now else {
        return Vec::new();
    };
    let mut said = match (&table.varied[..], &now.outcome) {
        ([varied], Some(outcome)) if varied.unit.is_some() => along::of(table, varied, outcome),
        ([varied], None) => chance::of(table, varied, now),
        _ => Vec::new(),
    };
    let unknown = table.rows.iter().filter(|row| row.is_unknown()).count();
    if said.is_empty() && table.runs.is_none() && unknown == table.rows.len() {
        return vec![format!(
            "The result is unknown: {}.",
            gave_up(&unseen(table))
        )];
    }
    if said.is_empty() {
        said = rows::of(table, now);
    }
    if unknown > 0 && said.iter().all(|sentence| !sentence.contains("unknown")) {
        let why = gave_up(&unseen(table));
        said.push(match table.runs {
            None => {
                let are = if unknown == 1 { "is" } else { "are" };
                let rows = counted(table.rows.len(), "row");
                format!("{unknown} of {rows} {are} unknown: {why}.")
            }
            Some(_) => format!("Some sessions have an unknown outcome: {why}."),
        });
    }
    said
}

/// The tags whose later answers the recording does not show.
pub(super) fn unseen(table: &Table) -> Vec<UnknownAnswer> {
    let unseen = table
        .tags
        .iter()
        .filter_map(|it| Some((it.tag, it.silent_until_us?)));
    unseen
        .map(|(tag, since_us)| UnknownAnswer { tag, since_us })
        .collect()
}

/// Why an outcome is unknown.
pub(super) fn gave_up(unknown: &[UnknownAnswer]) -> String {
    // Nobody waited for what was never given.
    if !unknown.is_empty() && unknown.iter().all(|it| it.since_us <= 1) {
        let tags: Vec<String> = unknown.iter().map(|it| it.tag.to_string()).collect();
        return format!("what {} leads to is not given", tags.join(" and "));
    }
    let tags: Vec<String> = unknown
        .iter()
        .map(|it| format!("{} after {} s", it.tag, Decimal::seconds(it.since_us)))
        .collect();
    match &tags[..] {
        [] => "the player gave up on a request before it was answered".to_owned(),
        tags => format!("the player gave up on {}", tags.join(" and on ")),
    }
}

/// The tag that fills, as a sentence without its full stop.
fn fills(outcome: &RunOutcome) -> String {
    if outcome.is_unknown() {
        return format!("it is unknown: {}", gave_up(&outcome.unknown));
    }
    let tags: Vec<String> = outcome.filled_by.iter().map(TagNumber::to_string).collect();
    match (&tags[..], outcome.breaks) {
        ([], _) => "nothing fills".to_owned(),
        ([tag], 0..=1) => format!("{tag} fills"),
        (tags, 0..=1) => format!("{} fill", tags.join(" and ")),
        (tags, breaks) => {
            format!(
                "{} of {breaks} breaks are filled, by {}",
                outcome.breaks_filled,
                tags.join(" and ")
            )
        }
    }
}

/// An order in words, compared with the one in force.
fn order_in_words(order: &str, now: &str) -> String {
    let (Ok(to), Ok(from)) = (TagOrder::read(order), TagOrder::read(now)) else {
        return format!("the order {order}");
    };
    let place = |order: &TagOrder, tag: TagNumber| order.tags().iter().position(|it| *it == tag);
    for (at, tag) in to.tags().iter().enumerate() {
        let is_only_one = to.without(&[*tag]) == from.without(&[*tag]);
        let next = to.tags().get(at + 1);
        if let Some(next) = next.filter(|_| is_only_one && place(&from, *tag) > Some(at)) {
            return format!("{tag} before {next}");
        }
    }
    let tags: Vec<String> = to.tags().iter().map(ToString::to_string).collect();
    format!("the order {}", tags.join(", "))
}

/// A sentence begins with a capital, unless its first word is a name.
fn sentence(text: &str) -> String {
    let is_name = text.starts_with("tag")
        || text
            .split(' ')
            .next()
            .is_some_and(|word| word.contains(['.', '=']));
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !is_name => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        _ => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_told_by_what_moved() {
        assert_eq!(order_in_words("2,1", "1,2"), "tag2 before tag1");
        assert_eq!(order_in_words("1,3,2", "1,2,3"), "tag3 before tag2");
        assert_eq!(order_in_words("3,1,2", "1,2,3"), "tag3 before tag1");
        assert_eq!(
            order_in_words("2,3,1", "1,2,3"),
            "the order tag2, tag3, tag1"
        );
        assert_eq!(
            order_in_words("3,2,1", "1,2,3"),
            "the order tag3, tag2, tag1"
        );
    }

    #[test]
    fn names_keep_their_first_letter() {
        assert_eq!(sentence("you can"), "You can.");
        assert_eq!(
            sentence("tag2 before tag1 fills"),
            "tag2 before tag1 fills."
        );
        assert_eq!(sentence("ad.timeout=1s fills"), "ad.timeout=1s fills.");
    }
}
