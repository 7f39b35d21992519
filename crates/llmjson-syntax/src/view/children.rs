//! The children of a container.

use alloc::borrow::Cow;

use crate::tape::{Node, Tag, Tape, flag};
use crate::view::{Key, ValueRef};

/// Indices of a container's shown children.
#[derive(Clone, Copy)]
pub(super) struct Children<'d> {
    tape: &'d Tape,
    text: &'d str,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.next_node().map(|(index, _)| index)
    }
}

impl<'d> Children<'d> {
    /// Creates an iterator over the children of a value; a scalar has none.
    #[inline]
    pub(super) fn of(value: ValueRef<'d>) -> Self {
        let ValueRef { tape, text, index } = value;
        let end = match value.node().is_container() {
            true => tape.after(index),
            false => index,
        };
        let at = index + 1;
        Self {
            tape,
            text,
            at,
            end,
        }
    }

    /// Creates an iterator over the children of a value of that kind; any other yields none.
    #[inline]
    fn of_only(value: ValueRef<'d>, kind: Tag) -> Self {
        let ValueRef { tape, text, .. } = value;
        if value.node().tag == kind {
            return Self::of(value);
        }
        Self {
            tape,
            text,
            at: 0,
            end: 0,
        }
    }

    #[inline]
    fn next_node(&mut self) -> Option<(u32, &'d Node)> {
        while self.at < self.end {
            let index = self.at;
            let node = self.tape.node(index);
            self.at = self.tape.after_node(index, node);
            if !node.has(flag::SHADOWED) {
                return Some((index, node));
            }
        }
        None
    }

    /// Returns the next child, including members replaced by a later one with the same key.
    fn next_written(&mut self) -> Option<(u32, &'d Node)> {
        if self.at >= self.end {
            return None;
        }
        let index = self.at;
        let node = self.tape.node(index);
        self.at = self.tape.after_node(index, node);
        Some((index, node))
    }

    /// Returns the value of a child: its own, or the value of the node that replaces it.
    #[inline]
    fn value_at(&self, index: u32, node: &'d Node) -> ValueRef<'d> {
        let Self { tape, text, .. } = *self;
        if node.tag != Tag::Reference && !node.has(flag::REPLACED) {
            return ValueRef { tape, text, index };
        }
        self.stand_in(index, node)
    }

    #[cold]
    fn stand_in(&self, index: u32, node: &'d Node) -> ValueRef<'d> {
        let shown = if node.has(flag::REPLACED) {
            self.tape.replacement(index)
        } else {
            index
        };
        ValueRef::new(self.tape, self.text, shown)
    }
}

/// The items of an array. See [`ValueRef::items`].
#[derive(Clone, Copy)]
pub struct Items<'d> {
    children: Children<'d>,
}

impl<'d> Items<'d> {
    #[inline]
    pub(super) fn of(value: ValueRef<'d>) -> Self {
        let children = Children::of_only(value, Tag::Array);
        Self { children }
    }
}

impl<'d> Iterator for Items<'d> {
    type Item = ValueRef<'d>;

    #[inline]
    fn next(&mut self) -> Option<ValueRef<'d>> {
        let (index, node) = self.children.next_node()?;
        Some(self.children.value_at(index, node))
    }
}

/// The members of an object. See [`ValueRef::members`].
#[derive(Clone, Copy)]
pub struct Members<'d> {
    children: Children<'d>,
}

impl<'d> Members<'d> {
    #[inline]
    pub(super) fn of(value: ValueRef<'d>) -> Self {
        let children = Children::of_only(value, Tag::Object);
        Self { children }
    }

    /// Returns the members with all their values, including repeated keys.
    pub(super) fn written(self) -> impl Iterator<Item = (Cow<'d, str>, ValueRef<'d>)> {
        let mut children = self.children;
        core::iter::from_fn(move || {
            let (index, node) = children.next_written()?;
            let Children { tape, text, .. } = children;
            let key = Key::of_node(tape, text, index, node);
            Some((key.decoded(), ValueRef { tape, text, index }))
        })
    }

    /// Returns the next member with its key as written in the source.
    #[inline]
    fn next_raw(&mut self) -> Option<(Key<'d>, ValueRef<'d>)> {
        let (index, node) = self.children.next_node()?;
        let key = Key::of_node(self.children.tape, self.children.text, index, node);
        Some((key, self.children.value_at(index, node)))
    }

    pub(super) fn find_key(self, name: &str) -> Option<ValueRef<'d>> {
        let mut children = self.children;
        loop {
            let (index, node) = children.next_node()?;
            if Key::of_node(children.tape, children.text, index, node).is(name) {
                return Some(children.value_at(index, node));
            }
        }
    }

    /// Returns the next member with its undecoded key, for callers that keep the iterator and need
    /// its type.
    #[doc(hidden)]
    #[inline]
    pub fn next_keyed(&mut self) -> Option<(Key<'d>, ValueRef<'d>)> {
        self.next_raw()
    }

    /// Returns every member with a duplicate key, each with its own value: both `a` of
    /// `{"a": 1, "b": 2, "a": 3}`.
    #[doc(hidden)]
    pub fn repeated(self) -> impl Iterator<Item = (Key<'d>, ValueRef<'d>)> {
        let Children {
            tape,
            text,
            at,
            end,
        } = self.children;
        let is_repeated = at > 0 && tape.node(at - 1).has(flag::DUPLICATES);
        let next = move |&index: &u32| Some(tape.after(index)).filter(|&index| index < end);
        let first = (is_repeated && at < end).then_some(at);
        let members = core::iter::successors(first, next);
        members.filter_map(move |index| {
            let node = tape.node(index);
            let repeated = node.flags & (flag::SHADOWED | flag::REPLACED) != 0;
            let key = Key::of_node(tape, text, index, node);
            repeated.then(|| (key, ValueRef::new(tape, text, index)))
        })
    }

    /// Returns the members with undecoded keys, for callers that compare many of them.
    #[doc(hidden)]
    #[inline]
    pub fn keyed(self) -> impl Iterator<Item = (Key<'d>, ValueRef<'d>)> {
        let mut members = self;
        core::iter::from_fn(move || members.next_raw())
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = (Cow<'d, str>, ValueRef<'d>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.next_raw()?;
        Some((key.decoded(), value))
    }
}

/// The children of an array or of an object, for callers that treat both alike.
#[derive(Clone, Copy)]
pub(crate) struct Entries<'d> {
    children: Children<'d>,
    named: bool,
}

impl<'d> Entries<'d> {
    pub(super) fn of(value: ValueRef<'d>) -> Self {
        Self {
            children: Children::of(value),
            named: value.node().tag == Tag::Object,
        }
    }
}

impl<'d> Iterator for Entries<'d> {
    type Item = (Option<Key<'d>>, ValueRef<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        let Children { tape, text, .. } = self.children;
        let (index, node) = self.children.next_node()?;
        let key = self.named.then(|| Key::of_node(tape, text, index, node));
        Some((key, self.children.value_at(index, node)))
    }
}
