/** The msgpack codec: an event is a map in MessagePack, one per payload. */

import { Event } from '../../event/event.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { isFields } from '../../event/value.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { unpack } from './msgpack/reader.ts'
import { pack } from './msgpack/writer.ts'

const maxLoggedLength = 1000

export default defineCodec({
  name: 'msgpack',
  summary: 'Reads and writes events as MessagePack.',
  description:
    'A payload is one map. One that cannot be read becomes an event with the bytes as text in `message` and the ' +
    'tag `_msgpackparsefailure`.',
  options: {
    format: option.string({ doc: 'Text for the field `message` of events that are read, with `%{…}`.' }),
    target: option.fieldReference({
      doc: 'Field that takes the map, instead of its members becoming fields of the event.',
    }),
  },
  create({ options: { format, target }, compile, logger }) {
    const message = format === undefined ? undefined : compile.template(format)
    const setTarget = target === undefined ? undefined : compile.set(target)

    const read = (bytes: Uint8Array, time: Timestamp): Event => {
      const value = unpack(bytes)
      if (!isFields(value)) throw new TypeError('the payload is not a map')
      if (setTarget === undefined) return Event.from(value, time)
      const event = new Event({ '@timestamp': time, '@version': '1' })
      setTarget(event, value)
      return event
    }

    return {
      decodeBytes(bytes, emit, time) {
        let event: Event
        try {
          event = read(bytes, time)
          if (message !== undefined) event.set('message', message(event))
        } catch (error) {
          const text = utf8Text(Buffer.from(bytes))
          logger.warn('Trouble parsing msgpack input, falling back to plain text', {
            input: text.slice(0, maxLoggedLength),
            exception: (error as Error).name,
            message: (error as Error).message,
          })
          event = new Event({ '@timestamp': time, '@version': '1', message: text })
          event.tag('_msgpackparsefailure')
        }
        emit(event)
      },
      encode: (event) => pack(event.data),
    }
  },
})
