//! Maps and sets of paths, and changes to the members at several paths at once.

use std::collections::BTreeMap;

use llmjson_schema::{Path, Step};
use llmjson_syntax::{Document, Kind, MemberId, NewKey, NodeId};

/// Maximum depth of a path, in steps. Members and items at deeper paths are left unchanged.
pub(super) const DEPTH_MAX: usize = 128;

/// A map from paths to values, as a tree of steps.
pub(super) struct PathMap<T> {
    here: Option<T>,
    below: BTreeMap<Step, Self>,
}

/// A change of a member of an object.
pub(super) enum MemberChange {
    /// Replaces the name.
    Rename(String),
    /// Removes the member.
    Remove,
}

impl<T> Default for PathMap<T> {
    fn default() -> Self {
        Self {
            here: None,
            below: BTreeMap::new(),
        }
    }
}

impl<T> PathMap<T> {
    /// Returns the entry for a path, or `None` if the path is longer than [`DEPTH_MAX`].
    pub(super) fn at(&mut self, path: &Path) -> Option<&mut Option<T>> {
        let steps = path.steps();
        if steps.len() > DEPTH_MAX {
            return None;
        }
        let at = steps.into_iter().fold(self, |places, step| {
            places.below.entry(step.clone()).or_default()
        });
        Some(&mut at.here)
    }

    /// Calls a function for each path that exists in the document, in document order. Each container on
    /// the way is traversed once.
    pub(super) fn visit(
        &self,
        document: &Document<'_>,
        value: NodeId,
        call: &mut impl FnMut(NodeId, &T),
    ) {
        if let Some(here) = &self.here {
            call(value, here);
        }
        if self.below.is_empty() {
            return;
        }
        for (step, _, child) in children(document, value) {
            if let Some(below) = self.below.get(&step) {
                below.visit(document, child, call);
            }
        }
    }
}

impl PathMap<MemberChange> {
    /// Applies the changes to a copy of a value and returns the copy.
    pub(super) fn apply(&self, document: &mut Document<'_>, value: NodeId) -> NodeId {
        if self.below.is_empty() {
            return value;
        }
        let all = children(document, value);
        let mut members = Vec::with_capacity(all.len());
        let mut items = Vec::new();
        for (step, member, child) in all {
            let change = self.below.get(&step);
            let child = change.map_or(child, |change| change.apply(document, child));
            let Some(member) = member else {
                items.push(child);
                continue;
            };
            match change.and_then(|change| change.here.as_ref()) {
                Some(MemberChange::Remove) => {}
                Some(MemberChange::Rename(name)) => members.push((NewKey::Text(name), child)),
                None => members.push((NewKey::Same(member), child)),
            }
        }
        match document.node(value).kind() {
            Kind::Array => document.edit().array(&items),
            _ => document.edit().object(&members),
        }
    }
}

/// Returns the children of a container: the step, the member of an object, and the value.
pub(super) fn children(
    document: &Document<'_>,
    value: NodeId,
) -> Vec<(Step, Option<MemberId>, NodeId)> {
    let value = document.node(value);
    let items = (0..).zip(value.items());
    let items = items.map(|(index, item)| (Step::Index(index), None, item.id()));
    let members = value.members().keyed().map(|(key, member)| {
        let step = Step::Member(key.decoded().into());
        (step, Some(key.member()), member.id())
    });
    match value.kind() {
        Kind::Array => items.collect(),
        Kind::Object => members.collect(),
        _ => Vec::new(),
    }
}

/// A sorted set of paths, none of which is inside another.
#[derive(Default)]
pub(super) struct Apart(Vec<Path>);

impl Apart {
    /// Creates the set. A path inside another one is left out.
    pub(super) fn of(mut paths: Vec<Path>) -> Self {
        paths.sort();
        paths.dedup_by(|path, kept| is_within(path, kept));
        Self(paths)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }

    /// Returns the path of the set that is equal to `path` or contains it.
    pub(super) fn around(&self, path: &Path) -> Option<&Path> {
        let after = self.0.partition_point(|one| one <= path);
        let one = self.0.get(after.checked_sub(1)?)?;
        is_within(path, one).then_some(one)
    }

    /// Returns the paths of the set that are equal to `path` or inside it.
    pub(super) fn within(&self, path: &Path) -> impl Iterator<Item = &Path> {
        let first = self.0.partition_point(|one| one < path);
        let rest = self.0[first..].iter();
        rest.take_while(move |one| is_within(one, path))
    }
}

fn is_within(path: &Path, outer: &Path) -> bool {
    path.steps().starts_with(&outer.steps())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        Path::parse(text).expect("a path")
    }

    #[test]
    fn members_are_renamed_and_removed() {
        let mut document = llmjson_syntax::parse(r#"{"a": [{"b": 1, "c": 2}, 3], "d": 4, "e": 5}"#);
        let mut places = PathMap::default();
        for (place, change) in [
            ("$input.a[0].c", MemberChange::Rename("x".to_owned())),
            ("$input.d", MemberChange::Remove),
            ("$input.none", MemberChange::Remove),
        ] {
            *places.at(&path(place)).expect("not deep") = Some(change);
        }
        let root = document.root().expect("a value").id();
        let root = places.apply(&mut document, root);
        document.edit().set_root(root);
        assert_eq!(
            document.to_json().as_deref(),
            Some(r#"{"a":[{"b":1,"x":2},3],"e":5}"#)
        );
    }

    #[test]
    fn containing_and_contained_paths_are_found() {
        let apart = Apart::of(vec![
            path("$input.b[1]"),
            path("$input.a.b"),
            path("$input.a"),
            path("$input.a"),
        ]);
        assert_eq!(apart.iter().count(), 2);
        assert_eq!(apart.around(&path("$input.a.c")), Some(&path("$input.a")));
        let around = |text: &str| apart.around(&path(text)).map(ToString::to_string);
        assert_eq!(around("$input.a.b.c").as_deref(), Some("$input.a"));
        assert_eq!(around("$input.b[1]").as_deref(), Some("$input.b[1]"));
        assert_eq!(around("$input.b[2]"), None);
        assert_eq!(around("$input"), None);
        assert_eq!(apart.within(&path("$input.b")).count(), 1);
        assert_eq!(apart.within(&Path::root()).count(), 2);
    }
}
