/**
 * The frames of RELP, the Reliable Event Logging Protocol:
 *
 *   number of the transaction, up to 9 digits | SP | command | SP | length of the data | [SP | data] | LF
 *
 * Every byte is looked at once; a frame is bounded, and what is no frame is an error that ends the connection.
 */
import { lineFeed, space, zero } from '../../../text/ascii.ts'
import { ByteQueue } from '../../lumberjack/byte-queue.ts'

/** Limits of the parts of a frame. rsyslog's own limit for a message is 128 KiB, others go further. */
const max = { dataBytes: 16 * 1024 * 1024, numberDigits: 9, commandBytes: 32 }

export interface RelpFrame {
  readonly number: number
  readonly command: string
  readonly data: Buffer
}

export class RelpError extends Error {}

type State = 'number' | 'command' | 'length' | 'data' | 'trailer'

export class RelpFrames {
  readonly #bytes = new ByteQueue()
  #state: State = 'number'
  #word = ''
  #number = 0
  #command = ''
  #length = 0

  /** Bytes of an incomplete frame. */
  get pending(): number {
    return this.#bytes.length + this.#word.length
  }

  /** The frames that these bytes complete. Throws a `RelpError` when they are none. */
  *push(chunk: Buffer): Generator<RelpFrame> {
    this.#bytes.push(chunk)
    while (this.#bytes.length > 0) {
      if (this.#state === 'data') {
        if (this.#bytes.length < this.#length) return
        const data = Buffer.from(this.#bytes.take(this.#length))
        this.#state = 'trailer'
        yield { number: this.#number, command: this.#command, data }
        continue
      }
      const frame = this.#header(this.#bytes.take(1)[0]!)
      if (frame !== undefined) yield frame
    }
  }

  #header(byte: number): RelpFrame | undefined {
    switch (this.#state) {
      case 'trailer':
        if (byte !== lineFeed) throw new RelpError('a frame does not end with a line feed')
        this.#state = 'number'
        return undefined
      case 'number':
        // Line feeds between frames are harmless.
        if (byte === lineFeed && this.#word === '') return undefined
        if (byte !== space) this.#digit(byte, max.numberDigits)
        else this.#number = this.#end('command')
        return undefined
      case 'command':
        if (byte === space) {
          if (this.#word === '') throw new RelpError('a frame has no command')
          this.#command = this.#word
          this.#word = ''
          this.#state = 'length'
        } else {
          this.#word += String.fromCharCode(byte)
          if (!/[a-z]/i.test(String.fromCharCode(byte)) || this.#word.length > max.commandBytes)
            throw new RelpError('a command must be letters')
        }
        return undefined
      default:
        return this.#lengthByte(byte)
    }
  }

  #lengthByte(byte: number): RelpFrame | undefined {
    if (byte !== space && byte !== lineFeed) {
      this.#digit(byte, max.numberDigits)
      return undefined
    }
    this.#length = this.#end('data')
    if (this.#length > max.dataBytes) throw new RelpError(`a frame is longer than ${max.dataBytes} bytes`)
    if (byte === lineFeed && this.#length > 0) throw new RelpError('a frame has no data')
    if (this.#length > 0) return undefined
    this.#state = byte === lineFeed ? 'number' : 'trailer'
    return { number: this.#number, command: this.#command, data: Buffer.alloc(0) }
  }

  #digit(byte: number, maxDigits: number): void {
    if (byte < zero || byte > zero + 9) throw new RelpError('a number is expected')
    this.#word += String.fromCharCode(byte)
    if (this.#word.length > maxDigits) throw new RelpError('a number is too long')
  }

  #end(next: State): number {
    if (this.#word === '') throw new RelpError('a number is expected')
    const number = Number(this.#word)
    this.#word = ''
    this.#state = next
    return number
  }
}

export function frameBytes(number: number, command: string, text = ''): Buffer {
  const data = Buffer.from(text)
  const head = `${number} ${command} ${data.length}`
  return Buffer.concat([Buffer.from(data.length === 0 ? head : `${head} `), data, Buffer.from('\n')])
}

/** What a peer offers when it opens a session: lines of `name=value`. */
export function readOffer(data: Buffer): Map<string, string> {
  const offer = new Map<string, string>()
  for (const line of data.toString('utf8').split('\n')) {
    const equals = line.indexOf('=')
    if (equals > 0) offer.set(line.slice(0, equals), line.slice(equals + 1).trim())
  }
  return offer
}
