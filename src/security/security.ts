/**
 * Users, roles and API keys of a node, opened from their file: says who sends a request and keeps what is changed.
 * Each thread that serves an API has one; they notice each other's changes within a moment.
 */
import { Logger } from '../log/logger.ts'
import type { Files } from '../storage/files.ts'
import { AuditLog } from './audit-log.ts'
import { type Authentication, Authenticator } from './authentication.ts'
import { FailedLogins } from './failed-logins.ts'
import { hashPassword, type ScryptCost } from './password-hash.ts'
import { SecurityFile } from './security-file.ts'
import { type SecurityState, type StoredUser, withEntry } from './security-state.ts'

const refreshMillis = 250
/** Keys that can no longer be used are shown for a while, as Elasticsearch does. */
const keepInvalidMillis = 7 * 24 * 3600 * 1000
export const maxApiKeys = 10_000

export interface SecurityOptions {
  readonly files: Files
  readonly path: string
  /** False for a disk in memory. */
  readonly isShared?: boolean
  readonly auditsGranted?: boolean
  readonly now?: () => number
  /** Milliseconds that never jump: failed logins count by them. */
  readonly clock?: () => number
  /** Cost of new hashes; tests take a cheap one. */
  readonly cost?: ScryptCost
}

export class Security {
  readonly audit: AuditLog
  readonly now: () => number
  readonly #file: SecurityFile
  readonly #authenticator: Authenticator
  readonly #logger = new Logger('millrace.security')
  readonly #cost: ScryptCost | undefined
  #looked = performance.now()

  constructor(options: SecurityOptions) {
    const { files, path, isShared = true, auditsGranted = false, now = Date.now, clock, cost } = options
    this.#cost = cost
    this.#file = new SecurityFile(files, path, isShared)
    this.audit = new AuditLog(auditsGranted)
    this.now = now
    this.#authenticator = new Authenticator(() => this.state, now, new FailedLogins(clock))
  }

  get state(): SecurityState {
    const time = performance.now()
    if (time - this.#looked > refreshMillis) {
      this.#looked = time
      try {
        this.#file.refresh()
      } catch (error) {
        this.#logger.error(
          'The security file was replaced by one that cannot be used; the last good one counts',
          {
            message: (error as Error).message,
          },
        )
      }
    }
    return this.#file.state
  }

  authenticate(authorization: string | undefined, address: string): Authentication | Promise<Authentication> {
    return this.#authenticator.authenticate(authorization, address)
  }

  change(change: (state: SecurityState) => SecurityState | undefined): Promise<void> {
    return this.#file.change((state) => {
      const next = change(state)
      return next && { ...next, apiKeys: this.#withoutOld(next) }
    })
  }

  #withoutOld({ apiKeys }: SecurityState): SecurityState['apiKeys'] {
    const oldest = this.now() - keepInvalidMillis
    const isOld = (time: number | null) => time !== null && time < oldest
    const old = [...apiKeys].filter(([, key]) => isOld(key.invalidation) || isOld(key.expiration))
    if (old.length === 0) return apiKeys
    const left = new Map(apiKeys)
    for (const [id] of old) left.delete(id)
    return left
  }

  hash(password: string): Promise<string> {
    return hashPassword(password, this.#cost)
  }

  /** Adds the first user when there is none of that name; true when it did. */
  async bootstrap(username: string, password: string): Promise<boolean> {
    if (this.#file.state.users.has(username)) return false
    const hash = await this.hash(password)
    let isNew = false
    await this.change((state) => {
      isNew = !state.users.has(username)
      const user = newUser(hash, ['superuser'])
      return isNew ? { ...state, users: withEntry(state.users, username, user) } : undefined
    })
    return isNew
  }
}

export function newUser(password: string | null, roles: readonly string[]): StoredUser {
  return { password, roles, backendRoles: [], fullName: null, email: null, metadata: {}, enabled: true }
}
