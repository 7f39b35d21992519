// A report for people.
const quoted = value => JSON.stringify(value)

function repairs(text, records) {
  if (records.length === 0) return []
  const bytes = new TextEncoder().encode(text)
  const decoder = new TextDecoder()
  const shown = ({ line, column, sentence, class: sure, kind, start, end }) => {
    const part = decoder.decode(bytes.subarray(start, Math.min(end, start + 60)))
    const there = part === '' ? '' : `: ${quoted(part)}`
    return `  ${line}:${column} ${sentence} (${kind}, ${sure})${there}`
  }
  return ['read with changes', ...records.map(shown)]
}

const coercion = ({ path, sentence, kind, class: sure, before, after }) => {
  const change = before === undefined || after === undefined ? '' : `: ${quoted(before)} → ${quoted(after)}`
  return `  ${path}${change} ${sentence} (${kind}, ${sure})`
}
const violation = ({ path, expected, value }) =>
  `  ${path}: ${value === undefined ? 'missing' : quoted(value)}, expected ${expected}`

/** Returns the report as text. */
export function explained(text, report) {
  const { ok, complete, certainty, coercions, violations, value } = report
  const parts = value === undefined || certainty === null ? ['there is no value'] : [
    `the value is ${certainty}${complete ? '' : ', truncated'}${ok ? '' : ', not usable'}`
  ]
  parts.push(...repairs(text, report.repairs))
  if (coercions.length > 0) parts.push('changed to fit the schema', ...coercions.map(coercion))
  if (violations.length > 0) parts.push('does not fit', ...violations.map(violation))
  if (value !== undefined) parts.push('the value', JSON.stringify(value, null, 2).replace(/^/gm, '  '))
  return `${parts.join('\n')}\n`
}
