/** The json codec: a payload is one JSON document, an object or a list of objects. */
import { defineCodec, option } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { compileJsonDecode } from '../decoding/json-events.ts'

export default defineCodec({
  name: 'json',
  summary: 'Reads each payload as a JSON document, and writes events as JSON without a delimiter.',
  description:
    'An object becomes one event, a list of objects one event each. Any other text becomes an event with the ' +
    'text in `message` and the tag `_jsonparsefailure`; a blank one becomes nothing. Documents separated by ' +
    'line feeds are for the `json_lines` codec.',
  options: {
    charset: charsetOption,
    target: option.fieldReference({
      doc: 'Field that takes the object, instead of its members becoming fields of the event.',
    }),
  },
  examples: [
    {
      title: 'A list becomes several events',
      config: 'json { ecs_compatibility => "disabled" }',
      decode: { text: '[{"a":1},{"a":2}]', out: [{ a: 1 }, { a: 2 }] },
    },
    {
      title: 'Put the object below a field',
      config: 'json { ecs_compatibility => "disabled" target => "[doc]" }',
      decode: { text: '{"a":"b"}', out: [{ doc: { a: 'b' } }] },
    },
  ],
  create({ options: { charset, target }, ecs, compile, logger }) {
    const { decode, preview } = compileJsonDecode({
      target,
      keepOriginal: ecs !== 'disabled',
      compile,
      onFailure: (details) => logger.error('JSON parse error, original data now in message field', details),
    })
    return { ...decodeText(charset, decode), preview, encode: (event) => event.toJson() }
  },
})
