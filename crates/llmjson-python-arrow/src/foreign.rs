//! Columns that other libraries hand over, which are not checked yet.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};

/// A column of texts as one of bytes, after its offsets, views and keys were found to lie within its
/// data. What the bytes are is checked when each is read: then a text that is not UTF-8 is a row that
/// says so. A column of another type is returned as it is.
///
/// # Errors
///
/// If the column is not what Arrow's format says.
pub(crate) fn checked(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some(data_type) = bytes_type(column.data_type()) else {
        return Ok(ArrayRef::clone(column));
    };
    let data = column.to_data();
    let children = data.child_data().iter().map(|child| {
        let data_type = bytes_type(child.data_type());
        let data_type = data_type.unwrap_or_else(|| child.data_type().clone());
        within_memory(child.buffers().iter().map(|buffer| buffer.len()))?;
        child.clone().into_builder().data_type(data_type).build()
    });
    let children = children.collect::<Result<_, _>>()?;
    within_memory(data.buffers().iter().map(|buffer| buffer.len()))?;
    let checked = data.into_builder().data_type(data_type);
    Ok(make_array(checked.child_data(children).build()?))
}

/// Refuses lengths that come of negative numbers.
fn within_memory(mut lengths: impl Iterator<Item = usize>) -> Result<(), ArrowError> {
    match lengths.all(|length| isize::try_from(length).is_ok()) {
        true => Ok(()),
        false => {
            let reason = "a buffer of the column has a negative length".to_owned();
            Err(ArrowError::InvalidArgumentError(reason))
        }
    }
}

/// The type of the bytes of texts; nothing for types that hold neither texts nor bytes.
fn bytes_type(data_type: &DataType) -> Option<DataType> {
    Some(match data_type {
        DataType::Utf8 | DataType::Binary => DataType::Binary,
        DataType::LargeUtf8 | DataType::LargeBinary => DataType::LargeBinary,
        DataType::Utf8View | DataType::BinaryView => DataType::BinaryView,
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(bytes_type(values)?))
        }
        _ => return None,
    })
}
