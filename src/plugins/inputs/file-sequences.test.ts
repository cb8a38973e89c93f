/**
 * What happens to log files in the wild, in two hundred random orders: they grow, also by half a line, are rotated
 * by renaming, copied and truncated, truncated, deleted, and the reader is restarted, with things going on while
 * it is away. A model knows which lines must come out: each exactly once, those of one file in their order.
 *
 * Only what no reader of files can see is left out of the sequences: bytes that are gone before it looked. So
 * before bytes disappear the reader has time to read, and before new ones take their place it has time to notice;
 * while it is away a truncated file does not grow beyond its old size.
 */
import { appendFile, copyFile, mkdir, mkdtemp, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inputFor, type TestInput } from '../../plugin/testing.ts'
import file from './file.ts'

const sequences = 200
const atOnce = 25
const steps = 14
/** Times of files are those of the last tick of the kernel's clock. */
const tickMilliseconds = 12

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-sequences-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Running {
  readonly input: TestInput
  over: Promise<void>
  /** Streams that came to their end: a file was truncated, or is out of sight. */
  ends: number
  /** Files that were found at the path. */
  opened: number
}

class Sequence {
  readonly log: string[] = []
  readonly #pick: (below: number) => number
  readonly #folder: string
  readonly #path: string
  /** Rotated files stay in sight of the reader. */
  readonly #keepsSight: boolean
  #running: Running | undefined
  #seen: string[] = []
  /** Lines in the order they were written, by file. */
  readonly #written: string[][] = []
  #current: string[] | undefined
  /** Bytes of the file at the path, and those the reader knew when it went away. */
  #size = 0
  #ceiling = Number.POSITIVE_INFINITY
  #lines = 0
  #rotations = 0

  constructor(seed: number, folder: string) {
    this.#pick = random(seed)
    this.#folder = folder
    this.#path = join(folder, 'app.log')
    this.#keepsSight = this.#pick(2) === 0
  }

  async run(): Promise<void> {
    await mkdir(join(this.#folder, 'kept'), { recursive: true })
    await this.#start()
    for (let step = 0; step < steps; step++) await this.#step()
    await this.#settle()
    // Whatever comes twice comes now.
    await pause(tickMilliseconds)
    await this.#stop()
    const expected = this.#written.flat()
    expect([...this.#seen].sort(), this.log.join(', ')).toEqual([...expected].sort())
    for (const lines of this.#written) {
      const wanted = new Set(lines)
      expect(
        this.#seen.filter((line) => wanted.has(line)),
        this.log.join(', '),
      ).toEqual(lines)
    }
  }

  async #step(): Promise<void> {
    const choice = this.#pick(12)
    if (choice < 4) await this.#append(1 + this.#pick(4))
    else if (choice === 4) await this.#halfLine()
    else if (choice === 5) await this.#rotate()
    else if (choice === 6) await this.#copyAndTruncate()
    else if (choice === 7) await this.#truncate()
    else if (choice === 8) await this.#delete()
    else if (choice === 9) await this.#restart()
    else if (choice === 10) await this.#whileAway()
    else await this.#settle()
  }

  #note(what: string): void {
    this.log.push(what)
  }

  #nextLine(): string {
    return `line ${String(++this.#lines).padStart(6, '0')}`
  }

  #begin(): string[] {
    if (this.#current === undefined) {
      this.#current = []
      this.#written.push(this.#current)
      this.#size = 0
    }
    return this.#current
  }

  async #append(count: number): Promise<void> {
    const lines = Array.from({ length: count }, () => this.#nextLine())
    const text = lines.map((line) => `${line}\n`).join('')
    if (this.#size + text.length >= this.#ceiling) return
    this.#note(`append ${lines[0]}..${count}`)
    this.#begin().push(...lines)
    await appendFile(this.#path, text)
    this.#size += text.length
  }

  async #halfLine(): Promise<void> {
    const line = this.#nextLine()
    if (this.#size + line.length + 1 >= this.#ceiling) return
    const lines = this.#begin()
    await appendFile(this.#path, line.slice(0, 5))
    const between = this.#pick(3)
    this.#note(`half ${line} ${['', 'pause', 'restart'][between]}`)
    if (between === 1) await pause(this.#pick(4))
    if (between === 2 && this.#running !== undefined) {
      await this.#stop()
      await this.#start()
    }
    await appendFile(this.#path, `${line.slice(5)}\n`)
    lines.push(line)
    this.#size += line.length + 1
  }

  /** A file that stays in sight is found again under its new name, whether it was read to its end or not. */
  async #rotate(): Promise<void> {
    if (this.#current === undefined) return
    if (!this.#keepsSight && this.#running === undefined) return
    if (!this.#keepsSight) await this.#settle()
    this.#note('rotate')
    const place = this.#keepsSight ? this.#folder : join(this.#folder, 'kept')
    const { ends } = this.#running ?? { ends: 0 }
    await rename(this.#path, join(place, `app.log.${++this.#rotations}`))
    if (!this.#keepsSight) await this.#noticed(ends)
    this.#forget()
    this.#ceiling = Number.POSITIVE_INFINITY
  }

  #forget(): void {
    this.#current = undefined
    this.#size = 0
  }

  async #copyAndTruncate(): Promise<void> {
    if (this.#current === undefined || this.#running === undefined) return
    await this.#settle()
    await copyFile(this.#path, join(this.#folder, 'kept', `copy.${++this.#rotations}`))
    await this.#empty('copy and truncate')
  }

  async #truncate(): Promise<void> {
    if (this.#current === undefined || this.#running === undefined) return
    await this.#settle()
    await this.#empty('truncate')
  }

  async #empty(how: string): Promise<void> {
    if (this.#size === 0) return
    this.#note(how)
    const { ends } = this.#running!
    await truncate(this.#path)
    await this.#noticed(ends)
    this.#size = 0
  }

  async #delete(): Promise<void> {
    if (this.#current === undefined || this.#running === undefined || this.#size === 0) return
    await this.#settle()
    this.#note('delete')
    const { ends } = this.#running
    await rm(this.#path)
    await this.#noticed(ends)
    this.#forget()
  }

  async #restart(): Promise<void> {
    if (this.#pick(2) === 0) await this.#settle()
    this.#note('restart')
    await this.#stop()
    await this.#start()
  }

  async #whileAway(): Promise<void> {
    await this.#settle()
    await this.#stop()
    this.#note('away (')
    const before = this.#size
    const read = this.#current
    const count = read?.length
    for (let step = this.#pick(4); step >= 0; step--) {
      const choice = this.#pick(4)
      if (choice < 2) await this.#append(1 + this.#pick(3))
      else if (choice === 2) await this.#rotate()
      else if (read !== undefined && this.#current === read && read.length === count && this.#size === before)
        await this.#shrinkOrReplace(before)
    }
    this.#note(')')
    await this.#start()
    await this.#settle()
    this.#ceiling = Number.POSITIVE_INFINITY
  }

  /** Only what was read may go. */
  async #shrinkOrReplace(known: number): Promise<void> {
    if (this.#pick(2) === 0) {
      this.#note('truncate')
      await truncate(this.#path)
      this.#size = 0
      this.#ceiling = known
      return
    }
    this.#note('delete')
    await rm(this.#path)
    await pause(tickMilliseconds)
    this.#forget()
  }

  async #start(): Promise<void> {
    const input = inputFor(file, {
      path: join(this.#folder, 'app.log*'),
      start_position: 'beginning',
      sincedb_path: join(this.#folder, 'sincedb'),
      stat_interval: '1 ms',
      discover_interval: 1,
    })
    const running: Running = { input, over: Promise.resolve(), ends: 0, opened: 0 }
    const { stream } = input.sink
    input.sink.stream = (...call) => {
      const inner = stream(...call)
      if (call[0].overwrite?.some(([, value]) => value === this.#path)) running.opened++
      return {
        write: (chunk, done) => inner.write(chunk, done),
        end: (done) => {
          running.ends++
          return inner.end(done)
        },
      }
    }
    await input.instance.register?.()
    running.over = input.instance.run(input.sink)
    this.#running = running
  }

  async #stop(): Promise<void> {
    if (this.#running === undefined) return
    const { input, over } = this.#running
    await input.instance.stop()
    await over
    await input.instance.close?.()
    this.#seen.push(...input.sink.fields().map(({ message }) => String(message)))
    this.#running = undefined
  }

  /** Until all lines written so far have come out, and a file without new ones was looked at, too. */
  async #settle(): Promise<void> {
    if (this.#running === undefined) return
    const running = this.#running
    if (this.#current !== undefined) await this.#until('not found', () => running.opened > 0)
    const missing = this.#written.flat().length - this.#seen.length
    await this.#running.input.sink.waitFor(missing, 4000).catch((error: Error) => {
      throw new Error(`${error.message}: ${this.log.join(', ')}`)
    })
  }

  #noticed(before: number): Promise<void> {
    return this.#until('not noticed', () => this.#running!.ends > before)
  }

  async #until(failure: string, isSo: () => boolean): Promise<void> {
    for (let i = 0; !isSo(); i++) {
      if (i > 2000) throw new Error(`${failure}: ${this.log.join(', ')}`)
      await pause(2)
    }
  }
}

test('no line is lost and none comes twice, whatever happens to the files', async () => {
  const failures: string[] = []
  const one = async (seed: number) => {
    const folder = join(root, String(seed))
    await new Sequence(seed, folder).run().catch((error: Error) => {
      failures.push(`seed ${seed}: ${error.message.slice(0, 1500)}`)
    })
    await rm(folder, { recursive: true, force: true })
  }
  let next = 0
  const worker = async () => {
    while (next < sequences && failures.length < 5) await one(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  expect(failures).toEqual([])
})
