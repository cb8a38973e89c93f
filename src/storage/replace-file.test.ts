import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replaceFile } from './replace-file.ts'

describe('replacing a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-replace-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('makes folders that are missing and leaves nothing beside the file', async () => {
    const path = join(folder, 'some', 'where', 'position')
    await replaceFile(path, 'first, which is longer')
    await replaceFile(path, 'second')
    expect(await readFile(path, 'utf8')).toBe('second')
    expect(await readdir(join(folder, 'some', 'where'))).toEqual(['position'])
  })

  it('gives the permissions it is asked for', async () => {
    const path = join(folder, 'secret')
    await replaceFile(path, 'text', { mode: 0o600 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('takes over from a process that ended in the middle', async () => {
    const path = join(folder, 'position')
    await writeFile(`${path}.new`, 'half of a text that never got its name')
    await replaceFile(path, 'whole')
    expect(await readFile(path, 'utf8')).toBe('whole')
    expect(await readdir(folder)).toEqual(['position'])
  })

  it('keeps the old text and no half of a new one when it fails', async () => {
    const path = join(folder, 'position')
    await replaceFile(path, 'old')
    // A folder of that name cannot be replaced by a file.
    const blocked = join(folder, 'folder')
    await replaceFile(join(blocked, 'inside'), 'text')
    await expect(replaceFile(blocked, 'new')).rejects.toThrow()
    expect(await readFile(path, 'utf8')).toBe('old')
    expect((await readdir(folder)).sort()).toEqual(['folder', 'position'])
  })
})
