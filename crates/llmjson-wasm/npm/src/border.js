// The border to the module: its instance, and what lives in it.
import * as glue from './glue.js'

let module
let memory
let generation = 0
let running = false
// What lives in the instance and could not be made again.
let unique = 0

// The memory of an instance never shrinks. One that a large text has grown beyond this many bytes is given up
// when nothing unique lives in it.
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
  generation += 1
  unique = 0
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
  if (unique === 0 && memory.buffer.byteLength > most) running = false
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

function forget({ free, number, born, again }) {
  if (!running || born !== generation) return
  if (!again) unique -= 1
  run(free, [number])
}

// Older workers have none: there, what was not freed goes with the instance that it has filled.
const registry = globalThis.FinalizationRegistry
const lost = registry === undefined ? undefined : new registry(forget)

/** A value that lives in the module under a number, for as long as its handle does. */
export class Handle {
  #make
  #held

  /** Makes the value with `make`, again in each new instance; only once if `again` is false. */
  constructor(make, free, again = true) {
    this.#make = make
    this.#open(free, again)
    if (!again) this.#make = null
  }

  #open(free, again) {
    if (!running) start()
    if (!again) unique += 1
    try {
      this.#held = { free, number: this.#make(), born: generation, again }
    } catch (error) {
      if (!again) unique -= 1
      throw error
    }
    if (lost === undefined) return
    // What is to live long is no reason to give the instance up.
    most = Math.max(most, 2 * memory.buffer.byteLength)
    lost.register(this, this.#held, this)
  }

  get number() {
    if (this.#held === null) throw new LlmJsonError('it was freed')
    if (!running) start()
    if (this.#held.born !== generation) {
      if (this.#make === null) throw new LlmJsonError('it went with an instance of the module that failed')
      lost?.unregister(this)
      this.#open(this.#held.free, true)
    }
    return this.#held.number
  }

  free() {
    if (this.#held === null) return
    lost?.unregister(this)
    forget(this.#held)
    this.#held = null
  }
}
