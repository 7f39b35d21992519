// Responses of models: truncated, joined or damaged server-sent events, and the damaged arguments of calls.
import { parse, repair, Stream } from 'llmjson/syntax'
import { Writer } from './writer.js'

const BLANK = /\r\n\r\n|\n\n|\r\r/
const LINE = /\r\n|\n|\r/

function isWhole(data) {
  if (data.trim() === '[DONE]') return true
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}

// Returns the data of one event as JSON, or none if it was truncated before it had content: the content of events is in
// objects and arrays, after their ids and names. undefined if there is no object.
function mended(data) {
  if (isWhole(data)) return [data]
  const { found, value, truncation } = parse(data)
  if (!found || typeof value !== 'object' || value === null) return undefined
  if (truncation === 'value' && !Object.values(value).some(member => typeof member === 'object' && member !== null)) return []
  return [repair(data).replace(/[\r\n]+/g, ' ')]
}

// Returns the data of the events joined in one; undefined if it stays unchanged.
function apart(data) {
  if (!/^\s*[{[]/.test(data) || isWhole(data)) return undefined
  const parts = data.split(/\n|data: ?(?=\{|\[DONE\])/).filter(part => part.trim() !== '')
  const all = (parts.length > 1 && isWhole(parts.at(-1)) ? parts : [data]).map(mended)
  return all.includes(undefined) ? undefined : all.flat()
}

/** The inputs of calls in a stream of Anthropic, written as JSON while they arrive. */
class Inputs {
  #open = new Map()

  /** Returns an event, with its part of an input repaired, after the rest of an input that it ends. */
  take(event) {
    if (!/"(?:input_json_delta|content_block_stop)"/.test(event)) return event
    const data = event.split(LINE).filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('\n')
    const said = isWhole(data) ? JSON.parse(data) : undefined
    if (said?.delta?.type === 'input_json_delta' && typeof said.delta.partial_json === 'string') {
      return eventOf(said.index, this.#push(said.index, said.delta.partial_json))
    }
    return said?.type === 'content_block_stop' ? this.#end(said.index) + event : event
  }

  #push(index, piece) {
    if (!this.#open.has(index)) this.#open.set(index, { stream: new Stream({ integers: 'bigint' }), writer: new Writer() })
    const { stream, writer } = this.#open.get(index)
    return writer.take(stream.push(piece).events())
  }

  // The rest of an input. An input that is truncated, guessed, or other than the text before stays open, and is not JSON.
  #end(index) {
    const input = this.#open.get(index)
    if (input === undefined) return ''
    this.#open.delete(index)
    const { stream, writer } = input
    const { complete, certainty } = stream.finish()
    const rest = complete && certainty !== 'guess' && !stream.superseded ? writer.take(stream.events()) : ''
    return rest === '' ? '' : eventOf(index, rest)
  }

  free() {
    for (const { stream } of this.#open.values()) stream.free()
  }
}

function eventOf(index, partial_json) {
  const said = { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }
  return `event: content_block_delta\ndata: ${JSON.stringify(said)}\n\n`
}

// Repairs the arguments of the calls in a chat completion. A call is executed: nothing guessed, and nothing truncated.
function mendCalls(body) {
  if (!isWhole(body)) return body
  const said = JSON.parse(body)
  const calls = (said?.choices ?? []).flatMap(choice => choice?.message?.tool_calls ?? [])
  const broken = calls.map(call => call.function).filter(called => typeof called?.arguments === 'string' && !isWhole(called.arguments))
  for (const called of broken) {
    const { complete, value, certainty } = parse(called.arguments)
    const isSure = complete && certainty !== 'guess' && typeof value === 'object' && value !== null
    if (isSure) called.arguments = repair(called.arguments)
  }
  return broken.length > 0 ? JSON.stringify(said) : body
}

// Repairs an event, without the blank line after it, and returns the events that it consists of.
function mend(event, blank) {
  const lines = event.split(LINE)
  const said = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''))
  const parts = apart(said.join('\n'))
  if (parts === undefined) return [event + blank]
  const others = lines.filter(line => !line.startsWith('data:') && line !== '')
  return parts.map(data => [...others, `data: ${data}`, '\n'].join('\n'))
}

/** Returns a TransformStream of an event stream, from bytes or text to bytes, in which every event is complete. */
export function repairEvents() {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const inputs = new Inputs()
  const through = (event, blank) => mend(event, blank).map(one => inputs.take(one)).join('')
  let rest = ''
  const put = (text, controller) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
  }
  return new TransformStream({
    transform(piece, controller) {
      rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
      let out = ''
      for (let at; (at = BLANK.exec(rest)) !== null;) {
        out += through(rest.slice(0, at.index), at[0])
        rest = rest.slice(at.index + at[0].length)
      }
      put(out, controller)
    },
    // An event truncated by the end: readers ignore an event without a blank line.
    flush(controller) {
      rest += decoder.decode()
      put(/^data:/m.test(rest) ? through(rest.replace(/[\r\n]+$/, ''), '\n\n') : rest, controller)
      inputs.free()
    },
    cancel: () => inputs.free()
  })
}

/** Returns a `fetch` that repairs event streams and the calls in chat completions, for a client that accepts one. */
export function repairingFetch(fetch = globalThis.fetch) {
  return async (...given) => {
    const response = await fetch(...given)
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null) return response
    if (/^text\/event-stream\b/i.test(type)) return withBody(response, response.body.pipeThrough(repairEvents()))
    if (!response.ok || !/^application\/json\b/i.test(type)) return response
    const body = await response.clone().text()
    const repaired = mendCalls(body)
    return repaired === body ? response : withBody(response, repaired)
  }
}

function withBody({ status, statusText, headers }, body) {
  return new Response(body, { status, statusText, headers })
}
