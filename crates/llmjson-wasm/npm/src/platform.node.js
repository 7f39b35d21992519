import { readFileSync } from 'node:fs'
import { use } from './border.js'

use(() => new WebAssembly.Module(readFileSync(new URL('./llmjson.wasm', import.meta.url))))
export * from './api.js'
