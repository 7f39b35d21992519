// The border to the module: its instance, and what lives in it.
import * as glue from './glue.js'

let module
let memory
let running = false

// What lives in the instance, about how many bytes it takes, and how many of it are streams, which take long to be made again.
const living = new Set()
let weight = 0
let streams = 0

// What lives there may be held no longer, and nothing tells so before JavaScript collects it, which does not know of the
// module's memory. So what was not used while this number of bytes came to live, and half of what lives, is released, and
// made again if it is used after all: that takes no more than the bytes that have come.
const ERA = 2 ** 20
let era = 0
let come = 0

// The memory of an instance never shrinks. One that a large text has grown beyond this many bytes is given up
// when no stream lives in it.
const MEMORY_MAX = 2 ** 26
let most = MEMORY_MAX

/** Sets the module to use: a WebAssembly.Module, or a function that makes one when it is needed. */
export function use(given) {
  module = given
}

/** The error of a text or argument that the module could not work on. */
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

/** Calls a function that makes something; numbers that were asked for before stay good. */
export function make(name, ...given) {
  return run(name, given)
}

/** Returns the bytes of the instance's memory. */
export function memorySize() {
  return running ? memory.buffer.byteLength : 0
}

// Frees what lives in the module, if it does.
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

/** A value that lives in the module under a number. It is made again where it was released, or went with its instance. */
export class Handle {
  #make
  #held

  /** Makes the value with `make`, which is about this many bytes. */
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
    // What is to live long is no reason to give the instance up.
    if (lost !== undefined) most = Math.max(most, 2 * memory.buffer.byteLength)
  }

  get number() {
    if (this.#held === null) throw new LlmJsonError('it was freed, or the module failed on it')
    if (!running || !living.has(this.#held)) this.#open()
    this.#held.used = era
    return this.#held.number
  }

  /** Counts bytes that the value takes more. */
  grew(bytes) {
    this.#held.bytes += bytes
    weight += bytes
    come += bytes
  }

  /** Frees the memory; it is made again when it is used. */
  release() {
    if (this.#held !== null) release(this.#held)
  }

  free() {
    this.release()
    this.#held = null
  }
}

// Programs have few schemas and policies; those that are made for each call must not stay.
const SHARED_MAX = 256

/** Returns what gives the handle of a text that the module makes something of; the same text is made once. */
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
