//! Web pages that stand alone: nothing is loaded from outside, and no script runs.
//!
//! Rule TRACE-8.

use std::fmt::Write as _;

/// One sheet for all pages, for light and dark screens and for paper.
const STYLE: &str = "\
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif }
body { margin: 1.5rem; max-width: 110rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin-top: 2rem }
table { border-collapse: collapse; font-family: ui-monospace, monospace; font-size: 12px }
th, td { padding: .15rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884 }
th { position: sticky; top: 0; background: Canvas }
td.number { text-align: right } td.data { overflow-wrap: anywhere }
tr.turn td { border-top: 1px solid #888 } tr:target td { background: #fd08 }
tr.decision td { background: #48c2 } tr.error td { background: #e443 }
.good { color: #283 } .bad { color: #d33; font-weight: bold } .key { opacity: .65 }
pre { overflow-x: auto; background: #8881; padding: .6rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem } dd { margin: 0 }
footer { margin-top: 2rem; opacity: .8 }
";

/// A text as it stands in a page, in content and in quoted attributes alike.
///
/// Control characters have no place in HTML; each becomes the sign for what cannot be shown.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(letter),
            _ if letter.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A page of this title; the body is HTML already. A browser is told to load nothing for it.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n\
         </html>\n"
    )
}

/// Names and what they are, one below the other; what is said is text.
#[must_use]
pub fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<dl>\n");
    for (name, fact) in facts {
        // Writing to a text cannot fail.
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(&fact));
    }
    html.push_str("</dl>\n");
    html
}

/// The head of a table.
#[must_use]
pub fn head(columns: &[&str]) -> String {
    let cells: String = columns.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
    format!("<thead><tr>{cells}</tr></thead>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_a_text() {
        assert_eq!(escape("<a b='\"&\"'>\u{0}\n"), "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt;\u{fffd}\n");
        let page = page("</title><script>alert(1)</script>", "");
        assert!(!page.contains("<script"), "{page}");
    }
}
