// Values that the type of a schema's library reads in its own way.
import { jsonOf } from './strict.js'

const SENTENCE = "read a value by the rules of the caller's type"
// Places that differ only in item indices are tried together; no more groups than this are tried.
const GROUPS_MAX = 32

/**
 * Returns a coercion for each place at which a type changes a value that conforms to its JSON Schema. It is likely if a
 * value of another kind becomes one that the type accepts unchanged: `true` for a number, 5 for a date. Otherwise the
 * type's own functions made its output, such as a number from a string, and it is certain. `check` is the library's own
 * check.
 */
export function rereadOf(value, made, check) {
  const groups = new Map()
  const records = []
  // Most types change nothing.
  if (same(value, made)) return records
  eachChange(value, made, [], change => {
    const record = recordOf(change)
    records.push(record)
    if (record.from === record.to) return
    const shape = JSON.stringify(change.steps.map(step => (typeof step === 'number' ? 0 : step)))
    if (groups.has(shape)) groups.get(shape).push([change, record])
    else groups.set(shape, [[change, record]])
  })
  const isTried = groups.size <= GROUPS_MAX
  for (const group of groups.values()) {
    if (isTried && !isTaken(value, group, check)) continue
    for (const [, record] of group) record.class = 'likely'
  }
  return records
}

/** Returns whether two values are equal, ignoring the order of members. */
export function same(one, other) {
  if (typeof one !== 'object' || one === null) return Object.is(one, other) || one === other
  if (typeof other !== 'object' || other === null) return false
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => same(item, other[at]))
  }
  if (one instanceof Date) return other instanceof Date && Object.is(one.getTime(), other.getTime())
  let more = 0
  for (const key in one) {
    if (!same(one[key], other[key])) return false
    more += 1
  }
  for (const _ in other) more -= 1
  return more === 0
}

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

// Finds where a value and the result made from it differ, in the parts that both have. `steps` lead there.
function eachChange(before, after, steps, take) {
  const isArray = Array.isArray(before) && Array.isArray(after) && before.length === after.length
  if (isArray || (isObject(before) && isObject(after))) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key)) continue
      steps.push(isArray ? Number(key) : key)
      eachChange(before[key], after[key], steps, take)
      steps.pop()
    }
  } else if (!same(before, after) && !isForm(before, after)) take({ steps: [...steps], before, after })
}

// Whether a value is the JSON form of a value that JSON lacks: a string for a date, an array for a set, an integer for
// a bigint.
function isForm(before, after) {
  if (typeof after === 'bigint') return typeof before === 'number' && Number(after) === before
  if (Array.isArray(before)) return after instanceof Set || after instanceof Map
  return typeof before === 'string' && isObject(after)
}

// Whether the type accepts the results of a group's changes unchanged.
function isTaken(value, group, check) {
  const holder = { value: structuredClone(value) }
  const holderOf = (root, steps) => ['value', ...steps].slice(0, -1).reduce((part, step) => part?.[step], root)
  for (const [{ steps, after }] of group) holderOf(holder, steps)[steps.at(-1) ?? 'value'] = after
  try {
    const again = check(holder.value)
    return !again.issues && group.some(([{ steps, after }]) => same(after, holderOf(again, steps)?.[steps.at(-1) ?? 'value']))
  } catch {
    return false
  }
}

const kindOf = value => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

function recordOf({ steps, before, after }) {
  const plain = ['undefined', 'function', 'symbol'].includes(typeof after) ? undefined : JSON.parse(jsonOf(after))
  const [from, to] = [kindOf(before), kindOf(plain)]
  return { kind: 'read_by_type', class: 'certain', path: pathOf(steps), from, to, before, after: plain, sentence: SENTENCE }
}

/** Returns the path of steps into a value, in the notation of violations. */
export function pathOf(steps) {
  return steps.reduce(stepped, '$input')
}

function stepped(path, step) {
  const key = typeof step === 'object' ? step.key : step
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${String(key)}` : `${path}[${JSON.stringify(String(key))}]`
}
