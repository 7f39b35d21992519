//! Chunks of chat completions, as which the machine takes the events of a dialect.

use llmjson::syntax::{JsonOut, JsonText};

/// Returns a chunk that adds to a text.
pub(crate) fn said(name: &str, text: &str) -> String {
    chunk(|out| out.member(name, text))
}

/// Returns a chunk that adds to a call, and begins it with an id and a name.
pub(crate) fn called(index: u64, first: Option<(String, String)>, arguments: &str) -> String {
    chunk(|out| {
        out.objects("tool_calls", [()], |(), out| {
            out.member("index", index);
            if let Some((id, _)) = &first {
                out.member("id", id);
                out.member("type", "function");
            }
            out.object_in("function", |out| {
                if let Some((_, name)) = &first {
                    out.member("name", name);
                }
                out.member("arguments", arguments);
            });
        });
    })
}

fn chunk(delta: impl FnOnce(&mut JsonText<'_>)) -> String {
    let mut delta = Some(delta);
    JsonText::object_of(|out| {
        out.objects("choices", [()], |(), out| {
            out.member("index", 0_u32);
            out.object_in("delta", |out| {
                if let Some(delta) = delta.take() {
                    delta(out);
                }
            });
        });
    })
}
