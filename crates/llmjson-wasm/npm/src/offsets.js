// Offsets in JavaScript: the module counts bytes of UTF-8, JavaScript code units of UTF-16.

/** Converts `start` and `end` of records from bytes to code units, in place. */
export function inUnits(text, records) {
  if (/^[\x00-\x7f]*$/.test(text)) return records
  const wanted = []
  for (const record of records) {
    if (typeof record.start !== 'number') continue
    wanted.push([record, 'start'], [record, 'end'])
  }
  wanted.sort(([one, a], [other, b]) => one[a] - other[b])
  let bytes = 0
  let units = 0
  for (const [record, name] of wanted) {
    while (bytes < record[name] && units < text.length) {
      const point = text.codePointAt(units)
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
      units += point < 0x10000 ? 1 : 2
    }
    record[name] = units
  }
  return records
}
