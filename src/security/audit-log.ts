/**
 * Who came from where, asked for what, and what came of it: a line per event under the logger `audit`, which has a file
 * of its own beside the other log files. No credentials are in it, and no bodies.
 */
import { Logger } from '../log/logger.ts'

export type AuditEvent =
  | 'authentication_failed'
  | 'authentication_locked'
  | 'anonymous_access_denied'
  | 'access_denied'
  | 'access_granted'
  | 'security_config_change'
  | 'node_change'
  | 'host_refused'
  | 'origin_refused'

interface AuditDetails {
  readonly user?: string | undefined
  readonly apiKey?: string | undefined
  readonly address: string
  readonly port: 'search' | 'api'
  readonly method: string
  /** Without the query string, in which others put secrets. */
  readonly path: string
  readonly action?: string | undefined
  readonly indices?: readonly string[] | undefined
}

const maxListed = 20
/** A flood of refused requests must not become a flood of lines. */
const maxPerSecond = 200

export class AuditLog {
  readonly #logger = new Logger('audit')
  /** Granted access to documents is written only when asked for: there may be thousands a second. */
  readonly #includesGranted: boolean
  #second = 0
  #written = 0
  #leftOut = 0

  constructor(includesGranted = false) {
    this.#includesGranted = includesGranted
  }

  get wantsGranted(): boolean {
    return this.#includesGranted
  }

  /** Changes of users and roles are always written. */
  #hasRoom(event: AuditEvent): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) {
      if (this.#leftOut > 0) this.#logger.warn('events were left out', { count: this.#leftOut })
      this.#second = second
      this.#written = 0
      this.#leftOut = 0
    }
    if (event === 'security_config_change' || event === 'node_change' || this.#written < maxPerSecond) {
      this.#written += 1
      return true
    }
    this.#leftOut += 1
    return false
  }

  record(event: AuditEvent, details: AuditDetails): void {
    if (event === 'access_granted' && !this.#includesGranted) return
    if (!this.#hasRoom(event)) return
    const { user, apiKey, address, port, method, path, action, indices } = details
    this.#logger.info(event, {
      ...(user !== undefined && { user }),
      ...(apiKey !== undefined && { 'apikey.id': apiKey }),
      'origin.address': address,
      port,
      'request.method': method,
      'url.path': path,
      ...(action !== undefined && { action }),
      ...(indices !== undefined && indices.length > 0 && { indices: indices.slice(0, maxListed) }),
    })
  }
}
