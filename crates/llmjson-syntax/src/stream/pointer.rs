//! Paths of changes in a value.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::fmt::Write as _;
use core::iter::successors;

/// The path of a change, displayed as a JSON Pointer (RFC 6901): `/items/0/a~1b`, empty for the
/// root.
///
/// Paths in the same container share their prefix, however long its keys are. So copying is free,
/// and the text is built on demand ([`to_string`](alloc::string::ToString)).
///
/// ```
/// let mut stream = llmjson_syntax::Stream::new();
/// stream.push(r#"{"a/b": [1, 2"#);
/// let events = stream.events();
/// let places: Vec<String> = events.iter().map(|event| event.path.to_string()).collect();
/// assert_eq!(places, ["", "/a~1b", "/a~1b/0", "/a~1b/0"]);
/// assert_eq!(events[2].path, "/a~1b/0");
/// assert!(events[0].path.is_root());
/// ```
#[derive(Clone, Default)]
pub struct Pointer(Option<Arc<Link>>);

/// A step, with a link to its parent.
#[derive(PartialEq, Eq)]
struct Link {
    above: Pointer,
    token: Token,
}

#[derive(PartialEq, Eq)]
enum Token {
    /// The decoded key of a member.
    Name(Box<str>),
    Item(usize),
}

impl Pointer {
    /// Returns `true` if this is the path of the root value.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the place of that member of this value.
    pub(super) fn member(&self, name: &str) -> Self {
        self.step(Token::Name(name.into()))
    }

    /// Returns the place of that item of this value.
    pub(super) fn item(&self, index: usize) -> Self {
        self.step(Token::Item(index))
    }

    fn step(&self, token: Token) -> Self {
        let above = self.clone();
        Self(Some(Arc::new(Link { above, token })))
    }

    /// Returns the links from the last step to the first.
    fn links(&self) -> impl Iterator<Item = &Link> {
        successors(self.0.as_deref(), |link| link.above.0.as_deref())
    }
}

/// Drops the unshared links iteratively: depth uses no native stack.
impl Drop for Pointer {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.above.0.take();
        }
    }
}

impl PartialEq for Pointer {
    fn eq(&self, other: &Self) -> bool {
        let (mut one, mut two) = (self, other);
        loop {
            match (&one.0, &two.0) {
                (None, None) => return true,
                (Some(left), Some(right)) if Arc::ptr_eq(left, right) => return true,
                (Some(left), Some(right)) if left.token == right.token => {
                    (one, two) = (&left.above, &right.above);
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Pointer {}

impl PartialEq<str> for Pointer {
    fn eq(&self, other: &str) -> bool {
        let mut shown = Same(other);
        write!(shown, "{self}").is_ok() && shown.0.is_empty()
    }
}

impl PartialEq<&str> for Pointer {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for Pointer {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

/// The rest of a text to compare with; writing anything else fails.
struct Same<'t>(&'t str);

impl fmt::Write for Same<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut links: smallvec::SmallVec<[&Link; 16]> = self.links().collect();
        links.reverse();
        for link in links {
            f.write_char('/')?;
            match &link.token {
                Token::Item(index) => write!(f, "{index}")?,
                Token::Name(name) => escaped(name, f)?,
            }
        }
        Ok(())
    }
}

fn escaped(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rest = name;
    while let Some(at) = rest.find(['~', '/']) {
        f.write_str(&rest[..at])?;
        let escape = if rest[at..].starts_with('~') {
            "~0"
        } else {
            "~1"
        };
        f.write_str(escape)?;
        rest = &rest[at + 1..];
    }
    f.write_str(rest)
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn places_are_shown_and_compared() {
        let place = Pointer::default().member("a/b~c").item(12).member("");
        assert_eq!(place.to_string(), "/a~1b~0c/12/");
        assert_eq!(format!("{place:?}"), "\"/a~1b~0c/12/\"");
        assert!(place == "/a~1b~0c/12/" && place != "/a~1b~0c/12" && place != "/a~1b~0c/12/x");
        let again = Pointer::default().member("a/b~c").item(12).member("");
        assert_eq!(place, again);
        assert_ne!(place, again.item(0));
        assert_ne!(place, Pointer::default());
    }

    #[test]
    fn depth_takes_no_stack() {
        let mut place = Pointer::default();
        for index in 0..1_000_000 {
            place = place.item(index & 1);
        }
        assert_eq!(place, place.clone());
    }
}
