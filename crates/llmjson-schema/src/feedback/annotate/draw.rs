//! The layout: one line per member or item, the comma before the comment, the comment after the
//! value or after the opening bracket. An explicit stack, so depth costs no call stack.

use std::borrow::Cow;

use llmjson_syntax::{Kind, ValueRef};
use smallvec::SmallVec;

use crate::ir::parts::MeantShapes;
use crate::schema::Schema;

use super::annotation_source::AnnotationSource;
use super::lines::{AnnotatedContainer, Children, Line, LineEnd};
use super::order;
use super::paper::Paper;
use super::place::PlaceText;
use super::trie::{PlaceId, Trie};

/// Length beyond which scalars are truncated where details are omitted.
const SCALAR_BYTES_MAX: usize = 64;

const SPACES: &str = "                                                                ";

/// The degree to which values without annotations are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    Everything,
    /// Containers are folded and long scalars truncated.
    Values,
    /// Runs of items are folded, too.
    Items,
    /// Runs of members are folded, too, and long scalars are truncated even if they have an
    /// annotation.
    Least,
    /// The value is folded as a whole, and no annotation is shown in it.
    Nothing,
}

impl Detail {
    /// The levels of detail at which every annotation is in its place.
    pub(super) const PLACED: [Self; 4] = [Self::Everything, Self::Values, Self::Items, Self::Least];
}

/// A rendered value.
pub(super) struct Drawing {
    /// `true` for each annotation included.
    pub(super) shown: Vec<bool>,
    /// `true` if something was folded or truncated.
    pub(super) folded: bool,
}

impl Drawing {
    /// Renders the value, or the beginning of it that fits.
    pub(super) fn draw(
        paper: &mut Paper,
        root: Option<ValueRef<'_>>,
        said: AnnotationSource<'_>,
        trie: &Trie<'_>,
        schema: Option<&Schema>,
        detail: Detail,
    ) -> Self {
        let drawing = Self {
            shown: vec![false; said.len()],
            folded: false,
        };
        let seen = vec![false; trie.len()];
        let mut pen = Pen {
            paper,
            drawing,
            seen,
            said,
            trie,
            schema,
            detail,
            open: Vec::new(),
            places: PlaceText::default(),
        };
        match root {
            None => pen.missing(trie.annotations(PlaceId::ROOT), LineEnd::Nothing),
            Some(value) => {
                let shapes = schema
                    .map(|schema| MeantShapes::root(&schema.compiled.shapes, order::SHAPES_MAX));
                let shapes = shapes.unwrap_or_default();
                // Without any path there is nothing to point at, so the whole value may be folded.
                let place = (!trie.is_empty()).then_some(PlaceId::ROOT);
                pen.value(value, place, shapes, LineEnd::Nothing);
            }
        }
        while !pen.paper.is_full() && pen.next_line() {}
        pen.drawing
    }
}

struct Pen<'p, 'd, 'r> {
    paper: &'p mut Paper,
    drawing: Drawing,
    /// `true` for each path that the value has.
    seen: Vec<bool>,
    said: AnnotationSource<'p>,
    trie: &'p Trie<'r>,
    schema: Option<&'p Schema>,
    detail: Detail,
    open: Vec<AnnotatedContainer<'d>>,
    places: PlaceText<'p>,
}

impl<'d> Pen<'_, 'd, '_> {
    /// Writes the next line. Returns `false` if there is none.
    fn next_line(&mut self) -> bool {
        let depth = self.open.len();
        let Some(open) = self.open.last_mut() else {
            return false;
        };
        let Some(line) = open.ahead.take() else {
            let closer = if matches!(open.children, Children::Items(_)) {
                ']'
            } else {
                '}'
            };
            let separator = open.separator;
            self.open.pop();
            self.indent(depth - 1);
            self.paper.push(closer);
            self.separate(separator);
            return true;
        };
        open.ahead = open.advance(self.trie);
        let separator = match open.ahead {
            Some(_) => LineEnd::Comma,
            None => LineEnd::Nothing,
        };
        self.indent(depth);
        match line {
            Line::Value {
                name,
                value,
                place,
                index,
            } => {
                // Only missing members need them.
                let place_inside =
                    place.filter(|_| value.kind() == Kind::Object || value.kind() == Kind::Array);
                let shapes = self.shapes_below(name.as_deref(), index, place_inside);
                if let Some(name) = name {
                    self.name(&name);
                }
                self.value(value, place, shapes, separator);
            }
            Line::Member(place) => {
                self.name(self.trie.name(place).unwrap_or_default());
                self.missing(self.trie.annotations(place), separator);
            }
            Line::Item(annotation) => self.missing(&[annotation], separator),
            Line::Folded(count) => self.run(count, separator),
        }
        true
    }

    /// Writes a value, or its first line if it has several.
    fn value(
        &mut self,
        value: ValueRef<'d>,
        place: Option<PlaceId>,
        shapes: MeantShapes,
        separator: LineEnd,
    ) {
        let annotations = place
            .map(|place| self.trie.annotations(place))
            .unwrap_or_default();
        let brackets = match value.kind() {
            Kind::Array => ["[", "]", "[…]"],
            Kind::Object => ["{", "}", "{…}"],
            Kind::Null | Kind::Bool | Kind::Number | Kind::String => {
                self.scalar(value, !annotations.is_empty());
                self.separate(separator);
                return self.comment(annotations);
            }
        };
        if place.is_none() && self.detail > Detail::Everything && !value.is_empty() {
            self.drawing.folded = true;
            self.paper.push_str(brackets[2]);
            return self.separate(separator);
        }
        self.paper.push_str(brackets[0]);
        let open = self.opened(value, place, shapes, separator);
        if open.ahead.is_none() {
            self.paper.push_str(brackets[1]);
            self.separate(separator);
        } else {
            self.open.push(open);
        }
        self.comment(annotations);
    }

    fn opened(
        &mut self,
        value: ValueRef<'d>,
        place: Option<PlaceId>,
        shapes: MeantShapes,
        separator: LineEnd,
    ) -> AnnotatedContainer<'d> {
        let mut open = AnnotatedContainer {
            children: Children::Items(value.items()),
            index: 0,
            place,
            near: 0,
            shapes,
            missing: Vec::new(),
            next_items: SmallVec::new(),
            folds: self.detail >= Detail::Items,
            ahead: None,
            after_run: None,
            separator,
        };
        if value.kind() == Kind::Object {
            open.children = Children::Members(value.members());
            open.folds = self.detail >= Detail::Least;
            open.missing = place
                .map(|place| self.missing_members(value, place, &open.shapes))
                .unwrap_or_default();
        } else if let Some(place) = place {
            open.next_items = self.trie.next_items(place).iter().rev().copied().collect();
        }
        open.ahead = open.advance(self.trie);
        open
    }

    /// Returns the missing members with annotations, the last one first, each with the index of the
    /// present member before which it belongs.
    fn missing_members(
        &mut self,
        value: ValueRef<'d>,
        place: PlaceId,
        shapes: &MeantShapes,
    ) -> Vec<(usize, PlaceId)> {
        let trie = self.trie;
        // If no annotation is about a member, none is about a missing one.
        if trie.children(place).is_empty() {
            return Vec::new();
        }
        let present: Vec<Cow<'d, str>> = value.members().map(|(name, _)| name).collect();
        let mut near = 0;
        for name in &present {
            if let Some(child) = trie.member(place, name, &mut near) {
                self.seen[child.index()] = true;
            }
        }
        let (places, names): (Vec<PlaceId>, Vec<&str>) = (trie.children(place).iter())
            .filter(|child| !self.seen[child.index()] && !trie.annotations(**child).is_empty())
            .filter_map(|child| Some((*child, trie.name(*child)?)))
            .unzip();
        if places.is_empty() {
            return Vec::new();
        }
        let present: Vec<&str> = present.iter().map(|name| &**name).collect();
        let arranged = order::arranged(self.schema, shapes, &present, &names);
        arranged
            .into_iter()
            .rev()
            .map(|(at, before)| (before, places[at]))
            .collect()
    }

    fn shapes_below(
        &self,
        name: Option<&str>,
        index: usize,
        place: Option<PlaceId>,
    ) -> MeantShapes {
        let (Some(schema), Some(_), Some(open)) = (self.schema, place, self.open.last()) else {
            return MeantShapes::default();
        };
        let shapes = &schema.compiled.shapes;
        match name {
            Some(name) => open.shapes.member(shapes, name),
            None => open.shapes.item(shapes, index),
        }
    }

    fn scalar(&mut self, value: ValueRef<'d>, is_annotated: bool) {
        let cuts = match self.detail {
            Detail::Everything => false,
            Detail::Values | Detail::Items => !is_annotated,
            Detail::Least | Detail::Nothing => true,
        };
        let text = value
            .as_str()
            .or_else(|| value.as_number().map(Cow::Borrowed));
        match text {
            Some(text) if cuts && text.len() > SCALAR_BYTES_MAX => {
                let head = text.floor_char_boundary(SCALAR_BYTES_MAX);
                self.paper.push_string(&format!("{}…", &text[..head]));
                self.drawing.folded = true;
            }
            Some(text) => (self.paper).write(text.len(), |out| value.write_json(out)),
            None => self.paper.write(0, |out| value.write_json(out)),
        }
    }

    fn name(&mut self, name: &str) {
        self.paper.push_string(name);
        self.paper.push_str(": ");
    }

    fn missing(&mut self, annotations: &[u32], separator: LineEnd) {
        self.paper.push_str("undefined");
        self.separate(separator);
        self.comment(annotations);
    }

    fn run(&mut self, count: usize, separator: LineEnd) {
        self.drawing.folded = true;
        self.paper.push('…');
        self.separate(separator);
        self.paper.push_str(&format!(" // {count} valid"));
    }

    fn separate(&mut self, separator: LineEnd) {
        if separator == LineEnd::Comma {
            self.paper.push(',');
        }
    }

    fn indent(&mut self, depth: usize) {
        self.paper.push('\n');
        // Depth has no limit here.
        let mut width = 2 * depth;
        while width > 0 {
            let piece = width.min(SPACES.len());
            self.paper.push_str(&SPACES[..piece]);
            width -= piece;
        }
    }

    fn comment(&mut self, annotations: &[u32]) {
        for (at, &number) in annotations.iter().enumerate() {
            if self.paper.is_full() {
                return;
            }
            let Some(saying) = self.said.get(number as usize) else {
                continue;
            };
            self.paper.push_str(if at == 0 {
                " // ❌ [{\"path\":"
            } else {
                ",{\"path\":"
            });
            self.places.write(saying.spot, self.paper);
            self.paper.push_str(",\"expected\":");
            self.paper.push_string(saying.expected);
            if let Some(description) = saying.description {
                self.paper.push_str(",\"description\":");
                self.paper.push_string(description);
            }
            self.paper.push('}');
            self.drawing.shown[number as usize] = true;
        }
        if !annotations.is_empty() {
            self.paper.push(']');
        }
    }
}
