/**
 * Runs the real program as a user would: own folders for data and settings, standard input fed from the
 * test, output collected. Every wait has a limit, and only children started here are ever signalled.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Patience, patientSignal } from '../../src/plugin/testing/patience.ts'
import { binary, ensureBuilt } from './build.ts'

export interface MillraceOptions {
  /** One pipeline file, or files by name in a folder given to `-f`. Neither: only what `args` say. */
  config?: string | Record<string, string> | undefined
  /** Text of logstash.yml. */
  settings?: string
  /** Text of pipelines.yml; then no `config`. `DIR` stands for the folder of the run. */
  pipelines?: string | undefined
  /** Further files of the run's folder, which is the working directory too. */
  files?: Record<string, string>
  /** Further arguments; an argument that repeats one of the defaults replaces it. */
  args?: readonly string[]
  env?: Record<string, string>
  /** Start the monitoring API on a free port. */
  api?: boolean
  /** Start the search store, its API on a free port. */
  search?: boolean
  /** Of an earlier run, instead of a new one; it is left in place. */
  folder?: string
  /** A command that runs the program: its words stand before `node`. */
  wrapper?: readonly string[]
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export type Json = { [name: string]: unknown }

interface RunFacts {
  readonly folder: string
  readonly configPath: string
  readonly apiPort: number | undefined
  readonly searchPort: number | undefined
  readonly keepsFolder: boolean
}

const outputLimit = 64 * 1024 * 1024
const defaultLimit = 20_000

/** The harness of the specification: one worker, no ECS. */
const harness: readonly (readonly [flag: string, value: string])[] = [
  ['-w', '1'],
  ['--pipeline.ecs_compatibility', 'disabled'],
]

export const IN = 'input { stdin { codec => json_lines } }'
export const OUT = 'output { stdout { codec => json_lines } }'

export class Millrace {
  stdout = ''
  stderr = ''
  /** Folder of this run: settings/, data/, and the configuration. */
  readonly folder: string
  /** Path given to `-f`. */
  readonly configPath: string
  readonly apiPort: number | undefined
  readonly searchPort: number | undefined
  readonly #keepsFolder: boolean
  readonly #child: ChildProcess
  readonly #exit: Promise<Exit>
  #exited = false
  #changed: (() => void)[] = []

  private constructor(
    { folder, configPath, apiPort, searchPort, keepsFolder }: RunFacts,
    child: ChildProcess,
  ) {
    this.folder = folder
    this.configPath = configPath
    this.apiPort = apiPort
    this.searchPort = searchPort
    this.#keepsFolder = keepsFolder
    this.#child = child
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout = (this.stdout + text).slice(-outputLimit)
      this.#wake()
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-outputLimit)
      this.#wake()
    })
    // A program that ended early does not read what the test still writes.
    child.stdin!.on('error', () => {})
    this.#exit = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        this.#exited = true
        this.#wake()
        resolve({ code, signal })
      })
    })
  }

  static async start(options: MillraceOptions = {}): Promise<Millrace> {
    await ensureBuilt()
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'millrace-test-')))
    const { config, settings = '', pipelines, args = [], env = {}, api = false } = options
    await write(join(folder, 'settings', 'logstash.yml'), settings)
    if (pipelines !== undefined) {
      await write(join(folder, 'settings', 'pipelines.yml'), pipelines.replaceAll('DIR', folder))
    }
    const configPath = join(folder, typeof config === 'string' ? 'pipeline.conf' : 'conf.d')
    if (typeof config === 'string') await write(configPath, config)
    else for (const [name, text] of Object.entries(config ?? {})) await write(join(configPath, name), text)
    for (const [name, text] of Object.entries(options.files ?? {})) await write(join(folder, name), text)
    const apiPort = api ? await freePort() : undefined
    const searchPort = options.search ? await freePort() : undefined
    const line = [
      ...harness.filter(([flag]) => !args.includes(flag)).flat(),
      ...['--path.settings', join(folder, 'settings'), '--path.data', join(folder, 'data')],
      ...(apiPort === undefined ? ['--api.enabled', 'false'] : ['--api.http.port', String(apiPort)]),
      ...(searchPort === undefined
        ? ['--search.enabled', 'false']
        : ['--search.http.port', String(searchPort)]),
      ...(config === undefined ? [] : ['-f', configPath]),
      ...args,
    ]
    const [command = process.execPath, ...words] = [
      ...(options.wrapper ?? []),
      process.execPath,
      binary,
      ...line,
    ]
    const child = spawn(command, words, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const keepsFolder = options.folder !== undefined
    return new Millrace({ folder, configPath, apiPort, searchPort, keepsFolder }, child)
  }

  get pid(): number {
    return this.#child.pid!
  }

  get running(): boolean {
    return !this.#exited
  }

  #wake(): void {
    for (const check of this.#changed.splice(0)) check()
  }

  write(text: string): void {
    this.#child.stdin!.write(text)
  }

  endInput(): void {
    this.#child.stdin!.end()
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Resolves when the condition holds; rejects with all output when it does not in time. */
  async until(what: string | RegExp | (() => boolean), limit = defaultLimit): Promise<void> {
    const holds =
      typeof what === 'function'
        ? what
        : () => (typeof what === 'string' ? this.stdout.includes(what) : what.test(this.stdout))
    await this.#wait(() => holds() || this.#exited, limit, `no ${what} within ${limit} ms`)
    if (!holds()) throw new Error(`ended before ${what}\n${this.#output()}`)
  }

  async #wait(isOver: () => boolean, limit: number, failure: string): Promise<void> {
    const patience = new Patience(limit)
    while (!isOver()) {
      if (patience.isOver) throw new Error(`${failure}\n${this.#output()}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(limit, 100))
        this.#changed.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Pipelines and the API start side by side, and either can be first. */
  async untilStarted(limit = defaultLimit): Promise<void> {
    await this.until('Pipelines running', limit)
    if (this.apiPort !== undefined) await this.until('Successfully started Logstash API endpoint', limit)
  }

  async exit(limit = defaultLimit): Promise<Exit> {
    await this.#wait(() => this.#exited, limit, `still running after ${limit} ms`)
    return this.#exit
  }

  #output(): string {
    return `stdout: ${this.stdout.slice(-4000)}\nstderr: ${this.stderr.slice(-2000)}`
  }

  /** The events on standard output; log lines start with a bracket and are left out. */
  events(): Json[] {
    return this.eventLines().map((line) => JSON.parse(line) as Json)
  }

  eventLines(): string[] {
    return this.stdout.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  }

  /** A resource of the monitoring API. */
  async api(path: string): Promise<Json> {
    const response = await fetch(`http://127.0.0.1:${this.apiPort}${path}`, {
      signal: patientSignal(5000),
    })
    return (await response.json()) as Json
  }

  /** Waits until the resource looks as expected, and returns it. */
  async apiUntil(path: string, holds: (body: Json) => boolean, limit = defaultLimit): Promise<Json> {
    const patience = new Patience(limit)
    let body: Json = {}
    do {
      body = await this.api(path).catch((error: Error) => ({ error: error.message }))
      if (holds(body)) return body
      await new Promise((resolve) => setTimeout(resolve, 100))
    } while (!patience.isOver)
    throw new Error(`${path} within ${limit} ms: ${JSON.stringify(body)}\n${this.#output()}`)
  }

  /** A request of the search API; a text is sent as newline-delimited JSON. */
  async search(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
    const isText = typeof body === 'string'
    const type = isText ? 'application/x-ndjson' : 'application/json'
    const response = await fetch(`http://127.0.0.1:${this.searchPort}${path}`, {
      method,
      signal: patientSignal(defaultLimit),
      ...(body !== undefined && {
        headers: { 'content-type': type },
        body: isText ? body : JSON.stringify(body),
      }),
    })
    return { status: response.status, json: (await response.json()) as Json }
  }

  untilSearchable(limit = defaultLimit): Promise<void> {
    return this.until('Search API endpoint started', limit)
  }

  /** Ends the process if it still runs, and removes its folder. */
  async dispose(): Promise<void> {
    if (!this.#exited) this.#child.kill('SIGKILL')
    await this.#exit
    if (this.#keepsFolder) return
    await rm(this.folder, { recursive: true, force: true })
  }
}

export interface Finished extends Exit {
  stdout: string
  stderr: string
  events: Json[]
  lines: string[]
}

/** Start, feed, wait for the end. */
export async function run(options: MillraceOptions & { stdin?: string }): Promise<Finished> {
  const millrace = await Millrace.start(options)
  try {
    millrace.write(options.stdin ?? '')
    millrace.endInput()
    const exit = await millrace.exit()
    const { stdout, stderr } = millrace
    return { ...exit, stdout, stderr, events: millrace.events(), lines: millrace.eventLines() }
  } finally {
    await millrace.dispose()
  }
}

/** JSON lines of the values, as stdin takes them. */
export function jsonLines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

export async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Each once in a process, which has its own place to begin at: what is given out here is taken only later. */
export async function freePort(): Promise<number> {
  for (let left = portCount; left > 0; left--) {
    const port = firstPort + (nextPort++ % portCount)
    if (await isFree(port)) return port
  }
  throw new Error('no free port was found')
}

/** Below the ports that systems give to outgoing connections: one of those could take it before it is used. */
const firstPort = 20_000
const portCount = 12_000
let nextPort = (process.pid * 251) % portCount

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
