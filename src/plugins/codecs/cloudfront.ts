/**
 * The cloudfront codec: a payload is an access log of Amazon CloudFront, a gzip file whose first two lines say version and
 * fields. Every further line is an event. How much a payload may unpack to is limited.
 */

import { gunzipSync } from 'node:zlib'
import { Event } from '../../event/event.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { defineCodec } from '../../plugin/define.ts'
import { lineFeed } from '../../text/ascii.ts'
import { bytesToText, charsetOption } from '../decoding/charset.ts'

const maxUnpackedBytes = 64 * 1024 * 1024

export default defineCodec({
  name: 'cloudfront',
  summary: 'Reads access logs of Amazon CloudFront.',
  description:
    'Each line becomes an event with the line in `message` (with its end, as in Logstash) and what the first two lines ' +
    'say in `cloudfront_version` and `cloudfront_fields`. A payload that cannot be unpacked, or comes to more than 64 MB, is ' +
    'logged and dropped. The `s3` input unpacks objects itself and knows these two lines; it needs no codec for them.',
  options: {
    charset: charsetOption,
  },
  create({ options: { charset }, logger }) {
    const toText: (bytes: Buffer) => string = bytesToText(charset) ?? utf8Text
    return {
      decodeBytes(payload, emit, time) {
        let bytes: Buffer
        try {
          bytes = gunzipSync(payload, { maxOutputLength: maxUnpackedBytes })
        } catch (error) {
          const { message } = error as Error
          logger.error('Cloudfront codec: We cannot uncompress the gzip file', {
            message,
            bytes: payload.length,
          })
          return
        }
        const lines = linesOf(bytes)
        const version = saidBy(lines.next().value, '#Version: ')
        const fields = saidBy(lines.next().value, '#Fields: ')
        for (const line of lines) {
          const event = { message: toText(line), cloudfront_version: version, cloudfront_fields: fields }
          emit(Event.from(event, time))
        }
      },
    }
  },
})

/** Each with its end. */
function* linesOf(bytes: Buffer): Generator<Buffer, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start)
    const next = end < 0 ? bytes.length : end + 1
    yield bytes.subarray(start, next)
    start = next
  }
  return undefined
}

function saidBy(line: Buffer | undefined, head: string): string | null {
  const text = line?.toString('utf8').trim() ?? ''
  return text.startsWith(head) && text.length > head.length ? text.slice(head.length) : null
}
