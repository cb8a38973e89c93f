/** The json_lines codec: a stream of JSON documents, one per line. */
import { defineCodec, option } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'
import { compileJsonDecode } from '../decoding/json-events.ts'

const defaultLimit = 20 * 1024 * 1024

export default defineCodec({
  name: 'json_lines',
  summary: 'Reads a stream of JSON documents, one per line, and writes events as lines of JSON.',
  description:
    'A line with an object becomes one event, with a list of objects one event each. Any other line becomes an ' +
    'event with the text in `message` and the tag `_jsonparsefailure`; a blank one becomes nothing.',
  options: {
    charset: charsetOption,
    delimiter: option.string({ default: '\n', doc: 'What stands between two documents.' }),
    decode_size_limit_bytes: option.number({
      default: defaultLimit,
      doc: 'Longest line that is read, in bytes; a longer one is cut, its event gets the tag `_truncated`. The default is less where `memory.limit` is below 1 GB.',
    }),
    target: option.fieldReference({
      doc: 'Field that takes the object, instead of its members becoming fields of the event.',
    }),
  },
  examples: [
    {
      title: 'Each line is an event',
      config: 'json_lines { }',
      decode: { text: '{"a":1}\n\n{"a":2}\n', out: [{ a: 1 }, { a: 2 }] },
    },
    {
      title: 'A line that is not JSON',
      config: 'json_lines { }',
      decode: { text: '{"a":\n', out: [{ message: '{"a":', tags: ['_jsonparsefailure'] }] },
    },
  ],
  create({ options: { charset, delimiter, decode_size_limit_bytes, target }, compile, logger }) {
    if (decode_size_limit_bytes <= 0) throw new RangeError('Size limit must be positive')
    const { decode, preview } = compileJsonDecode({
      target,
      keepOriginal: false,
      compile,
      onFailure: (details) => logger.warn('JSON parse error, original data now in message field', details),
    })
    return {
      delimiter: Buffer.from(delimiter),
      ...(decode_size_limit_bytes !== defaultLimit && { maxRecordBytes: decode_size_limit_bytes }),
      ...decodeText(charset, decode),
      preview,
      encode: (event) => event.toJson() + delimiter,
      writesJsonLines: delimiter === '\n',
    }
  },
})
