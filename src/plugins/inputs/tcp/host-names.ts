/**
 * Names of addresses. A lookup may take seconds and holds a thread of Node's pool, so there are few at a time,
 * answers are remembered, and whoever waits too long gets the address itself, as after a failed lookup.
 */
import { lookupService } from 'node:dns'
import { isIP } from 'node:net'

const rememberMilliseconds = 10 * 60_000
const rememberFailureMilliseconds = 60_000
const maxWait = 5000
const maxAtOnce = 2
const maxRemembered = 10_000

/** Answers later, never within the call. */
export type Lookup = (address: string, found: (name: string | undefined) => void) => void

/** A proxy may name anything as the address of its client. */
const systemLookup: Lookup = (address, found) => {
  if (isIP(address) === 0) setImmediate(found, undefined)
  else lookupService(address, 0, (error, name) => found(error === null ? name : undefined))
}

interface Known {
  readonly name: string
  readonly until: number
}

export class HostNames {
  readonly #lookup: Lookup
  readonly #known = new Map<string, Known>()
  readonly #asked = new Map<string, Promise<string>>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(lookup: Lookup = systemLookup) {
    this.#lookup = lookup
  }

  /** The name, or the address when there is none; a promise only when it has to be looked up. */
  nameOf(address: string): string | Promise<string> {
    const known = this.#known.get(address)
    if (known !== undefined && known.until > Date.now()) return known.name
    let asked = this.#asked.get(address)
    if (asked === undefined) {
      asked = this.#ask(address)
      this.#asked.set(address, asked)
    }
    return withinLimit(asked, address)
  }

  #ask(address: string): Promise<string> {
    return new Promise((resolve) => {
      this.#start(() => {
        this.#lookup(address, (name) => {
          this.#remember(address, name)
          this.#asked.delete(address)
          this.#running -= 1
          this.#waiting.shift()?.()
          resolve(name ?? address)
        })
      })
    })
  }

  #start(begin: () => void): void {
    const start = () => {
      this.#running += 1
      begin()
    }
    if (this.#running < maxAtOnce) start()
    else this.#waiting.push(start)
  }

  #remember(address: string, name: string | undefined): void {
    if (this.#known.size >= maxRemembered) this.#known.clear()
    const span = name === undefined ? rememberFailureMilliseconds : rememberMilliseconds
    this.#known.set(address, { name: name ?? address, until: Date.now() + span })
  }
}

async function withinLimit(asked: Promise<string>, address: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, maxWait, address)
  })
  try {
    return await Promise.race([asked, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
