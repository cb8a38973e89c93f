/**
 * Asking people questions on a terminal, or reading the answers from a pipe, one line each. A secret typed on
 * a terminal is not shown; lines and secrets are limited in length.
 */
import type { ReadStream } from 'node:tty'

export interface Terminal {
  readonly isInteractive: boolean
  write(text: string): void
  /** Undefined at the end of the input. */
  readLine(): Promise<string | undefined>
  readSecret(): Promise<string | undefined>
  close(): void
}

const longestLine = 1024 * 1024
const enter = /[\r\n]/
const interrupt = '\u0003'
const endOfInput = '\u0004'
const eraseLine = '\u0015'
const backspaces = ['\u007f', '\b']

export class ProcessTerminal implements Terminal {
  readonly #input: ReadStream
  #rest = ''
  #isOver = false

  constructor(input: ReadStream = process.stdin) {
    this.#input = input
    this.#input.setEncoding('utf8')
  }

  get isInteractive(): boolean {
    return this.#input.isTTY === true
  }

  write(text: string): void {
    process.stdout.write(text)
  }

  async readLine(): Promise<string | undefined> {
    for (;;) {
      const newline = this.#rest.indexOf('\n')
      if (newline >= 0) {
        const line = this.#rest.slice(0, newline)
        this.#rest = this.#rest.slice(newline + 1)
        return line.endsWith('\r') ? line.slice(0, -1) : line
      }
      if (this.#rest.length > longestLine) throw new Error('the line is longer than 1 MiB')
      const chunk = await this.#nextChunk()
      if (chunk === undefined) {
        const line = this.#rest
        this.#rest = ''
        return line === '' ? undefined : line
      }
      this.#rest += chunk
    }
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
    for (;;) {
      const chunk = await this.#nextChunk()
      if (chunk === undefined) return undefined
      for (const key of chunk) {
        if (enter.test(key)) return typed.join('')
        if (key === interrupt) throw new Error('interrupted')
        if (key === endOfInput) return typed.length === 0 ? undefined : typed.join('')
        if (backspaces.includes(key)) typed.pop()
        else if (key === eraseLine) typed = []
        else typed.push(key)
      }
      if (typed.length > longestLine) throw new Error('the value is longer than 1 MiB')
    }
  }

  #nextChunk(): Promise<string | undefined> {
    if (this.#isOver) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.#input.pause()
        this.#input.off('data', onData).off('end', onEnd).off('error', onError)
        act()
      }
      const onData = (chunk: string) => settle(() => resolve(chunk))
      const onEnd = () => {
        this.#isOver = true
        settle(() => resolve(undefined))
      }
      const onError = (error: Error) => settle(() => reject(error))
      this.#input.on('data', onData).on('end', onEnd).on('error', onError)
      this.#input.resume()
    })
  }

  /** An open standard input would keep the process. */
  close(): void {
    this.#input.pause()
    this.#input.unref?.()
  }
}
