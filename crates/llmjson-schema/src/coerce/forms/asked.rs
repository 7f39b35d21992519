//! Forms that a place requires of strings: formats, numbers as strings, addresses. Also the readers
//! for strings that lack them.

use std::borrow::Cow;
use std::cell::Cell;

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use super::{Misfit, marks};
use crate::base::formats::FormatStrictness;
use crate::base::report::CoercionKind;
use crate::check::calendar;
use crate::check::format::Format;
use crate::check::text_formats::{self, Test};
use crate::coerce::state::{Call, Coercer, Read};
use crate::ir::shape::{Shape, ShapeId, StringRules, Types};

/// The form that a place requires of a string.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    Format(Format),
    /// A format implied only by the pattern, which does not determine how much of it is written.
    Shown(Format),
    /// A number in digits, which stays a string so that none of them is lost.
    Decimal,
    /// A string that often has markup around it.
    Address(Test),
}

/// The formats of addresses.
const ADDRESSES: [&str; 6] = ["email", "hostname", "ipv4", "ipv6", "iri", "uri"];

impl Asked {
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let rules = shape.string.as_deref()?;
        if rules.is_decimal() {
            return Some(Self::Decimal);
        }
        let Some(name) = rules.format.as_deref() else {
            let shown = rules.format_of_pattern().and_then(Format::named);
            return shown.map(Self::Shown);
        };
        match Format::named(name).filter(|format| *format != Format::Email) {
            Some(format) => Some(Self::Format(format)),
            None => {
                let test = text_formats::test(name).filter(|_| ADDRESSES.contains(&name));
                test.map(Self::Address)
            }
        }
    }
}

/// Returns `true` if a place asks for an identifier or an address.
pub(super) fn is_address(shape: &Shape) -> bool {
    let asked = Asked::of(shape);
    matches!(asked, Some(Asked::Address(_) | Asked::Format(Format::Uuid)))
}

/// Returns the format of a place if it is a date or time format.
fn time_format(shape: &Shape) -> Option<Format> {
    match Asked::of(shape)? {
        Asked::Format(format) | Asked::Shown(format) if format != Format::Uuid => Some(format),
        _ => None,
    }
}

impl Coercer<'_, '_> {
    /// Returns `true` if a string lacks the required form, or has it only leniently.
    pub(in crate::coerce) fn is_of_other_form(&self, value: ValueRef<'_>, id: ShapeId) -> bool {
        if value.kind() != Kind::String {
            return false;
        }
        let Some(asked) = Asked::of(self.shapes.get(id)) else {
            return false;
        };
        let text = value.as_str().unwrap_or_default();
        let settles = |format: Format| format.settles(text.as_bytes(), self.compiled.formats);
        match asked {
            Asked::Format(format) => settles(format) == Some(false),
            Asked::Shown(format) => {
                format.tells(text.as_bytes(), FormatStrictness::AsWritten) == Some(false)
            }
            Asked::Address(test) => !test(&text),
            // A number that only has too many digits is in no other form.
            Asked::Decimal => {
                let is_number = settles(Format::Decimal) == Some(true);
                !is_number || text.contains(['e', 'E']) && !self.keeps(value, id)
            }
        }
    }

    /// Returns `true` if a string is not a number although a decimal number is known to be
    /// expected: another branch of a union may accept it, although the format by itself rejects
    /// nothing.
    pub(in crate::coerce) fn is_no_decimal(&self, value: ValueRef<'_>, shape: &Shape) -> bool {
        let is_decimal = shape.string.as_deref().is_some_and(StringRules::is_decimal);
        let settles = |text: &str| Format::Decimal.settles(text.as_bytes(), self.compiled.formats);
        is_decimal
            && value
                .as_str()
                .is_some_and(|text| settles(&text) == Some(false))
    }

    /// Returns `true` if a scalar satisfies a shape by itself. Patterns with many states are left
    /// undecided.
    pub(in crate::coerce) fn keeps(&self, value: ValueRef<'_>, id: ShapeId) -> bool {
        let work = Cell::new(self.editor.document().work());
        let keywords = self.compiled.keywords();
        keywords.keeps(id, self.shapes.get(id), value, &work)
    }

    /// Returns a string that was read, if its place accepts it.
    fn kept(&mut self, text: &str, id: ShapeId) -> Option<NodeId> {
        let node = self.editor.string(text);
        self.keeps(self.value(node), id).then_some(node)
    }

    /// Returns the time that a number represents where a date or time format is expected.
    pub(in crate::coerce) fn time_in_number(
        &mut self,
        call: Call,
        shape: &Shape,
        _: Types,
    ) -> Option<Read> {
        let format = time_format(shape)?;
        let text = self.value(call.node).as_number()?;
        let (written, evidence) = calendar::read(text, format).ok()?;
        self.write_time(&written, format, evidence.class())
    }

    fn write_time(&mut self, written: &str, format: Format, class: Class) -> Option<Read> {
        let fits = format.tells(written.as_bytes(), self.compiled.formats) == Some(true);
        let kind = CoercionKind::WrittenTime;
        fits.then(|| (kind, class, self.editor.string(written)))
    }
}

/// Reads a date or time in another notation, or without its seconds.
pub(super) fn time(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let format = time_format(place.shape)?;
    let formats = coercer.compiled.formats;
    if formats == FormatStrictness::Lenient
        && let Some(written) = format.written_out(place.text.as_bytes())
    {
        let kind = CoercionKind::WrittenTime;
        let node = coercer.kept(&written, place.call.shape)?;
        // `14:30-15:00` may be a zone or a range.
        let is_range = format == Format::Time && place.text.contains('-');
        let class = if is_range { Class::Guess } else { kind.class() };
        return Some((kind, class, node));
    }
    let bare = marks::bare(place.text);
    let (written, evidence) = match format.tells(bare.text.as_bytes(), formats) {
        Some(true) => (bare.text.into_owned(), calendar::Evidence::Whole),
        _ => calendar::read(&bare.text, format).ok()?,
    };
    let written = match format.written_out(written.as_bytes()) {
        Some(out) if formats == FormatStrictness::Lenient => out,
        _ => written,
    };
    coercer.write_time(&written, format, evidence.class().max(bare.class))
}

/// Reads a decimal number without the text that people write around it, digit for digit.
pub(super) fn decimal(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let Some(Asked::Decimal) = Asked::of(place.shape) else {
        return None;
    };
    let read = coercer.quantity_in(place)?;
    let node = coercer.kept(&read.number, place.call.shape)?;
    Some((read.kind, read.class, node))
}

/// An identifier or an address without its scheme and the punctuation after it.
pub(super) fn address(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let text = place.text.trim();
    let text = match Asked::of(place.shape)? {
        Asked::Format(Format::Uuid) => {
            let text = marks::with_hyphens(text);
            let head = text.get(..9).unwrap_or_default();
            let is_urn = head.eq_ignore_ascii_case("urn:uuid:");
            if is_urn {
                Cow::Owned(text[9..].to_owned())
            } else {
                text
            }
        }
        Asked::Address(_) => {
            let rules = place.shape.string.as_ref();
            let is_mail = rules.is_some_and(|rules| rules.format.as_deref() == Some("email"));
            let rest = text.strip_prefix("mailto:").filter(|_| is_mail);
            Cow::Borrowed(rest.unwrap_or(text))
        }
        _ => return None,
    };
    // An address ends in no point, but a sentence does.
    let ends = [&*text, text.trim_end_matches(['.', ',', ';'])];
    let node = ends
        .iter()
        .find_map(|text| coercer.kept(text, place.call.shape))?;
    let kind = CoercionKind::MarkedText;
    Some((kind, Class::Likely, node))
}
