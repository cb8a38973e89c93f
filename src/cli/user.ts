/**
 * `millrace user add|passwd|roles|remove|list`: users of the node, in the file that the settings name. Works with or
 * without a running node, which notices the change. Passwords are asked for or read from a pipe, never arguments,
 * which other users of the machine could see.
 */
import { join } from 'node:path'
import { hashPassword } from '../security/password-hash.ts'
import { roleNamed } from '../security/principal.ts'
import { newUser } from '../security/security.ts'
import { SecurityFile } from '../security/security-file.ts'
import { type StoredUser, withEntry } from '../security/security-state.ts'
import { SettingsError } from '../settings/errors.ts'
import { readSettings } from '../settings/read-settings.ts'
import { diskFiles } from '../storage/files.ts'
import { home } from './home.ts'
import { onTerminal, ProcessTerminal, type Terminal } from './terminal.ts'

const usage = `Usage: millrace user [OPTIONS] COMMAND [NAME]

Commands:
    add NAME                Add a user; the password is asked for, or read from standard input.
    passwd NAME             Change the password of a user.
    roles NAME              Change the roles of a user.
    remove NAME             Remove a user.
    list                    Print users and their roles.

Options:
    --role ROLE             Role of the user; may be given several times. Built in are superuser, admin,
                            monitor, read and write; others are made with PUT /_security/role/NAME.
    --stdin                 Do not ask: the password comes from standard input.
    --path.settings DIR     Directory with logstash.yml.
    --path.data DIR         Directory of the node's data.
    --security.path DIR     Directory of users and roles; by default the folder security of the data.
    --help                  Print this text.
`

const minPasswordLength = 6
const maxPasswordLength = 1024
const attempts = 3

interface Request {
  readonly command: string | undefined
  readonly name: string | undefined
  readonly roles: readonly string[]
  readonly isStdin: boolean
  readonly isHelp: boolean
  /** For the settings. */
  readonly argv: readonly string[]
}

interface Session extends Request {
  readonly file: SecurityFile
  readonly terminal: Terminal
}

const commands: Readonly<Record<string, (session: Session, name: string) => Promise<number>>> = {
  add,
  passwd,
  roles: changeRoles,
  remove,
}

export async function userCommand(
  args: readonly string[],
  terminal: Terminal = new ProcessTerminal(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  return onTerminal(terminal, async () => {
    const request = parse(args)
    const { command, name } = request
    const run = command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined
    if (request.isHelp || (run === undefined && command !== 'list')) {
      terminal.write(usage)
      return request.isHelp ? 0 : 1
    }
    const settings = await readSettings({ argv: request.argv, env, home })
    const file = new SecurityFile(diskFiles, join(settings.get('security.path'), 'security.json'))
    const session = { ...request, file, terminal }
    if (run === undefined) return list(session)
    if (name === undefined)
      throw new SettingsError(`You must supply a name. (e.g. millrace user ${command} NAME)`)
    return await run(session, name)
  })
}

function parse(args: readonly string[]): Request {
  const words: string[] = []
  const roles: string[] = []
  const argv: string[] = []
  const flags = new Set<string>()
  const left = [...args]
  const nextValue = (flag: string) => {
    const value = left.shift()
    if (value === undefined) throw new SettingsError(`option '${flag}': no value provided`)
    return value
  }
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [flag = '', given] = argument.split(/=(.*)/s)
    if (flag === '--role') roles.push(given ?? nextValue(flag))
    else if (['--path.settings', '--path.data', '--security.path'].includes(flag))
      argv.push(flag, given ?? nextValue(flag))
    else if (['--stdin', '--help', '-h'].includes(argument)) flags.add(argument)
    else if (argument.startsWith('-'))
      throw new SettingsError(`Unrecognized option '${argument}' for command 'user'`)
    else words.push(argument)
  }
  const [command, name] = words
  const isHelp = flags.has('--help') || flags.has('-h')
  return { command, name, roles, isStdin: flags.has('--stdin'), isHelp, argv }
}

async function add(session: Session, name: string): Promise<number> {
  const { file, roles, terminal } = session
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,505}[\x21-\x7e])?$/.test(name) || name.includes(':'))
    throw new SettingsError(`[${name}] cannot be the name of a user`)
  if (file.state.users.has(name)) throw new SettingsError(`User [${name}] already exists`)
  if (roles.length === 0) throw new SettingsError('Give at least one --role, for example --role superuser')
  warnOfRoles(session)
  const password = await hashPassword(await askPassword(session, name))
  await change(session, name, (known) => {
    if (known !== undefined) throw new SettingsError(`User [${name}] already exists`)
    return newUser(password, roles)
  })
  terminal.write(`Added user [${name}] with roles [${roles.join(', ')}].\n`)
  return 0
}

async function passwd(session: Session, name: string): Promise<number> {
  existing(session.file.state.users.get(name), name)
  const password = await hashPassword(await askPassword(session, name))
  await change(session, name, (known) => ({ ...existing(known, name), password }))
  session.terminal.write(`Changed the password of [${name}].\n`)
  return 0
}

async function changeRoles(session: Session, name: string): Promise<number> {
  warnOfRoles(session)
  await change(session, name, (known) => ({ ...existing(known, name), roles: session.roles }))
  session.terminal.write(`User [${name}] has the roles [${session.roles.join(', ')}].\n`)
  return 0
}

async function remove(session: Session, name: string): Promise<number> {
  existing(session.file.state.users.get(name), name)
  await change(session, name, () => undefined)
  session.terminal.write(`Removed user [${name}].\n`)
  return 0
}

function list({ file, terminal }: Session): number {
  for (const [name, { roles, enabled }] of [...file.state.users].sort(([a], [b]) => (a < b ? -1 : 1)))
    terminal.write(`${name}\t${roles.join(',')}${enabled ? '' : '\tdisabled'}\n`)
  return 0
}

function existing(user: StoredUser | undefined, name: string): StoredUser {
  if (user === undefined) throw new SettingsError(`User [${name}] does not exist`)
  return user
}

/** A role may be made later, so an unknown one is no error. */
function warnOfRoles({ file, roles, terminal }: Session): void {
  for (const role of roles)
    if (roleNamed(file.state, role) === undefined)
      terminal.write(`WARNING: there is no role [${role}] yet; it grants nothing.\n`)
}

async function change(
  { file }: Session,
  name: string,
  next: (known: StoredUser | undefined) => StoredUser | undefined,
): Promise<void> {
  await file.change((state) => ({
    ...state,
    users: withEntry(state.users, name, next(state.users.get(name))),
  }))
}

async function askPassword({ terminal, isStdin }: Session, name: string): Promise<string> {
  const isAsked = !isStdin && terminal.isInteractive
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (isAsked) terminal.write(`Enter password for [${name}]: `)
    const password = (await terminal.readSecret()) ?? ''
    const isGood = password.length >= minPasswordLength && password.length <= maxPasswordLength
    if (isGood && isAsked) {
      terminal.write(`Reenter password for [${name}]: `)
      if ((await terminal.readSecret()) === password) return password
      terminal.write('ERROR: Passwords do not match. Try again.\n')
      continue
    }
    if (isGood) return password
    const complaint = `passwords must be at least [${minPasswordLength}] characters long`
    if (!isAsked) throw new SettingsError(complaint)
    terminal.write(`ERROR: ${complaint}\n`)
  }
  throw new SettingsError('No password was given')
}
