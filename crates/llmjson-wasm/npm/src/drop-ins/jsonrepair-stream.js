// Repairs a text while it comes. What was written is never taken back.
import { Stream } from 'llmjson/syntax'
import { JSONRepairError } from 'llmjson/jsonrepair'
import { Writer } from './writer.js'

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
    if (this.#stream.superseded) throw new JSONRepairError('the end of the text gives another value than was written', 0)
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
