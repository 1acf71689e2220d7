//! Self-contained web pages: they load nothing, and the only script they may run is one of our own that the
//! page's security policy names by its hash.
//!
//! Rule TRACE-8.

use std::fmt::{self, Write as _};

use crate::escape;

/// The look that all pages share: colours for light and dark screens and for paper, type, tables.
const BASE: &str = include_str!("html/base.css");

/// A string shown as HTML text, in content and quoted attributes alike. Rule TRACE-9.
///
/// Control characters are not allowed in HTML, not even as character references: they are shown as in other
/// output for people, and so are bidirectional overrides, which would change the order of the page's own
/// text.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plain = 0;
        for (at, letter) in self.0.char_indices() {
            let shown = match letter {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                '\n' | '\t' => continue,
                _ if !escape::is_control(letter) => continue,
                _ => "",
            };
            f.write_str(&self.0[plain..at])?;
            plain = at + letter.len_utf8();
            f.write_str(shown)?;
            if shown.is_empty() {
                f.write_str(&escape::line(letter.encode_utf8(&mut [0; 4])))?;
            }
        }
        f.write_str(&self.0[plain..])
    }
}

/// In a template it stands for itself: it is escaped already.
#[cfg(feature = "maud")]
impl maud::Render for Text<'_> {
    fn render_to(&self, buffer: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(buffer, "{self}");
    }
}

/// Escapes a string for HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    Text(text).to_string()
}

/// A script with its hash, as a security policy names it.
#[derive(Debug, Clone, Copy)]
pub struct Script {
    /// The source.
    pub text: &'static str,
    /// The SHA-256 of the source in Base64.
    pub sha256: &'static str,
}

/// A page: what surrounds its body.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The title, as plain text.
    pub title: &'a str,
    /// Its style, in addition to the shared one.
    pub style: &'a str,
    /// The script at its end.
    pub script: Option<Script>,
}

impl Document<'_> {
    /// Writes the page; the body is HTML. Its security policy permits no loading, and no script but its own.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, body: &str, sink: &mut impl fmt::Write) -> fmt::Result {
        self.with_policy("", body, sink)
    }

    /// Writes the page, which may show images of its own site.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write_with_images(&self, body: &str, sink: &mut impl fmt::Write) -> fmt::Result {
        self.with_policy("; img-src 'self'", body, sink)
    }

    fn with_policy(&self, more: &str, body: &str, sink: &mut impl fmt::Write) -> fmt::Result {
        sink.write_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")?;
        sink.write_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")?;
        sink.write_str("style-src 'unsafe-inline'")?;
        sink.write_str(more)?;
        if let Some(script) = self.script {
            write!(sink, "; script-src 'sha256-{}'", script.sha256)?;
        }
        sink.write_str("\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")?;
        write!(
            sink,
            "<title>{}</title>\n<style>\n{BASE}{}</style>\n</head>\n",
            Text(self.title),
            self.style
        )?;
        write!(sink, "<body>\n{body}")?;
        if let Some(script) = self.script {
            writeln!(sink, "<script>{}</script>", script.text)?;
        }
        sink.write_str("</body>\n</html>\n")
    }
}

/// A page with this title and no other style; the body is HTML.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let body = format!("<main>\n<h1>{}</h1>\n{body}</main>\n", Text(title));
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = Document { title, style: "", script: None }.write(&body, &mut page);
    page
}

/// A description list of names and their values, which are plain text.
#[must_use]
pub fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<dl class=\"facts\">\n");
    for (name, fact) in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", Text(name), Text(&fact));
    }
    html.push_str("</dl>\n");
    html
}

/// The head of a table.
#[must_use]
pub fn head(columns: &[&str]) -> String {
    let cells: String = columns.iter().map(|name| format!("<th scope=\"col\">{}</th>", Text(name))).collect();
    format!("<thead><tr>{cells}</tr></thead>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_stays_plain_text() {
        assert_eq!(escape("<a b='\"&\"'>\u{0}\n"), "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt;\\u{0}\n");
        assert_eq!(escape("é\u{202e}€"), "é\\u{202e}€");
        let page = page("</title><script>alert(1)</script>", "");
        assert!(!page.contains("<script"), "{page}");
    }

    #[test]
    fn only_a_page_with_a_script_permits_one() {
        let policy = |script| {
            let mut page = String::new();
            let document = Document { title: "t", style: "", script };
            document.write("", &mut page).expect("writing to a string cannot fail");
            page.contains("script-src 'sha256-x'") && page.contains("<script>1</script>")
        };
        assert!(policy(Some(Script { text: "1", sha256: "x" })) && !policy(None));
    }
}
