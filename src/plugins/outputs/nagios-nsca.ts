/** The nagios_nsca output: passive check results by way of the command `send_nsca`. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'

const maxLoggedLength = 2000
/** Milliseconds the command may take. */
const timeoutMillis = 60_000

export default defineOutput({
  name: 'nagios_nsca',
  summary: 'Sends passive check results to Nagios with send_nsca.',
  description:
    'The field `nagios_annotation` stands before the message. An event that the command does not take is logged ' +
    'and given up.',
  options: {
    host: option.string({ default: 'localhost', doc: 'The server that runs NSCA.' }),
    port: option.number({ default: 5667, doc: 'Port of the server.' }),
    send_nsca_bin: option.string({ default: '/usr/sbin/send_nsca', doc: 'Path of the command.' }),
    send_nsca_config: option.path({ doc: 'Configuration file of the command.' }),
    nagios_host: option.string({ default: '%{host}', doc: 'Name of the host; may contain `%{…}`.' }),
    nagios_service: option.string({ default: 'LOGSTASH', doc: 'Name of the service; may contain `%{…}`.' }),
    nagios_status: option.string({
      required: true,
      doc: 'State of the check, 0 to 3; may contain `%{…}`, whatever is no number is 3.',
    }),
    message_format: option.string({
      default: '%{@timestamp} %{host}: %{message}',
      doc: 'Text of the result; may contain `%{…}`.',
    }),
  },
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const { send_nsca_bin, send_nsca_config } = options
    const [host, service, status, format] = [
      options.nagios_host,
      options.nagios_service,
      options.nagios_status,
      options.message_format,
    ].map((text) => compile.template(text))
    const annotation = compile.get('nagios_annotation')

    /** Separators within a part would make it two. */
    function lineOf(event: Event): string {
      const given = status!(event)
      const state = /^[0-3]$/.test(given) ? given : '3'
      const note = annotation(event)
      const text = (note === undefined || note === null ? '' : `${String(note)}: `) + format!(event)
      const clean = text.replaceAll('\n', '<br/>').replaceAll("'", '&#146;')
      return `${[host!(event), service!(event), state, clean].map((part) => part.replaceAll(/[~\r\n]/g, ' ')).join('~')}\n`
    }

    const send = (line: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const args = ['-H', options.host, '-p', String(options.port), '-d', '~']
        if (send_nsca_config !== undefined) args.push('-c', send_nsca_config)
        const child = spawn(send_nsca_bin, args, {
          stdio: ['pipe', 'pipe', 'pipe'],
          timeout: timeoutMillis,
          signal: abort,
        })
        let output = ''
        const keep = (chunk: Buffer) => {
          if (output.length < maxLoggedLength) output += chunk.toString('utf8')
        }
        child.stdout.on('data', keep)
        child.stderr.on('data', keep)
        child.stdin.on('error', () => undefined)
        child.once('error', reject)
        child.once('close', (code) =>
          code === 0 ? resolve() : reject(new Error(output.trim() || `exit ${code}`)),
        )
        child.stdin.end(line)
      })

    return {
      async receive(events) {
        for (const event of events) {
          abort.throwIfAborted()
          if (!existsSync(send_nsca_bin)) {
            logger.warn('Skipping nagios_nsca output; send_nsca_bin file is missing', { send_nsca_bin })
            giveUp(event, `${send_nsca_bin} is missing`)
            continue
          }
          try {
            await send(lineOf(event))
          } catch (error) {
            abort.throwIfAborted()
            const { message } = error as Error
            logger.warn('Skipping nagios_nsca output; error calling send_nsca', { error: message })
            giveUp(event, message)
          }
        }
      },
    }
  },
})
