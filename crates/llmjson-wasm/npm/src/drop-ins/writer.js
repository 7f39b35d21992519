// Writers shared by several of the drop-ins.

/** Writes the JSON of a stream's value from its events. */
export class Writer {
  // The open containers: pointer, closing bracket, and whether each has content.
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
    }
  }

  // Closes everything open at a path or below it.
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
