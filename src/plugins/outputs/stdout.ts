/** The stdout output: events on the standard output of the process. */
import { defineOutput, option } from '../../plugin/define.ts'
import { encodeBlock, encodeOf } from '../../plugin/encode-buffer.ts'
import { DescriptorWriter } from '../delivery/descriptor-writer.ts'

export default defineOutput({
  name: 'stdout',
  summary: 'Prints events on the standard output.',
  description:
    'When the reader of the standard output goes away, events for it are discarded and one line of the log says so.',
  options: {
    debug: option.boolean({
      doc: 'No longer has a meaning: events are printed whole unless a codec is given.',
      removed: 'It has no effect.',
    }),
  },
  codec: 'rubydebug',
  concurrency: 'single',
  create({ codec, codecName, abort, logger }) {
    const encode = encodeOf(codec, codecName)
    const writer = new DescriptorWriter(1, abort, () => {
      logger.warn('Nobody reads the standard output any more; events for it are discarded')
    })
    return {
      writesThrough: true,
      encode: (events) => [encodeBlock(events, encode, 'stdout')],
      async write(blocks) {
        for (const { bytes } of blocks) await writer.write(bytes)
      },
    }
  },
})
