/**
 * `millrace store check|repair|export`: looks after the files of the embedded store while no node has them open. `check`
 * reads every byte and changes nothing; `repair` writes damaged shards anew from what can be read and moves what they had
 * into the quarantine; `export` prints documents as lines for `_bulk`, also those of a damaged index. Exit code 0 when all
 * is well, 1 when something is damaged or could not be read, 2 for a wrong command line.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { compileJavaPattern } from '../../regex/java-pattern.ts'
import { bestState, checkStore, isSound, type StoreCheck } from '../../search/repair/check-store.ts'
import { repairStore, type ShardRepair } from '../../search/repair/repair-store.ts'
import { type Problem, Salvage } from '../../search/repair/salvage.ts'
import { SettingsError } from '../../settings/errors.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { lockDataDirectory } from '../../storage/data-lock.ts'
import { diskFiles } from '../../storage/files.ts'
import { home } from '../home.ts'
import { Progress } from '../progress.ts'

const usage = `Usage: millrace store check  [OPTIONS] [INDEX...]
       millrace store repair [OPTIONS]
       millrace store export [OPTIONS] INDEX...

check reads every byte of the embedded store and says what is damaged; it changes nothing.
repair writes damaged shards anew from the documents that can be read. The files they had are moved
to the folder "quarantine" of the store, none is deleted.
export prints documents as lines for _bulk, as far as they can be read.
The node must not be running.

Options:
    --path.settings DIR   Directory with logstash.yml.
    --path.data DIR       Directory of the node's data.
    --search.path DIR     Directory of the store.
    --json                Print one JSON document instead of text.
    --help                Print this text.
`

const withValue: ReadonlySet<string> = new Set(['--path.settings', '--path.data', '--search.path'])

interface Request {
  readonly verb: string
  readonly names: readonly string[]
  readonly flags: readonly string[]
  readonly isJson: boolean
}

export async function storeCommand(args: readonly string[]): Promise<number> {
  try {
    const request = parse(args)
    if (request === undefined) {
      process.stdout.write(usage)
      return 0
    }
    const settings = await readSettings({ argv: request.flags, env: process.env, home })
    const directory = settings.get('search.path')
    if (!existsSync(directory)) throw new SettingsError(`there is no store at ${directory}`)
    const lock = await lockDataDirectory(directory, 'search.path')
    try {
      return await run(request, directory)
    } finally {
      await lock.release()
    }
  } catch (error) {
    process.stderr.write(`ERROR: ${(error as Error).message}\n`)
    return error instanceof SettingsError ? 2 : 1
  }
}

function parse(args: readonly string[]): Request | undefined {
  const [names, flags]: [string[], string[]] = [[], []]
  let isJson = false
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [name = argument] = argument.split('=', 1)
    if (argument === '--help' || argument === '-h') return undefined
    if (argument === '--json') isJson = true
    else if (withValue.has(name)) flags.push(argument, ...(argument === name ? left.splice(0, 1) : []))
    else if (argument.startsWith('-')) throw new SettingsError(`Unrecognised option '${argument}'`)
    else names.push(argument)
  }
  const [verb, ...rest] = names
  if (verb === undefined || !['check', 'repair', 'export'].includes(verb))
    throw new SettingsError(`say what to do: check, repair or export\n\n${usage}`)
  if (verb === 'export' && rest.length === 0) throw new SettingsError('say which index to export')
  return { verb, names: rest, flags, isJson }
}

async function run({ verb, names, isJson }: Request, directory: string): Promise<number> {
  if (verb === 'export') return exportIndices(directory, names)
  if (verb === 'repair') return repair(directory, isJson)
  const check = checkStore(diskFiles, directory, names.length === 0 ? undefined : names)
  process.stdout.write(isJson ? `${JSON.stringify(check, null, 2)}\n` : checkText(check))
  return isSound(check) ? 0 : 1
}

function checkText(check: StoreCheck): string {
  const lines = check.problems.map(problemText)
  for (const { index, shards } of check.indices) {
    for (const { shard, documents, problems } of shards) {
      lines.push(
        `${index} [${shard}]: ${documents} documents, ${problems.length === 0 ? 'sound' : 'DAMAGED'}`,
      )
      lines.push(...problems.map(problemText))
    }
  }
  for (const path of check.dangling) lines.push(`${path}: a folder of no index`)
  const verdict = isSound(check)
    ? 'The store is sound.'
    : 'The store is damaged. `millrace store repair` keeps what can be read; make a copy of the folder first.'
  return `${[...lines, verdict].join('\n')}\n`
}

function problemText({ message, lost }: Problem): string {
  const missing = lost === undefined || lost === 0 ? '' : ` (${lost} documents or operations)`
  return `    ${message}${missing}`
}

async function repair(directory: string, isJson: boolean): Promise<number> {
  const done = isJson ? undefined : (one: ShardRepair) => void process.stdout.write(repairText(one))
  const result = await repairStore({
    files: diskFiles,
    directory,
    compile: compileJavaPattern,
    ...(done !== undefined && { done }),
  })
  if (isJson) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else {
    for (const problem of result.problems) process.stdout.write(`${problemText(problem)}\n`)
    const { length } = result.shards
    process.stdout.write(
      length === 0 && result.problems.length === 0
        ? 'Nothing was damaged.\n'
        : `${length} shards were written anew.\n`,
    )
  }
  const after = checkStore(diskFiles, directory)
  return isSound(after) ? 0 : 1
}

function repairText({ index, shard, documents, refused, problems, keptAt }: ShardRepair): string {
  const lines = [`${index} [${shard}]: ${documents} documents kept; the files it had are in ${keptAt}`]
  if (refused > 0) lines.push(`    ${refused} documents could be read, but the mapping refuses them`)
  return `${[...lines, ...problems.map(problemText)].join('\n')}\n`
}

/** `{"index":{"_index":…,"_id":…}}` and the document, a line each. */
async function exportIndices(directory: string, names: readonly string[]): Promise<number> {
  const { state } = bestState(diskFiles, directory)
  let isWhole = true
  for (const name of names) {
    const index = Object.values(state?.indices ?? {}).find((one) => one.name === name)
    const folder = `${directory}/indices/${index?.uuid ?? name}`
    const shards = diskFiles.list(folder).filter((one) => /^\d+$/.test(one))
    if (shards.length === 0) throw new SettingsError(`there is no index ${name}`)
    for (const shard of shards) {
      const salvage = new Salvage(diskFiles, `${folder}/${shard}`)
      const progress = new Progress({ title: `export of ${name}`, unit: 'documents' })
      for (const { id, routing, source } of salvage.documents()) {
        const action = { index: { _index: name, _id: id, ...(routing !== undefined && { routing }) } }
        const line = `${JSON.stringify(action)}\n${Buffer.from(source).toString('utf8').replaceAll('\n', ' ')}\n`
        if (!process.stdout.write(line)) await once(process.stdout, 'drain')
        progress.add(1)
      }
      progress.end()
      for (const problem of salvage.problems) process.stderr.write(`${problemText(problem)}\n`)
      if (salvage.problems.length > 0) isWhole = false
    }
  }
  return isWhole ? 0 : 1
}
