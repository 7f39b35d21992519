// The border to the module: its instance, and what lives in it.
import * as glue from './glue.js'

let module
let generation = 0
let running = false

/** Says how the module is had: a WebAssembly.Module, or a function that makes one when it is needed. */
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
  glue.initSync({ module })
  generation += 1
  running = true
}

/** Calls a function of the module. An instance that trapped is not used again. */
export function call(name, ...given) {
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

const lost = new FinalizationRegistry(({ free, number, born }) => {
  if (running && born === generation) call(free, number)
})

/** Something that lives in the module under a number, for as long as its handle does. */
export class Handle {
  #make
  #free
  #held

  /** What can be made again is so in a new instance; of what cannot, `make` is called once. */
  constructor(make, free, again = true) {
    this.#free = free
    this.#make = make
    this.#open()
    if (!again) this.#make = null
  }

  #open() {
    const number = this.#make()
    this.#held = { free: this.#free, number, born: generation }
    lost.register(this, this.#held, this)
  }

  get number() {
    if (this.#held === null) throw new LlmJsonError('it was freed')
    if (!running) start()
    if (this.#held.born !== generation) {
      if (this.#make === null) throw new LlmJsonError('it went with an instance of the module that failed')
      lost.unregister(this)
      this.#open()
    }
    return this.#held.number
  }

  free() {
    if (this.#held === null) return
    const { number, born } = this.#held
    this.#held = null
    lost.unregister(this)
    if (running && born === generation) call(this.#free, number)
  }
}
