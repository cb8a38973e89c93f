/**
 * Cuts the bytes of one connection into syslog messages. They are lines, each handed over with its line end as
 * Logstash does it; a connection whose first message begins with its length (RFC 6587, `57 <34>…`) counts octets:
 * its messages need no line ends and may hold some. Logstash cannot take such messages apart.
 */

/** A line without end is handed over in pieces of this length; a counted message must not be longer. */
const maxLineLength = 1024 * 1024

export class LineFrames {
  #rest: Buffer[] = []
  #restLength = 0
  /** Unknown until the first message shows it. */
  #counts: boolean | undefined
  /** Bytes that have to be there before it is worth looking. */
  #wanted = 0

  /** The messages that are complete with this chunk. */
  push(chunk: Buffer): Buffer[] {
    this.#rest.push(chunk)
    this.#restLength += chunk.length
    if (this.#restLength < this.#wanted) return []
    if (this.#counts === false && !chunk.includes(10) && this.#restLength < maxLineLength) return []
    const bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest)
    if (this.#counts === undefined && !isUndecided(bytes)) this.#counts = startsCounted(bytes)
    if (this.#counts === undefined) return []
    const messages: Buffer[] = []
    const end = this.#counts ? this.#cutCounted(bytes, messages) : cutLines(bytes, messages)
    this.#rest = end < bytes.length ? [bytes.subarray(end)] : []
    this.#restLength = bytes.length - end
    return messages
  }

  /** A last line without an end. */
  end(): Buffer[] {
    return this.#restLength > 0 && this.#counts !== true ? [Buffer.concat(this.#rest)] : []
  }

  #cutCounted(bytes: Buffer, messages: Buffer[]): number {
    let start = 0
    for (;;) {
      while (bytes[start] === 10) start++
      const head = bytes.toString('latin1', start, start + 8)
      const match = /^(\d{1,7}) /.exec(head)
      this.#wanted = 0
      if (match === null) {
        if (/^\d{0,7}$/.test(head)) return start
        throw new Error('a message without its length among messages with one')
      }
      const from = start + match[0].length
      const length = Number(match[1])
      if (length > maxLineLength) throw new Error(`a message of ${length} octets is too long`)
      if (from + length > bytes.length) {
        this.#wanted = match[0].length + length
        return start
      }
      messages.push(bytes.subarray(from, from + length))
      start = from + length
    }
  }
}

function cutLines(bytes: Buffer, messages: Buffer[]): number {
  let start = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
    messages.push(bytes.subarray(start, at + 1))
    start = at + 1
  }
  if (bytes.length - start < maxLineLength) return start
  messages.push(bytes.subarray(start))
  return bytes.length
}

function startsCounted(bytes: Buffer): boolean {
  return /^[1-9]\d{0,6} </.test(bytes.toString('latin1', 0, 9))
}

/** Digits so far, and too few bytes to tell what they mean. */
function isUndecided(bytes: Buffer): boolean {
  return bytes.length < 9 && /^[1-9]\d{0,6} ?$/.test(bytes.toString('latin1'))
}
