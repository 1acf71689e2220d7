//! Finds entries: by code, by family, by words.

use super::{CodeFamily, Entry, ErrorCode, all};
use playsim_base::words;

/// The result for the words of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// A code: an entry of each family that has it.
    Code(Vec<&'static Entry>),
    /// A code of VAST in the form of JW Player, which adds 10000.
    Shifted(&'static Entry),
    /// A family.
    Family(CodeFamily),
    /// Words: the entries whose text has all of them, those with one in the title first.
    Search(Vec<&'static Entry>),
    /// Nothing: the most similar entries, and the family if one was named.
    Nothing(Vec<&'static Entry>, Option<CodeFamily>),
}

/// The number that JW Player adds to the codes of VAST.
const JW: u16 = 10_000;

/// Returns the entry of a code in one family.
#[must_use]
pub fn find(family: CodeFamily, number: u16) -> Option<&'static Entry> {
    family
        .entries()
        .find(|entry| entry.number() == Some(number))
}

/// Returns the entry of the number that `adError` carries: a code of VAST below 1000, then those of
/// VMAP, then those of the SDK, which are given only under names that VMAP does not use.
#[must_use]
pub fn of_ad_error(number: u16) -> Option<&'static Entry> {
    [CodeFamily::Vast, CodeFamily::Vmap, CodeFamily::Sdk]
        .into_iter()
        .filter(|family| *family != CodeFamily::Sdk || number < 1_100)
        .find_map(|family| find(family, number))
}

/// Returns the entry of a number in a trace: one of `adError`, or else one of a SIMID unit.
#[must_use]
pub fn of_trace(number: u16) -> Option<&'static Entry> {
    of_ad_error(number).or_else(|| find(CodeFamily::Simid, number))
}

/// The codes of the SDK for what VAST has other codes for.
const OF_SDK: [(u16, &[u16]); 3] = [(1009, &[303]), (1010, &[100, 101]), (1012, &[300, 301])];

/// Returns whether a product says with the code `sent` what `due` says in VAST: JW Player adds
/// 10000, and the SDK has codes of its own for the first response.
#[must_use]
pub fn is_same_failure(sent: u16, due: u16) -> bool {
    let is_of_sdk = |(own, all): &(u16, &[u16])| *own == sent && all.contains(&due);
    sent == due || sent.checked_sub(JW) == Some(due) || OF_SDK.iter().any(is_of_sdk)
}

/// Looks up the words of a person: one or more codes (`303`), a family (`vmap`), a code of a family
/// (`vmap 1005`), a name of the SDK (`VAST_LOAD_TIMEOUT`), or words to search for.
#[must_use]
pub fn lookup(typed: &str) -> Lookup {
    let folded = typed
        .to_lowercase()
        .replace([':', '/', '#', '=', '[', ']', ',', ';'], " ");
    let mut words: Vec<&str> = folded.split_whitespace().collect();
    // `error 303` and `code=303` are copied from logs.
    while words.len() > 1 && matches!(words[0], "code" | "error" | "aderror" | "errorcode") {
        words.remove(0);
    }
    let family = words.first().and_then(|word| family_of(word));
    if family.is_some() {
        words.remove(0);
    }
    let entries = || all().filter(|entry| family.is_none_or(|family| entry.family == family));
    match (words[..].as_ref(), family) {
        ([], Some(family)) => return Lookup::Family(family),
        ([], None) => return Lookup::Nothing(Vec::new(), None),
        ([word], _) => {
            let found: Vec<&Entry> = entries().filter(|entry| is_called(entry, word)).collect();
            if !found.is_empty() {
                return Lookup::Code(found);
            }
            if let Ok(number) = word.parse::<u16>() {
                // Below its own codes the SDK uses those of VAST.
                if let Some(entry) =
                    find(CodeFamily::Vast, number).filter(|_| family == Some(CodeFamily::Sdk))
                {
                    return Lookup::Code(vec![entry]);
                }
                let vast = number
                    .checked_sub(JW)
                    .and_then(|number| find(CodeFamily::Vast, number));
                return match vast.filter(|_| family.is_none()) {
                    Some(entry) => Lookup::Shifted(entry),
                    None => Lookup::Nothing(nearest_numbers(number, entries()), family),
                };
            }
        }
        _ => {}
    }
    let called = |word: &&str| entries().any(|entry| is_called(entry, word));
    if words.iter().all(called) {
        let of = |word| entries().filter(move |entry| is_called(entry, word));
        return Lookup::Code(words.iter().flat_map(|word| of(word)).collect());
    }
    let mut found: Vec<(bool, &Entry)> = entries()
        .filter(|entry| words.iter().all(|word| has(entry, word)))
        .map(|entry| {
            (
                !words
                    .iter()
                    .any(|word| entry.title.to_lowercase().contains(word)),
                entry,
            )
        })
        .collect();
    found.sort_by_key(|(is_elsewhere, _)| *is_elsewhere);
    if found.is_empty() {
        return Lookup::Nothing(nearest_names(&words.join(" "), entries()), family);
    }
    Lookup::Search(found.into_iter().map(|(_, entry)| entry).collect())
}

/// The family of this name; the SDK is also known by its own.
fn family_of(word: &str) -> Option<CodeFamily> {
    CodeFamily::from_name(word).or((word == "ima").then_some(CodeFamily::Sdk))
}

/// Whether a word is the entry's code or its name in the SDK.
fn is_called(entry: &Entry, word: &str) -> bool {
    entry.code.to_string().eq_ignore_ascii_case(word)
        || entry
            .sdk_name
            .is_some_and(|name| name.eq_ignore_ascii_case(word))
}

/// Whether a word, in lower case, is anywhere in the entry.
fn has(entry: &Entry, word: &str) -> bool {
    let texts = [
        entry.title,
        entry.meaning,
        entry.sdk_name.unwrap_or_default(),
    ];
    let lists = entry.causes.iter().chain(entry.remedies).copied();
    let who = entry.who.iter().map(|who| who.name());
    texts
        .into_iter()
        .chain(lists)
        .chain(who)
        .any(|text| text.to_lowercase().contains(word))
        || entry.code.to_string().to_lowercase().contains(word)
}

/// Returns the entries with the nearest numbers, at most one above and one below.
fn nearest_numbers(
    number: u16,
    entries: impl Iterator<Item = &'static Entry>,
) -> Vec<&'static Entry> {
    let numbered: Vec<(u16, &Entry)> = entries
        .filter_map(|entry| Some((entry.number()?, entry)))
        .collect();
    let below = numbered
        .iter()
        .filter(|(own, _)| *own < number)
        .max_by_key(|(own, _)| *own);
    let above = numbered
        .iter()
        .filter(|(own, _)| *own > number)
        .min_by_key(|(own, _)| *own);
    below
        .into_iter()
        .chain(above)
        .map(|(_, entry)| *entry)
        .collect()
}

/// Returns the entry whose word or name in the SDK is most similar.
fn nearest_names(word: &str, entries: impl Iterator<Item = &'static Entry>) -> Vec<&'static Entry> {
    let named: Vec<(&str, &Entry)> = entries
        .flat_map(|entry| {
            let word = if let ErrorCode::Word(word) = entry.code {
                Some(word)
            } else {
                None
            };
            word.into_iter()
                .chain(entry.sdk_name)
                .map(move |name| (name, entry))
        })
        .collect();
    let meant = words::nearest(word, named.iter().map(|(name, _)| *name));
    named
        .iter()
        .filter(|(name, _)| Some(*name) == meant)
        .map(|(_, entry)| *entry)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(entries: &[&Entry]) -> Vec<String> {
        entries
            .iter()
            .map(|entry| format!("{} {}", entry.family.name(), entry.code))
            .collect()
    }

    fn found(typed: &str) -> Vec<String> {
        match lookup(typed) {
            Lookup::Code(entries) => codes(&entries),
            Lookup::Shifted(entry) => vec![format!("shifted {}", entry.code)],
            Lookup::Family(family) => vec![family.name().to_owned()],
            Lookup::Search(entries) => codes(&entries[..1]),
            Lookup::Nothing(entries, _) => [vec!["nothing".to_owned()], codes(&entries)].concat(),
        }
    }

    #[test]
    fn a_code_is_found_as_people_write_it() {
        assert_eq!(found("303"), ["vast 303"]);
        assert_eq!(found("code=303"), ["vast 303"]);
        assert_eq!(found("adError code=303"), ["vast 303"]);
        assert_eq!(found("VAST 303"), ["vast 303"]);
        assert_eq!(found("1005"), ["vmap 1005", "sdk 1005"]);
        assert_eq!(found("vmap:1005"), ["vmap 1005"]);
        assert_eq!(found("ima 1005"), ["sdk 1005"]);
        assert_eq!(found("900"), ["vast 900", "vmap 900"]);
        assert_eq!(found("1205"), ["simid 1205", "sdk 1205"]);
        assert_eq!(found("vast_load_timeout"), ["vast 301"]);
        assert_eq!(found("aderror"), ["vpaid AdError"]);
        assert_eq!(found("10303"), ["shifted 303"]);
        assert_eq!(found("simid"), ["simid"]);
        assert_eq!(found("ima 303"), ["vast 303"]);
        assert_eq!(found("301, 303"), ["vast 301", "vast 303"]);
        assert_eq!(
            found("301 303 1005"),
            ["vast 301", "vast 303", "vmap 1005", "sdk 1005"]
        );
    }

    #[test]
    fn words_are_searched_and_unknown_codes_get_the_nearest() {
        assert_eq!(found("too many wrappers"), ["vast 302"]);
        assert_eq!(found("mezzanine missing"), ["vast 406"]);
        assert_eq!(found("404"), ["nothing", "vast 403", "vast 405"]);
        assert_eq!(found("vmap 303"), ["nothing", "vmap 900"]);
        assert_eq!(found("AdStoped"), ["nothing", "vpaid AdStopped"]);
        assert_eq!(found("10304x"), ["nothing"]);
        assert_eq!(found(""), ["nothing"]);
        assert_eq!(found("65535"), ["nothing", "sdk 1300"]);
    }

    #[test]
    fn a_number_of_ad_error_has_one_entry() {
        let family = |number| of_ad_error(number).map(|entry| entry.family);
        assert_eq!(family(303), Some(CodeFamily::Vast));
        assert_eq!(family(900), Some(CodeFamily::Vast));
        assert_eq!(family(1005), Some(CodeFamily::Vmap));
        assert_eq!(family(1009), Some(CodeFamily::Sdk));
        assert_eq!(family(1205), None);
        assert_eq!(family(404), None);
    }
}
