// Repairs a text while it comes. What was written is never taken back.
import { Stream } from 'llmjson/syntax'
import { JSONRepairError } from 'llmjson/jsonrepair'

/** Writes the JSON of a stream's value by its events. */
class Writer {
  // What is open: its pointer, the closer, whether something stands in it.
  #open = []
  #out = ''

  take(events) {
    for (const event of events) this.#event(event)
    const out = this.#out
    this.#out = ''
    return out
  }

  #event({ change, path, value }) {
    switch (change) {
      case 'opened':
        this.#begin(path)
        this.#out += value === 'string' ? '"' : value === 'array' ? '[' : '{'
        this.#open.push({ path, closer: value === 'string' ? '"' : value === 'array' ? ']' : '}', filled: false })
        break
      case 'appended':
        this.#out += JSON.stringify(value).slice(1, -1)
        break
      case 'value':
        this.#begin(path)
        this.#out += typeof value === 'bigint' ? String(value) : JSON.stringify(value)
        break
      case 'closed':
      case 'settled':
        this.#close(path)
        break
      case 'superseded':
        throw new JSONRepairError('the end of the text gives another value than was written', 0)
    }
  }

  // Closes all that is open at a place or in it.
  #close(path) {
    while (this.#open.length > 0) {
      const { path: open, closer } = this.#open.at(-1)
      if (open !== path && !open.startsWith(`${path}/`)) return
      this.#out += closer
      this.#open.pop()
    }
  }

  #begin(path) {
    if (path === '') return
    const end = path.lastIndexOf('/')
    const above = path.slice(0, end)
    while (this.#open.length > 0 && this.#open.at(-1).path !== above) this.#out += this.#open.pop().closer
    const parent = this.#open.at(-1)
    if (parent.filled) this.#out += ','
    parent.filled = true
    if (parent.closer === '}') {
      const name = path.slice(end + 1).replaceAll('~1', '/').replaceAll('~0', '~')
      this.#out += `${JSON.stringify(name)}:`
    }
  }
}

class Repairing {
  #stream = new Stream({ integers: 'bigint' })
  #writer = new Writer()
  #decoder = new TextDecoder()

  push(piece) {
    this.#stream.push(typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true }))
    return this.#writer.take(this.#stream.events())
  }

  end() {
    this.#stream.push(this.#decoder.decode())
    const parsed = this.#stream.finish()
    if (!parsed.found) throw new JSONRepairError('there is no value in the text', 0)
    return this.#writer.take(this.#stream.events())
  }

  free() {
    this.#stream.free()
  }
}

/** Returns a web TransformStream of text or bytes to text. */
export function jsonrepairTransformStream() {
  const repairing = new Repairing()
  return new TransformStream({
    transform(piece, controller) {
      const out = repairing.push(piece)
      if (out !== '') controller.enqueue(out)
    },
    flush(controller) {
      controller.enqueue(repairing.end())
    },
    cancel() {
      repairing.free()
    }
  })
}

/** Returns a Transform of Node, as the function of this name in jsonrepair/stream. Its sizes are not needed. */
export function jsonrepairTransform() {
  const { Transform } = globalThis.process.getBuiltinModule('node:stream')
  const repairing = new Repairing()
  const done = (act, callback) => {
    try {
      const out = act()
      callback(null, out === '' ? undefined : out)
    } catch (error) {
      callback(error)
    }
  }
  return new Transform({
    decodeStrings: false,
    transform: (piece, _, callback) => done(() => repairing.push(piece), callback),
    flush: callback => done(() => repairing.end(), callback),
    destroy: (error, callback) => {
      repairing.free()
      callback(error)
    }
  })
}
