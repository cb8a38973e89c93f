/**
 * Asks a route of this API from within, for what is made of the same figures in another form. So a metric and
 * the body it stands for can never disagree about where a figure comes from.
 */
import { Query } from '../../http/query.ts'
import type { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import type { Body } from './envelope.ts'

export async function ask(
  router: Router<Handler>,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Body> {
  const match = router.find('GET', path)
  if (match === undefined) throw new Error(`no such route: ${path}`)
  const reply = await match.handler({
    method: 'GET',
    path,
    parameters: match.parameters,
    query: new Query(''),
    headers: {},
    httpVersion: '1.1',
    signal,
    body: () => Promise.resolve(Buffer.alloc(0)),
  })
  if (!('json' in reply.content)) throw new Error(`no JSON: ${path}`)
  return reply.content.json as Body
}

/** A member of a body by its dotted path; undefined wherever the path breaks off. */
function memberOf(body: unknown, path: string): unknown {
  let value = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Body)[name]
  }
  return value
}

export function objectAt(body: unknown, path: string): Body {
  const value = memberOf(body, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

export function listAt(body: unknown, path: string): Body[] {
  const value = memberOf(body, path)
  return Array.isArray(value) ? value : []
}

/** Rates may be the text "Infinity". */
export function numberAt(body: unknown, path: string): number | undefined {
  const value = memberOf(body, path)
  if (typeof value === 'number') return value
  if (value === 'Infinity') return Number.POSITIVE_INFINITY
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined
}
