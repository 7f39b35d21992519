//! The ways to have a text read: every entry point of the library.

use std::hint::black_box;

use llmjson::{
    DeserializeExt, Policy, Schema,
    stream::{self, All},
    syntax::ValueRef,
    tools::{Registry, calls_in},
};
use llmjson_syntax::{Stream, StreamAll};

use crate::pieces::pieces;

/// A stream takes in so many bytes at once.
const PIECE: usize = 4;

/// What is done with a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// `parse` without a schema.
    Parse,
    /// `parse_all` without a schema: each value of the reply.
    Each,
    /// `calls_in` without tools.
    Calls,
    /// `from_str` into a value of serde_json.
    Typed,
    /// `parse` with a schema.
    Fit,
    /// The same; what is wrong is written down for the model.
    Feedback,
    /// `parse_all` with a schema.
    FitEach,
    /// `coerce` for a document that has been read.
    Coerce,
    /// `Schema::validate` for a value that has been read; what is wrong is written down.
    Validate,
    /// [`Policy::parse`](llmjson::Policy::parse) under that policy; what is wrong is written down.
    Policy(&'static str),
    /// `Stream`, with a look at the value after each piece.
    Stream,
    /// `Stream`, with its events after each piece.
    Events,
    /// `StreamAll`, with a look at the value after each piece.
    StreamAll,
    /// `stream::Stream`, with a look at the value after each piece.
    FitStream,
    /// `stream::Stream`, with its events after each piece.
    FitEvents,
    /// `stream::All`, with a look at the value after each piece.
    FitStreamAll,
}

/// All that is done with a text, in the order of the table.
pub(super) const WAYS: [Way; 20] = [
    Way::Parse,
    Way::Each,
    Way::Calls,
    Way::Typed,
    Way::Fit,
    Way::Feedback,
    Way::FitEach,
    Way::Coerce,
    Way::Validate,
    Way::Policy("strict"),
    Way::Policy("shape"),
    Way::Policy("conservative"),
    Way::Policy("tool"),
    Way::Policy("exact"),
    Way::Stream,
    Way::Events,
    Way::StreamAll,
    Way::FitStream,
    Way::FitEvents,
    Way::FitStreamAll,
];

impl Way {
    /// The name that the table shows.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Each => "parse_all",
            Self::Calls => "calls_in",
            Self::Typed => "from_str",
            Self::Fit => "fit",
            Self::Feedback => "feedback",
            Self::FitEach => "fit all",
            Self::Coerce => "coerce",
            Self::Validate => "validate",
            Self::Policy(name) => name,
            Self::Stream => "stream",
            Self::Events => "events",
            Self::StreamAll => "stream all",
            Self::FitStream => "fit stream",
            Self::FitEvents => "fit events",
            Self::FitStreamAll => "fit stream all",
        }
    }

    /// Whether the schema has a say.
    pub(super) fn fits(self) -> bool {
        !matches!(
            self,
            Self::Parse
                | Self::Each
                | Self::Calls
                | Self::Typed
                | Self::Stream
                | Self::Events
                | Self::StreamAll
        )
    }

    /// Does it.
    pub(super) fn go(self, text: &str, schema: &Schema) {
        match self {
            Self::Parse => drop(black_box(llmjson::parse(text, None))),
            Self::Each => drop(black_box(llmjson::parse_all(text, None))),
            Self::Calls => {
                let registry = Registry::builder().build().expect("it has no tools");
                black_box(calls_in(text, &registry));
            }
            Self::Typed => drop(black_box(llmjson::from_str::<serde_json::Value>(text))),
            Self::Fit => drop(black_box(llmjson::parse(text, Some(schema)))),
            Self::Feedback => feedback(text, schema, &Policy::lenient()),
            Self::FitEach => drop(black_box(llmjson::parse_all(text, Some(schema)))),
            Self::Coerce => {
                let document = llmjson::parse(text, None).into_document();
                black_box(llmjson::coerce(document, schema));
            }
            Self::Validate => {
                let value = llmjson::parse(text, None)
                    .value()
                    .map(DeserializeExt::to_value);
                if let Some(Ok(value)) = value
                    && let Err(failure) = schema.validate(&value)
                {
                    black_box(failure.feedback(None));
                }
            }
            Self::Policy(name) => {
                let policy = Policy::named(name).expect("the table names presets");
                feedback(text, schema, &policy);
            }
            Self::Stream => in_pieces(
                text,
                Stream::new(),
                |stream, piece| {
                    stream.push(piece);
                    see(stream.document().root());
                },
                Stream::finish,
            ),
            Self::Events => in_pieces(
                text,
                Stream::new(),
                |stream, piece| {
                    stream.push(piece);
                    black_box(stream.events());
                },
                Stream::finish,
            ),
            Self::StreamAll => in_pieces(
                text,
                StreamAll::new(),
                |stream, piece| {
                    stream.push(piece);
                    while let Some(value) = stream.pop() {
                        black_box(value);
                    }
                    see(stream.current().document().root());
                },
                StreamAll::finish,
            ),
            Self::FitStream => in_pieces(
                text,
                stream::Stream::new(Some(schema)),
                |stream, piece| {
                    stream.push(piece);
                    see(stream.value());
                },
                stream::Stream::finish,
            ),
            Self::FitEvents => in_pieces(
                text,
                stream::Stream::new(Some(schema)),
                |stream, piece| {
                    stream.push(piece);
                    black_box(stream.events());
                },
                stream::Stream::finish,
            ),
            Self::FitStreamAll => in_pieces(
                text,
                All::new(Some(schema)),
                |stream, piece| {
                    stream.push(piece);
                    while let Some(value) = stream.pop() {
                        black_box(value);
                    }
                    see(stream.current().value());
                },
                All::finish,
            ),
        }
    }
}

/// Hands the text to a stream piece by piece, and ends it.
fn in_pieces<S, F>(
    text: &str,
    mut stream: S,
    mut take: impl FnMut(&mut S, &str),
    finish: impl FnOnce(S) -> F,
) {
    for piece in pieces::<PIECE>(text) {
        take(&mut stream, piece);
    }
    black_box(finish(stream));
}

fn feedback(text: &str, schema: &Schema, policy: &Policy) {
    if let Err(failure) = policy.parse(text, Some(schema)).into_result() {
        black_box(failure.feedback(None));
    }
}

/// What a page does that shows the value: asks for it, what it is, and how much is in it.
fn see(value: Option<ValueRef<'_>>) {
    black_box(value.map(|value| (value.kind(), value.len())));
}
