// Repairs a text as it arrives. Output is never retracted.
import { Stream } from 'llmjson/syntax'
import { JSONRepairError, jsonrepair } from 'llmjson/jsonrepair'
import { Writer } from './writer.js'

class Repairing {
  #stream = new Stream({ integers: 'bigint' })
  #writer = new Writer()
  #decoder = new TextDecoder()
  #chunkSize
  #bufferSize
  #write
  // The text read, until something is written.
  #read = ''
  #out = ''

  constructor({ chunkSize, bufferSize = 0 } = {}, write) {
    this.#chunkSize = chunkSize
    this.#bufferSize = bufferSize
    this.#write = write
  }

  push(piece) {
    this.#take(typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true }))
  }

  #take(text) {
    if (this.#read !== undefined) this.#read += text
    this.#put(this.#writer.take(this.#stream.push(text).events()), this.#bufferSize)
  }

  // Writes chunks, and holds back less than a chunk and as much as requested.
  #put(text, held) {
    this.#out += text
    const size = this.#chunkSize ?? Math.max(1, this.#out.length - held)
    let at = 0
    for (; this.#out.length - at >= held + size; at += size) this.#write(this.#out.slice(at, at + size))
    if (at > 0) this.#read = undefined
    this.#out = this.#out.slice(at)
  }

  end() {
    this.#take(this.#decoder.decode())
    if (!this.#stream.finish().found) throw new JSONRepairError('there is no value in the text', 0)
    if (!this.#stream.superseded) this.#put(this.#writer.take(this.#stream.events()), 0)
    else if (this.#read !== undefined) this.#out = jsonrepair(this.#read)
    else throw new JSONRepairError('the end of the text gives another value than was written', 0)
    this.#put('', 0)
    if (this.#out !== '') this.#write(this.#out)
  }

  free() {
    this.#stream.free()
  }
}

/** Returns a web TransformStream of text or bytes to text. */
export function jsonrepairTransformStream(options) {
  let repairing
  return new TransformStream({
    start: controller => {
      repairing = new Repairing(options, text => controller.enqueue(text))
    },
    transform: piece => repairing.push(piece),
    flush: () => repairing.end(),
    cancel: () => repairing.free()
  })
}

/** Returns a Node Transform, like the function of the same name in jsonrepair/stream. */
export function jsonrepairTransform(options) {
  const { Transform } = globalThis.process.getBuiltinModule('node:stream')
  const repairing = new Repairing(options, text => transform.push(text))
  const done = (act, callback) => {
    try {
      act()
      callback()
    } catch (error) {
      callback(error)
    }
  }
  const transform = new Transform({
    decodeStrings: false,
    transform: (piece, _, callback) => done(() => repairing.push(piece), callback),
    flush: callback => done(() => repairing.end(), callback),
    destroy: (error, callback) => {
      repairing.free()
      callback(error)
    }
  })
  return transform
}
