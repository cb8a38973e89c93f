/**
 * Who is signed in at the dashboard. A session is a random name in a cookie that scripts cannot read; it stands for the
 * `Authorization` of whoever signed in, which never leaves the node again and is checked anew with every request. So a
 * changed password or a removed user ends its sessions, and nothing is written to the disk.
 */
import { randomBytes } from 'node:crypto'

interface Session {
  readonly authorization: string
  usedAt: number
}

const maxIdleMillis = 8 * 3_600_000
const maxSessions = 1000
const tokenForm = /^[\w-]{43}$/

export class Sessions {
  /** Least recently used first. */
  readonly #open = new Map<string, Session>()
  readonly #now: () => number
  readonly #port: () => string

  /** Cookies do not know ports: the name of ours says which node it is for. */
  constructor(port: () => string, now: () => number = Date.now) {
    this.#port = port
    this.#now = now
  }

  get size(): number {
    return this.#open.size
  }

  /** The value for `Set-Cookie`. */
  begin(authorization: string, isSecure: boolean): string {
    const token = randomBytes(32).toString('base64url')
    this.#open.set(token, { authorization, usedAt: this.#now() })
    const [oldest] = this.#open.keys()
    if (this.#open.size > maxSessions) this.#open.delete(oldest!)
    return this.#cookie(token, maxIdleMillis / 1000, isSecure)
  }

  /** What the session of a request stands for. */
  authorizationOf(cookies: string | undefined): string | undefined {
    const token = this.#tokenIn(cookies)
    const session = token === undefined ? undefined : this.#open.get(token)
    if (token === undefined || session === undefined) return undefined
    this.#open.delete(token)
    const now = this.#now()
    if (now - session.usedAt > maxIdleMillis) return undefined
    this.#open.set(token, { ...session, usedAt: now })
    return session.authorization
  }

  /** The value for `Set-Cookie` that makes the browser forget it. */
  end(cookies: string | undefined, isSecure: boolean): string {
    const token = this.#tokenIn(cookies)
    if (token !== undefined) this.#open.delete(token)
    return this.#cookie('', 0, isSecure)
  }

  get #name(): string {
    return `millrace-session-${this.#port()}`
  }

  #cookie(value: string, maxAge: number, isSecure: boolean): string {
    const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`
    return `${this.#name}=${value}; ${flags}`
  }

  #tokenIn(cookies: string | undefined): string | undefined {
    if (cookies === undefined || cookies.length > 16_384) return undefined
    const start = `${this.#name}=`
    const found = cookies.split(';').find((cookie) => cookie.trimStart().startsWith(start))
    const token = found?.trim().slice(start.length)
    return token !== undefined && tokenForm.test(token) ? token : undefined
  }
}
