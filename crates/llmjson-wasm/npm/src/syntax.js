// Parsing and repairing without schemas.
import { call, LlmJsonError, make } from './border.js'
import { Coming } from './coming.js'
import { Mirror } from './mirror.js'
import { inUnits } from './offsets.js'
import { optionsOf } from './options.js'
import { OTHERWISE, strict, valueOf } from './strict.js'

export { LlmJsonError }

const NO_VALUE = 'there is no value in the text'
const TRUNCATED = 'the value is truncated: the option allowTruncated accepts it'
const CUTS = { '+': null, ')': 'closers', '-': 'value' }
const CLASSES = { c: 'certain', l: 'likely', g: 'guess' }

/** Splits an answer of the module into its parts. */
export function opened(answer, integers) {
  const json = answer.slice(3)
  return {
    found: json !== '',
    value: json === '' ? undefined : valueOf(json, integers),
    ok: answer[0] === '+',
    complete: answer[1] === '+',
    truncation: CUTS[answer[1]],
    certainty: json === '' ? null : CLASSES[answer[2]]
  }
}

/** The error for a text without a usable value. */
export class ParseError extends LlmJsonError {
  constructor(message, parsed) {
    super(message)
    this.name = 'ParseError'
    this.parsed = parsed
  }
}

/** The result of parsing a text. Its records are created on demand. */
export class Parsed {
  #source
  #answer
  #report

  constructor(source, answer) {
    this.#source = source
    this.#answer = answer
    this.value = answer.value
    this.ok = answer.ok
    this.complete = answer.complete
    this.truncation = answer.truncation
    this.found = answer.found
  }

  get certainty() {
    return this.#answer.certainty ??= this.found ? this.#source.certainty() : null
  }

  get report() {
    return this.#report ??= this.#source.report()
  }

  get repairs() {
    return this.report.repairs
  }

  get notes() {
    return this.report.notes
  }

  get coercions() {
    return this.report.coercions
  }

  get violations() {
    return this.report.violations
  }

  get refused() {
    return this.report.refused ?? []
  }

  get feedback() {
    return this.ok ? undefined : this.#answer.feedback ?? this.#source.feedback?.()
  }

  /** Returns the value, or throws a ParseError that says what is wrong, even if the value is only truncated. */
  unwrap() {
    if (this.ok && (this.complete || this.#source.allowTruncated)) return this.value
    const truncated = () => this.#source.truncated?.() ?? TRUNCATED
    throw new ParseError(this.feedback ?? (this.found ? truncated() : NO_VALUE), this)
  }
}

/** Parses a report and converts its offsets to JavaScript's. */
export function reportOf(json, text) {
  const report = JSON.parse(json)
  inUnits(text, [...report.repairs, ...report.notes, ...(report.refused ?? [])])
  return report
}

// Returns the result for a text parsed without a schema.
function parsedOf(text, answer, { allowTruncated }) {
  const said = allowTruncated === false && !answer.complete ? { ...answer, ok: false } : answer
  return new Parsed(new Text(text, said.ok, allowTruncated), said)
}

class Text {
  constructor(text, ok, allowTruncated) {
    this.text = text
    this.ok = ok
    this.allowTruncated = allowTruncated
  }

  certainty() {
    return opened(call('raw_read', this.text)).certainty
  }

  report() {
    return { ...reportOf(call('raw_report', this.text), this.text), ok: this.ok }
  }
}

export function textOf(text) {
  if (typeof text === 'string') return text
  throw new TypeError(`the text is a string, not ${text === null ? 'null' : typeof text}`)
}

const OPTIONS = ['integers', 'allowTruncated']

export const STRICT = value => ({ found: true, value, ok: true, complete: true, truncation: null, certainty: null })

export function parse(text, options) {
  textOf(text)
  const given = optionsOf(options, OPTIONS)
  const { integers } = given
  const value = integers === undefined ? strict(text) : OTHERWISE
  const answer = value === OTHERWISE ? opened(call('raw_read', text), integers) : STRICT(value)
  return parsedOf(text, answer, given)
}

function isOther(name, given, other) {
  if (given === undefined || given === 'drop' || given === other) return given === other
  throw new TypeError(`${name} is drop or ${other}, not ${given}`)
}

// The module's answer to a request for the repaired text.
function repaired(name, text, options, known, policyOf) {
  const { unfinished, comments, policy, text: verbatim } = optionsOf(options, ['unfinished', 'comments', ...known])
  const number = policyOf === undefined ? 0 : policyOf(policy)
  const [complete, keep] = [isOther('unfinished', unfinished, 'complete'), isOther('comments', comments, 'keep')]
  const answer = call(name, textOf(text), number, complete, keep, verbatim === true)
  if (answer[0] !== '-') return answer
  const colon = answer.indexOf(':')
  const [place] = inUnits(text, [{ start: Number(answer.slice(1, colon)), end: 0 }])
  const error = new LlmJsonError(answer.slice(colon + 1))
  error.position = place.start
  throw error
}

/** Returns the repaired text as strict JSON with its layout, or as JSON with its comments. */
export function repair(text, options, policyOf, known = ['text']) {
  return repaired('raw_repair', text, options, known, policyOf).slice(1)
}

/** Returns the edits that `repair` makes, in text order. */
export function edits(text, options, policyOf, known = []) {
  return inUnits(text, JSON.parse(repaired('raw_edits', text, options, known, policyOf)))
}

/** A streamed text. */
export class Stream {
  #coming
  #options
  #mirror = new Mirror()
  #pending = []
  #finished
  superseded = false

  constructor(options, open = () => make('stream_new'), known = OPTIONS) {
    this.#options = optionsOf(options, known)
    this.#coming = new Coming('stream', open)
  }

  close(answer, text) {
    return parsedOf(text, opened(answer, this.#options.integers), this.#options)
  }

  /** Takes the next piece. */
  push(piece) {
    if (this.#finished) throw new LlmJsonError('the stream has ended')
    this.#take(this.#coming.push(textOf(piece)))
    return this
  }

  #take(said) {
    if (said === '[]') return
    const events = valueOf(said, this.#options.integers)
    this.#mirror.apply(events)
    for (const event of events) this.#pending.push(event)
  }

  /** The value so far. Unchanged parts stay the same object. */
  get value() {
    return this.#finished ? this.#finished.value : this.#mirror.value
  }

  /** Returns the changes since the last call, in order. */
  events() {
    const events = this.#pending
    this.#pending = []
    return events.map(([change, path, value]) => (value === undefined ? { change, path } : { change, path, value }))
  }

  /** Ends the text and returns its result: the result of `parse` for the whole text. */
  finish() {
    if (this.#finished) return this.#finished
    const [rest, said] = this.#coming.finish()
    this.#take(rest)
    const end = said.indexOf('\n')
    this.superseded = said[0] === '!'
    for (const event of valueOf(said.slice(end + 1), this.#options.integers)) this.#pending.push(event)
    this.#finished = this.close(said.slice(1, end), this.#coming.text)
    return this.#finished
  }

  free() {
    this.#coming.free()
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}
