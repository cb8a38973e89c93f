/**
 * Runs a shell command again and again; everything it prints is one payload. A run that is under way when the
 * pipeline stops is ended, with all processes it started.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { float } from '../../event/value.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { endGroup } from '../receiving/process-group.ts'
import { Stop } from '../receiving/stop.ts'
import { cronSchedule, runOnSchedule } from '../schedule/schedule.ts'

/** A command that prints more than this is ended. */
const maxOutputBytes = 100 * 1024 * 1024

interface Run {
  readonly output: Buffer
  readonly exitStatus: number
  readonly seconds: number
}

export default defineInput({
  name: 'exec',
  summary: 'Runs a command in intervals and takes its whole output as an event.',
  originLast: true,
  options: {
    command: option.string({ required: true, doc: 'Command line for the shell.' }),
    interval: option.number({ doc: 'Seconds from the start of one run to the start of the next.' }),
    schedule: option.string({
      doc: 'When to run, as a cron expression such as `0 */2 * * * Europe/Paris`; instead of `interval`.',
    }),
  },
  concerns: (options) => startConcern('command', () => checkSchedule(options)),
  create({ options, ecs, logger }) {
    const { command, interval, schedule } = options
    const stop = new Stop()
    const host = hostname()
    let child: ChildProcess | undefined

    const originOf = ({ exitStatus, seconds }: Run): Origin => ({
      fields:
        ecs === 'disabled'
          ? [
              ['host', host],
              ['command', command],
              ['[@metadata][exit_status]', exitStatus],
              ['[@metadata][duration]', float(seconds)],
            ]
          : [
              ['[host][name]', host],
              ['[process][command_line]', command],
              ['[process][exit_code]', exitStatus],
              ['[@metadata][input][exec][process][elapsed_time]', Math.round(seconds * 1e9)],
            ],
    })

    const run = (): Promise<Run> =>
      new Promise((resolve, reject) => {
        const started = performance.now()
        const chunks: Buffer[] = []
        let length = 0
        // A group of its own, so that all of it can be ended.
        const running = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
        child = running
        running.stdout.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length <= maxOutputBytes) return
          endGroup(running)
          reject(new Error(`more than ${maxOutputBytes} bytes of output`))
        })
        running.once('error', reject)
        running.once('close', (code, signal) => {
          child = undefined
          resolve({
            output: Buffer.concat(chunks),
            exitStatus: code ?? (signal === null ? 0 : 128),
            seconds: (performance.now() - started) / 1000,
          })
        })
      })

    const execute = async (sink: Sink): Promise<number> => {
      const started = performance.now()
      logger.debug('Running exec', { command })
      try {
        const result = await run()
        if (stop.isRequested) return 0
        await sink.record(result.output, originOf(result))
      } catch (error) {
        if (!stop.isRequested) {
          logger.error('Error while running command', {
            command,
            exception: (error as Error).name,
            message: (error as Error).message,
          })
        }
      }
      const duration = (performance.now() - started) / 1000
      logger.debug('Command completed', { command, duration })
      return duration
    }

    return {
      register: () => checkSchedule(options),
      async run(sink) {
        if (schedule !== undefined) {
          await runOnSchedule(cronSchedule(schedule), stop, async () => {
            await execute(sink)
          })
          return
        }
        while (!stop.isRequested) {
          const duration = await execute(sink)
          if (duration > interval!) {
            logger.warn('Execution ran longer than the interval. Skipping sleep.', {
              command,
              duration,
              interval,
            })
          } else await stop.sleep((interval! - duration) * 1000)
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

function checkSchedule({
  interval,
  schedule,
}: {
  interval: number | undefined
  schedule: string | undefined
}): void {
  if ((interval === undefined) === (schedule === undefined))
    throw new Error("exec input: either 'interval' or 'schedule' option must be defined.")
  if (schedule !== undefined) cronSchedule(schedule)
}
