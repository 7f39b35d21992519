// Before and after, with the package itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as theirs from 'jsonrepair'
import { jsonrepair, JSONRepairError } from 'llmjson/jsonrepair'

test('the same texts', () => {
  const texts = ["{a: 'b'}", '[1, 2,]', '{"a": 1', '{"a": True}', '{"a":1}', '[1 2 3]', '{"a": "b\nc"}', 'abc', 'hello world', '/[a-z]_/']
  for (const text of texts) assert.deepEqual(JSON.parse(jsonrepair(text)), JSON.parse(theirs.jsonrepair(text)), text)
})

test('a value in prose: an error or a list of pieces before, the value after', () => {
  const text = "Sure, here it is: {city: 'Oslo'} I hope that helps!"
  let before
  try {
    before = JSON.parse(theirs.jsonrepair(text))
  } catch (error) {
    before = error
  }
  assert.notDeepEqual(before, { city: 'Oslo' })
  assert.deepEqual(JSON.parse(jsonrepair(text)), { city: 'Oslo' })
})

test('a member __proto__ and a text of a megabyte', () => {
  assert.equal(jsonrepair("{'__proto__': {a: 1}}"), '{"__proto__": {"a": 1}}')
  const many = `[${"{a: 'b'}, ".repeat(100_000)}]`
  assert.equal(JSON.parse(jsonrepair(many)).length, 100_000)
})

test('a text without a value is a JSONRepairError with its position', () => {
  assert.throws(() => jsonrepair('  '), error => error instanceof JSONRepairError && error.position === 2)
  assert.throws(() => theirs.jsonrepair(''), theirs.JSONRepairError)
})
