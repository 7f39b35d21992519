// Policies, by the numbers that the module knows them by.
import { Handle, make } from './border.js'

// Programs have few policies; those that are made for each call must not stay.
const POLICIES_MAX = 64
const policies = new Map()

/** Returns the number of a policy in the module; 0 is the lenient one. */
export function policyOf(given) {
  if (given === undefined || given === null) return 0
  const json = JSON.stringify(typeof given === 'string' ? { preset: given } : given)
  let handle = policies.get(json)
  if (handle === undefined) {
    handle = new Handle(() => make('policy_new', json), 'policy_free')
    if (policies.size >= POLICIES_MAX) policies.delete(policies.keys().next().value)
    policies.set(json, handle)
  }
  return handle.number
}
