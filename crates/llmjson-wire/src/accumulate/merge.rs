//! Extras of many chunks: a later value replaces an earlier one, and the listener is called.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crate::extras::{Extras, ExtrasView};
use crate::raw::Raw;

/// The number of names from which a map is used instead of a search.
const SEARCHED_MAX: usize = 8;

/// A value that was replaced by a later one.
///
/// Reported once for every replacement by different bytes; the same bytes again are not reported.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Conflict<'c> {
    /// The object that has the member.
    pub scope: Scope,
    /// The key of the member.
    pub key: &'c str,
    /// The old value.
    pub before: &'c Raw,
    /// The new value.
    pub after: &'c Raw,
}

/// The object that an extra belongs to.
///
/// Displays as `chunk`, `choice`, `message`, `tool_call[2]` or `tool_call[2].function`, prefixed
/// with `choice[1].` for any choice other than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The chunk itself.
    Chunk,
    /// A choice.
    Choice {
        /// The index of the choice.
        choice: u32,
    },
    /// The message of a choice.
    Message {
        /// The index of the choice.
        choice: u32,
    },
    /// A call in the message.
    ToolCall {
        /// The index of the choice.
        choice: u32,
        /// The index of the call.
        call: u32,
    },
    /// The function of a call.
    Function {
        /// The index of the choice.
        choice: u32,
        /// The index of the call.
        call: u32,
    },
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Chunk => return f.write_str("chunk"),
            Self::Choice { choice: 0 } => return f.write_str("choice"),
            Self::Choice { choice } => return write!(f, "choice[{choice}]"),
            Self::Message { choice }
            | Self::ToolCall { choice, .. }
            | Self::Function { choice, .. } => {
                if choice != 0 {
                    write!(f, "choice[{choice}].")?;
                }
            }
        }
        match *self {
            Self::ToolCall { call, .. } => write!(f, "tool_call[{call}]"),
            Self::Function { call, .. } => write!(f, "tool_call[{call}].function"),
            Self::Chunk | Self::Choice { .. } | Self::Message { .. } => f.write_str("message"),
        }
    }
}

/// The listener for conflicts.
pub(crate) type Listener = Box<dyn FnMut(&Conflict<'_>) + Send>;

/// The rules for merging extras.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) listener: Option<Listener>,
    /// Members whose arrays are joined instead of replaced.
    pub(crate) joined: Vec<String>,
}

impl Rules {
    fn tell(&mut self, conflict: &Conflict<'_>) {
        #[cfg(feature = "tracing")]
        tracing::debug!(
            name: "llmjson.stream_conflict",
            target: "llmjson",
            scope = %conflict.scope,
            key = conflict.key,
        );
        if let Some(listener) = &mut self.listener {
            listener(conflict);
        }
    }
}

/// The extras of one object so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merged {
    members: Vec<(String, Value)>,
    /// The index of each name, once there are many.
    places: HashMap<String, usize>,
}

#[derive(Clone, Debug)]
enum Value {
    Whole(Raw),
    /// A growing array, without its last bracket.
    List(String),
}

impl Merged {
    /// Takes the extras of the next piece.
    pub(crate) fn merge(&mut self, extras: ExtrasView<'_>, scope: Scope, rules: &mut Rules) {
        for (name, value) in extras {
            if rules.joined.iter().any(|joined| *joined == name) && self.join(&name, value.get()) {
                continue;
            }
            let Some(place) = self.place(&name) else {
                self.add(name, Value::Whole(Raw::from_raw(value)));
                continue;
            };
            let (key, held) = &mut self.members[place];
            let before = match held {
                Value::Whole(raw) if raw.as_str() == value.get() => continue,
                Value::Whole(raw) => raw.clone(),
                Value::List(list) => whole_list(list),
            };
            let after = Raw::from_raw(value);
            rules.tell(&Conflict {
                scope,
                key,
                before: &before,
                after: &after,
            });
            *held = Value::Whole(after);
        }
    }

    /// Joins the arrays of an object to the arrays with the same names; other values are replaced.
    pub(crate) fn join_all(&mut self, members: ExtrasView<'_>) {
        for (name, value) in members {
            if self.join(&name, value.get()) {
                continue;
            }
            let value = Value::Whole(Raw::from_raw(value));
            match self.place(&name) {
                Some(place) => self.members[place].1 = value,
                None => self.add(name, value),
            }
        }
    }

    /// Appends an array to the existing array. Returns `false` if one of them is not an array.
    fn join(&mut self, name: &str, json: &str) -> bool {
        let Some(items) = json
            .strip_prefix('[')
            .and_then(|json| json.strip_suffix(']'))
        else {
            return false;
        };
        let open = || format!("[{items}");
        let Some(place) = self.place(name) else {
            self.add(Cow::Borrowed(name), Value::List(open()));
            return true;
        };
        let held = &mut self.members[place].1;
        match held {
            Value::Whole(raw) if raw.is_null() => *held = Value::List(open()),
            Value::Whole(_) => return false,
            Value::List(list) => {
                let (empty, nothing) = (
                    list.trim_ascii_end().len() == 1,
                    items.trim_ascii().is_empty(),
                );
                if !empty && !nothing {
                    list.push(',');
                }
                list.push_str(items);
            }
        }
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the extras in their current state.
    pub(crate) fn to_extras(&self) -> Extras {
        let mut extras = Extras::default();
        for (name, value) in &self.members {
            let value = match value {
                Value::Whole(raw) => raw.clone(),
                Value::List(list) => whole_list(list),
            };
            extras.push(name.clone(), value);
        }
        extras
    }

    fn place(&self, name: &str) -> Option<usize> {
        if self.members.len() <= SEARCHED_MAX {
            return self.members.iter().position(|member| member.0 == name);
        }
        self.places.get(name).copied()
    }

    fn add(&mut self, name: Cow<'_, str>, value: Value) {
        let name = name.into_owned();
        self.members.push((name, value));
        let count = self.members.len();
        if count == SEARCHED_MAX + 1 {
            let members = self.members.iter().enumerate();
            self.places = members
                .map(|(place, member)| (member.0.clone(), place))
                .collect();
        } else if count > SEARCHED_MAX {
            self.places
                .insert(self.members[count - 1].0.clone(), count - 1);
        }
    }
}

/// A grown array, with its last bracket.
fn whole_list(list: &str) -> Raw {
    Raw::from_text(&format!("{list}]")).expect("lists were joined with commas")
}
