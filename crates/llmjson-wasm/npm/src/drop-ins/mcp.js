// A transport for Model Context Protocol servers: call arguments are coerced to the tools' schemas.
import { coerce, parseArguments } from 'llmjson'

const PREFIX = 'llmjson:'

/** Wraps a transport: `server.connect(coercing(new StdioServerTransport()))`. */
export function coercing(transport, options) {
  return new Coercing(transport, options)
}

class Coercing {
  #inner
  #options
  // The schemas by tool name, requested from the server itself on first use.
  #schemas
  #asked = new Map()
  #last = Promise.resolve()
  #count = 0

  constructor(inner, options = {}) {
    this.#inner = inner
    // A call is executed: nothing guessed, and nothing truncated.
    this.#options = { policy: 'tool', ...options }
  }

  get sessionId() {
    return this.#inner.sessionId
  }

  setProtocolVersion(version) {
    this.#inner.setProtocolVersion?.(version)
  }

  start() {
    this.#inner.onmessage = (message, extra) => this.#receive(message, extra)
    this.#inner.onclose = () => {
      this.#forget()
      this.onclose?.()
    }
    this.#inner.onerror = error => this.onerror?.(error)
    return this.#inner.start()
  }

  close() {
    return this.#inner.close()
  }

  async send(message, options) {
    const answer = message.method === undefined ? this.#asked.get(message.id) : undefined
    if (answer) return answer(message.result)
    if (message.method === 'notifications/tools/list_changed') this.#schemas = undefined
    return this.#inner.send(message, options)
  }

  // Messages keep their order. Only a call waits, and others wait for it.
  #receive(message, extra) {
    if (message.method !== 'tools/call' && this.#asked.size === 0) return this.onmessage?.(message, extra)
    this.#last = this.#last.then(async () => {
      let given = message
      try {
        if (message.method === 'tools/call') given = await this.#coerced(message, extra)
      } catch (error) {
        // An unreadable schema is the server's concern: the call continues unchanged.
        this.onerror?.(error)
      }
      this.onmessage?.(given, extra)
    })
  }

  async #coerced(message, extra) {
    this.#schemas ??= this.#list(extra)
    const schema = (await this.#schemas).get(message.params?.name)
    if (schema === undefined) return message
    const given = message.params.arguments ?? {}
    const { ok, value } = typeof given === 'string'
      ? parseArguments(given, schema, this.#options) : coerce(given, schema, this.#options)
    // Nonconforming arguments are left for the server to reject.
    return ok ? { ...message, params: { ...message.params, arguments: value } } : message
  }

  async #list(extra) {
    const schemas = new Map()
    let cursor
    do {
      const result = await this.#ask({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, extra)
      for (const tool of result?.tools ?? []) schemas.set(tool.name, tool.inputSchema)
      cursor = result?.nextCursor
    } while (cursor !== undefined)
    return schemas
  }

  #ask(request, extra) {
    this.#count += 1
    const id = PREFIX + this.#count
    return new Promise(done => {
      this.#asked.set(id, result => {
        this.#asked.delete(id)
        done(result)
      })
      this.onmessage?.({ jsonrpc: '2.0', id, ...request }, extra)
    })
  }

  #forget() {
    for (const answer of [...this.#asked.values()]) answer(undefined)
  }
}
