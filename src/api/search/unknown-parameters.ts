/** Refuses parameters that a route does not take, with a suggestion. */

import { suggestion } from '../../search/request/did-you-mean.ts'
import { illegalArgument } from '../../search/request/errors.ts'
import { parseFlag, parseTime } from '../../search/request/units/units.ts'
import { globalParameters, type Route } from './route.ts'

export function checkParameters(
  { parameters: known }: Pick<Route, 'parameters'>,
  given: ReadonlyMap<string, string>,
  path: string,
): void {
  const wrong = [...given.keys()]
    .filter((name) => !known.has(name) && !globalParameters.includes(name))
    .sort()
  if (wrong.length === 0) return checkValues(given)
  const candidates = [...known, ...globalParameters]
  throw illegalArgument(unrecognized(path, 'parameter', wrong, candidates))
}

const times = ['timeout', 'master_timeout', 'cluster_manager_timeout']
const flags = ['request_cache', 'ccs_minimize_roundtrips', 'allow_partial_search_results']

/** Refuses values of parameters that have no effect on a single node. */
function checkValues(given: ReadonlyMap<string, string>): void {
  if (given.size === 0) return
  for (const name of times) {
    const value = given.get(name)
    if (value !== undefined && value !== '') parseTime(value, name)
  }
  for (const name of flags) {
    const value = given.get(name)
    if (value !== undefined && value !== '' && parseFlag(value) === undefined)
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`)
  }
}

/** `request [/_stats/docz] contains unrecognized metric: [docz] -> did you mean [docs]?` */
export function unrecognized(
  path: string,
  what: string,
  wrong: readonly string[],
  known: readonly string[],
): string {
  const list = wrong.map((name) => `[${name}]${suggestion(name, known)}`).join(', ')
  return `request [${path}] contains unrecognized ${what}${wrong.length > 1 ? 's' : ''}: ${list}`
}
