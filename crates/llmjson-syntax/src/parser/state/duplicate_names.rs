//! Duplicate keys of an object.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::hash::Hasher as _;

use crate::base::repair::{Class, NoteKind};
use crate::parser::state::reader::Reader;
use crate::parser::state::signatures::{FEW_MAX, MANY_MAX, SOME_MAX, Signatures, enter};
use crate::scan::{escape, peek};
use crate::tape::{Node, Tag, Tape, flag};

impl Reader<'_> {
    /// Marks members with the same key, so that all views show the last one in the place of the
    /// first. Most objects need only a quick comparison of the key signatures.
    #[inline]
    pub(crate) fn find_duplicates(&mut self, object: u32, count: u32) {
        if self.scratch.signatures.pop_distinct(count as usize) {
            debug_assert!(self.all_differ(object, count), "names were noted wrongly");
        } else if !self.names_differ(object, count) {
            self.compare_keys(object);
        }
    }

    /// Returns `true` if an object has `count` members with different keys. Sorts them.
    fn all_differ(&self, object: u32, count: u32) -> bool {
        let end = self.tape.nodes.len() as u32;
        let next = |&index: &u32| Some(self.tape.after(index)).filter(|&index| index < end);
        let members = core::iter::successors(Some(object + 1), next);
        let mut names: Vec<_> = members
            .map(|at| key(self.tape, self.look.text, at))
            .collect();
        names.sort_unstable();
        names.dedup();
        names.len() == count as usize
    }

    /// Returns `true` if a quick comparison shows that all keys of a closed object differ.
    #[inline(never)]
    fn names_differ(&mut self, object: u32, count: u32) -> bool {
        // The stack is used for another purpose.
        self.scratch.signatures.forget();
        count <= FEW_MAX && self.few_distinct(object)
            || count <= SOME_MAX && self.look_again::<64>(object)
            || count > SOME_MAX && count <= MANY_MAX && self.look_again::<256>(object)
    }

    /// Returns `true` if the lengths or first bytes of a few keys are all different.
    #[inline]
    fn few_distinct(&self, object: u32) -> bool {
        let nodes = &self.tape.nodes;
        let mut seen = [0u32; FEW_MAX as usize];
        let mut index = object as usize + 1;
        let mut count = 0;
        while let Some(node) = nodes.get(index) {
            if node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE) != 0 {
                return false;
            }
            let length = node.key_end - node.key_start;
            let first = if length == 0 {
                0
            } else {
                peek(self.look.bytes, node.key_start as usize)
            };
            let signature = length << 8 | u32::from(first);
            if seen[..count].contains(&signature) {
                return false;
            }
            let Some(place) = seen.get_mut(count) else {
                return false;
            };
            *place = signature;
            count += 1;
            index = if node.is_container() {
                node.next as usize
            } else {
                index + 1
            };
        }
        true
    }

    /// Returns `true` if the first and last bytes of all keys that were not noted during reading
    /// are different.
    #[inline]
    fn look_again<const SLOTS: usize>(&mut self, object: u32) -> bool {
        let nodes = &self.tape.nodes;
        let Signatures { stack, again, .. } = &mut self.scratch.signatures;
        let names = if SLOTS == 64 {
            &mut stack[..]
        } else {
            again.resize(MANY_MAX as usize + 1, 0);
            again
        };
        let mut slots = [0u8; SLOTS];
        let mut index = object as usize + 1;
        let mut count = 0;
        while let Some(node) = nodes.get(index) {
            if node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE) != 0 {
                return false;
            }
            let (start, end) = (node.key_start as usize, node.key_end as usize);
            let name = ends(self.look.bytes, start, end);
            count += 1;
            if !enter(&mut slots, name, count, |earlier| names[earlier]) {
                return false;
            }
            let Some(place) = names.get_mut(count) else {
                return false;
            };
            *place = name;
            index = if node.is_container() {
                node.next as usize
            } else {
                index + 1
            };
        }
        true
    }

    /// Sorts the keys by hash, then compares those with equal hashes.
    #[cold]
    fn compare_keys(&mut self, object: u32) {
        let mut keys = core::mem::take(&mut self.scratch.keys);
        keys.clear();
        let end = self.tape.nodes.len() as u32;
        let mut index = object + 1;
        while index < end {
            keys.push((full_hash(&key(self.tape, self.look.text, index)), index));
            index = self.tape.after(index);
        }
        // Sorting compares each key several times.
        self.look
            .charge(keys.len() * (keys.len().max(1).ilog2() as usize + 1));
        let (tape, text) = (&*self.tape, self.look.text);
        let name = |index| key(tape, text, index);
        keys.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0)
                .then_with(|| name(a.1).cmp(&name(b.1)))
                .then(a.1.cmp(&b.1))
        });
        let mut start = 0;
        while start < keys.len() {
            let (hash, first) = keys[start];
            let same = |&&(other, index): &&(u64, u32)| {
                other == hash
                    && key(self.tape, self.look.text, index)
                        == key(self.tape, self.look.text, first)
            };
            let length = 1 + keys[start + 1..].iter().take_while(same).count();
            if length > 1 {
                self.mark(object, &keys[start..start + length]);
            }
            start += length;
        }
        self.scratch.keys = keys;
    }

    /// `same` holds all members with one key, in reading order.
    fn mark(&mut self, object: u32, same: &[(u64, u32)]) {
        let (first, last) = (same[0].1, same[same.len() - 1].1);
        self.tape.nodes[object as usize].flags |= flag::DUPLICATES;
        self.tape.nodes[first as usize].flags |= flag::REPLACED;
        for &(_, index) in &same[1..] {
            self.tape.nodes[index as usize].flags |= flag::SHADOWED;
        }
        // Only members that do not count are noted: all except the last.
        for &(_, index) in &same[..same.len() - 1] {
            let node = self.tape.nodes[index as usize];
            let inside = !node.has(flag::SIDE | flag::KEY_SIDE) && node.end >= node.key_start;
            let end = if inside { node.end } else { node.key_end };
            let class = if self.same_value(index, last) {
                Class::Certain
            } else {
                Class::Likely
            };
            self.note_as(
                NoteKind::DuplicateKey,
                class,
                node.key_start as usize,
                end as usize,
            );
        }
        self.tape.replaced.push((first, last));
    }

    /// Returns `true` if two members with the same key have the same value in the same spelling.
    fn same_value(&self, one: u32, other: u32) -> bool {
        let node = |index: u32| self.tape.nodes[index as usize];
        let text = |node: &Node| {
            let side = node.has(flag::SIDE);
            let source = if side {
                &self.tape.side
            } else {
                self.look.text
            };
            source.get(node.start as usize..node.end as usize)
        };
        let (one, other) = (node(one), node(other));
        let (first, second) = (text(&one), text(&other));
        self.look.charge_search(first.map_or(0, str::len));
        one.tag == other.tag
            && one.flags & flag::ESCAPED == other.flags & flag::ESCAPED
            && (matches!(one.tag, Tag::Null | Tag::True | Tag::False) || first == second)
    }
}

/// Returns the unescaped key of the node at `index`: `é` for the member of `{"\u00e9": 1}`.
fn key<'t>(tape: &'t Tape, text: &'t str, index: u32) -> Cow<'t, str> {
    let node = &tape.nodes[index as usize];
    let source = if node.has(flag::KEY_SIDE) {
        &tape.side
    } else {
        text
    };
    let raw = source
        .get(node.key_start as usize..node.key_end as usize)
        .unwrap_or_default();
    if node.has(flag::KEY_ESCAPED) {
        Cow::Owned(escape::decode(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// Returns a number from the first and last eight bytes of a key and its length, which is equal for
/// equal keys: the two of `{"a": 1, "a": 2}`.
#[inline]
fn ends(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    let head = match bytes.get(start..start + 8) {
        Some(head) => u64::from_le_bytes(head.try_into().expect("eight bytes")),
        None => last_head(&bytes[start..end]),
    };
    if length < 8 {
        return head & !(u64::MAX << (8 * length)) | (length as u64) << 60;
    }
    let tail = u64::from_le_bytes(bytes[end - 8..end].try_into().expect("eight bytes"));
    head.rotate_left(23) ^ tail ^ (length as u64) << 60
}

/// Returns the bytes of a short key at the very end of the text as a number, the first byte lowest:
/// 0x6261 for the key of `{ab`.
#[cold]
fn last_head(name: &[u8]) -> u64 {
    name.iter()
        .rev()
        .fold(0, |head, &byte| head << 8 | u64::from(byte))
}

/// Returns a hash of all bytes of a key. Keys crafted to collide cost no more than a comparison.
fn full_hash(name: &str) -> u64 {
    let mut hasher = Fnv(0xCBF2_9CE4_8422_2325);
    hasher.write(name.as_bytes());
    hasher.0
}

struct Fnv(u64);

impl core::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::state::step::{KeySpan, scalar};

    #[test]
    fn equal_names_have_equal_ends() {
        let ends_of = |text: &str, name: &str| {
            let start = text.find(name).expect("a name");
            ends(text.as_bytes(), start, start + name.len())
        };
        // A name has the same ends wherever it stands, at the very end of the text too.
        for name in ["", "a", "seven_b", "eight_by", "a name of many bytes"] {
            let first = ends_of(&alloc::format!("{{\"{name}\": 1, \"b\": 2}}"), name);
            assert_eq!(ends_of(name, name), first, "{name}");
        }
        let names = [
            "a",
            "b",
            "aa",
            "ab",
            "seven_b",
            "eight_by",
            "eight_bz",
            "eight_bye",
        ];
        for (at, one) in names.iter().enumerate() {
            for other in &names[..at] {
                assert_ne!(ends_of(one, one), ends_of(other, other), "{one} {other}");
            }
        }
        assert_eq!(last_head(b"ab"), 0x6261);
        assert_eq!(last_head(b""), 0);
    }

    #[test]
    fn names_that_differ_within_have_other_hashes() {
        assert_eq!(full_hash("a name"), full_hash("a name"));
        assert_ne!(
            full_hash("eight_by_1_eight_by"),
            full_hash("eight_by_2_eight_by")
        );
    }

    #[test]
    fn names_are_read_without_their_escapes() {
        let name = |text: &str, side: &str, flags: u8| {
            let mut tape = Tape::default();
            let (start, end) = (2, 8);
            let name = KeySpan { start, end, flags };
            tape.nodes.push(scalar(name, Tag::Integer, 0, 0));
            tape.side = side.into();
            key(&tape, text, 0).into_owned()
        };
        let text = "{\"\\u00e9\": 1}";
        assert_eq!(name(text, "", flag::KEY_ESCAPED), "é");
        assert_eq!(name(text, "", 0), "\\u00e9");
        assert_eq!(name(text, "a name of", flag::KEY_SIDE), "name o");
        assert_eq!(name("{", "", 0), "");
    }
}
