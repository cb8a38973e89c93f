/**
 * The gzip_lines codec: a payload is a gzip file of lines, each of which is an event. How much a payload may
 * grow is limited, so that a small one cannot fill the memory; one that says itself that it is larger is refused
 * before it is unpacked. Lines are bounded as in a stream.
 */
import { gunzipSync } from 'node:zlib'
import { defineCodec, option } from '../../plugin/define.ts'
import { bytesToText, charsetDoc, charsetNames } from './charset.ts'
import { messageEvents } from './message-event.ts'

const maxUnpackedBytes = 100 * 1024 * 1024
const maxLineBytes = 20 * 1024 * 1024

export default defineCodec({
  name: 'gzip_lines',
  summary: 'Reads payloads that are gzip files of lines.',
  description: 'A payload that cannot be unpacked is logged and dropped.',
  options: {
    charset: option.oneOf(charsetNames, { default: 'UTF-8', doc: charsetDoc }),
  },
  create({ options: { charset }, logger }) {
    const toText = bytesToText(charset) ?? ((bytes: Uint8Array) => Buffer.from(bytes).toString('utf8'))
    const messageEvent = messageEvents(false)
    return {
      decodeBytes(bytes, emit, time) {
        let lines: Buffer
        try {
          if (announcedSize(bytes) > maxUnpackedBytes)
            throw new RangeError(`more than ${maxUnpackedBytes} bytes`)
          lines = gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })
        } catch (error) {
          const { message } = error as Error
          logger.error('Gzip codec: We cannot uncompress the gzip file', { message, bytes: bytes.length })
          return
        }
        for (let start = 0; start < lines.length; ) {
          const end = lines.indexOf(10, start)
          const stop = end < 0 ? lines.length : end
          const event = messageEvent(
            toText(lines.subarray(start, Math.min(stop, start + maxLineBytes))),
            time,
          )
          if (stop - start > maxLineBytes) event.tag('_truncated')
          emit(event)
          start = stop + 1
        }
      },
    }
  },
})

/** RFC 1952: the last four bytes are the size before compression, modulo 2^32. */
function announcedSize(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(bytes.length - 4, true)
}
