//! Events of an upstream that supports the dialect, on their way to the client.
//!
//! They are sent unchanged until one of them is changed. From then on the writer writes the texts
//! of messages and the inputs of tools. All other events stay unchanged except for their numbers.

use llmjson::syntax::{Document, JsonOut as _, JsonText, Kind, ValueRef};

use super::items::{Item, ItemKind};
use super::writer::Writer;
use super::{is_json, kind_of, number};
use crate::dialect::Kept;
use crate::json;

/// The state of native events.
#[derive(Debug, Default)]
pub(super) struct Passing {
    is_changed: bool,
    /// Pending events: those of a message without text, and all events since the end of a text to
    /// which something may be added.
    waiting: Vec<Waiting>,
    has_early_end: bool,
    /// Their size in bytes.
    held: usize,
}

#[derive(Debug)]
enum Waiting {
    /// An unchanged event.
    Event(Kept),
    /// A comment.
    Comment(Vec<u8>),
}

impl Passing {
    /// Switches to the writer from here on.
    pub(super) fn begin_to_write(&mut self, writer: &mut Writer, out: &mut Vec<u8>) {
        self.is_changed = true;
        writer.is_silent = false;
        self.held = 0;
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Event(event) => change(&event, Some(&event.given), writer, out),
                Waiting::Comment(bytes) => out.extend_from_slice(&bytes),
            }
        }
    }

    /// Emits an event with its treated chunk.
    pub(super) fn take(
        &mut self,
        event: Kept,
        chunk: Option<&str>,
        writer: &mut Writer,
        out: &mut Vec<u8>,
    ) {
        if self.is_changed || chunk != Some(&event.given) {
            self.begin_to_write(writer, out);
            return change(&event, chunk, writer, out);
        }
        let document = json::read(event.data.as_bytes());
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
                return self.wait(Waiting::Event(event));
            }
            self.flush(writer, out);
        }
        pass(&event, writer, out);
    }

    /// Emits a comment.
    pub(super) fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.waiting.is_empty() {
            true => out.extend_from_slice(bytes),
            false => self.wait(Waiting::Comment(bytes.to_vec())),
        }
    }

    /// Emits pending events unchanged.
    pub(super) fn flush(&mut self, writer: &mut Writer, out: &mut Vec<u8>) {
        self.held = 0;
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Event(event) => pass(&event, writer, out),
                Waiting::Comment(bytes) => out.extend_from_slice(&bytes),
            }
        }
    }

    /// Returns the number of pending bytes.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    fn wait(&mut self, waiting: Waiting) {
        self.held += match &waiting {
            Waiting::Event(event) => event.bytes.len(),
            Waiting::Comment(bytes) => bytes.len(),
        };
        self.waiting.push(waiting);
    }
}

/// Emits an event unchanged, and records its content.
fn pass(event: &Kept, writer: &mut Writer, out: &mut Vec<u8>) {
    out.extend_from_slice(&event.bytes);
    let document = json::read(event.data.as_bytes());
    let Some(root) = document.as_ref().and_then(Document::root) else {
        return;
    };
    note(root, writer);
    write(root, Some(&event.given), writer, out);
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
    text.is_some_and(|text| !is_json(&text))
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
fn change(event: &Kept, chunk: Option<&str>, writer: &mut Writer, out: &mut Vec<u8>) {
    let document = json::read(event.data.as_bytes());
    let Some(root) = document.as_ref().and_then(Document::root) else {
        // Data that is not an event of the dialect is passed through.
        return out.extend_from_slice(&event.bytes);
    };
    let kind = kind_of(root);
    let response = json::member(root, "response");
    if let Some(response) = response {
        if matches!(&*kind, "response.completed" | "response.incomplete") {
            write(root, chunk, writer, out);
            writer.close_all(out);
            writer.is_ended = true;
            return put(event, root, end_of(response, chunk, writer), writer, out);
        }
        let is_begun = writer.head.is_some();
        note(root, writer);
        if !is_begun || kind == "response.failed" {
            put(event, root, Vec::new(), writer, out);
        }
        return;
    }
    let item = json::member(root, "item");
    let is_said = match item.map(kind_of).as_deref() {
        Some(kind) => matches!(kind, "message" | "function_call" | "custom_tool_call"),
        None => {
            const SAID: [&str; 5] = [
                "response.output_text",
                "response.content_part",
                "response.refusal",
                "response.function_call_arguments",
                "response.custom_tool_call_input",
            ];
            // Reasoning parts have the same names.
            let native = number(root, "output_index");
            let is_other = |item: &Item| item.kind == ItemKind::Other && item.native == native;
            let is_of_other = native.is_some() && writer.items.iter().any(is_other);
            !is_of_other && SAID.iter().any(|said| kind.starts_with(said))
        }
    };
    if is_said {
        writer.next_id = id_of(root);
        write(root, chunk, writer, out);
        let place = writer.place_of(number(root, "output_index"));
        if let Some(place) = place.filter(|_| kind == "response.output_item.done")
            && writer.is_final(place)
        {
            writer.close(place, out);
        }
        return;
    }
    note(root, writer);
    end_item(root, writer);
    writer.next_id = None;
    let place = writer.place_of(number(root, "output_index"));
    let place = place.and_then(|place| json::set(root, "output_index", &place.to_string()));
    put(event, root, place.into_iter().collect(), writer, out);
}

/// The changes to the event that ends a response.
fn end_of(response: ValueRef<'_>, chunk: Option<&str>, writer: &Writer) -> Vec<json::Splice> {
    let mut splices = Vec::new();
    if let Some([id, ..]) = &writer.head {
        splices.extend(json::set(response, "id", id));
    }
    let document = chunk.and_then(|chunk| json::read(chunk.as_bytes()));
    let chunk = document.as_ref().and_then(Document::root);
    if let Some(usage) = chunk.and_then(|chunk| json::member(chunk, "usage")) {
        splices.extend(json::set(response, "usage", json::written(usage)));
    }
    let output = response
        .get("output")
        .filter(|output| output.kind() == Kind::Array);
    let own: Vec<ValueRef<'_>> = output.into_iter().flat_map(ValueRef::items).collect();
    if own.is_empty() {
        return splices;
    }
    let items = JsonText::written(|out| {
        out.array(writer.items.iter().enumerate(), |(place, item), out| {
            let own = item
                .native
                .and_then(|native| own.get(usize::try_from(native).ok()?));
            match (own, &item.own, &item.kind) {
                (_, Some(own), _) => out.json(own),
                (Some(own), _, ItemKind::Other) => out.json(json::written(*own)),
                (None, _, ItemKind::Other) => {}
                (Some(own), ..) if writer.is_like(item, *own) => out.json(json::written(*own)),
                _ => out.json(&writer.item_json(item, writer.status_of(place))),
            }
        });
    });
    splices.extend(json::set(response, "output", &items));
    splices
}

/// Writes an event with its number and other changes.
fn put(
    event: &Kept,
    root: ValueRef<'_>,
    mut splices: Vec<json::Splice>,
    writer: &mut Writer,
    out: &mut Vec<u8>,
) {
    if root.get("sequence_number").is_some() {
        let sequence = writer.sequence.to_string();
        splices.extend(json::set(root, "sequence_number", &sequence));
    }
    writer.sequence = writer.sequence.saturating_add(1);
    let data = json::spliced(root.document_text(), splices);
    event.put_with(&data.replace(['\n', '\r'], " "), out);
}
