/** The dots codec: a dot per event, to see that something moves. */
import { defineCodec } from '../../plugin/define.ts'

export default defineCodec({
  name: 'dots',
  summary: 'Writes a dot for every event.',
  options: {},
  examples: [{ title: 'A dot per event', config: 'dots { }', encode: { in: { message: 'hi' }, text: '.' } }],
  create: () => ({ encode: () => '.' }),
})
