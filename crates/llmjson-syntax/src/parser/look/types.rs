//! Names of types before containers, as programs write them: `Point { x: 1 }`, `map[string]int{…}`.

use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan;

/// Number of bytes in which the closers of brackets are looked for.
const CLOSERS_AHEAD: usize = 8 * LOOK_AHEAD;

/// The end of a pair of brackets, as far as is looked.
pub(crate) enum Ends {
    /// The offset at which they end.
    At(usize),
    /// Unknown: they end beyond the window of the look-ahead, or beyond the text.
    Beyond,
    /// None: the brackets do not match.
    Nowhere,
}

impl Look<'_> {
    /// Returns the offset of the container before which the name of its type stands at `k`, as Go
    /// and Rust write it: `&Config{Name: "x"}`, `map[string]int{"a": 1}`, `Point { x: 1 }`,
    /// `vec![1]`.
    pub(crate) fn typed_container(&self, k: usize) -> Option<usize> {
        let (opener, listed) = self.type_before(k)?;
        let (byte, inside) = self.beyond_space(opener + 1);
        let items = || match byte {
            b'}' | b']' | b'{' | b'[' => true,
            b'"' => listed || self.key_ahead(inside),
            b'-' | b'0'..=b'9' => listed,
            _ => self.name_ahead(inside) || listed && self.type_before(inside).is_some(),
        };
        if self.bytes[opener] == b'{' && !items() {
            return None;
        }
        let ends = match self.end_of_brackets(opener) {
            Ends::At(end) => self.parted(end),
            Ends::Beyond => true,
            Ends::Nowhere => false,
        };
        ends.then_some(opener)
    }

    /// Returns the offset of the bracket behind the name of a type at `k`, and whether that is the type of a
    /// list: 8 and `true` of `[]string{"a"}`.
    fn type_before(&self, k: usize) -> Option<(usize, bool)> {
        let window = self.window(k);
        let mut rest = window.trim_start_matches(['&', '*']);
        let mut named = rest.len() < window.len();
        let mut listed = false;
        let ident = |c: char| c.is_ascii_alphanumeric() || c == '_';
        loop {
            // `map[string]int{…}`
            if let Some(inside) = rest.strip_prefix("map[") {
                rest = &inside[inside.find(']')? + 1..];
                (named, listed) = (true, false);
            // `[]string{…}`
            } else if let Some(inside) = rest.strip_prefix('[') {
                let end = inside.find(|c: char| !c.is_ascii_digit() && c != '.')?;
                rest = inside[end..].strip_prefix(']')?;
                (named, listed) = (true, true);
            } else {
                break;
            }
            rest = rest.trim_start_matches('*');
        }
        let length = rest.find(|c| !ident(c) && !matches!(c, '.' | ':'))?;
        let name = &rest[..length];
        let last = name.rsplit(['.', ':']).next().unwrap_or_default();
        named |= last.starts_with(|c: char| c.is_ascii_uppercase());
        rest = &rest[length..];
        // `vec![1, 2]`
        if let Some(rest) = rest.strip_prefix('!') {
            let bracket = rest.starts_with('[') && !name.is_empty();
            return bracket.then(|| (k + window.len() - rest.len(), true));
        }
        // `map[string]interface{}{…}`: the braces belong to the type.
        if matches!(name, "interface" | "struct") {
            rest = rest.strip_prefix("{}")?;
        }
        // `Pair<i32>{…}`
        if rest.starts_with('<') {
            rest = &rest[rest.find('>')? + 1..];
        }
        let opener = rest.strip_prefix(' ').unwrap_or(rest);
        let names = named && !name.is_empty() && !name.ends_with([':', '.']);
        (names && opener.starts_with('{')).then(|| (k + window.len() - opener.len(), listed))
    }

    /// Returns the end of the brackets that open at `opener`, as far as is looked: 8 of `[1, (2)] 3`.
    pub(crate) fn end_of_brackets(&self, opener: usize) -> Ends {
        let window = self.bytes.len().min(opener + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = smallvec::SmallVec::new();
        let mut at = opener;
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => match self.closing_quote_within(at, window) {
                    Some(quote) => at = quote + 1,
                    None => return Ends::Beyond,
                },
                b'\'' => match scan::single_quoted(&self.bytes[at..window], 0) {
                    Some(quoted) => {
                        self.charge_search(quoted.end);
                        at += quoted.end + 1;
                    }
                    None => {
                        self.charge_search(window - at);
                        return Ends::Beyond;
                    }
                },
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'(' => open.push(b')'),
                b'}' | b']' | b')' if open.pop() != Some(byte) => return Ends::Nowhere,
                b'}' | b']' | b')' if open.is_empty() => return Ends::At(at),
                _ => {}
            }
        }
        Ends::Beyond
    }

    /// Returns `true` if a line break, a separator, a closer or nothing follows the value that ends at `end`:
    /// `)` parts it, `:` does not.
    pub(crate) fn parted(&self, end: usize) -> bool {
        let (byte, next) = self.skip_space(end);
        self.bytes[end..next].contains(&b'\n')
            || next >= self.bytes.len()
            || matches!(byte, b',' | b'}' | b']' | b')')
            || self.comma_like(next).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{CLOSERS_AHEAD, Ends};
    use crate::parser::look::{answers, ask};

    #[test]
    fn containers_with_types_are_found() {
        answers(
            |look| look.typed_container(0),
            &[
                ("Point { x: 1 }", Some(6)),
                ("Point{x: 1},", Some(5)),
                ("&Config{Name: \"x\"}", Some(7)),
                ("*pkg.Config{}", Some(11)),
                ("a::Point {}", Some(9)),
                ("map[string]int{\"a\": 1}", Some(14)),
                ("map[string]interface{}{\"a\": 1}", Some(22)),
                ("[]string{\"a\"}", Some(8)),
                ("[3]int{1, 2}", Some(6)),
                ("[...]int{-1}", Some(8)),
                ("[]*Point{Point{}}", Some(8)),
                ("[]Point{{}}", Some(7)),
                ("Pair<i32>{a: 1}", Some(9)),
                ("vec![1, 2]", Some(4)),
                ("vec![", Some(4)),
                ("Point {", None),
                ("Point { x: 1", Some(6)),
                ("point { x: 1 }", None),
                ("Point { 1 }", None),
                ("Point { \"a\" }", None),
                ("Point { x: 1 ]", None),
                ("Point { x: 1 } and", None),
                ("Point { x: 1 }\nand", Some(6)),
                ("Point", None),
                ("![1]", None),
                ("vec!{1}", None),
                ("Point: { x: 1 }", None),
                ("A. {x: 1}", None),
                ("[a]b{}", None),
                ("[]", None),
                ("{}", None),
            ],
        );
    }

    fn end(text: &str) -> Option<Option<usize>> {
        ask(text, |look| match look.end_of_brackets(0) {
            Ends::At(end) => Some(Some(end)),
            Ends::Beyond => Some(None),
            Ends::Nowhere => None,
        })
    }

    #[test]
    fn brackets_end() {
        for (text, at) in [
            ("{}", 2),
            ("[1, (2)] 3", 8),
            ("{\"}\": 1}", 8),
            ("['\\'}', 1]", 10),
            ("f(1) a", 4),
        ] {
            assert_eq!(end(text), Some(Some(at)), "{text}");
        }
        for text in ["{", "{\"a", "['a", "[1, (2)", ""] {
            assert_eq!(end(text), Some(None), "{text}");
        }
        for text in ["{]", "[)", "(1}", "}"] {
            assert_eq!(end(text), None, "{text}");
        }
        let long = alloc::format!("[{}]", " ".repeat(CLOSERS_AHEAD));
        assert_eq!(end(&long), Some(None));
        assert_eq!(
            end(&alloc::format!("[{}]", " ".repeat(CLOSERS_AHEAD - 2))),
            Some(Some(CLOSERS_AHEAD))
        );
    }

    #[test]
    fn values_are_parted() {
        answers(
            |look| look.parted(0),
            &[
                (" ,", true),
                ("}", true),
                (" ]", true),
                (")", true),
                ("\na", true),
                (" ", true),
                ("；", true),
                (" a", false),
                (":", false),
                ("{", false),
            ],
        );
    }

    #[test]
    fn types_stand_before_brackets() {
        answers(
            |look| look.type_before(0),
            &[
                ("[]string{\"a\"}", Some((8, true))),
                ("map[string]int{", Some((14, false))),
                ("[]map[a]b{", Some((9, false))),
                ("[2]struct{}{", Some((11, true))),
                ("&*a{", Some((3, false))),
                ("pkg.Point {", Some((10, false))),
                ("Pair<i32> {", Some((10, false))),
                ("vec![", Some((4, true))),
                ("point {", None),
                ("struct{", None),
                ("Point  {", None),
                ("map[string", None),
                ("[]", None),
                ("Pair<i32 {", None),
                ("Point", None),
                ("", None),
            ],
        );
    }
}
