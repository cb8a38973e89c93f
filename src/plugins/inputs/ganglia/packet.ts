/**
 * Packets of gmond, in XDR (RFC 4506): numbers of four bytes, texts with their length, padded to four bytes.
 *
 *   128 metadata    host name spoof type name units slope tmax dmax count (name value)*
 *   129 … 135 value host name spoof format value, which is 129 and 132 unsigned, 130 and 131 signed, 133 a text, 134 a float
 *                   and 135 a double
 */
import { utf8Text } from '../../../event/utf8-text.ts'

export interface MetricMetadata {
  readonly name: string
  readonly type: string
  readonly units: string
  readonly slope: string | undefined
  readonly tmax: number
  readonly dmax: number
}

export interface MetricValue {
  readonly hostname: string
  readonly name: string
  readonly value: string | number
}

type GangliaPacket =
  | { readonly kind: 'metadata'; readonly metadata: MetricMetadata }
  | { readonly kind: 'value'; readonly value: MetricValue }
  | { readonly kind: 'other' }

const slopes = ['zero', 'positive', 'negative', 'both', 'unspecified']
const maxTextBytes = 4096

/** Throws when the packet ends too soon, or a text is too long. */
export function readPacket(packet: Buffer): GangliaPacket {
  const reader = new XdrReader(packet)
  const type = reader.number()
  if (type === 128) {
    reader.text()
    const name = reader.text()
    reader.number()
    const kind = reader.text()
    reader.text()
    const units = reader.text()
    const slope = slopes[reader.number()]
    const metadata = { name, type: kind, units, slope, tmax: reader.number(), dmax: reader.number() }
    return { kind: 'metadata', metadata }
  }
  if (type >= 129 && type <= 135) {
    const hostname = reader.text()
    const name = reader.text()
    reader.number()
    reader.text()
    return { kind: 'value', value: { hostname, name, value: reader.value(type) } }
  }
  return { kind: 'other' }
}

class XdrReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(): number {
    if (this.#at + 4 > this.#bytes.length) throw new RangeError('the packet ends too soon')
    const number = this.#bytes.readUInt32BE(this.#at)
    this.#at += 4
    return number
  }

  value(type: number): string | number {
    if (type === 133) return this.text()
    const at = this.#at
    const number = this.number()
    if (type === 130 || type === 131) return number | 0
    if (type === 134) return Number(this.#bytes.readFloatBE(at).toPrecision(7))
    if (type !== 135) return number
    this.number()
    return this.#bytes.readDoubleBE(at)
  }

  text(): string {
    const length = this.number()
    if (length > maxTextBytes) throw new RangeError(`a text is longer than ${maxTextBytes} bytes`)
    if (this.#at + length > this.#bytes.length) throw new RangeError('the packet ends too soon')
    const text = utf8Text(this.#bytes, this.#at, this.#at + length)
    this.#at += Math.ceil(length / 4) * 4
    return text
  }
}
