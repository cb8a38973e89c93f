import {
  closeSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDirectory, makeDirectorySync } from './make-directory.ts'

const folder = mkdtempSync(join(tmpdir(), 'make-directory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['makeDirectory', makeDirectory],
  ['makeDirectorySync', async (path: string, mode?: number) => makeDirectorySync(path, mode)],
])('%s', (name, make) => {
  const root = join(folder, name)

  it('makes what is missing with the mode, and takes what is there', async () => {
    await make(join(root, 'a', 'b'), 0o700)
    expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
    await make(join(root, 'a', 'b'))
    await Promise.all([make(join(root, 'c', 'd')), make(join(root, 'c', 'e'))])
    expect(statSync(join(root, 'c', 'e')).isDirectory()).toBe(true)
  })

  it('fails at a file and at a link to nothing', async () => {
    writeFileSync(join(root, 'file'), '')
    symlinkSync(join(root, 'nowhere'), join(root, 'link'))
    await expect(make(join(root, 'file'))).rejects.toThrow('EEXIST')
    await expect(make(join(root, 'file', 'below'))).rejects.toThrow('ENOTDIR')
    await expect(make(join(root, 'link', 'below'))).rejects.toThrow('EEXIST')
  })

  it.runIf(process.platform === 'linux')(
    'fails below a directory that was removed while in use',
    async () => {
      const removed = join(root, 'removed')
      await make(removed)
      const descriptor = openSync(removed, 'r')
      rmdirSync(removed)
      try {
        await expect(make(`/proc/self/fd/${descriptor}/a/b`)).rejects.toThrow('ENOENT')
      } finally {
        closeSync(descriptor)
      }
    },
  )
})

it('says which directory it had to make first', async () => {
  const path = join(folder, 'first', 'second', 'third')
  expect(await makeDirectory(path)).toBe(join(folder, 'first'))
  expect(await makeDirectory(path)).toBeUndefined()
})
