// Policies, by the numbers that the module knows them by.
import { shared } from './border.js'
import { optionsOf } from './options.js'

const SETTINGS = [
  'preset', 'truncated', 'duplicateKeys', 'undeclared', 'invalid', 'defaults', 'formats', 'wording', 'corrections', 'certainty', 'maxBytes', 'maxDepth'
]
const made = shared('policy')

/** Returns the number of a policy in the module; 0 is the lenient one. */
export function policyOf(given) {
  if (given === undefined || given === null) return 0
  return made(JSON.stringify(typeof given === 'string' ? { preset: given } : optionsOf(given, SETTINGS, 'policy setting'))).number
}
