/**
 * `/ui/search/…`: the search API for the dashboard, on the port the page comes from. Requests go to the store's thread
 * without a connection, with the credentials they came with, and are judged there as on port 9200. Where nobody is
 * asked for a password, the documents are shown to those only who could ask port 9200 themselves.
 */
import { HttpProblem } from '../../http/problem.ts'
import { json, type Reply } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { isLoopback } from '../../settings/bind-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StoreRequests } from '../../threads/store/store-link.ts'
import { searchPrefix } from './paths.ts'
import { isOffered } from './search-paths.ts'

/** A way to the store; `StoreLink` of a pipeline is one. */
export interface SearchLink {
  connect(): Promise<StoreRequests | undefined>
}

/** Headers of a 401. */
type Challenge = (request: HttpRequest) => Readonly<Record<string, string>> | undefined

const maxBody = 1024 * 1024
const maxWait = 120_000

export function addSearchRoutes(
  router: Router<Handler>,
  settings: Settings,
  link: SearchLink | undefined,
  challengeFor: Challenge,
): void {
  const handler: Handler = (request) => answer(request, settings, link, challengeFor)
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) router.add(method, `${searchPrefix}/*`, handler)
}

async function answer(
  request: HttpRequest,
  settings: Settings,
  link: SearchLink | undefined,
  challengeFor: Challenge,
): Promise<Reply> {
  const { method, headers, remoteAddress = '' } = request
  const path = request.path.slice(searchPrefix.length)
  if (!isOffered(method, path))
    return problem(404, 'not_offered', `the dashboard does not offer [${method} ${path}]`)
  if (!isWithinReach(settings, remoteAddress))
    return problem(
      403,
      'security_exception',
      'documents are shown to this machine only: [search.http.host] is a loopback address and [security.enabled] is off',
    )
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.body(maxBody)
  const connection = await within(link?.connect() ?? Promise.resolve(undefined))
  if (connection === undefined) return problem(503, 'no_search_store', noStore(settings))
  const query = request.query.raw === '' ? '' : `?${request.query.raw}`
  const sent = body === undefined || body.length === 0 ? undefined : body
  const verb = method === 'HEAD' ? 'GET' : method
  const answered = await within(
    connection.request(verb, path + query, sent, headers.authorization ?? '', remoteAddress),
  ).catch((error: Error) => {
    if (error instanceof HttpProblem) throw error
    return undefined
  })
  if (answered === undefined)
    return problem(503, 'no_search_store', 'the search store ended; it is started again')
  const { status, body: text } = answered
  return {
    status,
    type: 'application/json',
    content: { pieces: [Buffer.from(text)] },
    // For commands that the page shows: it knows its own port only.
    headers: { 'x-search-port': String(connection.port), ...(status === 401 && challengeFor(request)) },
  }
}

function noStore(settings: Settings): string {
  return settings.get('search.enabled')
    ? 'the search store is not open yet'
    : 'the search store is switched off: [search.enabled] is false'
}

/** Whoever may ask port 9200, which asks for a password or can only be reached from here. */
function isWithinReach(settings: Settings, remoteAddress: string): boolean {
  if (settings.get('security.enabled') || !isLoopback(settings.get('search.http.host'))) return true
  return isLoopback(remoteAddress.replace(/^::ffff:/, ''))
}

/** In the form of the search API, which is what the page expects here. */
function problem(status: number, type: string, reason: string): Reply {
  return json({ error: { type, reason }, status }, status)
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpProblem(504, `The search store did not answer within ${maxWait / 1000} seconds`)),
      maxWait,
    )
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
