/**
 * Runs a shell command that prints events, one per line, for as long as it likes, and starts it again ten seconds
 * after it ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { endGroup } from '../receiving/process-group.ts'
import { Stop } from '../receiving/stop.ts'

const pauseMilliseconds = 10_000
const newline = Buffer.from('\n')

export default defineInput({
  name: 'pipe',
  summary: 'Reads events from the output of a command that keeps running, line by line.',
  originLast: true,
  options: {
    command: option.string({ required: true, doc: 'Command line for the shell.' }),
  },
  create({ options, ecs, logger }) {
    const { command } = options
    const stop = new Stop()
    const host = hostname()
    let child: ChildProcess | undefined
    const origin: Origin = {
      fields:
        ecs === 'disabled'
          ? [
              ['host', host],
              ['command', command],
            ]
          : [
              ['[host][name]', host],
              ['[process][command_line]', command],
            ],
    }

    async function runOnce(sink: Sink): Promise<void> {
      // A group of its own, so that all of it can be ended.
      const running = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
      child = running
      const failure = new Promise<never>((_, reject) => running.once('error', reject))
      failure.catch(() => undefined)
      const stream = sink.stream(origin, { delimiter: newline })
      const read = async () => {
        for await (const chunk of running.stdout as AsyncIterable<Buffer>) await stream.write(chunk)
      }
      try {
        await Promise.race([read(), failure])
      } finally {
        child = undefined
        await stream.end()
      }
    }

    return {
      async run(sink) {
        while (!stop.isRequested) {
          try {
            await runOnce(sink)
          } catch (error) {
            if (stop.isRequested) return
            const { name, message } = error as Error
            logger.error('Exception while running command', { command, exception: name, message })
          }
          await stop.sleep(pauseMilliseconds)
        }
      },
      stop() {
        stop.request()
        if (child !== undefined) endGroup(child)
      },
      close() {
        if (child !== undefined) endGroup(child)
      },
    }
  },
})
