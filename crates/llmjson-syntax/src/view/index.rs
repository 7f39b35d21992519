//! Keys and indices, with which a child of a value is looked up.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use crate::view::ValueRef;

/// A key of an object or an index of an array: see [`ValueRef::get`].
pub trait ValueIndex {
    /// Returns the child of a value.
    #[doc(hidden)]
    fn of<'d>(&self, value: ValueRef<'d>) -> Option<ValueRef<'d>>;
}

impl ValueIndex for str {
    #[inline]
    fn of<'d>(&self, value: ValueRef<'d>) -> Option<ValueRef<'d>> {
        value.members().find_key(self)
    }
}

impl ValueIndex for usize {
    #[inline]
    fn of<'d>(&self, value: ValueRef<'d>) -> Option<ValueRef<'d>> {
        value.items().nth(*self)
    }
}

impl<T: ValueIndex + ?Sized> ValueIndex for &T {
    #[inline]
    fn of<'d>(&self, value: ValueRef<'d>) -> Option<ValueRef<'d>> {
        (**self).of(value)
    }
}

macro_rules! names {
    ($($name:ty)*) => {$(
        impl ValueIndex for $name {
            #[inline]
            fn of<'d>(&self, value: ValueRef<'d>) -> Option<ValueRef<'d>> {
                value.members().find_key(self)
            }
        }
    )*};
}

names! { String Box<str> Cow<'_, str> }
