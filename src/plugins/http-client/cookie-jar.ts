/**
 * Cookies of servers we send requests to, kept per origin and sent back to it: names and values only, until
 * the server takes them back or they expire. Bounded, because servers may set as many as they like.
 */
const originLimit = 100
const cookieLimit = 50

interface Cookie {
  value: string
  expires: number
}

export class CookieJar {
  readonly #origins = new Map<string, Map<string, Cookie>>()

  store(origin: string, lines: readonly string[], now = Date.now()): void {
    if (lines.length === 0) return
    let cookies = this.#origins.get(origin)
    if (cookies === undefined) {
      if (this.#origins.size >= originLimit) this.#origins.clear()
      this.#origins.set(origin, (cookies = new Map()))
    }
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';')
      const equals = pair.indexOf('=')
      if (equals <= 0) continue
      const name = pair.slice(0, equals).trim()
      const expires = expiryOf(attributes, now)
      if (expires <= now) cookies.delete(name)
      else if (cookies.has(name) || cookies.size < cookieLimit) {
        cookies.set(name, { value: pair.slice(equals + 1).trim(), expires })
      }
    }
  }

  /** Value of the `Cookie` header, or undefined when there is none to send. */
  header(origin: string, now = Date.now()): string | undefined {
    const cookies = this.#origins.get(origin)
    if (cookies === undefined) return undefined
    const pairs: string[] = []
    for (const [name, { value, expires }] of cookies) {
      if (expires <= now) cookies.delete(name)
      else pairs.push(`${name}=${value}`)
    }
    return pairs.length === 0 ? undefined : pairs.join('; ')
  }
}

/** `Max-Age` counts before `Expires`; without either a cookie lasts as long as the process. */
function expiryOf(attributes: readonly string[], now: number): number {
  let expires = Number.POSITIVE_INFINITY
  for (const attribute of attributes) {
    const [key = '', value = ''] = attribute.split('=', 2).map((part) => part.trim())
    if (/^max-age$/i.test(key) && /^-?\d+$/.test(value)) return now + Number(value) * 1000
    if (/^expires$/i.test(key) && !Number.isNaN(Date.parse(value))) expires = Date.parse(value)
  }
  return expires
}
