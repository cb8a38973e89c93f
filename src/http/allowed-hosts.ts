/**
 * Which names a request may be addressed to. A web page whose own name was made to resolve to our address (DNS
 * rebinding) sends that name as `Host`; so besides addresses only names count that nobody can register and point here:
 * those without a dot, `localhost`, `.internal`, and those that the operator named.
 */
import { isIPv4, isIPv6 } from 'node:net'

export class AllowedHosts {
  readonly #names: ReadonlySet<string>
  readonly #takesAny: boolean
  /** The last one that was allowed: it is nearly always the same. */
  #last: string | undefined

  /** `*` among the names is any. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(plainName))
    this.#takesAny = names.includes('*')
  }

  /** `host` is a header, with or without a port. No browser leaves it out. */
  allows(host: string | undefined): boolean {
    if (host === undefined || host === '' || host === this.#last || this.#takesAny) return true
    const name = plainName(host)
    if (name === '') return false
    const isSafe =
      isAddress(name) ||
      !name.includes('.') ||
      name.endsWith('.localhost') ||
      name.endsWith('.internal') ||
      this.#names.has(name)
    if (isSafe) this.#last = host
    return isSafe
  }
}

const form = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d*)?$/

/** In lower case, without port, brackets and the dot of the root; empty for what no client would send. */
function plainName(host: string): string {
  const lower = host.toLowerCase()
  // An address to listen on has no brackets.
  if (isAddress(lower)) return lower
  const [, address, name] = form.exec(lower) ?? []
  return address ?? name ?? ''
}

/** Only what has a colon is tried as IPv6: the runtime takes 10 ms to compile its expression for that. */
function isAddress(name: string): boolean {
  return name.includes(':') ? isIPv6(name) : isIPv4(name)
}
