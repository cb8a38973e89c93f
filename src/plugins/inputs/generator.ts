/** Makes events by itself: for demos, benchmarks and tests of filters and outputs. */
import { hostname } from 'node:os'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { openStandardInput } from '../receiving/standard-input.ts'
import { Stop } from '../receiving/stop.ts'

/** Records handed over at once when nothing slows the generator down. */
const burst = 125

const maxLineLength = 1024 * 1024

export default defineInput({
  name: 'generator',
  summary: 'Generates events from a fixed message or a list of lines, as fast as the pipeline takes them.',
  originLast: true,
  options: {
    message: option.string({
      default: 'Hello world!',
      doc: 'Text of every event; the word `stdin` reads one line from standard input and uses that.',
    }),
    lines: option.list(option.string({ doc: 'A line.' }), {
      doc: 'Lines to emit in order, again and again; replaces `message`.',
    }),
    count: option.number({
      default: 0,
      doc: 'How many events to make (rounds over `lines`, when given); 0 means without end.',
    }),
    threads: option.number({ default: 1, doc: 'How many generators to run, each with a count of its own.' }),
    interval: option.number({
      doc: 'Seconds to wait after each event, fractions allowed. An addition of Millrace, for demos at a human pace.',
    }),
  },
  create({ options, ecs, abort, logger }) {
    const { message, lines, count, threads, interval } = options
    const origin: Origin = { fields: [[ecs === 'disabled' ? 'host' : '[host][name]', hostname()]] }
    const reference = ecs === 'disabled' ? 'sequence' : '[event][sequence]'
    const stop = new Stop()
    const isOver = (sequence: number) => stop.isRequested || abort.aborted || (count > 0 && sequence >= count)

    const repeat = async (sink: Sink, payload: Buffer): Promise<void> => {
      for (let sequence = 0; !isOver(sequence); ) {
        const size = count > 0 ? Math.min(burst, count - sequence) : burst
        await sink.repeat(payload, origin, size, { reference, first: sequence })
        sequence += size
      }
    }
    const cycle = async (sink: Sink, payloads: readonly Buffer[]): Promise<void> => {
      for (let sequence = 0; !isOver(sequence); sequence++) {
        for (const payload of payloads) {
          if (isOver(sequence)) return
          await sink.repeat(payload, origin, 1, { reference, first: sequence })
          if (interval !== undefined) await stop.sleep(interval * 1000)
        }
      }
    }
    const texts = async (): Promise<readonly string[]> => {
      if (lines !== undefined) return lines
      if (message !== 'stdin') return [message]
      logger.info('Generator plugin reading a line from stdin')
      const line = await firstLine(stop)
      logger.debug('Generator line read complete', { message: line })
      return line === '' ? [] : [line]
    }

    return {
      async run(sink) {
        const payloads = (await texts()).map((text) => Buffer.from(text))
        const [only] = payloads
        if (only === undefined) return
        const generate = () =>
          payloads.length === 1 && interval === undefined ? repeat(sink, only) : cycle(sink, payloads)
        await Promise.all(Array.from({ length: Math.max(1, threads) }, generate))
      },
      stop() {
        stop.request()
      },
    }
  },
})

/** The first line of standard input with its line feed, as Ruby's `readline` has it. */
async function firstLine(stop: Stop): Promise<string> {
  const input = openStandardInput()
  void stop.requested.then(() => input.destroy())
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of input) {
      const end = (chunk as Buffer).indexOf(10)
      chunks.push(end < 0 ? (chunk as Buffer) : (chunk as Buffer).subarray(0, end + 1))
      bytes += (chunk as Buffer).length
      if (end >= 0 || bytes > maxLineLength) break
    }
  } catch (error) {
    if (!stop.isRequested) throw error
  }
  return Buffer.concat(chunks).toString()
}
