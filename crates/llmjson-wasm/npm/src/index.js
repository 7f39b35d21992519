// Replies with schemas.
import { call, Handle, LlmJsonError, make } from './border.js'
import { Coming } from './coming.js'
import { inUnits } from './offsets.js'
import { optionsOf } from './options.js'
import { policyOf } from './policies.js'
import { Schema, schemaOf } from './schema.js'
import { jsonOf, OTHERWISE, strict } from './strict.js'
import {
  edits as rawEdits, opened, Parsed, ParseError, repair as rawRepair, reportOf, STRICT, Stream as Raw, textOf
} from './syntax.js'

export { LlmJsonError, Parsed, ParseError, Schema }

const OPTIONS = ['policy', 'finishReason', 'integers']

// A text with what it was read by: all that is needed to read it once more.
class Reply {
  constructor(how, text, schema, options) {
    this.how = how
    this.text = text
    this.schema = schema
    this.options = options
  }

  #call(name) {
    const { finishReason } = this.options
    const policy = policyOf(this.options.policy)
    return call(name, this.how, this.text, this.schema?.number ?? 0, policy, finishReason)
  }

  read() {
    return opened(this.#call('read'), this.options.integers)
  }

  certainty() {
    return opened(this.#call('read')).certainty
  }

  report() {
    return reportOf(this.#call('report'), this.text)
  }

  feedback() {
    return this.#call('feedback')
  }
}

/** Writes annotations beside the value that they are about, for a model to correct it. */
export function annotate(value, annotations, given) {
  return call('annotate', jsonOf(value), JSON.stringify(annotations), schemaOf(given)?.number ?? 0)
}

// What a schema's library itself says about a value that fits.
function refined(answer, schema) {
  if (!answer.ok || !schema?.validate) return answer
  const result = validated(answer.value, schema)
  if (!result.issues) return { ...answer, value: result.value }
  const rejected = result.issues.map(({ path, message }) => ({
    path: (path ?? []).reduce(stepped, '$input'), expected: message
  }))
  return { ...answer, ok: false, rejected, feedback: annotate(answer.value, rejected, schema) }
}

function validated(value, schema) {
  const result = schema.validate(value)
  if (typeof result?.then !== 'function') return result
  throw new TypeError('the schema validates asynchronously; give its JSON Schema, and validate the value afterwards')
}

// Whether two values of JSON are the same, but for the order of members.
function same(one, other) {
  if (typeof one !== 'object' || one === null) return one === other
  if (typeof other !== 'object' || other === null) return false
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => same(item, other[at]))
  }
  let more = 0
  for (const key in one) {
    if (!same(one[key], other[key])) return false
    more += 1
  }
  for (const _ in other) more -= 1
  return more === 0
}

// Strict JSON that needs no coercion: without a schema, or as the schema's library takes it, with nothing left out.
// Nothing of it crosses the border then. Returns OTHERWISE for what does.
function clean(text, schema, { policy, finishReason, integers }) {
  if (policy !== undefined || integers !== undefined) return OTHERWISE
  if (schema ? !schema.declares || (finishReason ?? 'stop') !== 'stop' : finishReason !== undefined) return OTHERWISE
  const value = strict(text)
  if (!schema || value === OTHERWISE) return value
  const result = validated(value, schema)
  return !result.issues && same(value, result.value) ? result.value : OTHERWISE
}

function stepped(path, step) {
  const key = typeof step === 'object' ? step.key : step
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${String(key)}` : `${path}[${JSON.stringify(String(key))}]`
}

function replied(how, text, given, options) {
  const schema = schemaOf(given)
  const reply = new Reply(how, text, schema, optionsOf(options, OPTIONS))
  const value = how === 'parse' ? clean(text, schema, reply.options) : OTHERWISE
  return new Parsed(reply, value === OTHERWISE ? refined(reply.read(), schema) : STRICT(value))
}

export function parse(text, schema, options) {
  return replied('parse', textOf(text), schema, options)
}

export function parseArguments(text, schema, options) {
  return replied('arguments', textOf(text), schema, options)
}

export function coerce(value, schema, options) {
  const text = jsonOf(value)
  if (schema === undefined || schema === null) throw new TypeError('there is no schema to coerce to')
  return replied('coerce', text, schema, options)
}

export function repair(text, options) {
  return rawRepair(text, options, policyOf, ['text', 'policy'])
}

export function edits(text, options) {
  return rawEdits(text, options, policyOf, ['policy'])
}

export function parseAll(text, given, options) {
  const schema = schemaOf(given)
  const { policy: asked, integers } = optionsOf(options, ['policy', 'integers'])
  const policy = policyOf(asked)
  const found = JSON.parse(call('all', textOf(text), schema?.number ?? 0, policy))
  inUnits(text, found)
  return found.map(({ start, end, answer, report, feedback }) => {
    inUnits(text, [...report.repairs, ...report.notes, ...(report.refused ?? [])])
    const said = refined({ ...opened(answer, integers), feedback }, schema)
    const parsed = new Parsed({ certainty: () => report.certainty, report: () => report }, said)
    return Object.assign(parsed, { start, end })
  })
}

/** Returns the feedback for a model about what a result has wrong; the value as JSON if nothing is. */
export function stringify(parsed) {
  return parsed.feedback ?? jsonOf(parsed.value)
}

/** A reply that is still coming. */
export class Stream extends Raw {
  #schema
  #options

  constructor(given, options) {
    const schema = schemaOf(given)
    super(options, () => make('stream_coerced', schema?.handle.number ?? 0, policyOf(options?.policy)), OPTIONS)
    this.#schema = schema
    this.#options = options ?? {}
  }

  close(answer, text) {
    const reply = new Reply('parse', text, this.#schema, this.#options)
    // A stream does not know why the text will end, and without a schema nothing of policies.
    const { finishReason, integers } = this.#options
    const said = finishReason || !this.#schema ? reply.read() : opened(answer, integers)
    return new Parsed(reply, refined(said, this.#schema))
  }
}

/** Tools that a model calls: a list in OpenAI's, Anthropic's, Google's or MCP's form. */
export class Tools {
  #handle
  #freed = false

  constructor(list, options) {
    const json = typeof list === 'string' ? list : JSON.stringify(list)
    const { policy } = optionsOf(options, ['policy'])
    this.#handle = new Handle(() => make('tools_new', json, policyOf(policy)), 'tools_free', 3000 + 8 * json.length)
  }

  get #number() {
    if (this.#freed) throw new LlmJsonError('the tools were freed')
    return this.#handle.number
  }

  get names() {
    return JSON.parse(call('tools_names', this.#number))
  }

  /** Reads the arguments of a call: JSON text, or a value. */
  bind(name, given, options) {
    const text = typeof given === 'string' ? given : jsonOf(given ?? {})
    const { finishReason } = optionsOf(options, ['finishReason'])
    return JSON.parse(call('tools_bind', this.#number, name, text, finishReason))
  }

  /** Finds the calls in a text. */
  callsIn(text) {
    const found = JSON.parse(call('tools_calls', this.#number, textOf(text)))
    return foundInUnits(text, found)
  }

  /** Returns a stream that finds calls in a text that comes in pieces. */
  callStream() {
    const tools = this.#handle
    return new CallStream(() => make('calls_new', tools.number))
  }

  free() {
    this.#freed = true
    this.#handle.release()
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

class CallStream {
  #coming

  constructor(open) {
    this.#coming = new Coming('calls', open)
  }

  /** Takes in a piece, and returns the changes. */
  push(piece) {
    return changes(this.#coming.push(textOf(piece)))
  }

  /** Ends the text, and returns the calls, the text around them and the changes. */
  finish() {
    const [rest, end] = this.#coming.finish()
    const [events, found] = JSON.parse(end)
    foundInUnits(this.#coming.text, found)
    return { ...found, events: [...changes(rest), ...events.map(changed)] }
  }

  free() {
    this.#coming.free()
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

function foundInUnits(text, found) {
  inUnits(text, [...found.calls, ...found.notRun, ...(found.unsearched ? [found.unsearched] : [])])
  return found
}

const changes = said => JSON.parse(said).map(changed)

function changed([change, at, more]) {
  if (change === 'superseded') return { change, call: at }
  return change === 'finished' ? { change, call: at, complete: more } : { change, call: at, text: more }
}

/**
 * Asks a model until its reply fits, at most `1 + maxRetries` times. `ask` gets the messages, and returns the text of the
 * reply or its pieces as they come; the errors of a reply are added behind it as feedback.
 */
export async function retry(ask, messages, schema, options) {
  const { maxRetries = 2, onPartial, ...how } = optionsOf(options, [...OPTIONS, 'maxRetries', 'onPartial'])
  if (typeof ask !== 'function' || !Array.isArray(messages)) {
    throw new TypeError('the order is retry(ask, messages, schema): a function, a list and a schema')
  }
  let said = messages
  for (let turn = 0; ; turn += 1) {
    const reply = await ask(said)
    const [text, parsed] = typeof reply === 'string'
      ? [reply, parse(reply, schema, how)] : await followed(reply, schema, how, value => onPartial?.(value, turn))
    if (parsed.ok) return parsed
    if (turn >= maxRetries) throw new ParseError(parsed.feedback, parsed)
    said = [...said, { role: 'assistant', content: text }, { role: 'user', content: parsed.feedback }]
  }
}

async function followed(pieces, schema, how, tell) {
  const stream = new Stream(schema, how)
  try {
    let text = ''
    let before
    for await (const piece of pieces) {
      text += piece
      const { value } = stream.push(piece)
      if (value !== before) tell(before = value)
    }
    return [text, stream.finish()]
  } finally {
    stream.free()
  }
}
