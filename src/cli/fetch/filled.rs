//! Which macros of URLs were replaced, and with what.

/// Returns the macros of written URLs, with the values that requests for them had; each pair once,
/// in order.
pub(super) fn of<'a>(
    written: &[impl AsRef<str>],
    requested: impl Iterator<Item = &'a str> + Clone,
) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for written in written {
        for values in requested
            .clone()
            .filter_map(|url| values(written.as_ref(), url))
        {
            for pair in values {
                if pair.0 != pair.1 && !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
    }
    found
}

/// Returns the macros of a written URL with what stands in their places in a requested one; `None`
/// if that is no request for it.
fn values(written: &str, requested: &str) -> Option<Vec<(String, String)>> {
    let macros = playsim::vast::macros(written);
    let mut found = Vec::new();
    let mut rest = requested.strip_prefix(&written[..macros.first()?.0])?;
    for (index, (begin, end)) in macros.iter().enumerate() {
        let next = macros.get(index + 1).map_or(written.len(), |next| next.0);
        let after = &written[*end..next];
        let length = if next == written.len() {
            rest.len()
                .checked_sub(after.len())
                .filter(|_| rest.ends_with(after))?
        } else {
            rest.find(after)?
        };
        found.push((written[*begin..*end].to_owned(), rest[..length].to_owned()));
        rest = &rest[length + after.len()..];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_have_the_values_that_were_sent() {
        let written = ["https://a.test/?cb=[CACHEBUSTING]&t=[TIMESTAMP]&u=[OTHER]"];
        let requested = [
            "https://a.test/?cb=12&t=2026&u=[OTHER]",
            "https://b.test/?cb=1",
        ];
        let found = of(&written, requested.into_iter());
        let due = [("[CACHEBUSTING]", "12"), ("[TIMESTAMP]", "2026")];
        assert_eq!(
            found,
            due.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
}
