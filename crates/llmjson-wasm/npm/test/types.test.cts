// Compiled, not run.
import { parse } from 'llmjson'
import { jsonrepair } from 'llmjson/jsonrepair'
import llmjson = require('llmjson/syntax')

const a: number = parse('', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }).unwrap().a
const text: string = jsonrepair(llmjson.repair('{}'))
void [a, text]
