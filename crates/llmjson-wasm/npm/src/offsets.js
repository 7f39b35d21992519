// Offsets of JavaScript: the module counts bytes of UTF-8, JavaScript code units of UTF-16.

/** Changes `start` and `end` of records from bytes to code units, in place. */
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

/** Makes pieces of text whole: half of a pair of surrogates waits for the other half. */
export class Pieces {
  #half = ''

  next(piece) {
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last < 0xdc00 ? text.at(-1) : ''
    return this.#half === '' ? text : text.slice(0, -1)
  }

  /** Returns the rest at the end: an unpaired surrogate, or an empty string. */
  rest() {
    return this.#half
  }
}
