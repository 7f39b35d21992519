// The interface to the module: its instance, and the objects in it.
import * as glue from './glue.js'

let module
let memory
let running = false

// The objects in the instance, their approximate size in bytes, and how many are streams, which are slow to recreate.
const living = new Set()
let weight = 0
let streams = 0

// Objects may no longer be in use, which is unknown until JavaScript collects them, and JavaScript does not see the
// module's memory. So objects that were not used while this number of bytes, and half of the memory in use, was
// allocated are released, and recreated on next use. That costs no more than the bytes allocated since.
const ERA = 2 ** 20
let era = 0
let come = 0

// An instance's memory never shrinks. If a large text has grown it beyond this many bytes, the instance is dropped once
// no stream is in it.
const MEMORY_MAX = 2 ** 26
let most = MEMORY_MAX

/** Sets the module to use: a WebAssembly.Module, or a function that makes one on demand. */
export function use(given) {
  module = given
}

/** The error for a text or argument that the module could not process. */
export class LlmJsonError extends Error {
  constructor(message, options) {
    super(message, options)
    this.name = 'LlmJsonError'
  }
}

function start() {
  if (typeof module === 'function') module = module()
  memory = glue.initSync({ module }).memory
  living.clear()
  weight = 0
  streams = 0
  most = MEMORY_MAX
  running = true
}

function run(name, given) {
  if (!running) start()
  try {
    return glue[name](...given)
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      running = false
      throw new LlmJsonError(`the module failed: ${error.message}`, { cause: error })
    }
    throw new LlmJsonError(error.message, { cause: error })
  }
}

/** Calls a function of the module. An instance that trapped is not used again. */
export function call(name, ...given) {
  const answer = run(name, given)
  if (streams === 0 && memory.buffer.byteLength > most) running = false
  return answer
}

/** Calls a function that creates something; numbers obtained before stay valid. */
export function make(name, ...given) {
  return run(name, given)
}

/** Returns the size of the instance's memory in bytes. */
export function memorySize() {
  return running ? memory.buffer.byteLength : 0
}

// Frees an object in the module, if it exists.
function release(held) {
  if (!running || !living.delete(held)) return
  lost?.unregister(held)
  weight -= held.bytes
  if (held.stream) streams -= 1
  run(held.free, [held.number])
}

function sweep() {
  for (const held of living) if (held.used < era) release(held)
  era += 1
  come = 0
}

// Older workers have none.
const registry = globalThis.FinalizationRegistry
const lost = registry === undefined ? undefined : new registry(release)

/** An object in the module, known by a number. It is recreated if it was released, or if its instance was dropped. */
export class Handle {
  #make
  #held

  /** Creates the object with `make`, with its approximate size in bytes. */
  constructor(make, free, bytes, stream = false) {
    this.#make = make
    this.#held = { free, bytes, stream, number: 0, used: 0 }
    if (come > Math.max(ERA, weight / 2)) sweep()
    come += bytes
    this.#open()
  }

  #open() {
    if (!running) start()
    const held = this.#held
    held.number = this.#make()
    held.used = era
    living.add(held)
    weight += held.bytes
    if (held.stream) streams += 1
    lost?.register(this, held, held)
    // A long-lived object is no reason to drop the instance.
    if (lost !== undefined) most = Math.max(most, 2 * memory.buffer.byteLength)
  }

  get number() {
    if (this.#held === null) throw new LlmJsonError('it was freed, or the module failed on it')
    if (!running || !living.has(this.#held)) this.#open()
    this.#held.used = era
    return this.#held.number
  }

  /** Counts additional bytes of the object. */
  grew(bytes) {
    this.#held.bytes += bytes
    weight += bytes
    come += bytes
  }

  /** Frees the memory; the object is recreated on next use. */
  release() {
    if (this.#held !== null) release(this.#held)
  }

  free() {
    this.release()
    this.#held = null
  }
}

// Programs have few schemas and policies; those created for each call must not stay.
const SHARED_MAX = 256

/**
 * Returns a function that gives the handle for a text from which the module creates something; the same text is used
 * once.
 */
export function shared(name) {
  const handles = new Map()
  return text => {
    const handle = handles.get(text) ?? new Handle(() => make(`${name}_new`, text), `${name}_free`, 2000 + 4 * text.length)
    handles.delete(text)
    handles.set(text, handle)
    if (handles.size > SHARED_MAX) handles.delete(handles.keys().next().value)
    return handle
  }
}
