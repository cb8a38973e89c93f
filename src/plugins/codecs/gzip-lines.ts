/**
 * The gzip_lines codec: a payload is a gzip file of lines, each of which is an event. How much a payload may
 * grow is limited, so that a small one cannot fill the memory.
 */
import { gunzipSync } from 'node:zlib'
import { defineCodec, option } from '../../plugin/define.ts'
import { bytesToText, charsetDoc, charsetNames } from './charset.ts'
import { messageEvents } from './message-event.ts'

const mostBytes = 512 * 1024 * 1024

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
          lines = gunzipSync(bytes, { maxOutputLength: mostBytes })
        } catch (error) {
          const { message } = error as Error
          logger.error('Gzip codec: We cannot uncompress the gzip file', { message, bytes: bytes.length })
          return
        }
        for (let start = 0; start < lines.length; ) {
          const end = lines.indexOf(10, start)
          const stop = end < 0 ? lines.length : end
          emit(messageEvent(toText(lines.subarray(start, stop)), time))
          start = stop + 1
        }
      },
    }
  },
})
