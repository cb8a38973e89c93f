/** Commands as a stranger types them: run to their end or in the background, each with a limit in time. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

export interface Place extends Pick<SpawnOptions, 'uid' | 'gid'> {
  cwd: string
  env?: NodeJS.ProcessEnv
  /** Milliseconds after which the command and its children are ended. */
  limit?: number
}

export interface Ended {
  code: number | null
  /** Standard output and standard error, in the order they came. */
  output: string
}

const defaultLimit = 60_000

/** Settings of the npm that runs the tests must not decide how a stranger's npm behaves. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|VITEST|NODE_ENV|NODE_OPTIONS|MILLRACE|INIT_CWD)/i.test(name),
  )
  return Object.fromEntries(kept)
}

export class Command {
  output = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<Ended>
  #isOver = false

  constructor(line: string, { cwd, env = cleanEnvironment(), limit = defaultLimit, uid, gid }: Place) {
    const identity = uid === undefined ? {} : { uid, ...(gid !== undefined && { gid }) }
    // A group of its own, so that whatever it started can be ended with it.
    this.#child = spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: 'pipe', ...identity })
    const timer = setTimeout(() => {
      this.output += `\n[ended by the test after ${limit} ms]`
      this.signal('SIGKILL')
    }, limit)
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        clearTimeout(timer)
        this.#isOver = true
        resolve({ code, output: this.output })
      })
    })
  }

  /** To the command and everything it started. */
  signal(name: NodeJS.Signals): void {
    try {
      if (!this.#isOver) process.kill(-this.#child.pid!, name)
    } catch {
      // Ended in this moment.
    }
  }

  ended(): Promise<Ended> {
    return this.#ended
  }

  async until(text: string | RegExp, limit = defaultLimit): Promise<void> {
    const end = Date.now() + limit
    const holds = () => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output))
    while (!holds()) {
      if (this.#isOver || Date.now() > end) throw new Error(`no ${text} in\n${this.output.slice(-4000)}`)
      await wait(100)
    }
  }
}

export function sh(line: string, place: Place): Promise<Ended> {
  return new Command(line, place).ended()
}

/** Runs the command again until its output matches. */
export async function shUntil(line: string, place: Place, text: RegExp, limit = 30_000): Promise<Ended> {
  const end = Date.now() + limit
  for (;;) {
    const ended = await sh(line, { ...place, limit: 10_000 })
    if (ended.code === 0 && text.test(ended.output)) return ended
    if (Date.now() > end) throw new Error(`${line}: no ${text} in\n${ended.output}`)
    await wait(500)
  }
}
