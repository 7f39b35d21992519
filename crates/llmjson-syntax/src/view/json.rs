//! JSON output: values that can be written, and receivers for them. Numbers are passed as text, so
//! no digit is lost.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use crate::view::Kind;

/// A value that can be written as JSON: to a string, or to any receiver that takes its parts in
/// order.
///
/// ```
/// use llmjson_syntax::{JsonOut, JsonText, Raw, ToJson};
///
/// struct Offer<'a>(&'a str, Option<u32>);
///
/// impl ToJson for Offer<'_> {
///     fn put<O: JsonOut>(&self, out: &mut O) {
///         out.object(|out| {
///             out.member("name", self.0);
///             out.member("days", self.1);
///             out.list("sizes", [1_u32, 2], |size, out| size.put(out));
///             out.member("price", Raw("1.50"));
///         });
///     }
/// }
///
/// let written = JsonText::of(&Offer("a \"b\"", None));
/// assert_eq!(written, r#"{"name":"a \"b\"","days":null,"sizes":[1,2],"price":1.50}"#);
/// ```
pub trait ToJson {
    /// Writes the value.
    fn put<O: JsonOut>(&self, out: &mut O);
}

/// A receiver of a value's parts, in text order. It decides the text between the parts and where
/// lines break.
pub trait JsonOut: Sized {
    /// Takes a value that is already JSON text.
    fn json(&mut self, text: &str);

    /// Takes `null`.
    #[inline]
    fn null(&mut self) {
        self.json("null");
    }

    /// Takes `true` or `false`.
    #[inline]
    fn boolean(&mut self, value: bool) {
        self.json(if value { "true" } else { "false" });
    }

    /// Takes the text of a number.
    #[inline]
    fn number(&mut self, text: &str) {
        self.json(text);
    }

    /// Takes the decoded text of a string.
    fn string(&mut self, text: &str);

    /// Takes the key of the member whose value follows.
    fn name(&mut self, name: &str);

    /// Begins an object or an array.
    fn open(&mut self, kind: Kind);

    /// Ends an object or an array.
    fn close(&mut self, kind: Kind);

    /// Takes an object with the members that `write` produces.
    #[inline]
    fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.open(Kind::Object);
        write(self);
        self.close(Kind::Object);
    }

    /// Takes a member that is an object with the members that `write` produces.
    #[inline]
    fn object_in(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.name(name);
        self.object(write);
    }

    /// Takes an array, writing each item with `write`.
    #[inline]
    fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut Self),
    ) {
        self.open(Kind::Array);
        items.into_iter().for_each(|item| write(item, self));
        self.close(Kind::Array);
    }

    /// Takes a member of an object.
    #[inline]
    fn member(&mut self, name: &str, value: impl ToJson) {
        self.name(name);
        value.put(self);
    }

    /// Takes a member that is an array, writing each item with `write`.
    #[inline]
    fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(T, &mut Self),
    ) {
        self.name(name);
        self.array(items, write);
    }

    /// Takes a member that is an array of objects, writing the members of each with `write`.
    #[inline]
    fn objects<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut Self),
    ) {
        self.list(name, items, |item, out| out.object(|out| write(item, out)));
    }
}

/// Returns an object as JSON text. Its members are written as in JSON: a name and a value, an object
/// in braces, or an array of one object. `"name"?` leaves the member out if the value is `None`,
/// and `..` writes an iterator's names and values.
///
/// ```
/// use llmjson_syntax::json_object;
///
/// let days = [("min", 1_u32), ("max", 3)];
/// let json = json_object!({ "name": "trip", "days": { ..days }, "price"?: None::<u32> });
/// assert_eq!(json, r#"{"name":"trip","days":{"min":1,"max":3}}"#);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! json_object {
    ({ $($members:tt)* }) => { $crate::json_object!($($members)*) };
    ($($members:tt)*) => {
        $crate::JsonText::object_of(|out| { $crate::json_members!(out, $($members)*); })
    };
}

/// Writes members to a [`JsonOut`], as [`json_object!`] describes them.
#[doc(hidden)]
#[macro_export]
macro_rules! json_members {
    ($out:ident $(,)?) => {};
    ($out:ident, ..$pairs:expr $(, $($rest:tt)*)?) => {
        for (name, value) in $pairs {
            $crate::JsonOut::member($out, name, value);
        }
        $crate::json_members!($out $(, $($rest)*)?);
    };
    ($out:ident, $name:tt: { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::JsonOut::object_in($out, $name, |$out| { $crate::json_members!($out, $($inner)*); });
        $crate::json_members!($out $(, $($rest)*)?);
    };
    ($out:ident, $name:tt: [$({ $($inner:tt)* })?] $(, $($rest:tt)*)?) => {
        $crate::JsonOut::name($out, $name);
        $crate::JsonOut::open($out, $crate::Kind::Array);
        $($crate::JsonOut::object($out, |$out| { $crate::json_members!($out, $($inner)*); });)?
        $crate::JsonOut::close($out, $crate::Kind::Array);
        $crate::json_members!($out $(, $($rest)*)?);
    };
    ($out:ident, $name:tt?: $value:expr $(, $($rest:tt)*)?) => {
        $crate::json_members!($out, ..$value.into_iter().map(|it| ($name, it)) $(, $($rest)*)?);
    };
    ($out:ident, $name:tt: $value:expr $(, $($rest:tt)*)?) => {
        $crate::JsonOut::member($out, $name, $value);
        $crate::json_members!($out $(, $($rest)*)?);
    };
}

/// A value that is already JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'j>(pub &'j str);

impl ToJson for Raw<'_> {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.json(self.0);
    }
}

impl ToJson for bool {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.boolean(*self);
    }
}

macro_rules! texts {
    ($($text:ty)*) => {$(
        impl ToJson for $text {
            #[inline]
            fn put<O: JsonOut>(&self, out: &mut O) {
                out.string(self);
            }
        }
    )*};
}

texts!(str String Cow<'_, str>);

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl ToJson for $integer {
            #[inline]
            fn put<O: JsonOut>(&self, out: &mut O) {
                out.number(&self.to_string());
            }
        }
    )*};
}

integers!(u32 u64 usize);

/// Writes `null` for `None`.
impl<T: ToJson> ToJson for Option<T> {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        match self {
            Some(value) => value.put(out),
            None => out.null(),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.array(self, |item, out| item.put(out));
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        self[..].put(out);
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    #[inline]
    fn put<O: JsonOut>(&self, out: &mut O) {
        (**self).put(out);
    }
}
