/**
 * A real server as a child process: its own folder, which goes when it ends, output kept for messages, ready when
 * it answers on its port. It is ended by its own handle, softly first.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Whom a server runs as, where it refuses to run as root. */
export interface User {
  readonly uid: number
  readonly gid: number
}

export interface ServerOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Record<string, string>
  /** Its own folder, which goes with it. */
  readonly folder: string
  /** Where it runs, unless in its own folder. */
  readonly cwd?: string
  readonly user?: User | undefined
  /** It is ready when this port takes a connection. Without one: at once. */
  readonly port?: number
  readonly readyMilliseconds?: number
}

const outputLimit = 64 * 1024
const softMilliseconds = 20_000

export class ServerProcess {
  output = ''
  readonly folder: string
  readonly #child: ChildProcess
  readonly #exit: Promise<void>
  #ended = false

  private constructor(child: ChildProcess, folder: string) {
    this.folder = folder
    this.#child = child
    const keep = (text: string) => {
      this.output = (this.output + text).slice(-outputLimit)
    }
    child.stdout!.setEncoding('utf8').on('data', keep)
    child.stderr!.setEncoding('utf8').on('data', keep)
    this.#exit = new Promise((resolve) => {
      const over = () => {
        this.#ended = true
        resolve()
      }
      child.on('close', over)
      child.on('error', over)
    })
  }

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const { command, args, env, folder, cwd = folder, user, port } = options
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    })
    const server = new ServerProcess(child, folder)
    if (port !== undefined) await server.untilOpen(port, '127.0.0.1', options.readyMilliseconds)
    return server
  }

  async untilOpen(port: number, host: string, limit = 60_000): Promise<void> {
    const end = Date.now() + limit
    while (!(await isOpen(port, host))) {
      if (this.#ended) throw new Error(`${this.#child.spawnfile} ended at once:\n${this.output}`)
      if (Date.now() > end) {
        await this.end('SIGKILL')
        throw new Error(`${this.#child.spawnfile} did not open port ${port} in ${limit} ms:\n${this.output}`)
      }
      await wait(100)
    }
  }

  /** For servers that show they are ready by a file or a socket. */
  async untilFile(path: string, limit = 20_000): Promise<void> {
    for (const end = Date.now() + limit; !existsSync(path); await wait(50)) {
      if (this.#ended || Date.now() > end) throw new Error(`no ${path}:\n${this.output}`)
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Ends the process; its folder stays, so that it may be started again. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.#ended) this.#child.kill(signal)
    const late = setTimeout(() => this.#child.kill('SIGKILL'), softMilliseconds)
    await this.#exit
    clearTimeout(late)
  }

  async dispose(): Promise<void> {
    await this.end()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function isOpen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const answer = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.setTimeout(1000, () => answer(false))
    socket.on('connect', () => answer(true))
    socket.on('error', () => answer(false))
  })
}

export function serverFolder(name: string, user?: User): string {
  const folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
  chmodSync(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

/** For servers that refuse to run as root: another user, when we are root. */
export function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Where a command is: on the path, or in one of the folders (a `*` stands for one level). */
export function commandPath(name: string, folders: readonly string[] = []): string {
  const places = ['/usr/sbin', '/sbin', ...folders].map((folder) => `${folder}/${name}`).join(' ')
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name} || ls -1 ${places} 2>/dev/null | tail -1`], {
    encoding: 'utf8',
  })
  const path = stdout.trim()
  if (path === '') throw new Error(`${name} is not installed`)
  return path
}

/** Runs a command to its end. */
export function runCommand(
  command: string,
  args: readonly string[],
  input = '',
  user?: User,
  cwd = tmpdir(),
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
    cwd,
    ...user,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`)
  return stdout
}
