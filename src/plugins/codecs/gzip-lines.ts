/**
 * The gzip_lines codec: a payload is a gzip file of lines, each of which is an event. It is unpacked a little at a time, as
 * the pipeline takes the lines; how much it may grow is limited, so that a small one does not become work for hours. Lines
 * are bounded as in a stream.
 */
import { unpackedPieces } from '../../memory/unpacking.ts'
import { defineCodec } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { messageEvents } from '../decoding/message-event.ts'

const maxUnpackedBytes = 100 * 1024 * 1024

export default defineCodec({
  name: 'gzip_lines',
  summary: 'Reads payloads that are gzip files of lines.',
  description:
    'A payload that cannot be unpacked is logged, and what cannot be read of it is dropped. It may come to 100 MB; more than ' +
    '32 MB only if that is less than 200 times what was sent.',
  options: {
    charset: charsetOption,
  },
  create({ options: { charset }, logger }) {
    const messageEvent = messageEvents(false)
    return {
      delimiter: Buffer.from('\n'),
      async *unpack(payload) {
        try {
          yield* unpackedPieces(payload, 'gzip', maxUnpackedBytes)
        } catch (error) {
          const { message } = error as Error
          logger.error('Gzip codec: We cannot uncompress the gzip file', { message, bytes: payload.length })
          throw error
        }
      },
      ...decodeText(charset, (text, emit, time) => emit(messageEvent(text, time))),
    }
  },
})
