// The interface of the package partial-json.
import { parse as read } from 'llmjson/syntax'

export const STR = 1
export const NUM = 2
export const ARR = 4
export const OBJ = 8
export const NULL = 16
export const BOOL = 32
export const NAN = 64
export const INFINITY = 128
export const _INFINITY = 256
export const INF = INFINITY | _INFINITY
export const SPECIAL = NULL | BOOL | INF | NAN
export const ATOM = STR | NUM | SPECIAL
export const COLLECTION = ARR | OBJ
export const ALL = ATOM | COLLECTION
export const Allow = {
  STR, NUM, ARR, OBJ, NULL, BOOL, NAN, INFINITY, _INFINITY, INF, SPECIAL, ATOM, COLLECTION, ALL
}

/** The error for a text that ends inside a value that may not be partial. */
export class PartialJSON extends Error {}

/** The error for a text without a value. */
export class MalformedJSON extends Error {}

const NO_JSON = [['NaN', NaN, NAN], ['Infinity', Infinity, INFINITY], ['-Infinity', -Infinity, _INFINITY]]

function atom(text, allow) {
  for (const [name, value, flag] of NO_JSON) {
    const min = name[0] === '-' ? 2 : 1
    if (text === name || (allow & flag && text.length >= min && name.startsWith(text))) return { value }
  }
  const words = [['null', null, NULL], ['true', true, BOOL], ['false', false, BOOL]]
  for (const [name, value, flag] of words) {
    if (text === name || (allow & flag && text !== '' && name.startsWith(text))) return { value }
  }
  return undefined
}

export function parseJSON(text, allow = ALL) {
  if (typeof text !== 'string') throw new TypeError(`expecting str, got ${typeof text}`)
  const trimmed = text.trim()
  if (trimmed === '') throw new Error(`${text} is empty`)
  const known = atom(trimmed, allow)
  if (known) return known.value
  const parsed = read(trimmed)
  if (!parsed.found || isProse(parsed)) throw new MalformedJSON(`there is no value in ${JSON.stringify(trimmed.slice(0, 60))}`)
  if (parsed.complete || (allow & ALL) === ALL) return parsed.value
  const left = pruned(parsed.value, leftOpen(trimmed, parsed), allow)
  if (left === NOTHING) throw new PartialJSON(`the text ends at position ${trimmed.length}`)
  return left
}

export const parse = parseJSON

// The mere beginning of a word, such as `n`, is not a value unless it is allowed.
function isProse(parsed) {
  return parsed.value === null || typeof parsed.value === 'boolean'
}

const NOTHING = Symbol('nothing')

// How many containers the end of the text has left open, and whether it truncated the last value in them.
function leftOpen(text, { repairs }) {
  const end = ({ start }) => start === text.length
  const containers = repairs.filter(one => /^unclosed_(array|object)$/.test(one.kind) && end(one)).length
  // More digits may follow if a container is open.
  const isCut = (containers > 0 && /\d$/.test(text)) ||
    repairs.some(({ kind }) => kind === 'unclosed_string' || kind === 'cut_number' || kind === 'cut_keyword')
  return { containers, isCut }
}

function flagOf(value) {
  switch (typeof value) {
    case 'string': return STR
    case 'number': return NUM
    case 'boolean': return BOOL
  }
  return value === null ? NULL : Array.isArray(value) ? ARR : OBJ
}

// Returns the value without parts that may not be partial, or nothing if that is all of it. The open part is last.
function pruned(value, { containers, isCut }, allow) {
  if (containers === 0 && !(isCut && (typeof value !== 'object' || value === null))) return value
  if (!(allow & flagOf(value))) return NOTHING
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (entries.length === 0) return value
  const [name, last] = entries.pop()
  const left = pruned(last, { containers: containers - 1, isCut }, allow)
  if (left === last) return value
  if (left !== NOTHING) entries.push([name, left])
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}
