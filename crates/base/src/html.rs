//! Self-contained web pages: they load nothing, and the only script they may run is one of our own
//! that the page's security policy names by its hash.
//!
//! Rule TRACE-8.

use std::borrow::Cow;
use std::fmt;

use maud::{Markup, PreEscaped, Render, html};

use crate::escape;

/// The look that all pages share: colours for light and dark screens and for paper, type, tables.
pub const BASE_STYLE: &str = include_str!("html/base.css");

/// A line break. Pages are well-formed XML, and the elements without content that templates write
/// are not.
pub const BR: PreEscaped<&str> = PreEscaped("<br/>");

/// A string shown as HTML text, in content and attributes alike. Rule TRACE-9.
///
/// Control characters are not allowed in HTML, not even as character references: they are shown as
/// in other output for people, and so are bidirectional overrides, which would change the order of
/// the page's own text.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a>(pub &'a str);

impl Render for Text<'_> {
    fn render_to(&self, buffer: &mut String) {
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
            buffer.push_str(&self.0[plain..at]);
            match shown {
                "" => buffer.push_str(&escape::line(letter.encode_utf8(&mut [0; 4]))),
                shown => buffer.push_str(shown),
            }
            plain = at + letter.len_utf8();
        }
        buffer.push_str(&self.0[plain..]);
    }
}

/// A script with its hash, as a security policy names it.
#[derive(Debug, Clone, Copy)]
pub struct Script {
    /// The source.
    pub text: &'static str,
    /// The SHA-256 of the source in Base64.
    pub sha256: &'static str,
}

/// What the head of a page says besides, if it is one of a site.
#[derive(Debug, Clone, Copy)]
pub struct OnSite<'a> {
    /// What the page is about, for those who find it by a search.
    pub description: &'a str,
    /// The URL of the icon.
    pub icon: &'a str,
    /// The URL of the style sheet: many pages share it, so it has the style of the page, and the
    /// one that all pages share.
    pub style: &'a str,
}

/// A page: its body, and the frame around it.
///
/// [`Page::write`] writes the whole. A page that shows others in turn, as the playground does, has
/// the frame once and only replaces the body.
#[derive(Debug, Clone)]
pub struct Page {
    /// The title, as plain text.
    pub title: String,
    /// Its style, in addition to the one that all pages share, see [`BASE_STYLE`].
    pub style: Cow<'static, str>,
    /// The script at its end.
    pub script: Option<Script>,
    /// Whether it may show images of its own site.
    pub has_images: bool,
    /// The content.
    pub body: Markup,
}

impl Page {
    /// Writes the page. Its security policy permits no loading but that of its own images, and no
    /// script but its own.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, sink: &mut impl fmt::Write) -> fmt::Result {
        let images = if self.has_images {
            "; img-src 'self'"
        } else {
            ""
        };
        self.with_head(
            images,
            &format!("<style>\n{BASE_STYLE}{}</style>", self.style),
            sink,
        )
    }

    /// Writes the page as one of a site: with its style sheet in place of a style. Its policy
    /// permits to load from the same site what is no script.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write_on_site(&self, site: &OnSite<'_>, sink: &mut impl fmt::Write) -> fmt::Result {
        let [description, icon, style] =
            [site.description, site.icon, site.style].map(|text| Text(text).render().into_string());
        let head = format!(
            "<meta name=\"description\" content=\"{description}\"/>\n<link rel=\"icon\" href=\"{icon}\"/>\n\
             <link rel=\"stylesheet\" href=\"{style}\"/>"
        );
        self.with_head(" 'self'; img-src 'self'; frame-src 'self'", &head, sink)
    }

    fn with_head(&self, loads: &str, head: &str, sink: &mut impl fmt::Write) -> fmt::Result {
        let (title, body) = (Text(&self.title).render().into_string(), &self.body.0);
        let script = self
            .script
            .map(|it| format!("; script-src 'sha256-{}'", it.sha256))
            .unwrap_or_default();
        write!(
            sink,
            r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'{loads}{script}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
{head}
</head>
<body>
{body}
"#
        )?;
        if let Some(script) = self.script {
            writeln!(sink, "<script>{}</script>", script.text)?;
        }
        sink.write_str("</body>\n</html>\n")
    }
}

/// The head of a table; a name that begins with `>` is that of a column of numbers.
#[must_use]
pub fn head(columns: &[&str]) -> Markup {
    html! {
        thead {
            tr {
                @for column in columns {
                    @match column.strip_prefix('>') {
                        Some(name) => { th.num scope="col" { (Text(name)) } }
                        None => { th scope="col" { (Text(column)) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_stays_plain_text() {
        let shown = |text| Text(text).render().into_string();
        assert_eq!(
            shown("<a b='\"&\"'>\u{0}\n"),
            "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt;\\u{0}\n"
        );
        assert_eq!(shown("é\u{202e}€"), "é\\u{202e}€");
        let page = page("</title><script>alert(1)</script>", None);
        assert!(!page.contains("<script"), "{page}");
    }

    fn page(title: &str, script: Option<Script>) -> String {
        let mut text = String::new();
        let page = Page {
            title: title.to_owned(),
            style: "".into(),
            script,
            has_images: false,
            body: html! {},
        };
        page.write(&mut text)
            .expect("writing to a string cannot fail");
        text
    }

    #[test]
    fn only_a_page_with_a_script_permits_one() {
        let policy = |script| {
            let page = page("t", script);
            page.contains("script-src 'sha256-x'") && page.contains("<script>1</script>")
        };
        assert!(
            policy(Some(Script {
                text: "1",
                sha256: "x"
            })) && !policy(None)
        );
    }
}
