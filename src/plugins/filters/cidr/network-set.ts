/**
 * Networks to look addresses up in. Each is kept under its prefix length, so that a look-up is one question
 * per length in use, however many networks there are.
 */
import { isIP } from 'node:net'
import { addressText } from '../../values/ip-address.ts'

/** An address as the bits of its text: 8 or 32 hexadecimal digits. */
export type Address = string

export function parseAddress(text: string): Address | undefined {
  const address = addressText(text)
  if (address === undefined) return undefined
  return address.includes(':')
    ? address
        .split(':')
        .map((group) => group.padStart(4, '0'))
        .join('')
    : address
        .split('.')
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')
}

export class NetworkSet {
  readonly #lengths: { width: number; bits: number; members: Set<string> }[] = []

  /** `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `2001:db8::/32`, or a single address; false when it is none of these. */
  add(text: string): boolean {
    const [address = '', mask] = text.trim().split('/', 2)
    const bits = parseAddress(address)
    if (bits === undefined || text.split('/').length > 2) return false
    const length = mask === undefined ? bits.length * 4 : prefixLength(mask)
    if (length === undefined || length > bits.length * 4) return false
    let entry = this.#lengths.find(({ width, bits: known }) => width === bits.length && known === length)
    if (entry === undefined) {
      entry = { width: bits.length, bits: length, members: new Set() }
      this.#lengths.push(entry)
    }
    entry.members.add(start(bits, length))
    return true
  }

  has(address: Address): boolean {
    return this.#lengths.some(
      ({ width, bits, members }) => width === address.length && members.has(start(address, bits)),
    )
  }
}

/** The first bits of an address. */
function start(address: Address, bits: number): string {
  const digits = bits >> 2
  const rest = bits & 3
  if (rest === 0) return address.slice(0, digits)
  const digit = Number.parseInt(address[digits]!, 16) & (0xf0 >> rest)
  return `${address.slice(0, digits)}${digit.toString(16)}`
}

function prefixLength(mask: string): number | undefined {
  if (/^\d{1,3}$/.test(mask)) return Number(mask)
  if (isIP(mask) === 0) return undefined
  const bits = [...parseAddress(mask)!]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
  return /^1*0*$/.test(bits) ? bits.replace(/0+$/, '').length : undefined
}
