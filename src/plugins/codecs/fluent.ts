/** The fluent codec: events in the forward protocol of Fluentd and Fluent Bit. */

import { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import type { Fields, Value } from '../../event/value.ts'
import { defineCodec, type Emit, option } from '../../plugin/define.ts'
import { ForwardDecoder } from './fluent/forward-decoder.ts'
import { pack } from './msgpack/writer.ts'

export default defineCodec({
  name: 'fluent',
  summary: 'Reads and writes the forward protocol of Fluentd.',
  description:
    'The tag of a record becomes a tag of its event, the time of the record its time. Acknowledgements and ' +
    'handshakes of the protocol are not part of a codec; turn them off at the sender.',
  options: {
    nanosecond_precision: option.boolean({
      default: false,
      doc: 'Whether times are written to the nanosecond; they are read that way in any case.',
    }),
    target: option.fieldReference({
      doc: 'Field that takes the record, instead of its members becoming fields of the event.',
    }),
  },
  create({ options: { nanosecond_precision, target }, compile, logger }) {
    const setTarget = target === undefined ? undefined : compile.set(target)

    const eventOf = (tag: Value, time: Timestamp, record: Fields): Event => {
      const event =
        setTarget === undefined
          ? Event.from({ ...record, '@timestamp': time })
          : new Event({ '@timestamp': time, '@version': '1' })
      setTarget?.(event, record)
      event.tag(valueText(tag))
      return event
    }

    const decodeWith = (decoder: ForwardDecoder, bytes: Uint8Array, emit: Emit): void => {
      try {
        decoder.decode(bytes, (tag, time, record) => emit(eventOf(tag, time, record)))
      } catch (error) {
        logger.error('Fluent parse error, original data now in message field', {
          error: (error as Error).message,
          bytes: bytes.length,
        })
        const event = Event.from({ message: utf8Text(Buffer.from(bytes)) })
        event.tag('_fluentparsefailure')
        emit(event)
      }
    }

    return {
      decoder() {
        const decoder = new ForwardDecoder()
        return {
          decodeBytes: (bytes, emit) => decodeWith(decoder, bytes, emit),
          flush() {
            if (decoder.isWaiting) logger.warn('Fluent message is cut off')
          },
        }
      },
      encode(event) {
        const tags = event.data['tags']
        const tag = Array.isArray(tags)
          ? tags.map(valueText).join('.')
          : tags == null
            ? 'log'
            : valueText(tags)
        const time = event.timestamp ?? Timestamp.now()
        const head = Buffer.concat([Buffer.from([0x93]), pack(tag)])
        const stamp = nanosecond_precision ? eventTime(time) : pack(Math.floor(time.millis / 1000))
        return Buffer.concat([head, stamp, pack(event.data)])
      },
    }
  },
})

/** Fluentd's extension 0: seconds and nanoseconds, four bytes each. */
function eventTime(time: Timestamp): Buffer {
  const bytes = Buffer.from([0xd7, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const seconds = Math.floor(time.millis / 1000)
  bytes.writeUInt32BE(seconds >>> 0, 2)
  bytes.writeUInt32BE((time.millis - seconds * 1000) * 1e6 + time.nanos, 6)
  return bytes
}
