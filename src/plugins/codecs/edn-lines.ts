/** The edn_lines codec: an event is a map in EDN, one per line. */
import { defineCodec } from '../../plugin/define.ts'
import { ednCodec, ednOptions } from './edn/events.ts'

export default defineCodec({
  name: 'edn_lines',
  summary: 'Reads and writes events as EDN, a line each.',
  description:
    'A line that is no map becomes an event with the text in `message` and the tag `_ednparsefailure`.',
  options: ednOptions,
  examples: [
    {
      title: 'Reading',
      config: 'edn_lines { }',
      decode: { text: '{"a" 1}\n{"a" 2.5}\n', out: [{ a: 1 }, { a: 2.5 }] },
    },
  ],
  create: (context) => ({ ...ednCodec(context, '\n'), delimiter: Buffer.from('\n') }),
})
