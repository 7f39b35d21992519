#!/usr/bin/env node
// The text commands of the program llmjson, without installing it: npx llmjson COMMAND.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { call } from './default/border.js'
import { policyOf } from './default/policies.js'
import { explained } from './explained.js'
import { repair, Schema } from './default/node.js'

const USAGE = `Usage: llmjson COMMAND [OPTIONS] [FILE]...

  repair   print a text as strict JSON, with its layout     --in-place, --unfinished drop|complete, --comments drop|keep,
                                                            --policy NAME
  parse    print the value of a reply                       --schema FILE, --policy NAME, --report
  explain  show the changes made to read a reply            --schema FILE, --policy NAME
  batch    read JSON objects, one a line, and answer each   --schema FILE, --policy NAME
           members: id, input, schema, policy, op (parse, arguments, coerce), finish_reason

All but repair take --allow-truncated, which accepts a truncated value.

Standard input is read where no file is given. Exit code: 0, 1 if a value is missing, does not fit or is truncated, 2 if
it cannot be tried.
`

class Misuse extends Error {}

const options = {
  schema: { type: 'string' }, policy: { type: 'string' }, report: { type: 'boolean' }, 'allow-truncated': { type: 'boolean' }, help: { type: 'boolean', short: 'h' },
  unfinished: { type: 'string' }, comments: { type: 'string' }, 'in-place': { type: 'boolean', short: 'i' }
}

const textOf = file => readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8')
const out = text => writeFileSync(1, text)
const note = text => writeFileSync(2, text)

function schemaIn(given) {
  if (given === undefined) return undefined
  return new Schema(/^\s*\{/.test(given) ? given : readFileSync(given, 'utf8'))
}

// The module's report, whose numbers keep their digits.
function report(how, text, schema, number, finishReason) {
  return call('report', how, text, schema?.number ?? 0, number, finishReason)
}

const policyIn = (given, own) => policyOf(own ?? given.policy, given['allow-truncated'])

function runRepair(given, files) {
  const { unfinished, comments, policy } = given
  const how = { unfinished, comments, policy }
  for (const file of files.length > 0 ? files : [undefined]) {
    const repaired = repair(textOf(file), how)
    if (given['in-place'] && file !== undefined) writeFileSync(file, repaired)
    else out(repaired)
  }
  return 0
}

function runParse(given, [file]) {
  const text = textOf(file)
  const schema = schemaIn(given.schema)
  const number = policyIn(given)
  const answer = call('read', 'parse', text, schema?.number ?? 0, number, undefined)
  const ok = answer[0] === '+'
  const isTruncated = ok && answer[1] !== '+' && !given['allow-truncated']
  if (given.report) out(`${report('parse', text, schema, number)}\n`)
  else if (ok) out(`${answer.slice(3)}\n`)
  else note(`${call('feedback', 'parse', text, schema?.number ?? 0, number, undefined) ?? 'there is no value in the text'}\n`)
  if (isTruncated) note('llmjson: the value is truncated: --allow-truncated accepts it\n')
  return ok && !isTruncated ? 0 : 1
}

function runExplain(given, [file]) {
  const text = textOf(file)
  const schema = schemaIn(given.schema)
  const said = JSON.parse(report('parse', text, schema, policyIn(given)))
  out(explained(text, said))
  return said.ok ? 0 : 1
}

// Absent members are not written.
const pick = (record, ...names) => Object.fromEntries(names.map(name => [name, record[name]]))
const violation = record => pick(record, 'path', 'expected', 'description')
const coercion = ({ before, violations, ...record }) => ({
  ...pick(record, 'kind', 'class', 'path'),
  ...(violations ? { before: JSON.stringify(before), violations: violations.map(violation) } : {})
})

// The members of an object as written: numbers keep their digits, and keys their order.
function membersOf(line) {
  const members = {}
  let depth = 0
  let name
  let from = 0
  for (const { 0: token, index } of line.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (depth === 1 && name === undefined && token[0] === '"') name = JSON.parse(token)
    else if (depth === 1 && token === ':') from = index + 1
    else if (depth === 1 && (token === ',' || token === '}')) {
      if (name !== undefined) members[name] = line.slice(from, index).trim()
      name = undefined
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
  }
  return members
}

function answerTo(line, given, schema, compiled) {
  const task = JSON.parse(line)
  const written = membersOf(line)
  const { op = 'parse' } = task
  if (!['parse', 'arguments', 'coerce'].includes(op)) throw new Misuse(`op: ${JSON.stringify(op)} is not one of parse, arguments, coerce`)
  if (task.input === undefined || (op !== 'coerce' && typeof task.input !== 'string')) throw new Misuse('input: the text is missing')
  const own = task.schema === undefined ? schema : compiled(written.schema)
  const input = op === 'coerce' ? written.input : task.input
  const number = policyIn(given, task.policy)
  const said = report(op, input, own, number, task.finish_reason)
  const read = JSON.parse(said)
  const value = call('read', op, input, own?.number ?? 0, number, task.finish_reason).slice(3)
  const list = records => JSON.stringify(records)
  const members = [
    `"id":${written.id ?? 'null'}`, `"ok":${read.ok}`, `"value":${value || 'null'}`, `"complete":${read.complete}`,
    ...(read.truncation === null ? [] : [`"cut":"${read.truncation}"`]),
    `"certainty":${JSON.stringify(value ? read.certainty : null)}`,
    `"repairs":${list(read.repairs.map(one => pick(one, 'kind', 'class', 'start', 'end')))}`,
    `"coercions":${list(read.coercions.map(coercion))}`,
    `"violations":${list(read.violations.map(violation))}`
  ]
  if (read.refused?.length > 0) members.push(`"refused":${list(read.refused.map(one => pick(one, 'kind', 'start', 'end')))}`)
  const error = input.trim() === '' ? 'the text is empty: there is no value to read' : 'the reply holds no JSON value'
  if (!value) members.push(`"error":"${error}"`)
  return { ok: read.ok, line: `{${members.join()}}` }
}

function runBatch(given, [file]) {
  const schema = schemaIn(given.schema)
  const schemas = new Map()
  const compiled = json => {
    if (schemas.size > 256) schemas.clear()
    if (!schemas.has(json)) schemas.set(json, new Schema(json))
    return schemas.get(json)
  }
  let all = 0
  textOf(file).split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    try {
      const answer = answerTo(line, given, schema, compiled)
      if (!answer.ok) all = 1
      out(`${answer.line}\n`)
    } catch (error) {
      all = 1
      out(`${JSON.stringify({ line: index + 1, ok: false, error: error.message })}\n`)
    }
  })
  return all
}

const COMMANDS = { repair: runRepair, parse: runParse, explain: runExplain, batch: runBatch }

function main([name, ...given]) {
  if (name === undefined || name === '--help' || name === '-h') {
    out(USAGE)
    return name === undefined ? 2 : 0
  }
  if (!Object.hasOwn(COMMANDS, name)) throw new Misuse(`there is no command ${JSON.stringify(name)}\n\n${USAGE}`)
  const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true })
  if (values.help) {
    out(USAGE)
    return 0
  }
  return COMMANDS[name](values, positionals)
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  if (error.code !== 'EPIPE') note(`llmjson: ${error.message}\n`)
  process.exitCode = error.position === undefined ? 2 : 1
}
