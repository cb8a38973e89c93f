/**
 * The nagios output: passive check results into the command file of Nagios, a line each:
 *
 *   [1700000000] PROCESS_SERVICE_CHECK_RESULT;host;service;level;text
 *
 * The command file is a named pipe that Nagios reads; where nobody reads, nothing can be written.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Event } from '../../event/event.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { rubyText } from '../ruby-values/text.ts'

/** What one write to a pipe leaves in one piece on Linux. */
const maxLineLength = 4095

export default defineOutput({
  name: 'nagios',
  summary: 'Sends passive check results to Nagios.',
  description: [
    'Events need the fields `nagios_host` and `nagios_service`. `nagios_annotation` stands before the message, and',
    '`nagios_level` decides the state unless it is one of the option. Nothing is kept while Nagios does not run.',
  ].join('\n'),
  options: {
    commandfile: option.string({
      default: '/var/lib/nagios3/rw/nagios.cmd',
      doc: 'The command file of Nagios.',
    }),
    nagios_level: option.oneOf(['0', '1', '2', '3'], {
      default: '2',
      doc: 'State of the check: 0 is OK, 1 warning, 2 critical, 3 unknown.',
    }),
  },
  concurrency: 'shared',
  create({ options, compile, logger, giveUp }) {
    const { commandfile } = options
    const [host, service, annotation, level, message] = [
      'nagios_host',
      'nagios_service',
      'nagios_annotation',
      'nagios_level',
      'message',
    ].map((name) => compile.get(name))

    function lineOf(event: Event): string | undefined {
      const first = (get = host) => {
        const value = get?.(event)
        return Array.isArray(value) ? value[0] : value
      }
      const [hostName, serviceName] = [first(), first(service)]
      if (hostName === undefined || hostName === null) {
        logger.warn('Skipping nagios output; nagios_host field is missing')
        return undefined
      }
      if (serviceName === undefined || serviceName === null) {
        logger.warn('Skipping nagios output; nagios_service field is missing')
        return undefined
      }
      const state = levelOf(first(level)) ?? options.nagios_level
      const note = first(annotation)
      const prefix = note === undefined || note === null ? '' : `${rubyText(note)}: `
      const text = `${prefix}${rubyText(message?.(event) ?? null)}`
        .replaceAll('\n', '<br/>')
        .replaceAll(/[\r;]/g, ' ')
      const seconds = Math.floor((event.timestamp?.millis ?? Date.now()) / 1000)
      const head = [hostName, serviceName].map((part) => rubyText(part).replaceAll(/[\r\n;]/g, ' '))
      return `[${seconds}] PROCESS_SERVICE_CHECK_RESULT;${head.join(';')};${state};${text}`
    }

    return {
      async receive(events) {
        let file: FileHandle | undefined
        try {
          for (const event of events) {
            const line = lineOf(event)
            if (line === undefined) continue
            try {
              // Without a reader this fails at once instead of waiting for one.
              file ??= await open(commandfile, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
              await file.write(`${cut(line)}\n`)
            } catch (error) {
              const { message: reason } = error as Error
              logger.warn('Skipping nagios output; command file is missing', { commandfile, reason })
              giveUp(event, reason)
            }
          }
        } finally {
          await file?.close()
        }
      },
    }
  },
})

function cut(line: string): string {
  if (Buffer.byteLength(line) <= maxLineLength) return line
  return Buffer.from(line)
    .subarray(0, maxLineLength)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
}

const levels: Readonly<Record<string, string>> = { ok: '0', warning: '1', critical: '2', unknown: '3' }

/** A number, or one of Nagios' words. */
function levelOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value).toLowerCase()
  return /^[0-3]$/.test(text) ? text : levels[text]
}
