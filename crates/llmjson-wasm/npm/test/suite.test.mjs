// The conformance suite of the repository.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'llmjson'

const corpus = join(process.env.LLMJSON_REPOSITORY ?? '.', 'corpus')
const skip = existsSync(join(corpus, 'suite.jsonl')) ? false : 'there is no suite'
const lines = name => readFileSync(join(corpus, name), 'utf8').trimEnd().split('\n')

function isRight(one) {
  const parsed = parse(one.input, one.schema)
  if (!parsed.found) return !('expected' in one)
  if (!('expected' in one) || parsed.complete === one.reports.includes('truncated')) return false
  return [one.expected, ...(one.accept ?? [])].some(value => isDeepStrictEqual(parsed.value, value))
}

test('the library fails the known cases only', { skip }, () => {
  const known = lines('known.txt').filter(line => !line.startsWith('#')).map(line => line.split(': ')[0])
  const failed = lines('suite.jsonl').map(line => JSON.parse(line)).filter(one => !isRight(one)).map(one => one.id)
  assert.deepEqual(failed.sort(), known.sort())
})
