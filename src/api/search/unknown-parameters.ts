/** Refuses parameters that a route does not take, with a suggestion. */

import { suggestion } from '../../search/request/did-you-mean.ts'
import { illegalArgument } from '../../search/request/errors.ts'
import { globalParameters, type Route } from './route.ts'

export function checkParameters(
  { parameters: known }: Pick<Route, 'parameters'>,
  given: ReadonlyMap<string, string>,
  path: string,
): void {
  const wrong = [...given.keys()]
    .filter((name) => !known.has(name) && !globalParameters.includes(name))
    .sort()
  if (wrong.length === 0) return
  const candidates = [...known, ...globalParameters]
  throw illegalArgument(unrecognized(path, 'parameter', wrong, candidates))
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
