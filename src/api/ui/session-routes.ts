/**
 * `/ui/session`: who looks at the dashboard (GET), signing in with a user and a password (POST), signing out (DELETE).
 * Failed attempts are counted and locked out by the same rules as everywhere else.
 */
import { HttpProblem } from '../../http/problem.ts'
import { json, type Reply } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { sessionPath } from './paths.ts'
import type { Sessions } from './sessions.ts'

type Visitor =
  | { readonly user: string; readonly mayLook: boolean; readonly mayChange: boolean }
  | { readonly failure: 'refused' }
  | { readonly failure: 'locked'; readonly retryAfterSeconds: number }

/** Says who an `Authorization` is; undefined where nobody is asked. */
export type WhoIs = ((authorization: string | undefined, address: string) => Promise<Visitor>) | undefined

const maxBody = 16 * 1024

export function addSessionRoutes(
  router: Router<Handler>,
  sessions: Sessions,
  whoIs: WhoIs,
  isSecure: boolean,
): void {
  router.add('GET', sessionPath, async (request) => {
    if (whoIs === undefined) return json({ asks: false, user: null, may_look: true, may_change: true })
    const authorization = request.headers.authorization ?? sessions.authorizationOf(request.headers.cookie)
    const visitor =
      authorization === undefined ? undefined : await whoIs(authorization, request.remoteAddress ?? '')
    return described(visitor)
  })
  router.add('POST', sessionPath, async (request) => {
    if (whoIs === undefined) throw new HttpProblem(409, 'This node asks nobody to sign in')
    const authorization = await credentialsOf(request)
    const visitor = await whoIs(authorization, request.remoteAddress ?? '')
    if ('failure' in visitor) return refused(visitor)
    const cookie = sessions.begin(authorization, isSecure)
    return { ...described(visitor), headers: { 'set-cookie': cookie } }
  })
  router.add('DELETE', sessionPath, ({ headers }) =>
    json({ asks: whoIs !== undefined, user: null }, 200, {
      'set-cookie': sessions.end(headers.cookie, isSecure),
    }),
  )
}

function described(visitor: Visitor | undefined): Reply {
  if (visitor === undefined || 'failure' in visitor)
    return json({ asks: true, user: null, may_look: false, may_change: false })
  const { user, mayLook, mayChange } = visitor
  return json({ asks: true, user, may_look: mayLook, may_change: mayChange })
}

function refused(visitor: Extract<Visitor, { failure: unknown }>): Reply {
  if (visitor.failure === 'locked') {
    const seconds = visitor.retryAfterSeconds
    const reason = `Too many attempts failed. Try again in ${seconds} seconds.`
    return json({ status: 429, error: { message: reason } }, 429, { 'retry-after': String(seconds) })
  }
  return json({ status: 401, error: { message: 'User or password is wrong.' } }, 401)
}

async function credentialsOf(request: HttpRequest): Promise<string> {
  let given: unknown
  try {
    given = JSON.parse((await request.body(maxBody)).toString('utf8'))
  } catch (error) {
    if (error instanceof HttpProblem) throw error
  }
  const { username, password } = (typeof given === 'object' && given !== null ? given : {}) as {
    username?: unknown
    password?: unknown
  }
  if (
    typeof username !== 'string' ||
    typeof password !== 'string' ||
    username === '' ||
    username.includes(':')
  )
    throw new HttpProblem(400, '`username` and `password` must be texts')
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
