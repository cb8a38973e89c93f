/** Reads events from standard input until it ends. */
import { hostname } from 'node:os'
import type { Readable } from 'node:stream'
import { defineInput, type Origin } from '../../plugin/define.ts'
import { isTerminal, openStandardInput } from '../receiving/standard-input.ts'

export default defineInput({
  name: 'stdin',
  summary: 'Reads events from standard input; its end is the end of the pipeline.',
  codec: 'line',
  streaming: true,
  originLast: true,
  reloadable: false,
  options: {},
  create({ ecs, abort, logger }) {
    const origin: Origin = {
      fields: [[ecs === 'disabled' ? 'host' : '[host][hostname]', hostname()]],
    }
    let input: Readable | undefined
    let stopped = false
    const stop = () => {
      stopped = true
      input?.destroy()
    }
    return {
      async run(sink) {
        if (stopped || abort.aborted) return
        if (isTerminal()) logger.info('The stdin plugin is now waiting for input:')
        const stream = sink.stream(origin)
        input = openStandardInput()
        abort.addEventListener('abort', stop, { once: true })
        try {
          for await (const chunk of input) await stream.write(chunk as Buffer)
        } catch (error) {
          if (!stopped) throw error
        } finally {
          abort.removeEventListener('abort', stop)
        }
        await stream.end()
      },
      stop,
    }
  },
})
