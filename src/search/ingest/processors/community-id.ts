/** community_id: the Community ID flow hash, version 1, of addresses, ports and protocol of a connection. */
import { createHash } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { illegalArgument } from '../../request/errors.ts'
import type { IngestDocument } from '../ingest-document.ts'
import type { ProcessorFactory } from '../processor.ts'

const protocolNames: ReadonlyMap<string, number> = new Map([
  ['ICMP', 1],
  ['TCP', 6],
  ['UDP', 17],
  ['ICMP_V6', 58],
  ['IPV6-ICMP', 58],
  ['SCTP', 132],
])
const protocols: ReadonlySet<number> = new Set(protocolNames.values())
const icmp = 1
const icmpV6 = 58

/** Types of messages with an answer: the answer's type stands in place of a code. */
const answers: ReadonlyMap<number, ReadonlyMap<number, number>> = new Map([
  [icmp, new Map([[0, 8], [8, 0], [9, 10], [10, 9], [13, 14], [14, 13], [15, 16], [16, 15], [17, 18], [18, 17]])],
  [icmpV6, new Map([[128, 129], [129, 128], [130, 131], [131, 130], [133, 134], [134, 133], [135, 136], [136, 135], [139, 140], [140, 139], [144, 145], [145, 144]])],
]) // biome-ignore format: pairs

/** OpenSearch's own limit, which its message gives as 65535. */
const maxPort = 63_335

function bytesOfAddress(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  if (!isIPv6(text)) return undefined
  const [head = '', tail] = text.replace(/%.*$/, '').split('::')
  const groups = (part: string) =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)]
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
          return [a * 256 + b, c * 256 + d]
        })
  const [left, right] = [groups(head), tail === undefined ? [] : groups(tail)]
  const words = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
  const bytes = Buffer.from(words.flatMap((word) => [word >> 8, word & 255]))
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  return isMapped ? bytes.subarray(12) : bytes
}

/** Thrown inside when a value is missing and that is no error. */
class Missing extends Error {}

export const communityId: ProcessorFactory = (config) => {
  const sourceIp = config.text('source_ip_field')
  const sourcePort = config.optionalText('source_port_field')
  const destinationIp = config.text('destination_ip_field')
  const destinationPort = config.optionalText('destination_port_field')
  const protocolNumber = config.optionalText('iana_protocol_number_field')
  const protocolName = config.optionalText('protocol_field')
  const icmpType = config.optionalText('icmp_type_field')
  const icmpCode = config.optionalText('icmp_code_field')
  const seed = config.integer('seed', 0)
  if (seed < 0 || seed > 65_535) throw config.error('seed', 'seed must be between 0 and 65535')
  const target = config.text('target_field', 'community_id')
  const ignoreMissing = config.flag('ignore_missing')

  const missing = (reason: string) => (ignoreMissing ? new Missing() : illegalArgument(reason))

  function protocolOf(document: IngestDocument): number {
    const number = protocolNumber ? document.get(protocolNumber, 'integer', true) : null
    const name = protocolName ? document.get(protocolName, 'text', true) : null
    if (number !== null) {
      if (protocols.has(number)) return number
      throw illegalArgument(`unsupported iana protocol number [${number}]`)
    }
    if (name === null)
      throw missing(
        `cannot resolve protocol by neither iana protocol number field [${protocolNumber ?? 'null'}] nor protocol name field [${protocolName ?? 'null'}]`,
      )
    const found = protocolNames.get(name.toUpperCase())
    if (found === undefined) throw illegalArgument(`unsupported protocol [${name}]`)
    return found
  }

  function addressOf(document: IngestDocument, field: string): Buffer {
    if (field === '')
      throw missing('both source ip field path and destination ip field path cannot be null nor empty')
    const text = document.get(field, 'text', true)
    if (text === null || text === '') throw missing(`ip address in the field [${field}] is null or empty`)
    const bytes = bytesOfAddress(text)
    if (bytes === undefined)
      throw illegalArgument(`ip address [${text}] in the field [${field}] is not a valid ipv4/ipv6 address`)
    return bytes
  }

  function portOf(document: IngestDocument, field: string | undefined): number {
    if (!field) throw missing('both source port and destination port field path cannot be null nor empty')
    const port = document.get(field, 'integer', true)
    if (port === null)
      throw missing(
        `both source port and destination port cannot be null, but port in the field path [${field}] is null`,
      )
    if (port < 0 || port > maxPort)
      throw illegalArgument(
        `both source port and destination port must be between 0 and 65535, but port in the field path [${field}] is [${port}]`,
      )
    return port
  }

  function messageOf(document: IngestDocument, field: string | undefined, what: 'type' | 'code'): number {
    if (!field) throw missing(`icmp message ${what} field path cannot be null nor empty`)
    const value = document.get(field, 'integer', true)
    if (value === null) throw missing(`icmp message ${what} cannot be null`)
    if (value < 0 || value > 255) throw illegalArgument(`invalid icmp message ${what} [${value}]`)
    return value
  }

  function hashOf(document: IngestDocument): string {
    const protocol = protocolOf(document)
    const from = addressOf(document, sourceIp)
    const to = addressOf(document, destinationIp)
    if (from.length !== to.length) throw illegalArgument('source ip and destination ip must have same format')
    const isIcmp = protocol === icmp || protocol === icmpV6
    const ports: [number, number] = isIcmp
      ? [messageOf(document, icmpType, 'type'), 0]
      : [portOf(document, sourcePort), portOf(document, destinationPort)]
    const answer = isIcmp ? answers.get(protocol)!.get(ports[0]) : undefined
    if (isIcmp) ports[1] = answer ?? messageOf(document, icmpCode, 'code')
    const order = from.compare(to)
    const isOrdered = order < 0 || (order === 0 && ports[0] < ports[1])
    // The smaller end comes first, except in a one-way flow of messages.
    const isTurned = !isOrdered && (!isIcmp || answer !== undefined)
    const number = (value: number) => Buffer.from([value >> 8, value & 255])
    const ends = isTurned ? [to, from] : [from, to]
    const places = isTurned ? ports.toReversed() : ports
    const hash = createHash('sha1')
    for (const part of [number(seed), ...ends, Buffer.from([protocol, 0]), ...places.map(number)])
      hash.update(part)
    return `1:${hash.digest('base64')}`
  }

  return (document) => {
    try {
      document.set(target, hashOf(document))
    } catch (error) {
      if (!(error instanceof Missing)) throw error
    }
    return true
  }
}
