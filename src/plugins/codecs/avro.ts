/** The avro codec: a payload is one datum of a schema, without the header of an Avro file. */
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import { isFields, type Value } from '../../event/value.ts'
import { defineCodec, option } from '../../plugin/define.ts'
import { schemaText } from '../decoding/schema-text.ts'
import { readAvro } from './avro/reader.ts'
import { avroSchema } from './avro/schema.ts'
import { writeAvro } from './avro/writer.ts'

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\s*$/

export default defineCodec({
  name: 'avro',
  summary: 'Reads and writes events as Avro data.',
  description: [
    'Times of the logical types `timestamp-millis` and `timestamp-micros` become times. A payload that cannot be read',
    'becomes an event with its text in `message`. Files of Avro, with a schema in them, are something else.',
  ].join('\n'),
  options: {
    schema_uri: option.string({
      required: true,
      doc: 'Path or URL of the schema, in JSON.',
    }),
    encoding: option.oneOf(['base64', 'binary'], {
      default: 'base64',
      doc: 'Whether data is in base64 or as it is; a datum that is not in base64 is read as it is.',
    }),
    tag_on_failure: option.boolean({
      default: false,
      doc: 'Whether to tag events that could not be read with `_avroparsefailure`.',
    }),
    target: option.fieldReference({
      doc: 'Field that takes the datum, instead of its members becoming fields of the event.',
    }),
    base64_encoding: option.boolean({
      doc: 'Old form of `encoding`.',
      deprecated: 'Use `encoding` instead.',
    }),
  },
  create({ options, ecs, compile, logger }) {
    const { target, tag_on_failure } = options
    const isBase64 = options.base64_encoding ?? options.encoding === 'base64'
    const setTarget = target === undefined ? undefined : compile.set(target)
    const schema = avroSchema(parseJson(schemaText(options.schema_uri)))

    const datumOf = (bytes: Buffer): Value => {
      if (!isBase64) return readAvro(bytes, schema)
      const text = bytes.toString('latin1')
      return readAvro(base64.test(text) ? Buffer.from(text, 'base64') : bytes, schema)
    }

    return {
      decodeBytes(bytes, emit, time) {
        const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        let event: Event
        try {
          const datum = datumOf(data)
          if (setTarget !== undefined) {
            event = new Event({ '@timestamp': time, '@version': '1' })
            setTarget(event, datum)
          } else if (isFields(datum)) event = Event.from(datum, time)
          else throw new TypeError('the datum is no record')
          if (ecs !== 'disabled') event.set('[event][original]', utf8Text(data))
        } catch (error) {
          const details = { error: (error as Error).message }
          logger.error('Avro parse error, original data now in message field', details)
          event = new Event({ '@timestamp': time, '@version': '1', message: utf8Text(data) })
          if (tag_on_failure) event.tag('_avroparsefailure')
        }
        emit(event)
      },
      encode(event) {
        const bytes = writeAvro(event.data, schema)
        return isBase64 ? bytes.toString('base64') : bytes
      },
    }
  },
})
