// Types by inputs by policies, and operations on truncated text, as every language has them: the repository's tables.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { coerce, parse, parseAll, parseArguments, ParseError, retry, Stream, Tools } from 'llmjson'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import * as z from 'zod'

const tableAt = path => {
  const file = join(process.env.LLMJSON_REPOSITORY ?? '.', path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
const DOORS = tableAt('crates/llmjson/tests/doors.json')
const OPERATIONS = tableAt('docs/operations.json')

const TYPES = {
  zod: {
    pay: z.object({ to: z.string(), amount: z.number() }), count: z.object({ n: z.int() }), flag: z.object({ ok: z.boolean() }),
    event: z.object({ a: z.string().meta({ format: 'date-time' }) }), labels: z.object({ tags: z.array(z.string()).meta({ uniqueItems: true }) })
  },
  'zod coerce': {
    pay: z.object({ to: z.coerce.string(), amount: z.coerce.number() }), count: z.object({ n: z.coerce.number().int() }),
    flag: z.object({ ok: z.coerce.boolean() })
  },
  valibot: {
    pay: v.object({ to: v.string(), amount: v.number() }), count: v.object({ n: v.pipe(v.number(), v.integer()) }),
    flag: v.object({ ok: v.boolean() })
  }
}

const typeOf = (library, name) => {
  if (library === 'schema') return DOORS.types[name]
  const type = TYPES[library][name]
  return library === 'valibot' && type ? toStandardJsonSchema(type) : type
}

function outcome(parsed) {
  const { report } = parsed
  const told = records => records.map(one => `${one.kind} ${one.class} ${one.path}`)
  assert.deepEqual([parsed.ok, parsed.complete, parsed.certainty], [report.ok, report.complete, report.certainty])
  assert.deepEqual(told(parsed.coercions), told(report.coercions))
  assert.deepEqual(parsed.value, report.value)
  return {
    ok: report.ok, value: report.value, complete: report.complete, certainty: report.certainty,
    coercions: told(report.coercions), violations: report.violations.map(one => one.path)
  }
}

for (const library of ['schema', ...Object.keys(TYPES)]) {
  test(`every outcome of the table: ${library}`, { skip: DOORS ? false : 'there is no table' }, () => {
    for (const row of DOORS.rows) {
      const schema = typeOf(library, row.type)
      if (schema === undefined) continue
      for (const [policy, usual] of Object.entries(row.policies)) {
        const expected = row[library]?.[policy] ?? usual
        const message = `${policy}: ${row.input}`
        assert.deepEqual(outcome(parse(row.input, schema, { policy })), expected, message)
        assert.deepEqual(outcome(parseAll(row.input, schema, { policy })[0]), expected, message)
        assert.deepEqual(outcome(new Stream(schema, { policy }).push(row.input).finish()), expected, message)
        if (policy === 'lenient') assert.deepEqual(outcome(parse(row.input, schema)), expected, message)
        if (!expected.complete) continue
        assert.deepEqual(outcome(parseArguments(row.input, schema, { policy })), expected, message)
        // A number of JavaScript does not tell 3.0 from 3.
        if (row.input.startsWith('{"') && JSON.stringify(JSON.parse(row.input)) === row.input) {
          assert.deepEqual(outcome(coerce(JSON.parse(row.input), schema, { policy })), expected, message)
        }
      }
    }
  })
}

const TEXT = '{"to": "Ann", "amount": 1'
const PAY = { type: 'object', properties: { to: { type: 'string' }, amount: { type: 'number' } } }

// What an operation does with a truncated text.
const CALLS = {
  parse: options => parse(TEXT, PAY, options).ok,
  parseAll: options => parseAll(TEXT, PAY, options)[0].ok,
  Stream: options => new Stream(PAY, options).push(TEXT).finish().ok,
  parseArguments: options => parseArguments(TEXT, PAY, options).ok,
  unwrap: options => parse(TEXT, PAY, options).unwrap().to === 'Ann',
  retry: async options => (await retry(() => TEXT, [], PAY, { maxRetries: 0, ...options })).ok,
  'Tools.bind': ({ allowTruncated }) => {
    const policy = { preset: 'tool', ...(allowTruncated ? { truncated: 'accept' } : {}) }
    return new Tools([{ name: 'pay', input_schema: PAY }], { policy }).bind('pay', TEXT).ok
  }
}

test('every operation of the table on truncated text', { skip: OPERATIONS ? false : 'there is no table' }, async () => {
  for (const { javascript, truncated } of OPERATIONS.filter(row => row.javascript)) {
    const takes = async options => {
      try {
        return await CALLS[javascript](options)
      } catch (error) {
        assert.ok(error instanceof ParseError, error.stack)
        return false
      }
    }
    assert.equal(await takes({}), truncated !== 'refused', javascript)
    assert.equal(await takes({ allowTruncated: true }), true, javascript)
  }
})
