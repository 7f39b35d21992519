//! The zones of a text: parts that are reasoning, quotations, display text or other speakers'
//! words.
//!
//! One pass processes the text line by line, as far as requested, and reads each byte once. The
//! caller decides what a zone means: calls in a quotation are not made, a value in reasoning is not
//! an answer. Markers that belong to no model family are in the [lexicon]; family markers are
//! [supplied](Asker::marks).
//!
//! The state of a pass is separate from the text, so that it can be resumed when more text has
//! arrived.

pub mod context;
pub(crate) mod elements;
pub(crate) mod fence;
pub mod lexicon;
pub(crate) mod lines;
pub(crate) mod marks;
pub(crate) mod pass;
pub(crate) mod sentences;
pub(crate) mod thought;
pub(crate) mod turns;
pub(crate) mod zone;

pub use elements::Element;
pub use fence::{
    FenceLine, Fences, closing_run, fence_run, last_own_fence, opening_line, own_fence,
};
pub use marks::thoughts;
pub use pass::Pass;
pub use thought::{END_OF_THOUGHT, closer_of_thought, thought_tag};
pub use turns::begins_turn;
pub use zone::{Asker, Fence, Holds, MarkAt, Marks, Place, Zone, ZoneKind, Zones};
