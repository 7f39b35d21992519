// Options by name.

// The minimum number of letters to insert, delete or replace to turn one word into the other.
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to += 1) {
      next.push(Math.min(row[to + 1] + 1, next[to] + 1, row[to] + (one[at] === other[to] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)
}

const spelled = name => name.slice(0, 40).replace(/[_-]/g, '').toLowerCase()

function unknown(name, known, what) {
  const far = known.map(other => [distance(spelled(name), spelled(other)), other]).sort(([one], [other]) => one - other)
  const [[letters, nearest]] = far
  const meant = letters <= Math.max(1, nearest.length / 3) ? `did you mean ${nearest}?` : `there are ${known.join(', ')}`
  return new TypeError(`unknown ${what} ${name}, ${meant}`)
}

const NONE = Object.freeze({})

/** Returns the given options if all are known. */
export function optionsOf(given, known, what = 'option') {
  if (given === undefined || given === null) return NONE
  if (typeof given !== 'object') throw new TypeError(`the ${what}s are an object, not ${typeof given}`)
  for (const name in given) if (!known.includes(name)) throw unknown(name, known, what)
  return given
}
