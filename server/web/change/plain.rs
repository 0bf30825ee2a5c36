//! What guests type, as it may stand on other people's screens and printers.

/// Without what a screen or a printer takes for a command: control characters, and marks that turn the direction of a
/// line. Spaces, and line breaks with them, become one space.
#[must_use]
pub fn plain(text: &str) -> String {
    let spaced = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain: String = spaced.filter(|c| is_plain(*c)).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same for a text of several lines, which stay.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    let plain = text.chars().filter(|c| *c == '\n' || is_plain(*c));
    plain.collect::<String>().trim().to_owned()
}

/// Whether nothing of it is a command to a screen or a printer.
#[must_use]
pub fn is_plain_text(text: &str) -> bool {
    text.chars().all(is_plain)
}

fn is_plain(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}
