// Hooks for the AI SDK.
import { parse, parseArguments, ParseError, Schema, Stream, Tools } from 'llmjson'
import { parse as read } from 'llmjson/syntax'
import { Writer } from './writer.js'

/**
 * Makes the option `repairText`, which returns text that conforms to the schema, or null if there is none or the text
 * is truncated: the SDK does not tell the hook why the model stopped.
 */
export function repairText(schema, options) {
  const told = toldBy(schema)
  return async ({ text }) => jsonOf(parse(text, told, { ...WHOLE, ...options }))
}

/** Makes the option `repairToolCall`, which returns the call with arguments that its tool accepts, or null. */
export function repairToolCall(options) {
  return async ({ toolCall, inputSchema }) => {
    // A call to an unknown tool cannot be repaired.
    const schema = await Promise.resolve(inputSchema(toolCall)).catch(() => undefined)
    if (schema === undefined) return null
    // A call is executed: nothing guessed, and nothing truncated.
    const input = jsonOf(parseArguments(toolCall.input, schema, { policy: 'tool', ...options }))
    return input === null ? null : { ...toolCall, input }
  }
}

/**
 * Makes a middleware for `wrapLanguageModel`: replies, including streamed ones, become conforming JSON, and tool calls
 * in their text become calls.
 */
export function jsonMiddleware(schema, options) {
  const given = toldBy(schema)
  const wanted = ({ responseFormat }) => {
    if (given !== undefined || responseFormat?.type !== 'json') return given
    return readable(() => new Schema(responseFormat.schema ?? true)) ?? true
  }
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      return whole(result, wanted(params), toolsOf(params), options)
    },
    async wrapStream({ doStream, params }) {
      const [schema, tools] = [wanted(params), toolsOf(params)]
      const result = await doStream()
      if (schema === undefined && tools === undefined) return result
      const reply = new Reply(schema, tools, options)
      const stream = new TransformStream({
        transform: (part, controller) => reply.take(part, part => controller.enqueue(part)),
        flush: controller => reply.end(undefined, part => controller.enqueue(part)),
        cancel: () => reply.free()
      })
      return { ...result, stream: result.stream.pipeThrough(stream) }
    }
  }
}

// The SDK cannot report that a text was truncated: then there is no JSON.
const WHOLE = { allowTruncated: false }

// The checks of the schema's library are left to the SDK, so that its transformations do not run twice.
function toldBy(schema) {
  return schema === undefined || schema === null ? undefined : new Schema(new Schema(schema))
}

// Unreadable parts of the SDK's output for the user's schemas must not cause a failure.
function readable(make) {
  try {
    return make()
  } catch {
    return undefined
  }
}

// Functions that the model may call in its text; it does not write provider-executed calls there.
function toolsOf({ tools: given = [], toolChoice }) {
  const list = given.filter(({ type }) => type === 'function')
  if (list.length === 0 || toolChoice?.type === 'none') return undefined
  const tools = list.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }))
  return readable(() => new Tools(tools, { policy: 'tool' }))
}

const reasonOf = finishReason => finishReason?.unified ?? finishReason

// Calls were found where the provider saw only text.
function withCalls(finishReason) {
  if (reasonOf(finishReason) !== 'stop') return finishReason
  return typeof finishReason === 'string' ? 'tool-calls' : { ...finishReason, unified: 'tool-calls' }
}

const newId = () => `call-${Math.random().toString(36).slice(2)}`

// Splits the findings in a text: the calls that may run, with their ids, and the other text. A truncated or guessed
// call stays text, and so does one that the policy `tool` refuses or no tool accepts.
function lifted(text, found, ids = []) {
  const calls = []
  let rest = found.content
  for (const [at, { complete, binding, start, end }] of found.calls.entries()) {
    if (complete && binding?.ok) {
      const input = JSON.stringify(binding.arguments)
      calls.push({ type: 'tool-call', toolCallId: ids[at] ?? newId(), toolName: binding.name, input })
    } else rest += text.slice(start, end)
  }
  return { calls, rest }
}

function whole(result, schema, tools, options) {
  const texts = result.content.filter(({ type }) => type === 'text')
  const text = texts.map(({ text }) => text).join('')
  const { finishReason } = result
  const told = { ...WHOLE, finishReason: reasonOf(finishReason), ...options }
  const jsonIn = text => schema === undefined ? null : jsonOf(parse(text, schema, told))
  const isCalled = result.content.some(({ type }) => type === 'tool-call')
  const { calls, rest } = tools && !isCalled ? lifted(text, tools.callsIn(text)) : { calls: [], rest: text }
  tools?.free()
  const json = jsonIn(rest)
  const { structuredOutputText: apart } = result
  const more = apart === undefined ? {} : { structuredOutputText: jsonIn(apart) ?? apart }
  if (json === null && calls.length === 0) return { ...result, ...more }
  const [first] = texts
  const said = json ?? rest
  const content = result.content.flatMap(part => {
    if (part.type !== 'text') return [part]
    return part === first && said.trim() !== '' ? [{ ...part, text: said }] : []
  })
  return {
    ...result, ...more, content: [...content, ...calls], finishReason: calls.length > 0 ? withCalls(finishReason) : finishReason
  }
}

// How far before its tool's name a call may begin.
const LEAD = 256
const LEADS = /[<>[\]{}`|｜]|\bAction|\bfunc|\bcall:|\bto=/.source

// A name in all its spellings, get_weather, getWeather or get weather, if arguments follow or may follow.
const spellings = name => `${(name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).join('[\\W_]?')}(?:\\s*$|\\s*[([{<:\\n])`

/** Passes on text that is certainly not part of a call, and announces calls as they arrive. */
class Calls {
  #tools
  #stream
  #lead
  #ids = []
  #text = ''
  // The end of the text, which was not passed on.
  #held = ''

  constructor(tools) {
    this.#tools = tools
    this.#stream = tools.callStream()
    this.#lead = new RegExp([LEADS, ...tools.names.map(spellings)].join('|'), 'gi')
  }

  push(delta, send) {
    this.#text += delta
    this.#held += delta
    this.#tell(this.#stream.push(delta), send)
    if (this.#ids.length > 0) return ''
    const held = this.#held
    const from = Math.max(0, held.length - LEAD)
    // A word may continue.
    const last = from + held.slice(from).search(/[\w.-]*$/)
    this.#lead.lastIndex = from
    const until = Math.min(last, this.#lead.exec(held)?.index ?? last)
    this.#held = held.slice(until)
    return held.slice(0, until)
  }

  #tell(changes, send) {
    for (const { change, call, text } of changes) {
      if (change === 'started') send({ type: 'tool-input-start', id: this.#ids[call] ??= newId(), toolName: text })
      if (change === 'arguments') send({ type: 'tool-input-delta', id: this.#ids[call], delta: text })
      if (change === 'finished') send({ type: 'tool-input-end', id: this.#ids[call] })
    }
  }

  /** Ends the text, and returns the calls and the remaining text. */
  end(send) {
    const { events, ...found } = this.#stream.finish()
    this.#tell(events, send)
    const { calls, rest } = lifted(this.#text, found, this.#ids)
    if (calls.length === 0) return { calls, rest: this.#held }
    const before = this.#tools.callsIn(this.#text.slice(0, this.#text.length - this.#held.length)).content
    return { calls, rest: rest.startsWith(before) ? rest.slice(before.length) : '' }
  }

  free() {
    this.#stream.free()
    this.#tools.free()
  }
}

/** Passes on text as the JSON of the value in it, as far as that is known. */
class Json {
  #stream
  #writer = new Writer()
  #text = ''
  #isWritten = false

  constructor(schema) {
    this.#stream = new Stream(schema)
  }

  push(delta) {
    this.#text += delta
    return this.#write(this.#stream.push(delta).events())
  }

  #write(events) {
    const written = this.#writer.take(events)
    this.#isWritten ||= written !== ''
    return written
  }

  /** Ends the text: a truncated value stays open, and text without a value is unchanged. */
  end(told, schema, send) {
    this.#stream.finish()
    const parsed = parse(this.#text, schema, told)
    if (!parsed.found && !this.#isWritten) return this.#text
    const isRefused = !parsed.ok && parsed.refused.length > 0
    if (this.#stream.superseded || isRefused) {
      send({ type: 'error', error: new ParseError(parsed.feedback ?? 'the end of the reply gives another value than was streamed', parsed) })
      return ''
    }
    return parsed.complete ? this.#write(this.#stream.events()) : ''
  }

  free() {
    this.#stream.free()
  }
}

/** A streamed reply: its texts are joined under the first one's id. */
class Reply {
  #schema
  #options
  #calls
  #json
  #start
  #isOpen = false
  #isCalled = false
  #hasEnded = false

  constructor(schema, tools, options) {
    this.#schema = schema
    this.#options = options
    if (tools) this.#calls = new Calls(tools)
    if (schema !== undefined) this.#json = new Json(schema)
  }

  take(part, send) {
    switch (part.type) {
      case 'text-start':
        this.#start ??= part
        return
      case 'text-end':
        return
      case 'text-delta':
        return this.#pass(this.#calls ? this.#calls.push(part.delta, send) : part.delta, send)
      case 'tool-call':
        this.#isCalled = true
        break
      case 'finish':
        return this.end(part, send)
    }
    send(part)
  }

  #pass(text, send) {
    if (text !== '') this.#say(this.#json ? this.#json.push(text) : text, send)
  }

  #say(delta, send) {
    if (delta === '') return
    const { id = '0' } = this.#start ?? {}
    if (!this.#isOpen) send(this.#start ?? { type: 'text-start', id })
    this.#isOpen = true
    send({ type: 'text-delta', id, delta })
  }

  end(part, send) {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { calls, rest } = this.#calls?.end(send) ?? { calls: [], rest: '' }
    // A call may leave the surrounding blank lines.
    if (this.#isOpen || rest.trim() !== '') this.#pass(rest, send)
    const reason = reasonOf(part?.finishReason)
    if (this.#json) this.#say(this.#json.end({ finishReason: reason, ...this.#options }, this.#schema, send), send)
    if (this.#isOpen) send({ type: 'text-end', id: this.#start?.id ?? '0' })
    // The model may have repeated the calls that the provider parsed.
    const called = this.#isCalled ? [] : calls
    for (const call of called) send(call)
    if (part) send(called.length > 0 ? { ...part, finishReason: withCalls(part.finishReason) } : part)
    this.free()
  }

  free() {
    this.#calls?.free()
    this.#json?.free()
  }
}

/** Replaces the AI SDK's function of the same name. */
export async function parsePartialJson(text) {
  if (text === undefined) return { value: undefined, state: 'undefined-input' }
  try {
    return { value: JSON.parse(text), state: 'successful-parse' }
  } catch {
    const { found, value } = read(text)
    return { value, state: found ? 'repaired-parse' : 'failed-parse' }
  }
}

function jsonOf(parsed) {
  return parsed.ok ? JSON.stringify(parsed.value) : null
}
