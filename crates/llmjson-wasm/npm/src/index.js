// Replies with schemas.
import { call, Handle, LlmJsonError, make } from './border.js'
import { Coming } from './coming.js'
import { inUnits } from './offsets.js'
import { optionsOf } from './options.js'
import { policyOf } from './policies.js'
import { pathOf, rereadOf, same } from './reread.js'
import { Schema, schemaOf } from './schema.js'
import { jsonOf, OTHERWISE, strict } from './strict.js'
import {
  edits as rawEdits, opened, Parsed, ParseError, repair as rawRepair, reportOf, STRICT, Stream as Raw, textOf
} from './syntax.js'

export { LlmJsonError, Parsed, ParseError, Schema }

const OPTIONS = ['policy', 'finishReason', 'integers', 'allowTruncated']

// Whether the caller accepts a truncated value; undefined if not specified.
function acceptsTruncated({ allowTruncated, policy }) {
  return allowTruncated ?? (policy?.truncated === 'accept' ? true : undefined)
}

// A text with the arguments for parsing it again.
class Reply {
  constructor(how, text, schema, options) {
    this.how = how
    this.text = text
    this.schema = schema
    this.options = options
    this.allowTruncated = acceptsTruncated(options)
  }

  get policy() {
    return policyOf(this.options.policy, this.allowTruncated)
  }

  #call(name, isWhole = this.allowTruncated === false) {
    return call(name, this.how, this.text, this.schema?.number ?? 0, this.policy, this.options.finishReason, isWhole)
  }

  read() {
    return opened(this.#call('read'), this.options.integers ?? this.schema?.integers)
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

  // The feedback on a value that is only truncated.
  truncated() {
    return this.#call('feedback', true)
  }
}

/** Writes annotations next to their places in a value, for a model to correct it. */
export function annotate(value, annotations, given) {
  return call('annotate', jsonOf(value), JSON.stringify(annotations), schemaOf(given)?.number ?? 0)
}

// The judgement of a schema's library on a value that conforms to the JSON Schema, and the library's own result, which
// the policy judges.
function refined(answer, schema, policy) {
  if (!answer.ok || !schema?.validate) return answer
  const { value, issues } = schema.validate(answer.value)
  if (issues) {
    return rejecting(answer, schema, issues.map(({ path, message }) => ({ path: pathOf(path ?? []), expected: message })))
  }
  const reread = rereadOf(answer.value, value, schema.validate)
  const unsure = reread.filter(one => one.class !== 'certain')
  if (unsure.length > 0 && !call('policy_allows_reading', policy)) {
    return rejecting(answer, schema, unsure.map(({ path, before }) => ({ path, expected: UNCHANGED, value: before })))
  }
  return reread.length > 0 ? { ...answer, value, reread } : { ...answer, value }
}

// The policy's expectation if it does not let the type read a value as another kind.
const UNCHANGED = 'a value that the type takes without a change'

function rejecting(answer, schema, rejected) {
  return { ...answer, ok: false, rejected, feedback: annotate(answer.value, rejected, schema) }
}

// A parsed value with the library's judgement, in every form of the result.
class Judged {
  constructor(source, said) {
    this.source = source
    this.said = said
    this.allowTruncated = source.allowTruncated
  }

  certainty() {
    const { reread = [] } = this.said
    const known = [this.source.certainty(), ...reread.map(one => one.class)]
    return ['guess', 'likely', 'certain'].find(one => known.includes(one))
  }

  report() {
    const { ok, rejected, reread = [] } = this.said
    const report = this.source.report()
    const coercions = [...report.coercions, ...reread]
    return { ...report, ok, certainty: this.certainty(), coercions, violations: rejected ?? report.violations }
  }

  truncated() {
    return this.source.truncated?.()
  }
}

// The result for a text: the module's value, as the schema's library accepts it.
function parsedOf(source, answer, schema, policy) {
  const said = refined(answer, schema, policy)
  if (said.rejected === undefined && said.reread === undefined) return new Parsed(source, said)
  return new Parsed(new Judged(source, said), { ...said, certainty: null })
}

// Strict JSON that needs no coercion: without a schema, or as the schema's library accepts it, with nothing left out.
// Nothing is then passed to the module. Otherwise returns OTHERWISE.
function clean(text, schema, { policy, finishReason, integers }) {
  if (policy !== undefined || integers !== undefined) return OTHERWISE
  if (schema ? !schema.declares || (finishReason ?? 'stop') !== 'stop' : finishReason !== undefined) return OTHERWISE
  const value = strict(text)
  if (!schema || value === OTHERWISE) return value
  const result = schema.validate(value)
  return !result.issues && same(value, result.value) ? result.value : OTHERWISE
}

function replied(how, text, given, options) {
  const schema = schemaOf(given)
  const reply = new Reply(how, text, schema, options)
  const value = how === 'parse' ? clean(text, schema, options) : OTHERWISE
  return value === OTHERWISE ? parsedOf(reply, reply.read(), schema, reply.policy) : new Parsed(reply, STRICT(value))
}

// The options of a call that uses the value at once: a truncated value is accepted only if the caller says so.
const refusing = options => ({ ...options, allowTruncated: acceptsTruncated(options) ?? false })

export function parse(text, schema, options) {
  return replied('parse', textOf(text), schema, optionsOf(options, OPTIONS))
}

export function parseArguments(text, schema, options) {
  return replied('arguments', textOf(text), schema, refusing(optionsOf(options, OPTIONS)))
}

export function coerce(value, schema, options) {
  const text = jsonOf(value)
  if (schema === undefined || schema === null) throw new TypeError('there is no schema to coerce to')
  return replied('coerce', text, schema, optionsOf(options, OPTIONS))
}

export function repair(text, options) {
  return rawRepair(text, options, policyOf, ['text', 'policy'])
}

export function edits(text, options) {
  return rawEdits(text, options, policyOf, ['policy'])
}

export function parseAll(text, given, options) {
  const schema = schemaOf(given)
  const how = optionsOf(options, ['policy', 'integers', 'allowTruncated'])
  const allowTruncated = acceptsTruncated(how)
  const policy = policyOf(how.policy, allowTruncated)
  const found = JSON.parse(call('all', textOf(text), schema?.number ?? 0, policy, allowTruncated === false))
  inUnits(text, found)
  return found.map(({ start, end, answer, report, feedback }) => {
    inUnits(text, [...report.repairs, ...report.notes, ...(report.refused ?? [])])
    const source = { allowTruncated, certainty: () => report.certainty, report: () => report }
    const said = { ...opened(answer, how.integers ?? schema?.integers), feedback }
    return Object.assign(parsedOf(source, said, schema, policy), { start, end })
  })
}

/** Returns feedback for a model on the errors of a result, or the value as JSON if there are none. */
export function stringify(parsed) {
  return parsed.feedback ?? jsonOf(parsed.value)
}

/** A streamed reply. */
export class Stream extends Raw {
  #schema
  #options

  constructor(given, options) {
    const schema = schemaOf(given)
    const policy = () => policyOf(options?.policy, options?.allowTruncated)
    super(options, () => make('stream_coerced', schema?.handle.number ?? 0, policy()), OPTIONS)
    this.#schema = schema
    this.#options = { ...options }
  }

  close(answer, text) {
    const reply = new Reply('parse', text, this.#schema, this.#options)
    // A stream does not know why the text will end, and without a schema has no policy.
    const { finishReason, integers } = this.#options
    const isRead = finishReason || !this.#schema || reply.allowTruncated === false
    return parsedOf(reply, isRead ? reply.read() : opened(answer, integers ?? this.#schema.integers), this.#schema, reply.policy)
  }
}

/** Tools that a model calls: a list in the format of OpenAI, Anthropic, Google or MCP. */
export class Tools {
  #handle
  #freed = false

  constructor(list, options) {
    const json = typeof list === 'string' ? list : JSON.stringify(list)
    const { policy } = optionsOf(options, ['policy'])
    if (json === undefined) throw new TypeError(`the tools are a list, not ${typeof list}`)
    this.#handle = new Handle(() => make('tools_new', json, policyOf(policy)), 'tools_free', 3000 + 8 * json.length)
    // An object of objects by name contains no tools, nor do objects in another format; an empty list is accepted.
    if (json.includes('{', 1) && this.names.length === 0) throw new TypeError('there is no tool in what was given: tools are a list')
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

  /** Returns a stream that finds calls in streamed text. */
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

  /** Takes a piece, and returns the changes. */
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

function changed([change, at, more, ok, reason, bound]) {
  if (change === 'superseded') return { change, call: at }
  if (change !== 'finished') return { change, call: at, text: more }
  return { change, call: at, complete: more, ok, reason, ...(bound !== null && { arguments: bound }) }
}

/**
 * Asks a model until its reply conforms and is not truncated, at most `1 + maxRetries` times. `ask` gets the messages,
 * and returns the text of the reply or its pieces as they arrive, or an object with `text` and `finishReason`; the
 * errors of a reply are added after it as feedback.
 */
export async function retry(ask, messages, schema, options) {
  const { maxRetries = 2, onPartial, ...how } = optionsOf(options, [...OPTIONS, 'maxRetries', 'onPartial'])
  if (typeof ask !== 'function' || !Array.isArray(messages)) {
    throw new TypeError('the order is retry(ask, messages, schema): a function, a list and a schema')
  }
  let said = messages
  for (let turn = 0; ; turn += 1) {
    const reply = await ask(said)
    const { text: given, finishReason } = isReply(reply) ? reply : { text: reply }
    const pieces = await given
    const text = typeof pieces === 'string' ? pieces : await followed(pieces, schema, how, value => onPartial?.(value, turn))
    const reason = (await finishReason) ?? how.finishReason
    const parsed = replied('parse', text, schema, refusing({ ...how, finishReason: reason }))
    if (parsed.ok) return parsed
    if (turn >= maxRetries) throw new ParseError(parsed.feedback, parsed)
    said = [...said, { role: 'assistant', content: text }, { role: 'user', content: parsed.feedback }]
  }
}

const isReply = reply => typeof reply === 'object' && reply !== null && 'text' in reply

// Reports the value so far, and returns the text.
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
    return text
  } finally {
    stream.free()
  }
}
