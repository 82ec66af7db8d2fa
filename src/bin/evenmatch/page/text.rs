//! Text that strangers wrote, made harmless for a page.
//!
//! Used by `page` for every name and number that it shows. Invariant: what comes out of here can neither end the
//! element or the script it stands in, nor turn the text around it.

use evenmatch::config::write::JsonWriter;

/// `text` as it stands between tags or in a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_obeyed(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// `text` as a string of JSON.
pub(super) fn quoted(text: &str) -> String {
    let shown: String = text
        .chars()
        .flat_map(|c| if is_obeyed(c) { c.escape_unicode().collect() } else { vec![c] })
        .collect();
    let mut out = JsonWriter::compact();
    out.string(&shown);
    out.finish()
}

/// JSON as it stands in a script element: the signs that could end it are written by their numbers, which only
/// stand in strings.
pub(super) fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// What a browser would obey rather than show: control characters, and those that turn the direction of text.
fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n') || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_an_element_or_a_script() {
        assert_eq!(
            escaped("<b onclick='x'>\"&\u{7}\u{202e}é"),
            "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;\\u{7}\\u{202e}é"
        );
        assert_eq!(quoted("a\"\\\u{202e}"), r#""a\"\\\\u{202e}""#);
        assert_eq!(
            in_script("[\"</script><!--\u{2028}&\"]"),
            r#"["\u003c/script\u003e\u003c!--\u2028\u0026"]"#
        );
    }
}
