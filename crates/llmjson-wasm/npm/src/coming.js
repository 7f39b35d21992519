// Streamed texts, passed in pieces to an object in the module.
import { call, Handle, make } from './border.js'

// The approximate size of a stream, and per unit of its text.
const BYTES = 3000
const BYTES_A_UNIT = 10

/** A streamed text. If its object was released, it is recreated from the pieces. */
export class Coming {
  #name
  #handle
  #pieces = []
  // Half of a surrogate pair waits for the other half.
  #half = ''

  constructor(name, open) {
    this.#name = name
    const pieces = this.#pieces
    const again = () => {
      const number = open()
      for (const piece of pieces) make(`${name}_push`, number, piece)
      return number
    }
    this.#handle = new Handle(again, `${name}_free`, BYTES, true)
  }

  /** Takes a piece, and returns the module's answer. */
  push(piece) {
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last < 0xdc00 ? text.at(-1) : ''
    return this.#push(this.#half === '' ? text : text.slice(0, -1))
  }

  #push(text) {
    if (text === '') return '[]'
    const said = this.#ask('push', text)
    this.#pieces.push(text)
    this.#handle.grew(BYTES_A_UNIT * text.length)
    return said
  }

  #ask(what, ...given) {
    const number = this.#handle.number
    try {
      return call(`${this.#name}_${what}`, number, ...given)
    } catch (error) {
      this.free()
      throw error
    }
  }

  /** Ends the text, and returns the module's answers for its rest and its end. */
  finish() {
    const rest = this.#push(this.#half)
    const end = this.#ask('finish')
    this.free()
    return [rest, end]
  }

  get text() {
    return this.#pieces.join('')
  }

  free() {
    this.#handle.free()
  }
}
