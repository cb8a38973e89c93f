/**
 * IP addresses as terms: the 16 bytes of an IPv6 address as 32 hex digits, IPv4 mapped to `::ffff:a.b.c.d`, so that
 * terms sort like addresses. Formatted like Guava's InetAddresses.
 */
const v4Prefix = '00000000000000000000ffff'

/** Returns undefined when the text is no address. */
export function parseIp(text: string): string | undefined {
  if (!text.includes(':')) {
    const v4 = parseV4(text)
    return v4 === undefined ? undefined : v4Prefix + v4
  }
  return parseV6(text)
}

function parseV4(text: string): string | undefined {
  let hex = ''
  let part = -1
  let parts = 0
  let digits = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 46 : text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      if (part === 0 && digits > 0) return undefined
      part = (part === -1 ? 0 : part) * 10 + code - 48
      digits++
      if (part > 255 || digits > 3) return undefined
    } else if (code === 46) {
      if (part === -1 || ++parts > 4) return undefined
      hex += part < 16 ? `0${part.toString(16)}` : part.toString(16)
      part = -1
      digits = 0
    } else return undefined
  }
  return parts === 4 ? hex : undefined
}

function parseV6(text: string): string | undefined {
  if (text.length > 45) return undefined
  let rest = text
  let tail = ''
  if (rest.includes('.')) {
    const colon = rest.lastIndexOf(':')
    const v4 = parseV4(rest.slice(colon + 1))
    if (v4 === undefined) return undefined
    tail = v4
    rest = rest.slice(0, colon + 1)
    // The part before is either `::` or ends with a single colon.
    if (!rest.endsWith('::')) rest = rest.slice(0, -1)
  }
  const gap = rest.indexOf('::')
  if (gap !== -1 && rest.indexOf('::', gap + 1) !== -1) return undefined
  const head = gap === -1 ? groups(rest) : groups(rest.slice(0, gap))
  const behind = gap === -1 ? '' : groups(rest.slice(gap + 2))
  if (head === undefined || behind === undefined) return undefined
  const length = head.length + behind.length + tail.length
  if (gap === -1) return length === 32 ? head + tail : undefined
  return length <= 28 ? head + '0'.repeat(32 - length) + behind + tail : undefined
}

function groups(text: string): string | undefined {
  if (text === '') return ''
  let hex = ''
  for (const group of text.split(':')) {
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined
    hex += group.toLowerCase().padStart(4, '0')
  }
  return hex
}

/** `192.168.0.1`, `2001:db8::1` */
export function formatIp(hex: string): string {
  const whole = wholeIp(hex)
  if (hex.startsWith(v4Prefix)) return whole
  const parts = whole.split(':')
  let start = -1
  let longest = 1
  for (let from = 0; from < 8; from++) {
    let end = from
    while (end < 8 && parts[end] === '0') end++
    if (end - from > longest) {
      start = from
      longest = end - from
    }
  }
  if (start === -1) return parts.join(':')
  return `${parts.slice(0, start).join(':')}::${parts.slice(start + longest).join(':')}`
}

/** All parts of an address, as Java prints it: `0:0:0:0:0:0:0:1`. */
export function wholeIp(hex: string): string {
  if (hex.startsWith(v4Prefix))
    return [24, 26, 28, 30].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.')
  return Array.from({ length: 8 }, (_, index) =>
    Number.parseInt(hex.slice(index * 4, index * 4 + 4), 16).toString(16),
  ).join(':')
}

export interface IpRange {
  readonly from: string
  readonly to: string
}

/** Returns the first and last address of `10.0.0.0/8`; undefined when it is no CIDR block. */
export function parseCidr(text: string): IpRange | undefined {
  const slash = text.indexOf('/')
  if (slash === -1) return undefined
  const hex = parseIp(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (hex === undefined || !/^\d{1,3}$/.test(length)) return undefined
  const isV4 = !text.slice(0, slash).includes(':')
  const bits = Number(length) + (isV4 ? 96 : 0)
  if (bits > 128) return undefined
  const host = (1n << BigInt(128 - bits)) - 1n
  const address = BigInt(`0x${hex}`)
  return { from: ipHex(address & ~host), to: ipHex(address | host) }
}

export function ipNumber(hex: string): bigint {
  return BigInt(`0x${hex}`)
}
export const firstIp = '0'.repeat(32)

export function ipHex(address: bigint): string {
  return address.toString(16).padStart(32, '0')
}
