// Strict JSON by JSON.parse, if the result is the same.

// Equal to the lenient policy's limits.
const BYTES_MAX = 10_000_000
const DEPTH_MAX = 512

// Surrogates, which may be unpaired. A number that a double cannot hold is rounded either way.
const RISKY = /\\u[dD]/

/** The result of `strict` for a text that the module must parse. */
export const OTHERWISE = Symbol('otherwise')

/** Returns the value of strict JSON, or OTHERWISE if JSON.parse rejects the text or may give another value. */
export function strict(text) {
  if (!isContainer(text) || text.length > BYTES_MAX) return OTHERWISE
  if (text.includes('\\u') && RISKY.test(text)) return OTHERWISE
  // At most three bytes per code unit.
  if (text.length > BYTES_MAX / 3 && new TextEncoder().encode(text).length > BYTES_MAX) return OTHERWISE
  let value
  try {
    value = JSON.parse(text)
  } catch {
    return OTHERWISE
  }
  if (!isWellFormed(text)) return OTHERWISE
  // Every level takes two characters.
  return text.length > 2 * DEPTH_MAX && isDeep(value, DEPTH_MAX) ? OTHERWISE : value
}

// A string may contain JSON, and a bare word or number may be prose. A text whose ends show that it is not strict JSON,
// such as `{a: 1}` and `{"a": 1`, is not tried: an exception costs as much as 1 KB.
function isContainer(text) {
  const first = skipped(text, 0, 1)
  const last = skipped(text, text.length - 1, -1)
  const opening = text.charCodeAt(first)
  if (opening === 0x5b) return text.charCodeAt(last) === 0x5d
  if (opening !== 0x7b || text.charCodeAt(last) !== 0x7d) return false
  const next = text.charCodeAt(skipped(text, first + 1, 1))
  return next === 0x22 || next === 0x7d
}

// The index of the first character that is not white space.
function skipped(text, at, step) {
  for (;; at += step) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at
  }
}

function isWellFormed(text) {
  return text.isWellFormed ? text.isWellFormed() : !/\p{Surrogate}/u.test(text)
}

function isDeep(value, left) {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item = value[at]
      if (typeof item === 'object' && isDeep(item, left - 1)) return true
    }
    return false
  }
  for (const key in value) {
    const member = value[key]
    if (typeof member === 'object' && isDeep(member, left - 1)) return true
  }
  return false
}

// A string, or a complete number, so that digits of a fraction or an exponent are not taken for an integer.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const LARGE = /^-?\d{16,}$/
const MARK = 'integer:'

// A mark for an integer in JSON, chosen so that it does not occur in the JSON itself.
function markFor(json) {
  let mark = MARK
  while (json.includes(mark)) mark += ':'
  return mark
}

/** Returns the value of JSON. Integers beyond 2^53 are numbers, or `bigint` or `text` as `integers` says. */
export function valueOf(json, integers) {
  if (integers === undefined || integers === 'number') return JSON.parse(json)
  if (integers !== 'bigint' && integers !== 'text') {
    throw new TypeError(`integers are "number", "bigint" or "text", not ${JSON.stringify(integers)}`)
  }
  const mark = markFor(json)
  let any = false
  const marked = json.replace(TOKENS, token => {
    if (!LARGE.test(token) || Number.isSafeInteger(Number(token))) return token
    any = true
    return JSON.stringify(mark + token)
  })
  const make = integers === 'bigint' ? BigInt : String
  if (!any) return JSON.parse(json)
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? make(value.slice(mark.length)) : value)
}

/** Returns the JSON of a value, in which a bigint is an integer. */
export function jsonOf(value) {
  let any = false
  const write = mark => JSON.stringify(value, (_, part) => {
    if (typeof part !== 'bigint') return part
    any = true
    return mark + part
  })
  let json = write(MARK)
  if (json === undefined) throw new TypeError('the value is none of JSON')
  if (!any) return json
  const mark = markFor(json)
  json = write(mark)
  return json.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}
