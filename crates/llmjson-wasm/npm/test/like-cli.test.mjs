// The package gives byte for byte what the command line gives.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'llmjson'
import { call } from '../package/dist/default/border.js'
import { schemaOf } from '../package/dist/default/schema.js'

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' }, name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } },
    when: { type: 'string', format: 'date' }, score: { type: 'number', minimum: 0 }, on: { type: 'boolean' }
  },
  required: ['id', 'name'],
  unevaluatedProperties: false
}

function damaged(turn) {
  let text = JSON.stringify({
    id: turn % 2 ? turn : String(turn), name: `Ünit "${turn}" 😀`, tags: turn % 3 ? ['a', turn] : 'a',
    when: turn % 5 ? '2025-01-01' : 'soon', score: turn / 7, on: turn % 2 ? 'yes' : true, ...(turn % 4 ? {} : { more: 1 })
  }, null, turn % 3)
  if (turn % 2) text = text.replace(/"(\w+)":/g, '$1:')
  if (turn % 5 === 1) text = text.replace(/: "([^"\\]*)"/g, ": '$1'")
  if (turn % 7 === 2) text = text.slice(0, Math.floor(text.length * 0.8))
  if (turn % 3 === 0) text = 'Here:\n```json\n' + text + '\n```\n'
  return text
}

const program = process.env.LLMJSON_CLI

test('reports are those of the command line', { skip: program ? false : 'LLMJSON_CLI names no program' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'llmjson-'))
  const schema = join(folder, 'schema.json')
  writeFileSync(schema, JSON.stringify(SCHEMA))
  const number = schemaOf(SCHEMA).number
  for (let turn = 0; turn < 200; turn += 1) {
    const text = damaged(turn)
    const shown = spawnSync(program, ['parse', '--report', '--schema', schema], { input: text, encoding: 'utf8' })
    assert.equal(call('report', 'parse', text, number, 0) + '\n', shown.stdout, text)
  }
  rmSync(folder, { recursive: true })
})

test('batches are those of the command line', { skip: program ? false : 'LLMJSON_CLI names no program' }, () => {
  const schema = '{"type": "object", "properties": {"1": {"const": 100000000000000000008}, "id": {"type": "integer"}}, "additionalProperties": false}'
  const policies = ['lenient', 'strict', 'shape', 'conservative', 'tool', 'exact']
  const lines = Array.from({ length: 300 }, (_, turn) => {
    const given = turn % 2 ? schema : JSON.stringify(SCHEMA)
    return `{"id": ${turn}.0, "input": ${JSON.stringify(damaged(turn))}, "schema": ${given}, "policy": "${policies[turn % 6]}"}`
  })
  const input = [...lines, '{"id": "é", "op": "coerce", "input": {"1": 100000000000000000008}, "schema": {}}', '{"input": " "}'].join('\n')
  const theirs = spawnSync(program, ['batch'], { input, encoding: 'utf8' })
  const ours = spawnSync('node_modules/.bin/llmjson', ['batch'], { input, encoding: 'utf8' })
  assert.equal(ours.stdout, theirs.stdout.replace(/,"ns":\d+/g, ''))
  assert.equal(ours.status, theirs.status)
})

test('unevaluated members are judged', () => {
  assert.equal(parse('{"id": 1, "name": "a"}', SCHEMA).ok, true)
  assert.equal(parse('{"id": 1, "name": "a", "other": 1}', { ...SCHEMA, additionalProperties: undefined }, { policy: 'strict' }).ok, false)
})
