'use strict'
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { use } = require('./border.cjs')

use(() => new WebAssembly.Module(readFileSync(join(__dirname, 'llmjson.wasm'))))
module.exports = require('./api.cjs')
