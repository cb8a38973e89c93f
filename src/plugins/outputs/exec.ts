/** The exec output: runs a command for each event, one after the other. */
import { type ChildProcess, spawn } from 'node:child_process'
import { defineOutput, option } from '../../plugin/define.ts'

/** The start of what a command prints, for the log. */
const maxLoggedLength = 4096

export default defineOutput({
  name: 'exec',
  summary: 'Runs a command for each event.',
  description:
    'Commands run in a shell, with the rights of this program: texts of events in `command` become part of what the ' +
    'shell reads, so use only fields you trust. A command that fails is logged, and the next event follows.',
  options: {
    command: option.string({ required: true, doc: 'Command line for the shell; may contain `%{…}`.' }),
    quiet: option.boolean({ default: false, doc: 'Whether not to log what commands print.' }),
  },
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const commandOf = compile.template(options.command)
    let child: ChildProcess | undefined
    const stop = () => endGroup(child)

    const run = (command: string): Promise<{ status: number | string; output: string; errors: string }> =>
      new Promise((resolve, reject) => {
        const kept = { output: '', errors: '' }
        const stdio = options.quiet ? ('ignore' as const) : ('pipe' as const)
        // A group of its own, so that all of it can be ended.
        const running = spawn(command, { shell: true, detached: true, stdio: ['ignore', stdio, stdio] })
        child = running
        const keep = (name: 'output' | 'errors') => (chunk: Buffer) => {
          if (kept[name].length < maxLoggedLength)
            kept[name] += chunk.toString('utf8').slice(0, maxLoggedLength)
        }
        running.stdout?.on('data', keep('output'))
        running.stderr?.on('data', keep('errors'))
        running.once('error', reject)
        running.once('close', (code, signal) => {
          child = undefined
          resolve({ status: code ?? signal ?? 0, ...kept })
        })
      })

    return {
      register() {
        abort.addEventListener('abort', stop)
      },
      async receive(events) {
        for (const event of events) {
          abort.throwIfAborted()
          const command = commandOf(event)
          logger.debug('running exec command', { command })
          try {
            const { status, output, errors } = await run(command)
            if (output !== '') logger.info('debugging stdout', { stdout: output })
            if (errors !== '') logger.warn('debugging stderr', { stderr: errors })
            if (status !== 0) logger.warn('Command exited with a failure', { command, status })
          } catch (error) {
            const { message } = error as Error
            logger.error('Error while running command', { command, message })
            giveUp(event, message)
          }
        }
      },
      close() {
        abort.removeEventListener('abort', stop)
        endGroup(child)
      },
    }
  },
})

function endGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It is over already.
  }
}
