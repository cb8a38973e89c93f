/**
 * Slows down whoever guesses: an address with more than five failures within a second is locked out, first for a
 * second, each time for twice as long, up to a minute. Credentials that are known to be right are not asked about
 * here, so clients behind the same address go on. IPv6 addresses count by their /64.
 */
import { isIPv6 } from 'node:net'

const maxFailures = 5
const windowMillis = 1000
const maxLockMillis = 60_000
/** After this long without a failure an address starts anew. */
const forgetMillis = 10 * 60_000
const maxAddresses = 10_000

interface Record {
  failures: number
  windowStart: number
  lockedUntil: number
  lockMillis: number
  last: number
}

export class FailedLogins {
  readonly #records = new Map<string, Record>()
  readonly #pending = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Milliseconds until this address may try again; 0 when it may now. */
  lockedFor(address: string): number {
    const key = keyOf(address)
    const now = this.#now()
    const record = this.#records.get(key)
    const locked = record === undefined ? 0 : Math.max(0, Math.ceil(record.lockedUntil - now))
    if (locked > 0) return locked
    // Attempts that are still being checked count as failures, or many at once would get past the lock.
    const isRecent = record !== undefined && now - record.windowStart < windowMillis
    const failures = (isRecent ? record.failures : 0) + (this.#pending.get(key) ?? 0)
    return failures >= maxFailures ? windowMillis : 0
  }

  /** Runs an attempt; false means that it failed. */
  async attempt(address: string, check: () => Promise<boolean>): Promise<boolean> {
    const key = keyOf(address)
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
    try {
      const isRight = await check()
      if (!isRight) this.failed(address)
      return isRight
    } finally {
      const left = this.#pending.get(key)! - 1
      if (left === 0) this.#pending.delete(key)
      else this.#pending.set(key, left)
    }
  }

  failed(address: string): void {
    const now = this.#now()
    const key = keyOf(address)
    let record = this.#records.get(key)
    if (record === undefined || now - record.last > forgetMillis)
      record = { failures: 0, windowStart: now, lockedUntil: 0, lockMillis: windowMillis, last: now }
    this.#records.delete(key)
    this.#records.set(key, record)
    if (this.#records.size > maxAddresses) this.#dropOldest()
    if (now - record.windowStart >= windowMillis) {
      record.windowStart = now
      record.failures = 0
    }
    record.failures += 1
    record.last = now
    if (record.failures < maxFailures) return
    record.lockedUntil = now + record.lockMillis
    record.lockMillis = Math.min(maxLockMillis, 2 * record.lockMillis)
    record.failures = 0
  }

  #dropOldest(): void {
    for (const key of this.#records.keys()) {
      this.#records.delete(key)
      return
    }
  }
}

function keyOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...middle, ...back].slice(0, 4).join(':')
}
