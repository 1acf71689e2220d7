//! Self-contained web pages: they load nothing and run no script.
//!
//! Rule TRACE-8.

use std::fmt::Write as _;

use crate::escape;

/// The style sheet of all pages, for light and dark screens and for paper.
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

/// Escapes a string for HTML, for content and quoted attributes alike.
///
/// Control characters are not allowed in HTML, not even as character references: they are shown as in other
/// output for people, and so are bidirectional overrides, which would change the order of the page's own
/// text. Rule TRACE-9.
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
            _ if escape::is_control(letter) => {
                escaped.push_str(&escape::line(letter.encode_utf8(&mut [0; 4])))
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A page with this title; the body is HTML. Its security policy permits no loading.
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

/// A description list of names and their values, which are plain text.
#[must_use]
pub fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<dl>\n");
    for (name, fact) in facts {
        // Writing to a string cannot fail.
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
    fn a_string_stays_plain_text() {
        assert_eq!(escape("<a b='\"&\"'>\u{0}\n"), "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt;\\u{0}\n");
        let page = page("</title><script>alert(1)</script>", "");
        assert!(!page.contains("<script"), "{page}");
    }
}
