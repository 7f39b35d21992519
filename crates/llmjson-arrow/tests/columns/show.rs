//! Rows of arrays as JSON, for comparison. Texts are quoted as JSON is.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, StructArray};
use arrow_schema::DataType;
use llmjson::syntax::write_string;

/// One column of a result, row by row.
pub(crate) fn column(rows: &StructArray, name: &str) -> Vec<String> {
    let column = rows.column_by_name(name).expect("the column");
    (0..column.len()).map(|row| json(&**column, row)).collect()
}

/// One row of an array.
pub(crate) fn json(array: &dyn Array, row: usize) -> String {
    if array.is_null(row) {
        return "null".to_owned();
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => {
            let mut out = String::new();
            write_string(array.as_string::<i32>().value(row), &mut out);
            out
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| json(&*items, item));
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let members = fields.iter().zip(columns);
            let members = members
                .map(|(field, column)| format!("\"{}\":{}", field.name(), json(&**column, row)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        other => panic!("no result has the type {other}"),
    }
}
