//! Names of types before containers, as programs write them: `Point { x: 1 }`, `map[string]int{…}`.

use crate::parser::look::Look;
use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::scan;

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

    /// The bracket behind the name of a type at `k`, and whether that is the type of a list.
    fn type_before(&self, k: usize) -> Option<(usize, bool)> {
        let window = self.window(k);
        let mut rest = window.trim_start_matches(['&', '*']);
        let mut named = rest.len() < window.len();
        let mut listed = false;
        let ident = |c: char| c.is_ascii_alphanumeric() || c == '_';
        loop {
            if let Some(inside) = rest.strip_prefix("map[") {
                rest = &inside[inside.find(']')? + 1..];
                (named, listed) = (true, false);
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
        if let Some(rest) = rest.strip_prefix('!') {
            let bracket = rest.starts_with('[') && !name.is_empty();
            return bracket.then(|| (k + window.len() - rest.len(), true));
        }
        if matches!(name, "interface" | "struct") {
            rest = rest.strip_prefix("{}")?;
        }
        if rest.starts_with('<') {
            rest = &rest[rest.find('>')? + 1..];
        }
        let opener = rest.strip_prefix(' ').unwrap_or(rest);
        let names = named && !name.is_empty() && !name.ends_with([':', '.']);
        (names && opener.starts_with('{')).then(|| (k + window.len() - opener.len(), listed))
    }

    /// Returns the end of the brackets that open at `opener`, as far as is looked.
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

    /// Returns `true` if a line break, a separator, a closer or nothing follows the value that ends
    /// at `end`.
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
    use super::*;
    use crate::parser::look::ask;

    #[test]
    fn names_of_types_stand_before_containers() {
        for (text, expected) in [
            ("&Config{Name: \"x\"}", Some(7)),
            ("*Config{}", Some(7)),
            ("map[string]int{\"a\": 1}", Some(14)),
            ("Point { x: 1 }", Some(6)),
            ("vec![1]", Some(4)),
            ("[]string{\"a\"}", Some(8)),
            ("[]string{\"a\": 1}", Some(8)),
            ("[]int{1, 2}", Some(5)),
            ("[]int{-1}", Some(5)),
            ("[3]int{1}", Some(6)),
            ("[...]int{1}", Some(8)),
            ("pkg.Type{A: 1}", Some(8)),
            ("a::B{x: 1}", Some(4)),
            ("Map<K, V>{\"a\": 1}", Some(9)),
            ("map[string]interface{}{\"a\": 1}", Some(22)),
            ("[]struct{}{}", Some(10)),
            ("[]Point{{X: 1}}", Some(7)),
            ("[]*Point{Point{X: 1}}", Some(8)),
            ("[]map[string]int{{\"a\": 1}}", Some(16)),
            ("Point{x: 1", Some(5)),
            ("Point{x: 1},", Some(5)),
            ("Point{}", Some(5)),
            ("Point{x: 1}\ntext", Some(5)),
            ("point{x: 1}", None),
            ("{x: 1}", None),
            ("&{x: 1}", None),
            ("Point", None),
            ("Point{x}", None),
            ("Point{x: 1] }", None),
            ("Point{x: 1} text", None),
            ("Point{1}", None),
            ("Point{-1}", None),
            ("Point{\"a\"}", None),
            ("Point.{x: 1}", None),
            ("Point:{x: 1}", None),
            ("![1]", None),
            ("vec!(1)", None),
            ("[x]int{1}", None),
            ("Point  {x: 1}", None),
            ("Point(1)", None),
            ("Map<K{\"a\": 1}", None),
            ("Épée{x: 1}", None),
            ("Point{[1]: 2}", Some(5)),
            ("", None),
        ] {
            assert_eq!(
                ask(text, |look| look.typed_container(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn brackets_end_where_the_last_one_closes() {
        let end = |text: &str| {
            ask(text, |look| match look.end_of_brackets(0) {
                Ends::At(end) => Ok(end),
                Ends::Beyond => Err("beyond"),
                Ends::Nowhere => Err("nowhere"),
            })
        };
        for (text, expected) in [
            ("{}", Ok(2)),
            ("{\"}\"}", Ok(5)),
            ("['x']", Ok(5)),
            ("[']', ')']", Ok(10)),
            ("(x)", Ok(3)),
            ("([{}])", Ok(6)),
            ("{]", Err("nowhere")),
            ("{(}", Err("nowhere")),
            ("x}", Err("nowhere")),
            ("{", Err("beyond")),
            ("{\"a", Err("beyond")),
            ("{'a", Err("beyond")),
            ("", Err("beyond")),
        ] {
            assert_eq!(end(text), expected, "{text}");
        }
        let wide = |length: usize| alloc::format!("[{}]", " ".repeat(length - 2));
        assert_eq!(end(&wide(CLOSERS_AHEAD)), Ok(CLOSERS_AHEAD));
        assert_eq!(end(&wide(CLOSERS_AHEAD + 1)), Err("beyond"));
    }

    #[test]
    fn values_are_parted_by_signs_and_lines() {
        for (text, expected) in [
            (",", true),
            ("}", true),
            ("]", true),
            (")", true),
            (" ,", true),
            ("", true),
            (" ", true),
            ("\nx", true),
            (";", true),
            ("；", true),
            (" x", false),
            (":", false),
            ("x", false),
            ("é", false),
        ] {
            assert_eq!(ask(text, |look| look.parted(0)), expected, "{text:?}");
        }
    }
}
