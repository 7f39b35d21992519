import module from './llmjson.wasm'
import { use } from './border.js'

use(module)
export * from './api.js'
