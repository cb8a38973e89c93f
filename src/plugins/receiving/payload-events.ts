/**
 * Payloads that an input decodes itself, because it has more to do with their events than the pipeline knows of:
 * the codec, whatever its kind, as a function from one whole payload to its events.
 */
import type { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import type { CodecInstance, Emit } from '../../plugin/define.ts'

type PayloadDecoder = (payload: string | Buffer, emit: Emit, time: Timestamp) => void

export function payloadDecoder(codec: CodecInstance): PayloadDecoder {
  const { decodeBytes } = codec
  const delimiter = codec.delimiter === undefined ? undefined : Buffer.from(codec.delimiter)
  if (decodeBytes !== undefined) {
    return (payload, emit, time) => {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      for (const record of recordsOf(bytes, delimiter)) decodeBytes.call(codec, record, emit, time)
    }
  }
  const separator = delimiter?.toString('utf8')
  return (payload, emit, time) => {
    const text = typeof payload === 'string' ? payload : utf8Text(payload)
    const texts = separator === undefined ? [text] : withoutLastEmpty(text.split(separator))
    if (codec.decoder === undefined) {
      for (const record of texts) codec.decode?.(record, emit, time)
      return
    }
    const decoder = codec.decoder()
    for (const record of texts) {
      if (decoder.decodeBytes === undefined) decoder.decode?.(record, emit, time)
      else decoder.decodeBytes(Buffer.from(record), emit, time)
    }
    decoder.flush(emit, time)
  }
}

function recordsOf(bytes: Buffer, delimiter: Buffer | undefined): Buffer[] {
  if (delimiter === undefined) return [bytes]
  const records: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(delimiter); end >= 0; end = bytes.indexOf(delimiter, start)) {
    records.push(bytes.subarray(start, end))
    start = end + delimiter.length
  }
  if (start < bytes.length) records.push(bytes.subarray(start))
  return records
}

function withoutLastEmpty(parts: string[]): string[] {
  if (parts.at(-1) === '') parts.pop()
  return parts
}
