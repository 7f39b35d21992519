// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LlmJson as theirs } from '@typia/utils'
import { LlmJson as ours } from 'llmjson/typia'

const PARAMETERS = {
  type: 'object',
  properties: { days: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { type: 'string' } }, name: { type: 'string' } },
  required: ['days', 'tags'],
  additionalProperties: false,
  $defs: {}
}

test('parse gives the same', () => {
  for (const text of ['{"days": "3", "tags": ["a"]}', '{"days": 3, "tags": "[\\"a\\"]"', '```json\n{"days": 1, tags: [],}\n```']) {
    assert.deepEqual(ours.parse(text, PARAMETERS), theirs.parse(text, PARAMETERS), text)
  }
  assert.equal(ours.parse('', PARAMETERS).success, theirs.parse('', PARAMETERS).success)
})

test('other quotes: not read before', () => {
  const text = "{'days': '3', 'tags': ['a']}"
  assert.notDeepEqual(theirs.parse(text, PARAMETERS).data, { days: 3, tags: ['a'] })
  assert.deepEqual(ours.parse(text, PARAMETERS), { success: true, data: { days: 3, tags: ['a'] } })
})

test('a lone value for a list: kept before', () => {
  assert.deepEqual(theirs.coerce({ days: '3', tags: 'a' }, PARAMETERS), { days: 3, tags: 'a' })
  assert.deepEqual(ours.coerce({ days: '3', tags: 'a' }, PARAMETERS), { days: 3, tags: ['a'] })
})

test('validate and stringify say the same', () => {
  const valid = { days: 1, tags: [] }
  assert.deepEqual(ours.validate(PARAMETERS)(valid), theirs.validate(PARAMETERS)(valid))
  for (const value of [{ days: 'x', tags: [] }, { tags: [1] }, { days: 0, tags: 'a' }]) {
    const [one, other] = [ours, theirs].map(({ validate }) => validate(PARAMETERS)(value))
    assert.equal(one.success, false)
    assert.deepEqual(one.errors.map(({ path }) => path).sort(), other.errors.map(({ path }) => path).sort())
    assert.equal(ours.stringify(other), theirs.stringify(other))
  }
  assert.equal(ours.validate(PARAMETERS, true)({ ...valid, more: 1 }).success, false)
  assert.equal(ours.validate({ ...PARAMETERS, additionalProperties: undefined }, true)({ ...valid, more: 1 }).success, false)
})

test('validateArguments coerces and validates', () => {
  const tool = { parameters: PARAMETERS, validate: ours.validate(PARAMETERS) }
  assert.deepEqual(ours.validateArguments(tool, { days: '2', tags: 'a' }), { success: true, data: { days: 2, tags: ['a'] } })
})
