/**
 * The pipe output: events as lines to the standard input of commands that stay running. A command that ended is
 * started again for the next event; one that was not used for a while is told so by the end of its input.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { defineOutput, option, Undelivered } from '../../plugin/define.ts'
import { encodeByTarget, encodeOf } from '../../plugin/encode-buffer.ts'
import { pause } from '../delivery/pause.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'

/** Commands running at the same time. */
const maxCommands = 256
/** Seconds between two looks for commands that have nothing to do. */
const lookEvery = 10
const maxTries = 3
/** Milliseconds a command has to end once its input did. */
const timeoutMillis = 5000

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  isEnded: boolean
  usedAt: number
}

export default defineOutput({
  name: 'pipe',
  summary: 'Writes events to the standard input of commands.',
  description:
    'Commands run in a shell, with the rights of this program: texts of events in `command` become part of what the ' +
    'shell reads. An event whose command cannot take it after three tries is given up.',
  options: {
    command: option.string({ required: true, doc: 'Command line for the shell; may contain `%{…}`.' }),
    message_format: option.string({
      doc: 'What is written, instead of the text of the codec; may contain `%{…}`.',
    }),
    ttl: option.number({
      default: 10,
      doc: 'Seconds without an event after which the input of a command is closed; -1 for never.',
    }),
  },
  codec: 'plain',
  concurrency: 'single',
  create({ options, codec, codecName, compile, abort, logger }) {
    const { ttl } = options
    const commandOf = compile.template(options.command)
    const format = options.message_format
    const message = format === undefined ? undefined : compile.template(format)
    const encode = message === undefined ? encodeOf(codec, codecName) : undefined
    const running = new Map<string, Running>()
    let timer: NodeJS.Timeout | undefined

    function start(command: string): Running {
      logger.debug('Opening pipe', { command })
      const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'] })
      const one: Running = {
        child,
        isEnded: false,
        usedAt: Date.now(),
        ended: new Promise((resolve) => {
          const over = () => {
            one.isEnded = true
            if (running.get(command) === one) running.delete(command)
            resolve()
          }
          child.once('close', over)
          child.once('error', over)
        }),
      }
      child.stdin!.on('error', () => undefined)
      running.set(command, one)
      return one
    }

    async function close(one: Running): Promise<void> {
      one.child.stdin?.end()
      const enough = setTimeout(() => one.child.kill('SIGKILL'), timeoutMillis)
      await one.ended
      clearTimeout(enough)
    }

    async function makeRoom(): Promise<void> {
      if (running.size < maxCommands) return
      const [command, oldest] = [...running].sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]!
      running.delete(command)
      await close(oldest)
    }

    const write = (one: Running, bytes: Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => {
        const over = () => reject(new Error('the command ended'))
        if (one.isEnded) over()
        else void one.ended.then(over)
        one.child.stdin!.write(bytes, (error) => (error ? reject(error) : resolve()))
      })

    async function deliver(command: string, bytes: Uint8Array): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          if (!running.has(command)) await makeRoom()
          const one = running.get(command) ?? start(command)
          one.usedAt = Date.now()
          await write(one, bytes)
          return
        } catch (error) {
          abort.throwIfAborted()
          const { message: reason } = error as Error
          if (attempt >= maxTries) {
            logger.error('Cannot write to the pipe', { command, reason })
            throw new Undelivered(reason, [command])
          }
          logger.warn('Cannot write to the pipe, will retry', { command, reason })
          await pause(100 * attempt, abort)
        }
      }
    }

    function closeIdle(): void {
      for (const [command, one] of running) {
        if (Date.now() - one.usedAt <= ttl * 1000) continue
        logger.debug('Closing pipe', { command })
        running.delete(command)
        void close(one)
      }
    }

    return {
      register() {
        if (ttl < 0) return
        timer = setInterval(closeIdle, Math.max(1, Math.min(ttl, lookEvery)) * 1000)
        timer.unref()
      },
      encode: (events) => encodeByTarget(events, encode ?? ((event) => `${message!(event)}\n`), commandOf),
      async write(blocks) {
        await writeEach(blocks, ({ target, bytes }) => deliver(target, new Uint8Array(bytes)))
      },
      async close() {
        clearInterval(timer)
        await Promise.all([...running.values()].map(close))
        running.clear()
      },
    }
  },
})
