/**
 * `millrace migrate`: moves indices, data streams and what stands beside them from the embedded store into a cluster, or
 * back, while writes go on. Exit code 0 when everything is the same at both ends, 1 when it is not or the run was
 * interrupted, 2 for a wrong command line.
 */
import type { ClusterClientOptions } from '../../cluster/cluster-client.ts'
import { ClusterClient } from '../../cluster/cluster-client.ts'
import { basicAuthorization, parseHost } from '../../cluster/cluster-host.ts'
import { abandon, type MigrationOptions, migrate } from '../../migrate/migration.ts'
import { SearchStore } from '../../migrate/search-store.ts'
import { SettingsError } from '../../settings/errors.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { diskFiles } from '../../storage/files.ts'
import { type Arguments, refuse } from '../arguments.ts'
import { type CommandOutput, processOutput } from '../command-output.ts'
import { home } from '../home.ts'
import { runCommand } from '../run-command.ts'
import { MigrationLines } from './migration-lines.ts'

const usage = `Usage: millrace migrate [OPTIONS]

Copies indices, data streams, aliases, templates, ingest pipelines and stored scripts from one store to
another while writes go on, compares both, and says what to change in the settings. A second run of the
same command goes on where the first one ended.

    millrace migrate                                      from this node to search.cluster.hosts
    millrace migrate --from cluster --to store --replace  and back, while no node has the store open

Options:
    --from END       Where the documents are (node).
    --to END         Where they go (cluster). END is an address, or one of
                       node      the node that runs here, at search.http.port
                       cluster   search.cluster.hosts with the user and certificates of the settings
                       store     the embedded store at search.path, opened by this command
    --from-user, --to-user NAME:PASSWORD
    --index PATTERN  Names, with commas or several times (*); those with a dot in front have to be named.
    --rate N         At most N documents in a second.
    --workers N      Requests at once (4).
    --replace        Indices and definitions that the target has already are replaced.
    --keep           The source takes writes again afterwards; without it it stays blocked for writing.
    --verify-all     Compare every document once more while the source is blocked.
    --dry-run        Say what would be done.
    --abandon        Give up an interrupted run: unblock the source, forget how far it was.
    --state DIR      Directory of the file that says how far it is (path.data).
    --path.settings DIR, --path.data DIR, --search.path DIR
`

const settingValues = ['--path.settings', '--path.data', '--search.path']
const maxWorkers = 64
const maxRetryMillis = 5 * 60_000

interface End {
  readonly store: SearchStore
  close(): Promise<void>
}

const rules = {
  usage,
  command: 'migrate',
  switches: ['--replace', '--keep', '--verify-all', '--dry-run', '--abandon'],
  values: [
    ...['--from', '--to', '--from-user', '--to-user', '--index', '--rate', '--workers', '--state'],
    ...settingValues,
  ],
}

export async function migrateCommand(
  args: readonly string[],
  output: CommandOutput = processOutput(),
): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    if (given.words.length > 0) refuse('migrate', `Unrecognised argument '${given.words[0]}'`)
    const argv = settingValues.flatMap((flag) => given.all(flag).flatMap((value) => [flag, value]))
    const settings = await readSettings({
      argv: [...argv, '--log.level', 'error'],
      env: process.env,
      home,
    })
    const workers = numberOf(given, '--workers', maxWorkers) ?? 4
    const rate = numberOf(given, '--rate', Number.MAX_SAFE_INTEGER)
    const interruption = new AbortController()
    const interrupt = () => interruption.abort(new Error('interrupted'))
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    const ends: End[] = []
    try {
      for (const [flag, standard] of [
        ['--from', 'node'],
        ['--to', 'cluster'],
      ] as const)
        ends.push(
          await openEnd(given.value(flag) ?? standard, given.value(`${flag}-user`), {
            settings,
            signal: interruption.signal,
          }),
        )
      return await run(given, { settings, ends, workers, rate, signal: interruption.signal }, output)
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      for (const end of ends) await end.close()
    }
  })
}

interface Run {
  readonly settings: Settings
  readonly ends: readonly End[]
  readonly workers: number
  readonly rate: number | undefined
  readonly signal: AbortSignal
}

async function run(
  given: Arguments,
  { settings, ends, workers, rate, signal }: Run,
  output: CommandOutput,
): Promise<number> {
  const lines = new MigrationLines(output)
  const [source, target] = ends.map(({ store }) => store) as [SearchStore, SearchStore]
  const isDryRun = given.has('--dry-run')
  const options: MigrationOptions = {
    source,
    target,
    patterns: patternsOf(given),
    files: diskFiles,
    directory: given.value('--state') ?? settings.get('path.data'),
    workers,
    rate,
    mayReplace: given.has('--replace'),
    keepsSource: given.has('--keep'),
    verifiesAll: given.has('--verify-all'),
    isDryRun,
    signal,
    tell: (line) => lines.tell(line),
    progress: (progress) => lines.progress(progress),
  }
  try {
    if (given.has('--abandon')) {
      await abandon(options)
      lines.tell('the migration is given up; what was copied is left where it is')
      return 0
    }
    const { isComplete, documents, failures, blockedMillis } = await migrate(options)
    if (isDryRun) {
      lines.tell(`${documents} documents would be copied from ${source.url} to ${target.url}`)
      return isComplete ? 0 : 1
    }
    if (!isComplete) {
      lines.tell(`not complete: ${failures} documents were refused; the same command tries again`)
      return 1
    }
    const blocked = `${(blockedMillis / 1000).toFixed(1)} s without writes`
    lines.tell(`${documents} documents are the same at ${source.url} and ${target.url} (${blocked})`)
    await output.print(advice(given))
    return 0
  } catch (error) {
    if (error instanceof SettingsError) throw error
    lines.tell(`ERROR: ${(error as Error).message}`)
    lines.tell('nothing was switched; the same command goes on from here')
    return 1
  }
}

/** The one line to change. */
function advice(given: Arguments): string {
  const to = given.value('--to') ?? 'cluster'
  const line =
    to === 'cluster'
      ? 'search.backend: opensearch   # or elasticsearch'
      : to === 'store' || to === 'node'
        ? 'search.backend: embedded'
        : `search.cluster.hosts: ["${parseHost(to).url}"]`
  const after = given.has('--keep')
    ? 'The source takes writes again; what is written there from now on is not at the target.'
    : 'The source is blocked for writing until then (index.blocks.write); pipelines wait and go on after the restart.'
  return `Set in logstash.yml and restart the node:\n\n    ${line}\n\n${after}\n`
}

async function openEnd(
  text: string,
  user: string | undefined,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<End> {
  const { clientOptionsOf } = await import('../../cluster-store.ts')
  const cluster = await clientOptionsOf(settings)
  if (text === 'store') return openStore(settings, signal)
  const { authorization, ...plain } = cluster
  const options: ClusterClientOptions =
    text === 'cluster' ? cluster : { ...plain, hosts: [parseHost(addressOf(text, settings))] }
  const client = new ClusterClient({
    ...options,
    ...(user !== undefined && { authorization: authorizationOf(user) }),
  })
  const url = options.hosts.map((host) => host.url).join(',')
  return { store: new SearchStore({ client, url, maxRetryMillis, signal }), close: () => client.close() }
}

function addressOf(text: string, settings: Settings): string {
  return text === 'node' ? `http://127.0.0.1:${settings.get('search.http.port').first}` : text
}

function authorizationOf(user: string): string {
  const colon = user.indexOf(':')
  return colon < 0
    ? basicAuthorization(user, '')
    : basicAuthorization(user.slice(0, colon), user.slice(colon + 1))
}

/** The embedded store behind a port of its own on loopback, for as long as the command runs. */
async function openStore(settings: Settings, signal: AbortSignal): Promise<End> {
  const directory = settings.get('search.path')
  const { lockDataDirectory } = await import('../../storage/data-lock.ts')
  const { startEndpoint } = await import('../../endpoint.ts')
  diskFiles.makeDirectory(directory)
  const lock = await lockDataDirectory(directory, 'search.path')
  const endpoint = await startEndpoint({ directory, flavor: settings.get('search.compat.flavor') })
  const hosts = [parseHost(endpoint.url)]
  const client = new ClusterClient({ hosts, connectMillis: 5000, requestMillis: 90_000, retries: 0 })
  return {
    // The port is another one each time; the directory is what it is.
    store: new SearchStore({ client, url: directory, maxRetryMillis, signal }),
    async close() {
      await client.close()
      await endpoint.stop()
      await lock.release()
    },
  }
}

function patternsOf(given: Arguments): string[] {
  const patterns = given.all('--index').flatMap((value) => value.split(','))
  return patterns.length === 0 ? ['*'] : patterns
}

function numberOf(given: Arguments, flag: string, max: number): number | undefined {
  const text = given.value(flag)
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > max)
    refuse('migrate', `option '${flag}': ${text} is not a number from 1 to ${max}`)
  return number
}
