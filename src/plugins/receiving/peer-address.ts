/**
 * The address of a peer as Java prints it, because that is what Logstash puts into events: an IPv4 address
 * that came in through an IPv6 socket is plain IPv4, IPv6 has all eight groups and no `::`.
 */
import { isIPv6 } from 'node:net'

export function peerAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!isIPv6(address)) return address
  const [groups = '', zone] = address.split('%')
  const [head = '', tail] = withoutDots(groups).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros: string[] = new Array(8 - before.length - after.length).fill('0')
  const all = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16))
  return all.join(':') + (zone === undefined ? '' : `%${zone}`)
}

/** `::1.2.3.4` ends in an IPv4 address: its four bytes are the last two groups. */
function withoutDots(groups: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(groups)
  if (dotted === null) return groups
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number)
  return `${groups.slice(0, dotted.index)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
