/**
 * Credentials that were right a moment ago, so that scrypt does not run with every request. An LRU cache bounded in
 * entries, keyed by a keyed hash of the header: what is in memory is of no use to anybody who reads it.
 */
import { hash, randomBytes } from 'node:crypto'

const maxEntries = 1000
/** As `xpack.security.authc.realms.native.*.cache.ttl` of Elasticsearch. */
const maxAgeMillis = 20 * 60 * 1000

interface Entry {
  readonly user: string
  /** The hash of the password it was checked against. */
  readonly against: string
  readonly at: number
}

export class CredentialCache {
  readonly #entries = new Map<string, Entry>()
  readonly #key = randomBytes(32).toString('base64')
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  keyOf(header: string): string {
    // An HMAC would take ten times as long and add nothing: no hash leaves the process.
    return hash('sha256', this.#key + header, 'base64')
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (this.#now() - entry.at > maxAgeMillis) return undefined
    this.#entries.set(key, entry)
    return entry
  }

  add(key: string, user: string, against: string): void {
    this.#entries.set(key, { user, against, at: this.#now() })
    if (this.#entries.size <= maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }
}
