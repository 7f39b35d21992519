import module from './llmjson.wasm?module'
import { use } from './border.js'

use(module)
export * from './api.js'
