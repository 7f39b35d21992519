// The value of a stream, updated by its events.
//
// Recreating the whole value for each piece would take quadratic time. Here only changed values and their containers
// are recreated; everything else stays the same object.

class Node {
  constructor(kind, made) {
    this.kind = kind
    this.made = made
    this.children = kind === 'array' ? [] : kind === 'object' ? new Map() : null
    this.text = ''
    this.changed = null
  }
}

export class Mirror {
  #root = null

  apply(events) {
    for (const [name, path, given] of events) {
      switch (name) {
        case 'opened':
          this.#put(path, new Node(given, given === 'array' ? [] : given === 'object' ? {} : ''))
          break
        case 'value':
          this.#put(path, new Node('value', given))
          break
        case 'appended': {
          const node = this.#reach(path, true)
          if (node) node.made = node.text += given
        }
      }
    }
  }

  /** The value so far; undefined before it has begun. */
  get value() {
    return this.#root === null ? undefined : made(this.#root)
  }

  #put(path, node) {
    if (path === '') {
      this.#root = node
      return
    }
    const end = path.lastIndexOf('/')
    const above = this.#reach(path.slice(0, end), true)
    if (!above?.children) return
    const step = stepOf(above, path.slice(end + 1))
    if (above.kind === 'array') above.children[step] = node
    else above.children.set(step, node)
    mark(above, step)
  }

  // Returns the node at a path for a change, and marks its containers as changed.
  #reach(path) {
    let node = this.#root
    if (path === '') return node
    for (const part of path.split('/').slice(1)) {
      if (!node?.children) return null
      const step = stepOf(node, part)
      mark(node, step)
      node = node.kind === 'array' ? node.children[step] : node.children.get(step)
    }
    return node
  }
}

function stepOf(node, part) {
  if (node.kind === 'array') return Math.min(Number(part), node.children.length)
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part
}

function mark(node, step) {
  if (node.changed === null) node.changed = new Set()
  node.changed.add(step)
}

// Nodes nest no deeper than the policy's limit.
function made(node) {
  if (node.changed === null) return node.made
  if (node.kind === 'array') {
    const list = node.made.slice()
    for (const step of node.changed) list[step] = made(node.children[step])
    node.made = list
  } else {
    const object = { ...node.made }
    for (const key of node.changed) define(object, key, made(node.children.get(key)))
    node.made = object
  }
  node.changed = null
  return node.made
}

function define(object, key, value) {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
}
