/**
 * `millrace keystore create|add|list|remove`: secrets for `${NAME}`, kept in the file that the settings name.
 * Values are never arguments, which other users of the machine could see: they are asked for or read from a pipe.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsError } from '../settings/errors.ts'
import {
  createKeystore,
  keystoreExists,
  loadKeystore,
  noPasswordWarning,
  passwordVariable,
} from '../settings/keystore.ts'
import { hasPlaceholder } from '../settings/substitution.ts'
import { flattenNames, parseYaml } from '../settings/yaml-text.ts'
import { onTerminal, ProcessTerminal, type Terminal } from './terminal.ts'

interface Request {
  readonly command: string | undefined
  readonly names: string[]
  readonly directory: string
  readonly isStdin: boolean
  readonly isForced: boolean
  readonly isHelp: boolean
}

interface Session extends Request {
  readonly file: string
  readonly password: string | undefined
  readonly terminal: Terminal
}

const usage = `Usage: millrace keystore [OPTIONS] COMMAND [NAMES]

Commands:
    create                  Make a new, empty keystore.
    list                    Print the names of the secrets, never the secrets.
    add NAME...             Add secrets; each is asked for, or read from standard input, a line each.
    remove NAME...          Remove secrets.

Options:
    --path.settings DIR     Directory with logstash.yml and the keystore.
    --stdin                 Do not ask: the values come from standard input.
    --force                 Overwrite, and create without a password, without asking.
    --help                  Print this text.

The password of the keystore is read from the environment variable ${passwordVariable}.
`

/** How often an empty answer is asked for again. */
const attempts = 3

const commands: Readonly<Record<string, (session: Session) => Promise<number>>> = {
  create,
  list,
  add,
  remove,
}

export async function keystoreCommand(
  args: readonly string[],
  terminal: Terminal = new ProcessTerminal(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  return onTerminal(terminal, async () => {
    const request = parse(args, env)
    const run =
      request.command === undefined || !Object.hasOwn(commands, request.command)
        ? undefined
        : commands[request.command]
    if (request.isHelp || run === undefined) {
      terminal.write(usage)
      return request.isHelp ? 0 : 1
    }
    const file = await keystoreFile(request.directory)
    return await run({ ...request, file, password: env[passwordVariable], terminal })
  })
}

function parse(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Request {
  const words: string[] = []
  const flags = new Set<string>()
  let directory = env['LS_SETTINGS_DIR'] || join(packageDirectory(), 'config')
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (argument.startsWith('--path.settings=')) directory = argument.slice('--path.settings='.length)
    else if (argument === '--path.settings') directory = left.shift() ?? missing(argument)
    else if (['--stdin', '--force', '--help', '-h'].includes(argument)) flags.add(argument)
    else if (argument.startsWith('-'))
      throw new SettingsError(`Unrecognized option '${argument}' for command 'keystore'`)
    else words.push(argument)
  }
  const [command, ...names] = words
  return {
    command,
    names,
    directory,
    isStdin: flags.has('--stdin'),
    isForced: flags.has('--force'),
    isHelp: flags.has('--help') || flags.has('-h'),
  }
}

function missing(flag: string): never {
  throw new SettingsError(`option '${flag}': no value provided`)
}

/** The program is bundled in more than one depth; its directory is the one with package.json. */
function packageDirectory(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory)
    directory = dirname(directory)
  return directory
}

/** `keystore.file` of logstash.yml. The other settings may need the very secret that is about to be added. */
async function keystoreFile(directory: string): Promise<string> {
  const standard = join(directory, 'millrace.keystore')
  const text = await readFile(join(directory, 'logstash.yml'), 'utf8').catch(() => undefined)
  const document = text === undefined ? undefined : await parseYaml(text)
  const named = document instanceof Map ? flattenNames(document).get('keystore.file') : undefined
  return typeof named === 'string' && !hasPlaceholder(named) ? named : standard
}

async function create({ file, password, terminal, isForced }: Session): Promise<number> {
  const agrees = async (question: string) => isForced || (await isYes(terminal, question))
  if (
    (await keystoreExists(file)) &&
    !(await agrees('An Logstash keystore already exists. Overwrite ? [y/N] '))
  )
    return 1
  if (password === undefined) {
    const question = `WARNING: ${noPasswordWarning} Continue without password protection on the keystore? [y/N] `
    if (isForced) terminal.write(`WARNING: ${noPasswordWarning}\n`)
    else if (!(await isYes(terminal, question))) return 1
  }
  await createKeystore(file, password)
  terminal.write(`Created Logstash keystore at ${file}\n`)
  return 0
}

async function list({ file, password, terminal }: Session): Promise<number> {
  const keystore = await loadKeystore(file, password)
  for (const name of keystore.list()) terminal.write(`${name}\n`)
  return 0
}

async function add(session: Session): Promise<number> {
  const { file, password, names, terminal, isForced, isStdin } = session
  if (names.length === 0) {
    throw new SettingsError('You must supply an identifier to add. (e.g. millrace keystore add MY_SECRET)')
  }
  if (!(await keystoreExists(file))) {
    throw new SettingsError("Logstash keystore not found. Use 'create' command to create one.")
  }
  const keystore = await loadKeystore(file, password)
  for (const name of names) {
    const isKept =
      keystore.get(name) !== undefined &&
      !isForced &&
      !(await isYes(terminal, `${name} already exists. Overwrite ? [y/N] `))
    if (isKept) continue
    await keystore.add(name, await askSecret(terminal, isStdin ? '' : `Enter value for ${name}: `))
    terminal.write(`Added '${name.toLowerCase()}' to the Logstash keystore.\n`)
  }
  return 0
}

async function remove({ file, password, names, terminal }: Session): Promise<number> {
  if (names.length === 0) {
    throw new SettingsError('You must supply a value to remove. (e.g. millrace keystore remove MY_SECRET)')
  }
  const keystore = await loadKeystore(file, password)
  let code = 0
  for (const name of names) {
    if (await keystore.remove(name)) {
      terminal.write(`Removed '${name.toLowerCase()}' from the Logstash keystore.\n`)
    } else {
      terminal.write(`ERROR: '${name}' does not exist in the Logstash keystore.\n`)
      code = 1
    }
  }
  return code
}

async function askSecret(terminal: Terminal, prompt: string): Promise<string> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    terminal.write(prompt)
    const secret = await terminal.readSecret()
    if (secret) return secret
    if (secret === undefined || !terminal.isInteractive) break
    if (attempt < attempts) terminal.write('ERROR: Value cannot be empty\n')
  }
  throw new SettingsError('Value cannot be empty')
}

async function isYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.write(question)
  const answer = (await terminal.readLine())?.trim().toLowerCase()
  return answer === 'y' || answer === 'yes'
}
