/**
 * Asking people questions on a terminal, or reading the answers from a pipe, one line each. A secret typed on
 * a terminal is not shown; lines and secrets are limited in length.
 */
import type { ReadStream } from 'node:tty'
import { SettingsError } from '../settings/errors.ts'

export interface Terminal {
  readonly isInteractive: boolean
  write(text: string): void
  /** Undefined at the end of the input. */
  readLine(): Promise<string | undefined>
  readSecret(): Promise<string | undefined>
  close(): void
}

/** Runs a command that asks questions; what is wrong is told, and the terminal is closed in any case. */
export async function onTerminal(
  terminal: Terminal,
  run: () => Promise<number>,
  tell = (text: string) => terminal.write(text),
): Promise<number> {
  try {
    return await run()
  } catch (error) {
    tell(`ERROR: ${(error as Error).message}\n`)
    return error instanceof SettingsError ? error.exitCode : 1
  } finally {
    terminal.close()
  }
}

const maxLineLength = 1024 * 1024
const interrupt = '\u0003'
const endOfInput = '\u0004'
const eraseLine = '\u0015'
const backspaces = ['\u007f', '\b']

export class ProcessTerminal implements Terminal {
  readonly #input: ReadStream
  #isReading = false
  #isOver = false
  #buffered = ''
  #wake: () => void = () => {}

  constructor(input: ReadStream = process.stdin) {
    this.#input = input
  }

  get isInteractive(): boolean {
    return this.#input.isTTY === true
  }

  write(text: string): void {
    process.stdout.write(text)
  }

  async readLine(): Promise<string | undefined> {
    while (!this.#buffered.includes('\n')) {
      if (await this.#more()) continue
      const line = this.#take(this.#buffered.length)
      return line === '' ? undefined : line
    }
    const line = this.#take(this.#buffered.indexOf('\n') + 1).slice(0, -1)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  async readSecret(): Promise<string | undefined> {
    if (!this.isInteractive) return this.readLine()
    this.#input.setRawMode(true)
    try {
      return await this.#readHidden()
    } finally {
      this.#input.setRawMode(false)
      this.write('\n')
    }
  }

  async #readHidden(): Promise<string | undefined> {
    let typed: string[] = []
    while (this.#buffered !== '' || (await this.#more())) {
      const key = this.#take((this.#buffered.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
      if (key === '\r' || key === '\n') return typed.join('')
      if (key === interrupt) throw new Error('interrupted')
      if (key === endOfInput) break
      if (backspaces.includes(key)) typed.pop()
      else if (key === eraseLine) typed = []
      else typed.push(key)
    }
    return typed.length === 0 ? undefined : typed.join('')
  }

  #take(length: number): string {
    const taken = this.#buffered.slice(0, length)
    this.#buffered = this.#buffered.slice(length)
    return taken
  }

  /** Waits for more input; false when there is none. Reading never pauses: a paused pipe can miss its end. */
  async #more(): Promise<boolean> {
    if (!this.#isReading) this.#start()
    if (this.#buffered.length > maxLineLength) throw new Error('the input is longer than 1 MiB')
    if (this.#isOver) return false
    const before = this.#buffered.length
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return this.#buffered.length > before || !this.#isOver
  }

  #start(): void {
    this.#isReading = true
    const end = () => {
      this.#isOver = true
      this.#wake()
    }
    this.#input.setEncoding('utf8')
    this.#input.on('end', end).on('close', end).on('error', end)
    this.#input.on('data', (chunk: string) => {
      // What is beyond the limit is refused by whoever reads next; keeping it would fill memory.
      if (this.#buffered.length <= maxLineLength) this.#buffered += chunk
      this.#wake()
    })
  }

  /** An open standard input would keep the process. */
  close(): void {
    if (!this.#isReading) return
    this.#input.pause()
    this.#input.unref?.()
  }
}
