//! Events of an upstream that supports the dialect, on their way to the client.
//!
//! They are sent unchanged until one of them is changed. From then on the writer writes the texts
//! of messages and the inputs of tools. All other events stay unchanged except for their numbers.

use llmjson::syntax::{Document, ValueRef};

use super::items::{Item, ItemKind};
use super::writer::Writer;
use super::{kind_of, number};
use crate::dialect::Kept;
use crate::json::{self, Node};

/// The state of native events.
#[derive(Debug, Default)]
pub(super) struct Passing {
    is_changed: bool,
    /// Pending events: those of a message without text, and all events since the end of a text to
    /// which something may be added.
    waiting: Vec<Kept>,
    has_early_end: bool,
    /// Their size in bytes.
    held: usize,
}

impl Passing {
    /// Switches to the writer from here on.
    pub(super) fn begin_to_write(&mut self, writer: &mut Writer, out: &mut Vec<u8>) {
        self.is_changed = true;
        writer.is_silent = false;
        self.flush(writer, out);
    }

    /// Emits pending events as the model wrote them.
    pub(super) fn flush(&mut self, writer: &mut Writer, out: &mut Vec<u8>) {
        self.held = 0;
        for mut kept in std::mem::take(&mut self.waiting) {
            let given = std::mem::take(&mut kept.given);
            match self.is_changed {
                true => change(kept, Some(&given), writer, out),
                false => pass(&kept, &given, writer, out),
            }
        }
    }

    /// Emits an event with its treated chunk.
    pub(super) fn take(
        &mut self,
        kept: Kept,
        chunk: Option<&str>,
        writer: &mut Writer,
        out: &mut Vec<u8>,
    ) {
        if self.is_changed || chunk != Some(&kept.given) {
            self.begin_to_write(writer, out);
            return change(kept, chunk, writer, out);
        }
        let data = kept.event.data.written();
        let document = json::read(data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let kind = root.map_or_else(String::new, kind_of);
        let is_end = matches!(
            &*kind,
            "response.completed" | "response.incomplete" | "response.failed" | "error"
        );
        if is_end {
            self.flush(writer, out);
        } else {
            self.has_early_end |= root.is_some_and(|root| ends_early(root, writer));
            if self.has_early_end || root.is_some_and(begins_message) {
                drop(document);
                return self.wait(kept);
            }
            self.flush(writer, out);
        }
        pass(&kept, &kept.given, writer, out);
    }

    /// Emits a comment.
    pub(super) fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.waiting.is_empty() {
            true => out.extend_from_slice(bytes),
            false => self.wait(Kept::comment(bytes)),
        }
    }

    /// Returns the number of pending bytes.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    fn wait(&mut self, kept: Kept) {
        self.held += kept.event.bytes.len();
        self.waiting.push(kept);
    }
}

/// Emits an event unchanged, and records its content.
fn pass(kept: &Kept, given: &str, writer: &mut Writer, out: &mut Vec<u8>) {
    out.extend_from_slice(&kept.event.bytes);
    let data = kept.event.data.written();
    let document = json::read(data.as_bytes());
    let Some(root) = document.as_ref().and_then(Document::root) else {
        return;
    };
    note(root, writer);
    write(root, Some(given), writer, out);
    end_item(root, writer);
    let sequence = number(root, "sequence_number");
    writer.sequence = sequence.map_or(writer.sequence, |at| at.saturating_add(1));
}

/// Returns `true` if an event begins a message, or a text in it.
fn begins_message(root: ValueRef<'_>) -> bool {
    let is =
        |name: &str, kind: &str| json::member(root, name).is_some_and(|one| kind_of(one) == kind);
    match &*kind_of(root) {
        "response.output_item.added" => is("item", "message"),
        "response.content_part.added" => is("part", "output_text"),
        _ => false,
    }
}

/// Returns `true` if an event ends a text to which something may be added: incomplete JSON.
fn ends_early(root: ValueRef<'_>, writer: &Writer) -> bool {
    let kind = kind_of(root);
    let item = json::member(root, "item").filter(|_| kind == "response.output_item.done");
    let is_call = |item: ValueRef<'_>| kind_of(item) == "function_call";
    let text = match (&*kind, item) {
        ("response.function_call_arguments.done", _) => json::text(root, "arguments"),
        ("response.output_text.done", _) if writer.has_format => json::text(root, "text"),
        (_, Some(item)) if is_call(item) => json::text(item, "arguments"),
        _ => None,
    };
    text.is_some_and(|text| !json::is_json(&text))
}

/// Records the beginning of a response or of an item.
fn note(root: ValueRef<'_>, writer: &mut Writer) {
    let kind = kind_of(root);
    if let Some(response) = json::member(root, "response") {
        if writer.head.is_none() {
            let written = |name: &str| response.get(name).map_or("null", json::written).to_owned();
            writer.head = Some(["id", "created_at", "model"].map(written));
        }
        return;
    }
    let item = json::member(root, "item");
    writer.next_id = id_of(root);
    let native = number(root, "output_index");
    if kind == "response.content_part.added" {
        let item = writer
            .place_of(native)
            .map(|place| &mut writer.items[place]);
        let part = json::member(root, "part").map_or_else(String::new, kind_of);
        if let Some(item) = item.filter(|item| matches!(item.kind, ItemKind::Message)) {
            if part == "refusal" && item.parts.is_empty() {
                item.kind = ItemKind::Refusal;
            }
            item.parts.push(String::new());
        }
        return;
    }
    let Some(item) = item.filter(|_| kind == "response.output_item.added") else {
        return;
    };
    let kind = match &*kind_of(item) {
        "message" => ItemKind::Message,
        "function_call" | "custom_tool_call" => return,
        _ => ItemKind::Other,
    };
    writer.items.push(Item {
        kind,
        id: json::text(item, "id").unwrap_or_default(),
        parts: Vec::new(),
        is_open: true,
        native,
        own: None,
    });
}

/// Records the end of an item as sent.
fn end_item(root: ValueRef<'_>, writer: &mut Writer) {
    if let Some(place) = writer.place_of(number(root, "output_index"))
        && kind_of(root) == "response.output_item.done"
    {
        let own = json::member(root, "item").map(|item| json::written(item).to_owned());
        writer.items[place].own = own;
        writer.items[place].is_open = false;
    }
}

/// Returns the id of an event's item.
fn id_of(root: ValueRef<'_>) -> Option<String> {
    let id = json::member(root, "item").and_then(|item| json::text(item, "id"));
    let id = id.or_else(|| json::text(root, "item_id"));
    id.filter(|id| !id.is_empty())
}

/// Writes the content of an event, unless its item is not examined.
fn write(root: ValueRef<'_>, chunk: Option<&str>, writer: &mut Writer, out: &mut Vec<u8>) {
    if kind_of(root).starts_with("response.reasoning") {
        return;
    }
    let known = writer.items.len();
    let document = chunk.and_then(|chunk| json::read(chunk.as_bytes()));
    if let Some(chunk) = document.as_ref().and_then(Document::root) {
        writer.chunk(chunk, out);
    }
    let native = number(root, "output_index");
    let opened = writer.items.iter_mut().skip(known);
    opened.for_each(|item| item.native = native);
}

/// Writes an event after something was changed before it.
fn change(mut kept: Kept, chunk: Option<&str>, writer: &mut Writer, out: &mut Vec<u8>) {
    let data = kept.event.data.written().into_owned();
    let document = json::read(data.as_bytes());
    let Some(root) = document.as_ref().and_then(Document::root) else {
        // Data that is not an event of the dialect is passed through.
        return kept.event.put(out);
    };
    let kind = kind_of(root);
    if let Some(response) = json::member(root, "response") {
        let is_begun = writer.head.is_some();
        if matches!(&*kind, "response.completed" | "response.incomplete") {
            write(root, chunk, writer, out);
            writer.close_all(out);
            writer.is_ended = true;
            if let Some(node) = kept.event.data.get("response") {
                end(node, response, chunk, writer);
            }
        } else {
            note(root, writer);
            if is_begun && kind != "response.failed" {
                return;
            }
        }
    } else if is_said(root, writer) {
        writer.next_id = id_of(root);
        write(root, chunk, writer, out);
        let place = writer.place_of(number(root, "output_index"));
        if let Some(place) = place.filter(|_| kind == "response.output_item.done")
            && writer.is_final(place)
        {
            writer.close(place, out);
        }
        return;
    } else {
        note(root, writer);
        end_item(root, writer);
        writer.next_id = None;
        if let Some(place) = writer.place_of(number(root, "output_index")) {
            kept.event.data.set("output_index", place.to_string());
        }
    }
    if root.get("sequence_number").is_some() {
        let sequence = writer.sequence.to_string();
        kept.event.data.set("sequence_number", sequence);
    }
    writer.sequence = writer.sequence.saturating_add(1);
    kept.event.put(out);
}

/// Returns `true` for an event of a message or a call, which the writer writes.
fn is_said(root: ValueRef<'_>, writer: &Writer) -> bool {
    const SAID: [&str; 5] = [
        "response.output_text",
        "response.content_part",
        "response.refusal",
        "response.function_call_arguments",
        "response.custom_tool_call_input",
    ];
    if let Some(item) = json::member(root, "item") {
        return matches!(
            &*kind_of(item),
            "message" | "function_call" | "custom_tool_call"
        );
    }
    // Reasoning parts have the same names.
    let (kind, native) = (kind_of(root), number(root, "output_index"));
    let is_other = |item: &Item| item.kind == ItemKind::Other && item.native == native;
    let is_of_other = native.is_some() && writer.items.iter().any(is_other);
    !is_of_other && SAID.iter().any(|said| kind.starts_with(said))
}

/// Changes the response in the event that ends it.
fn end(node: &mut Node<'_>, response: ValueRef<'_>, chunk: Option<&str>, writer: &Writer) {
    if let Some([id, ..]) = &writer.head {
        node.set("id", id.clone());
    }
    let document = chunk.and_then(|chunk| json::read(chunk.as_bytes()));
    let chunk = document.as_ref().and_then(Document::root);
    if let Some(usage) = chunk.and_then(|chunk| json::member(chunk, "usage")) {
        node.set("usage", json::written(usage).to_owned());
    }
    let own: Vec<ValueRef<'_>> = json::items(response, "output").collect();
    if own.is_empty() {
        return;
    }
    let items = writer.items.iter().enumerate().filter_map(|(place, item)| {
        let native = item.native.and_then(|native| usize::try_from(native).ok());
        let own = native.and_then(|native| own.get(native));
        match (&item.own, own) {
            (Some(own), _) => Some(own.clone()),
            (None, Some(own)) if item.kind == ItemKind::Other || writer.is_like(item, *own) => {
                Some(json::written(*own).to_owned())
            }
            (None, None) if item.kind == ItemKind::Other => None,
            _ => Some(writer.item_json(item, writer.status_of(place))),
        }
    });
    node.set("output", json::list(&items.collect::<Vec<_>>()));
}
