//! The zones of a text: parts of it that are thought, quoted, shown or said by others.
//!
//! One pass goes over the text line by line, as far as it is asked, and looks at each byte once. What a zone means is
//! for the caller to say: calls in a quotation are not made, a value in a thought is no answer. Markers that belong to
//! no family of models are in the [lexicon]; those of families are [brought along](Asker::marks).
//!
//! The state of a pass is kept apart from the text, so that it can be resumed when more of it has come.

pub(crate) mod context;
pub(crate) mod elements;
pub(crate) mod fence;
pub mod lexicon;
pub(crate) mod lines;
pub(crate) mod marks;
pub(crate) mod pass;
pub(crate) mod speakers;
pub(crate) mod thought;
pub(crate) mod zone;

pub use elements::Element;
pub use fence::{fence_run, own_fence};
pub use marks::thoughts;
pub use pass::Pass;
pub use thought::{END_OF_THOUGHT, closer_of_thought, thought_tag};
pub use zone::{Asker, Fence, Holds, MarkAt, Marks, Place, Turn, Zone, ZoneKind, Zones};
