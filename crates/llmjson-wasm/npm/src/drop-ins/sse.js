// Streams of server-sent events whose data are JSON: truncated, joined or damaged events are repaired.
import { parse, repair } from 'llmjson/syntax'

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

// Repairs an event, without the blank line after it.
function mend(event, blank) {
  const lines = event.split(LINE)
  const said = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''))
  const parts = apart(said.join('\n'))
  if (parts === undefined) return event + blank
  const others = lines.filter(line => !line.startsWith('data:') && line !== '')
  return parts.map(data => [...others, `data: ${data}`, '\n'].join('\n')).join('')
}

/** Returns a TransformStream of an event stream, from bytes or text to bytes, in which every event is complete. */
export function repairEvents() {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  const put = (text, controller) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
  }
  return new TransformStream({
    transform(piece, controller) {
      rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
      let out = ''
      for (let at; (at = BLANK.exec(rest)) !== null;) {
        out += mend(rest.slice(0, at.index), at[0])
        rest = rest.slice(at.index + at[0].length)
      }
      put(out, controller)
    },
    // An event truncated by the end: readers ignore an event without a blank line.
    flush(controller) {
      rest += decoder.decode()
      put(/^data:/m.test(rest) ? mend(rest.replace(/[\r\n]+$/, ''), '\n\n') : rest, controller)
    }
  })
}

/** Returns a `fetch` that repairs event streams, for a client that accepts one. */
export function repairingFetch(fetch = globalThis.fetch) {
  return async (...given) => {
    const response = await fetch(...given)
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    if (!isStream || response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(repairEvents()), { status, statusText, headers })
  }
}
