import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const run = (input, ...given) => {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/llmjson', given, { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const SCHEMA = '{"properties": {"a": {"type": "integer"}}}'

test('repair', () => {
  assert.deepEqual(run("{a: 'b',\n c: 1.50,}", 'repair'), { status: 0, stdout: '{"a": "b",\n "c": 1.50}', stderr: '' })
  assert.equal(run(' ', 'repair').status, 1)
  assert.equal(run('[1,] // one', 'repair', '--comments', 'keep').stdout, '[1] // one')
  assert.equal(run('[1,]', 'repair', '--policy', 'strict').status, 1)
})

test('parse', () => {
  assert.deepEqual(run('{a: "1", b: 1.50}', 'parse', '--schema', SCHEMA), { status: 0, stdout: '{"a":1,"b":1.50}\n', stderr: '' })
  const { status, stdout, stderr } = run('{a: "x"}', 'parse', '--schema', SCHEMA)
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /❌/)
  assert.equal(JSON.parse(run('{a: 1}', 'parse', '--report').stdout).repairs[0].kind, 'unquoted_key')
  assert.equal(run('{a: 1', 'parse', '--policy', 'strict').status, 1)
})

test('a truncated value is printed, and accepted only on request', () => {
  for (const more of [[], ['--policy', 'tool']]) {
    assert.equal(run('{a: 1', 'parse', ...more).status, 1)
    assert.deepEqual(run('{a: 1', 'parse', '--allow-truncated', ...more), { status: 0, stdout: '{"a":1}\n', stderr: '' })
  }
  const { stdout, stderr } = run('{a: 1', 'parse')
  assert.equal(stdout, '{"a":1}\n')
  assert.match(stderr, /--allow-truncated/)
  assert.equal(run('{a: 1', 'explain', '--policy', 'tool').status, 1)
  assert.equal(run('{a: 1', 'explain', '--policy', 'tool', '--allow-truncated').status, 0)
  const task = JSON.stringify({ input: '{a: 1', policy: 'tool' })
  for (const more of [[], ['--allow-truncated']]) assert.equal(JSON.parse(run(task, 'batch', ...more).stdout).ok, more.length > 0)
})

test('explain', () => {
  const { status, stdout } = run('é {a: "1", b', 'explain', '--schema', SCHEMA)
  assert.equal(status, 0)
  assert.match(stdout, /unquoted_key.*"a"/)
  assert.match(stdout, /\$input\.a: "1" → 1/)
})

test('batch', () => {
  const lines = [{ id: 1, input: '{a: "1"}', schema: JSON.parse(SCHEMA) }, { id: 2, input: 'no' }, { op: 'x', input: '' }]
  const { status, stdout } = run(lines.map(line => JSON.stringify(line)).join('\n'), 'batch')
  assert.equal(status, 1)
  const [one, two, three] = stdout.trim().split('\n').map(line => JSON.parse(line))
  assert.deepEqual([one.id, one.ok, one.value], [1, true, { a: 1 }])
  assert.deepEqual([two.ok, two.value], [false, null])
  assert.match(three.error, /op/)
})

test('misuse', () => {
  assert.equal(run('', 'other').status, 2)
  assert.equal(run('', 'parse', '--schema', '/none').status, 2)
  assert.equal(run('', '--help').status, 0)
})
