/**
 * `millrace dlq list|show|replay|purge`: looks after dead letter queues, of this program or of Logstash, whether a
 * pipeline is writing them or not. Results go to standard output, everything else to standard error.
 */
import { resolve } from 'node:path'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import { parseAge } from '../../queue/dead-letters/retention.ts'
import { SettingsError } from '../../settings/errors.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { diskFiles } from '../../storage/files.ts'
import { home } from '../home.ts'
import { onTerminal, ProcessTerminal, type Terminal } from '../terminal.ts'
import { type DlqSession, listQueues, purgeQueues, replayEntries, showEntries } from './dlq-actions.ts'
import { findQueues } from './dlq-queues.ts'
import { printTo, ReaderGone } from './printed-results.ts'

const usage = `Usage: millrace dlq COMMAND [OPTIONS]

Commands:
    list                    Print what is in the queues: entries, bytes, times, the most frequent reasons.
    show                    Print entries as JSON.
    replay                  Send events again: as JSON lines to standard output, or to an http input.
    purge                   Remove entries; whole segments only.

Options:
    --path DIR              Directory of the queues. Default: path.dead_letter_queue of the settings.
    --path.settings DIR     Directory with logstash.yml.
    --path.data DIR         Data directory, when the settings do not say where the queues are.
    --pipeline ID           Only the queue of this pipeline; may be repeated.
    --plugin NAME           Only entries of this plugin, by name or id.
    --reason TEXT           Only entries whose reason contains the text.
    --since TIME            Only entries from then on: 2026-01-31T12:00:00Z, or an age such as 2h or 7d.
    --until TIME            Only entries before then.
    --limit N               At most so many entries. Default of show: 20.
    --to URL                replay: of an http input, http://localhost:8080; several events per request.
    --remove                replay: remove segments all of whose entries were sent.
    --before TIME           purge: segments all of whose entries are older.
    --all                   purge: all segments.
    --yes                   purge: do not ask.
    --json                  list, purge: as JSON. show: one line per entry.
    --help                  Print this text.
`

const valued = [
  '--path',
  '--path.settings',
  '--path.data',
  '--pipeline',
  '--plugin',
  '--reason',
  '--since',
  '--until',
  '--limit',
  '--to',
  '--before',
] as const
const flags = ['--remove', '--all', '--yes', '--json', '--help'] as const
type Valued = (typeof valued)[number]
type Flag = (typeof flags)[number]

interface Request {
  readonly command: string | undefined
  readonly values: ReadonlyMap<Valued, string>
  readonly pipelines: readonly string[]
  readonly flags: ReadonlySet<Flag>
}

const commands: Readonly<Record<string, (session: DlqSession) => Promise<number>>> = {
  list: listQueues,
  show: showEntries,
  replay: replayEntries,
  purge: purgeQueues,
}

const defaultShown = 20

export interface DlqOutput {
  print(text: string): Promise<void>
  tell(text: string): void
}

function processOutput(): DlqOutput {
  return { print: printTo(process.stdout), tell: (text) => void process.stderr.write(text) }
}

export async function dlqCommand(
  args: readonly string[],
  terminal: Terminal = new ProcessTerminal(),
  output: DlqOutput = processOutput(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  return onTerminal(
    terminal,
    async () => {
      const request = parse(args)
      const { command } = request
      const run = command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined
      if (request.flags.has('--help') || run === undefined) {
        await output.print(usage)
        return request.flags.has('--help') ? 0 : 1
      }
      try {
        return await run(await sessionOf(request, terminal, output, env))
      } catch (error) {
        if (error instanceof ReaderGone) return 1
        throw error
      }
    },
    (text) => output.tell(text),
  )
}

function parse(args: readonly string[]): Request {
  const words: string[] = []
  const values = new Map<Valued, string>()
  const pipelines: string[] = []
  const given = new Set<Flag>()
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [name = '', ...rest] = argument.split('=')
    if (valued.includes(name as Valued)) {
      const value = rest.length > 0 ? rest.join('=') : left.shift()
      if (value === undefined) throw new SettingsError(`The option '${name}' needs a value`)
      if (name === '--pipeline') pipelines.push(value)
      else values.set(name as Valued, value)
    } else if (argument === '-h') given.add('--help')
    else if (flags.includes(argument as Flag)) given.add(argument as Flag)
    else if (argument.startsWith('-'))
      throw new SettingsError(`Unrecognized option '${argument}' for command 'dlq'`)
    else words.push(argument)
  }
  if (words.length > 1) throw new SettingsError(`'${words[1]}' is no option of 'dlq ${words[0]}'`)
  return { command: words[0], values, pipelines, flags: given }
}

async function sessionOf(
  { command, values, pipelines, flags: given }: Request,
  terminal: Terminal,
  output: DlqOutput,
  env: Readonly<Record<string, string | undefined>>,
): Promise<DlqSession> {
  const before = timeOf('--before', values)
  if (command === 'purge' && before === undefined && !given.has('--all'))
    throw new SettingsError("purge needs '--before TIME' or '--all'")
  return {
    files: diskFiles,
    queues: findQueues(diskFiles, await rootOf(values, env), pipelines),
    filter: {
      plugin: values.get('--plugin'),
      reason: values.get('--reason'),
      since: timeOf('--since', values),
      until: timeOf('--until', values),
    },
    limit: limitOf(values, command === 'show' ? defaultShown : Number.POSITIVE_INFINITY),
    isJson: given.has('--json'),
    to: urlOf(values),
    isRemoving: given.has('--remove'),
    before,
    isSure: async (question) => {
      if (given.has('--yes')) return true
      if (!terminal.isInteractive) throw new SettingsError("nobody can be asked here: say '--yes'")
      terminal.write(question)
      return /^y(?:es)?$/i.test(((await terminal.readLine()) ?? '').trim())
    },
    print: output.print,
    tell: output.tell,
  }
}

async function rootOf(
  values: ReadonlyMap<Valued, string>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const path = values.get('--path')
  if (path !== undefined) return resolve(path)
  const argv = (['--path.settings', '--path.data'] as const).flatMap((name) => {
    const value = values.get(name)
    return value === undefined ? [] : [name, value]
  })
  const settings = await readSettings({ argv, env, home })
  return resolve(settings.get('path.dead_letter_queue'))
}

/** A time, or an age before now. */
function timeOf(name: Valued, values: ReadonlyMap<Valued, string>): number | undefined {
  const text = values.get(name)
  if (text === undefined) return undefined
  if (/^\d+\s*[dhms]$/.test(text)) return Date.now() - parseAge(text)
  const time = parseTimestamp(text)
  if (time === undefined)
    throw new SettingsError(
      `'${text}' of ${name} is no time; write 2026-01-31T12:00:00Z, or an age such as 7d`,
    )
  return time.millis
}

function limitOf(values: ReadonlyMap<Valued, string>, otherwise: number): number {
  const text = values.get('--limit')
  if (text === undefined) return otherwise
  if (!/^\d{1,12}$/.test(text)) throw new SettingsError(`'${text}' of --limit is no number`)
  return Number(text)
}

function urlOf(values: ReadonlyMap<Valued, string>): URL | undefined {
  const text = values.get('--to')
  if (text === undefined) return undefined
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new SettingsError(`'${text}' of --to is no address; write http://localhost:8080`)
  return new URL(text)
}
