/**
 * The file output: events appended to files whose names may depend on the event. Every batch reaches the
 * operating system before it counts as delivered.
 */
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { type Block, defineOutput, option } from '../../plugin/define.ts'
import { encodeBlock, encodeOf, groupByTarget } from '../../plugin/encode-buffer.ts'
import { fileOptions, filePathOption, OutputFiles } from '../delivery/output-files.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'

const compress = promisify(gzipCallback)

export default defineOutput({
  name: 'file',
  summary: 'Writes events to files.',
  description:
    'One line of JSON per event unless a codec says otherwise. With `gzip` every batch is a gzip member of its ' +
    'own, so that a file can be read at any time. While a disk is full, events wait. A path that cannot be opened, ' +
    'because of missing rights for instance, is tried for some seconds; then its events are given up.',
  options: {
    path: filePathOption,
    flush_interval: option.number({
      default: 2,
      doc: 'Accepted for compatibility, in seconds; every batch is written through at once.',
    }),
    gzip: option.boolean({ default: false, doc: 'Whether to compress what is written.' }),
    create_if_deleted: option.boolean({
      default: true,
      doc: 'Whether to create a file again that is missing; otherwise its events go to `filename_failure`.',
    }),
    ...fileOptions,
    message_format: option.string({
      doc: 'Old form of the `line` codec with a format.',
      obsolete: "You can achieve the same behavior with the 'line' codec",
      accepted: 'Use the `line` codec with `format` instead.',
    }),
  },
  codec: 'json_lines',
  concurrency: 'single',
  create({ options, codec, codecName, compile, abort, logger }) {
    const { gzip, create_if_deleted } = options
    const overwrite = options.write_behavior === 'overwrite'
    const encode = encodeOf(codec, codecName)
    const output = new OutputFiles(options, { compile, logger, abort })
    const { paths, files, delivery } = output

    const writeSlowly = (blocks: readonly Block[]): Promise<void> =>
      writeEach(blocks, async ({ target, bytes }) => {
        const missing = !create_if_deleted && !(await exists(target))
        await delivery.write(missing ? paths.failurePath : target, gzip ? await compress(bytes) : bytes)
      })

    return {
      writesThrough: true,
      register: () => output.start(),
      encode(events) {
        const groups = groupByTarget(events, paths.pathOf)
        return [...groups].map(([target, group]) => {
          if (!overwrite) return encodeBlock(group, encode, target)
          return { ...encodeBlock(group.slice(-1), encode, target), count: group.length }
        })
      },
      write(blocks) {
        if (gzip || !create_if_deleted) return writeSlowly(blocks)
        for (let i = 0; i < blocks.length; i++) {
          const { target, bytes } = blocks[i]!
          const done = files.writeNow(target, bytes)
          if (done === bytes.length) continue
          const left = blocks.slice(i)
          return writeEach(left, (block) =>
            delivery.write(block.target, block.bytes, block === left[0] ? done : 0),
          )
        }
      },
      close: () => output.close(),
    }
  },
})

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
