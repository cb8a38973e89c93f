import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ProcessTerminal } from './terminal.ts'

afterEach(() => vi.restoreAllMocks())

function piped() {
  const input = new PassThrough()
  return { input, terminal: new ProcessTerminal(input as unknown as ReadStream) }
}

function typed() {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => modes.push(on) })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  return { input, modes, terminal: new ProcessTerminal(input as unknown as ReadStream) }
}

describe('a pipe', () => {
  it('is read line by line, the last line without an end as well', async () => {
    const { input, terminal } = piped()
    input.write('one\r\ntw')
    expect(await terminal.readLine()).toBe('one')
    setTimeout(() => input.end('o\n\nlast'), 5)
    expect(await terminal.readSecret()).toBe('two')
    expect(await terminal.readLine()).toBe('')
    expect(await terminal.readLine()).toBe('last')
    expect(await terminal.readLine()).toBeUndefined()
    expect(await terminal.readLine()).toBeUndefined()
  })

  it('is not read without end', async () => {
    const { input, terminal } = piped()
    for (let i = 0; i < 40; i++) input.write('x'.repeat(64 * 1024))
    await expect(terminal.readLine()).rejects.toThrow('longer than 1 MiB')
  })
})

describe('a terminal', () => {
  it('hides a secret and lets it be corrected', async () => {
    const { input, modes, terminal } = typed()
    input.write('wrong\u0015se\bexx\u007f\u007fcret\rnext\n')
    expect(await terminal.readSecret()).toBe('secret')
    expect(modes).toEqual([true, false])
    expect(await terminal.readLine()).toBe('next')
  })

  it('can be left with Ctrl-C and Ctrl-D', async () => {
    const { input, modes, terminal } = typed()
    input.write('abc\u0003')
    await expect(terminal.readSecret()).rejects.toThrow('interrupted')
    input.write('\u0004')
    expect(await terminal.readSecret()).toBeUndefined()
    expect(modes).toEqual([true, false, true, false])
  })
})
