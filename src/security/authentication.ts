/**
 * Who sends an `Authorization` header: Basic with a password, or ApiKey with an id and its secret. Credentials that
 * were right a moment ago cost one keyed hash; everything else is checked in the thread pool, once for the same
 * credentials at the same time, and slowed down for addresses that keep failing.
 */

import { verifySecret } from './api-key-secret.ts'
import { CredentialCache } from './credential-cache.ts'
import { FailedLogins } from './failed-logins.ts'
import { maxPasswordLength, TooManyLogins, verifyNobody, verifyPassword } from './password-hash.ts'
import { apiKeyPrincipal, type Principal, userPrincipal } from './principal.ts'
import type { SecurityState } from './security-state.ts'

export type Authentication =
  | { readonly principal: Principal }
  | { readonly failure: 'missing' }
  | { readonly failure: 'user'; readonly username: string }
  | { readonly failure: 'api_key'; readonly detail: string }
  /** Too many failures from the address, or too many logins at once. */
  | { readonly failure: 'locked'; readonly retryAfterSeconds: number }

const basicForm = /^basic +([A-Za-z0-9+/=_-]{1,4096}) *$/i
const keyForm = /^apikey +([A-Za-z0-9+/=_-]{1,4096}) *$/i
const missing: Authentication = { failure: 'missing' }

export class Authenticator {
  readonly #state: () => SecurityState
  readonly #now: () => number
  readonly #cache = new CredentialCache()
  readonly #failures: FailedLogins
  readonly #inFlight = new Map<string, Promise<boolean>>()
  /** Made from one state, and dropped when it changes. */
  #principals = new Map<string, Principal>()
  #madeFrom: SecurityState | undefined

  /** `now` is the time of day: keys expire by it. */
  constructor(state: () => SecurityState, now: () => number, failures = new FailedLogins()) {
    this.#state = state
    this.#now = now
    this.#failures = failures
  }

  authenticate(header: string | undefined, address: string): Authentication | Promise<Authentication> {
    if (header === undefined || header === '') return missing
    const [, basic] = basicForm.exec(header) ?? []
    if (basic !== undefined) return this.#user(header, basic, address)
    const [, key] = keyForm.exec(header) ?? []
    return key === undefined ? missing : this.#key(key, address)
  }

  #user(header: string, encoded: string, address: string): Authentication | Promise<Authentication> {
    const state = this.#state()
    const key = this.#cache.keyOf(header)
    const known = this.#cache.find(key)
    if (known !== undefined) {
      const user = state.users.get(known.user)
      if (user?.enabled && user.password === known.against)
        return {
          principal: this.#principal(state, `user ${known.user}`, () =>
            userPrincipal(state, known.user, user),
          ),
        }
    }
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) return missing
    return this.#login(key, text.slice(0, colon), text.slice(colon + 1), address)
  }

  async #login(key: string, username: string, password: string, address: string): Promise<Authentication> {
    const failed: Authentication = { failure: 'user', username }
    if (password.length > maxPasswordLength) return failed
    const waited = this.#inFlight.get(key)
    const locked = waited === undefined ? this.#failures.lockedFor(address) : 0
    if (locked > 0) return { failure: 'locked', retryAfterSeconds: Math.ceil(locked / 1000) }
    try {
      const against = this.#state().users.get(username)?.password
      let checking = waited
      if (checking === undefined) {
        checking = this.#failures.attempt(address, () =>
          typeof against === 'string' ? verifyPassword(password, against) : verifyNobody(password),
        )
        this.#inFlight.set(key, checking)
      }
      const isRight = await checking
      const state = this.#state()
      const user = state.users.get(username)
      if (!isRight || !user?.enabled || user.password !== against) return failed
      this.#cache.add(key, username, against!)
      return {
        principal: this.#principal(state, `user ${username}`, () => userPrincipal(state, username, user)),
      }
    } catch (error) {
      if (error instanceof TooManyLogins) return { failure: 'locked', retryAfterSeconds: 1 }
      throw error
    } finally {
      this.#inFlight.delete(key)
    }
  }

  #key(encoded: string, address: string): Authentication {
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) return { failure: 'api_key', detail: 'API key: invalid ApiKey value' }
    const id = text.slice(0, colon)
    const state = this.#state()
    const key = state.apiKeys.get(id)
    const locked = this.#failures.lockedFor(address)
    // A secret cannot be guessed, but whoever tries takes time from the others.
    if (locked > 0 && (key === undefined || !verifySecret(text.slice(colon + 1), key.hash)))
      return { failure: 'locked', retryAfterSeconds: Math.ceil(locked / 1000) }
    const refused = (detail: string): Authentication => {
      this.#failures.failed(address)
      return { failure: 'api_key', detail: `API key: ${detail}` }
    }
    if (key === undefined) return refused(`unable to find apikey with id ${id}`)
    if (!verifySecret(text.slice(colon + 1), key.hash))
      return refused(`invalid credentials for API key [${id}]`)
    if (key.invalidation !== null) return refused(`api key [${id}] has been invalidated`)
    if (key.expiration !== null && key.expiration <= this.#now()) return refused('api key is expired')
    return { principal: this.#principal(state, `key ${id}`, () => apiKeyPrincipal(id, key)) }
  }

  #principal(state: SecurityState, name: string, make: () => Principal): Principal {
    if (this.#madeFrom !== state) {
      this.#principals = new Map()
      this.#madeFrom = state
    }
    let principal = this.#principals.get(name)
    if (principal === undefined) {
      principal = make()
      this.#principals.set(name, principal)
    }
    return principal
  }
}
