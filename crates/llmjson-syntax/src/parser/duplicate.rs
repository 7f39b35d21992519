//! Names that an object has more than once.

use super::Reader;
use crate::escape;
use crate::node::{Tape, flag};
use crate::repair::NoteKind;

use alloc::borrow::Cow;
use core::hash::Hasher as _;

/// Up to this many members are compared pair by pair where the quick look could not tell.
const PAIRWISE_MAX: u32 = 24;

/// Bits of the quick look.
const FILTER_BITS: u64 = 512;

impl Reader<'_> {
    /// Marks members of the same name, so that everybody sees the last one in the first one's
    /// place. A quick look with a small filter clears nearly all objects.
    #[inline]
    pub(super) fn find_duplicates(&mut self, object: u32, count: u32) {
        if count <= PAIRWISE_MAX && self.surely_distinct(object) {
            return;
        }
        self.compare_keys(object);
    }

    /// Whether a hash over length, first and last bytes tells all names apart.
    #[inline]
    fn surely_distinct(&self, object: u32) -> bool {
        let nodes = &self.tape.nodes;
        let mut filter = [0u64; (FILTER_BITS / 64) as usize];
        let mut index = object as usize + 1;
        while let Some(node) = nodes.get(index) {
            if node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE) != 0 {
                return false;
            }
            let hash = quick_hash(self.bytes, node.key_start as usize, node.key_end as usize);
            let bit = 1u64 << (hash % 64);
            let word = &mut filter[((hash >> 6) % (FILTER_BITS / 64)) as usize];
            if *word & bit != 0 {
                return false;
            }
            *word |= bit;
            index = if node.is_container() {
                node.next as usize
            } else {
                index + 1
            };
        }
        true
    }

    /// Sorts the names by hash, then compares those of equal hash.
    #[cold]
    fn compare_keys(&mut self, object: u32) {
        let mut keys = core::mem::take(&mut self.scratch.keys);
        keys.clear();
        let end = self.tape.nodes.len() as u32;
        let mut index = object + 1;
        while index < end {
            keys.push((full_hash(&key(self.tape, self.text, index)), index));
            index = self.tape.after(index);
        }
        let (tape, text) = (&*self.tape, self.text);
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
                    && key(self.tape, self.text, index) == key(self.tape, self.text, first)
            };
            let length = 1 + keys[start + 1..].iter().take_while(same).count();
            if length > 1 {
                self.mark(object, &keys[start..start + length]);
            }
            start += length;
        }
        self.scratch.keys = keys;
    }

    /// `same` holds all members of one name, in reading order.
    fn mark(&mut self, object: u32, same: &[(u64, u32)]) {
        let (first, last) = (same[0].1, same[same.len() - 1].1);
        self.tape.nodes[object as usize].flags |= flag::DUPLICATES;
        self.tape.nodes[first as usize].flags |= flag::REPLACED;
        for &(_, index) in &same[1..] {
            let node = &mut self.tape.nodes[index as usize];
            node.flags |= flag::SHADOWED;
            let (start, end) = (node.key_start as usize, node.key_end as usize);
            self.note(NoteKind::DuplicateKey, start, end);
        }
        self.tape.replaced.push((first, last));
    }
}

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

/// Mixes a name's length, its first four bytes and its last four bytes.
#[inline]
fn quick_hash(bytes: &[u8], start: usize, end: usize) -> u64 {
    // Names are followed by a quote or colon and a value, so eight bytes nearly always exist.
    let head = match bytes.get(start..start + 4) {
        Some(head) => u32::from_le_bytes(head.try_into().expect("four bytes")),
        None => 0,
    };
    let length = (end - start) as u32;
    let head = if length < 4 {
        head & ((1u32 << (8 * length)) - 1)
    } else {
        head
    };
    let tail = match bytes.get(end.wrapping_sub(4)..end) {
        Some(tail) if length >= 4 => u32::from_le_bytes(tail.try_into().expect("four bytes")),
        _ => 0,
    };
    let mixed = (u64::from(head) << 32 | u64::from(tail)) ^ u64::from(length);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 55
}

/// A hash over all bytes. Texts made to collide cost no more than comparing them.
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
