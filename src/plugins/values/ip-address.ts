/**
 * Texts that are IP addresses, written as Java writes them: IPv6 with all eight groups, and an IPv4
 * address inside of IPv6 as the IPv4 address it is.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** Undefined when the text is no address. */
export function addressText(text: string): string | undefined {
  const trimmed = text.trim()
  if (isIPv4(trimmed)) return trimmed
  const bare = /^\[.*\]$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed
  const [address = ''] = bare.split('%')
  return isIPv6(address) ? expanded(address) : undefined
}

function expanded(address: string): string {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, head, ...bytes] = dotted ?? []
  const pair = (high: number): string => (Number(bytes[high]) * 256 + Number(bytes[high + 1])).toString(16)
  const text = dotted === null ? address : `${head}${pair(0)}:${pair(2)}`
  const [before = '', after] = text.split('::')
  const left = before === '' ? [] : before.split(':')
  const right = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  }
  return groups.map((group) => group.toString(16)).join(':')
}
