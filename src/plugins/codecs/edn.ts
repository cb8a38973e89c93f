/** The edn codec: an event is a map in EDN, one per payload. */
import { defineCodec } from '../../plugin/define.ts'
import { ednCodec, ednOptions } from './edn/events.ts'

export default defineCodec({
  name: 'edn',
  summary: 'Reads and writes events as EDN, the data format of Clojure.',
  description:
    'A payload that is no map becomes an event with the text in `message` and the tag `_ednparsefailure`.',
  options: ednOptions,
  examples: [
    {
      title: 'Reading',
      config: 'edn { }',
      decode: {
        text: '{:user "kim" :n 7 :tags #{"a"} #_ignored :x/y \\z}',
        out: [{ user: 'kim', n: 7, tags: ['a'], 'x/y': 'z' }],
      },
    },
  ],
  create: (context) => ednCodec(context, ''),
})
