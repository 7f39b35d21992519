// Policies, by their numbers in the module.
import { shared } from './border.js'
import { optionsOf } from './options.js'

const SETTINGS = [
  'preset', 'truncated', 'duplicateKeys', 'undeclared', 'invalid', 'defaults', 'containersAsText',
  'textsAsContainers', 'formats', 'wording', 'certainty', 'maxBytes', 'maxDepth'
]
const made = shared('policy')

/** Returns a policy's number in the module, with truncated values accepted if asked; 0 is the lenient policy. */
export function policyOf(given, allowTruncated) {
  if (given === undefined || given === null) return allowTruncated === true ? policyOf({}, true) : 0
  const settings = typeof given === 'string' ? { preset: given } : optionsOf(given, SETTINGS, 'policy setting')
  return made(JSON.stringify(allowTruncated === true ? { ...settings, truncated: 'accept' } : settings)).number
}
