import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DescriptorWriter } from './descriptor-writer.ts'

const never = new AbortController().signal
const silent = () => {}

function freshPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'millrace-fd-')), 'out')
}

/** Both ends of a pipe that does not block. */
function pipe(): { reader: number; writer: number } {
  const path = freshPath()
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return { reader, writer }
}

describe('writing to a descriptor', () => {
  it('writes to a file', async () => {
    const path = freshPath()
    const descriptor = openSync(path, 'w')
    const writer = new DescriptorWriter(descriptor, never, silent)
    await writer.write(Buffer.from('one\n'))
    await writer.write(Buffer.from('two\n'))
    closeSync(descriptor)
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })

  it('waits for a slow reader and loses nothing', async () => {
    const { reader, writer } = pipe()
    const size = 300_000
    let written = false
    const writing = new DescriptorWriter(writer, never, silent).write(Buffer.alloc(size, 'x')).then(() => {
      written = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(written).toBe(false)
    let got = 0
    while (got < size) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      try {
        got += readSync(reader, Buffer.alloc(size), 0, size, null)
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN')
      }
    }
    await writing
    expect(got).toBe(size)
    closeSync(reader)
    closeSync(writer)
  })

  it('falls silent when the reader is gone, and says so once', async () => {
    const { reader, writer } = pipe()
    closeSync(reader)
    let said = 0
    const out = new DescriptorWriter(writer, never, () => said++)
    await out.write(Buffer.from('x'))
    await out.write(Buffer.from('y'))
    expect(said).toBe(1)
    closeSync(writer)
  })

  it('stops waiting when the pipeline has to stop', async () => {
    const { reader, writer } = pipe()
    const controller = new AbortController()
    const writing = new DescriptorWriter(writer, controller.signal, silent).write(Buffer.alloc(300_000))
    setTimeout(() => controller.abort(), 20)
    await expect(writing).rejects.toThrow()
    closeSync(reader)
    closeSync(writer)
  })

  it('reports what else goes wrong', async () => {
    const { reader, writer } = pipe()
    closeSync(reader)
    closeSync(writer)
    await expect(new DescriptorWriter(reader, never, silent).write(Buffer.from('x'))).rejects.toThrow('EBADF')
  })
})
