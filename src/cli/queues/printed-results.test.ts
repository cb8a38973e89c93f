import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { printTo, ReaderGone } from './printed-results.ts'

const failing = (code: string) =>
  new Writable({
    write(_chunk, _encoding, done) {
      setImmediate(() => done(Object.assign(new Error(`${code}, write`), { code })))
    },
  })

it('has printed a text when the stream has taken it', async () => {
  let taken = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      setTimeout(() => {
        taken += chunk
        done()
      }, 20)
    },
  })
  await printTo(stream)('a line\n')
  expect(taken).toBe('a line\n')
})

it('fails with what the disk said, and quietly when nobody reads', async () => {
  await expect(printTo(failing('ENOSPC'))('x')).rejects.toThrow('standard output: ENOSPC, write')
  await expect(printTo(failing('EPIPE'))('x')).rejects.toThrow(ReaderGone)
})
