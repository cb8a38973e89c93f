/**
 * Look-ups of names and addresses: hosts files first, then name servers, with a time limit per attempt. What
 * was found and what failed is remembered for a while, and a question that is under way is not asked twice.
 */

import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { maxTimer } from '../../../time/max-timer.ts'
import { LruCache } from '../../values/lru-cache.ts'
import type { Hosts } from './hosts-file.ts'

export class LookupTimeout extends Error {
  constructor(question: string) {
    super(`no answer in time for ${question}`)
    this.name = 'LookupTimeout'
  }
}

interface CacheSize {
  readonly size: number
  /** Seconds. */
  readonly ttl: number
}

export interface LookupOptions {
  readonly servers: readonly string[]
  readonly search: readonly string[]
  readonly ndots: number
  /** Seconds per attempt. */
  readonly timeout: number
  readonly retries: number
  readonly hits: CacheSize
  readonly failures: CacheSize
}

/** Asks one name server question; the real one is made of a Resolver. */
interface Questions {
  addresses(name: string): Promise<string[]>
  names(address: string): Promise<string[]>
  cancel(): void
}

interface Remembered {
  readonly until: number
  readonly answer: string
}

export class Lookup {
  readonly #options: LookupOptions
  readonly #hosts: Hosts
  readonly #questions: Questions
  readonly #hits: LruCache<Remembered>
  readonly #failures: LruCache<Remembered>
  readonly #running = new Map<string, Promise<string | undefined>>()

  constructor(options: LookupOptions, hosts: Hosts, questions: Questions = askServers(options)) {
    this.#options = options
    this.#hosts = hosts
    this.#questions = questions
    this.#hits = new LruCache(options.hits.size)
    this.#failures = new LruCache(options.failures.size)
  }

  /** The address of a name; undefined when there is none. */
  address(name: string): Promise<string | undefined> {
    return this.#remembering(`a ${name}`, () => this.#findAddress(name))
  }

  /** The name of an address. */
  name(address: string): Promise<string | undefined> {
    return this.#remembering(`p ${address}`, () => this.#findName(address))
  }

  cancel(): void {
    this.#questions.cancel()
  }

  #remembering(key: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const now = performance.now()
    const failed = this.#failures.get(key)
    if (failed !== undefined && failed.until > now) return Promise.resolve(undefined)
    const hit = this.#hits.get(key)
    if (hit !== undefined && hit.until > now) return Promise.resolve(hit.answer)
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const started = this.#ask(key, find).finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }

  async #ask(key: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const { hits, failures } = this.#options
    let answer: string | undefined
    try {
      answer = await find()
    } finally {
      const until = performance.now() + (answer === undefined ? failures.ttl : hits.ttl) * 1000
      if (answer === undefined) this.#failures.set(key, { until, answer: '' })
      else this.#hits.set(key, { until, answer })
    }
    return answer
  }

  async #findAddress(name: string): Promise<string | undefined> {
    if (isIP(name) !== 0) return name
    const known = this.#hosts.addressOf(name)
    if (known !== undefined) return known
    for (const full of this.#fullNames(name)) {
      const [first] = await this.#attempts(full, () => this.#questions.addresses(full))
      if (first !== undefined) return first
    }
    return undefined
  }

  async #findName(address: string): Promise<string | undefined> {
    const known = this.#hosts.nameOf(address)
    if (known !== undefined) return known
    const [first] = await this.#attempts(address, () => this.#questions.names(address))
    return first
  }

  /** With enough dots a name is tried as it is first, otherwise last. */
  #fullNames(name: string): string[] {
    const { search, ndots } = this.#options
    if (name.endsWith('.') || search.length === 0) return [name]
    const longer = search.map((domain) => `${name}.${domain}`)
    return name.split('.').length - 1 >= ndots ? [name, ...longer] : [...longer, name]
  }

  /** The resolver looks at its own clock only now and then, and takes answers up to twice as late. */
  #inTime(ask: () => Promise<string[]>): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const late = Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })
      const timer = setTimeout(() => reject(late), this.#milliseconds)
      ask()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }

  get #milliseconds(): number {
    return Math.min(Math.max(1, Math.round(this.#options.timeout * 1000)), maxTimer)
  }

  async #attempts(question: string, ask: () => Promise<string[]>): Promise<string[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#inTime(ask)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'ETIMEOUT' && code !== 'ECANCELLED') return []
        if (code === 'ECANCELLED' || attempt >= this.#options.retries) throw new LookupTimeout(question)
      }
    }
  }
}

function askServers({ servers, timeout }: LookupOptions): Questions {
  const resolver = new Resolver({ timeout: Math.max(1, Math.round(timeout * 1000)), tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async addresses(name) {
      try {
        return await resolver.resolve4(name)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'ENODATA') throw error
        return resolver.resolve6(name)
      }
    },
    names: (address) => resolver.reverse(address),
    cancel: () => resolver.cancel(),
  }
}
