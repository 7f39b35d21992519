//! The result, made of the rows of all pieces: column by column, each on any thread.

use std::sync::Arc;

use arrow_array::{ArrayRef, NullArray, StructArray};
use arrow_schema::Fields;

use crate::column::Column;
use crate::error::Error;
use crate::part::ColumnPart;
use crate::rows::Rows;
use crate::struct_column::StructColumn;
use crate::threads::on_threads;

/// Puts the rows of pieces together into columns of these names and types.
pub(crate) fn merge(
    pieces: Vec<Rows>,
    fields: Fields,
    threads: usize,
) -> Result<StructArray, Error> {
    let mut tasks: Vec<Task> = Rows::NAMES.map(Task::of).into();
    for rows in pieces {
        for (task, part) in tasks.iter_mut().zip(rows.into_parts()) {
            task.parts.push(part);
        }
    }
    // The values are most of the result, so their members are columns of their own here.
    let values = std::mem::replace(&mut tasks[0], Task::of(Rows::NAMES[0]));
    let (value, members) = values.into_members()?;
    let member_count = members.len();
    let rest = tasks.into_iter().skip(1);
    let tasks: Vec<_> = members.into_iter().chain(rest).collect();
    let mut columns = on_threads(threads, tasks, ((), || ()), |(), task| task.finish())?;
    if let Some(value) = value {
        let rest = columns.split_off(member_count);
        columns = std::iter::once(value.finish_with(columns)?)
            .chain(rest)
            .collect();
    }
    Ok(StructArray::try_new(fields, columns, None)?)
}

/// A column of the result that is to be put together.
struct Task {
    /// The name of the column, or of the one that it is a part of.
    name: &'static str,
    parts: Vec<ColumnPart>,
}

impl Task {
    fn of(name: &'static str) -> Self {
        let parts = Vec::new();
        Self { name, parts }
    }

    fn finish(self) -> Result<ArrayRef, Error> {
        let mut parts = self.parts.into_iter();
        let Some(mut first) = parts.next() else {
            return Ok(Arc::new(NullArray::new(0)));
        };
        first.reserve(parts.as_slice());
        for part in parts {
            let extended = first.extend(part);
            extended.map_err(|_| Error::TooLong { column: self.name })?;
        }
        first.finish()
    }

    /// The columns of the members of structs, and the structs without them; or the column as it is.
    fn into_members(self) -> Result<(Option<StructColumn>, Vec<Self>), Error> {
        let name = self.name;
        let is_struct = |part: &ColumnPart| matches!(part, ColumnPart::Values(Column::Struct(_)));
        if !self.parts.iter().all(is_struct) {
            return Ok((None, vec![self]));
        }
        let mut whole: Option<StructColumn> = None;
        let mut members: Vec<Self> = Vec::new();
        for part in self.parts {
            let ColumnPart::Values(Column::Struct(mut part)) = part else {
                continue;
            };
            let columns = part.take_columns();
            members.resize_with(columns.len(), || Self::of(name));
            for (member, column) in members.iter_mut().zip(columns) {
                member.parts.push(ColumnPart::Values(column));
            }
            match &mut whole {
                Some(whole) => {
                    let extended = whole.extend(part);
                    extended.map_err(|_| Error::TooLong { column: name })?;
                }
                None => whole = Some(part),
            }
        }
        Ok((whole, members))
    }
}
