import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordingLogger } from '../../plugin/testing.ts'
import { OpenFiles, PartialWrite } from './open-files.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-open-'))
})

function openFiles(limit = 10) {
  return new OpenFiles({ logger: recordingLogger(), dirMode: -1, fileMode: -1, overwrite: false, limit })
}

describe('open files', () => {
  it('are limited in number', async () => {
    const files = openFiles(2)
    for (const name of ['a', 'b', 'c', 'a', 'b']) await files.write(join(root, name), Buffer.from(name), 0)
    expect(files.size).toBe(2)
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('aa')
    await files.close()
    expect(files.size).toBe(0)
  })

  it('are closed when nobody writes to them for a while', async () => {
    const files = openFiles()
    await files.write(join(root, 'a'), Buffer.from('1'), 0)
    await files.write(join(root, 'b'), Buffer.from('1'), 0)
    await files.closeStale()
    expect(files.size).toBe(2)
    await files.write(join(root, 'b'), Buffer.from('2'), 0)
    await files.closeStale()
    expect(files.size).toBe(1)
    await files.write(join(root, 'a'), Buffer.from('2'), 0)
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('12')
    await files.close()
  })

  it('follow a name that became another file', async () => {
    const files = openFiles()
    const path = join(root, 'log')
    await files.write(path, Buffer.from('old'), 0)
    await rename(path, join(root, 'log.1'))
    await writeFile(path, '')
    await files.write(path, Buffer.from('new'), 0)
    expect(await readFile(path, 'utf8')).toBe('new')
    await files.close()
  })

  it('go on where a write stopped', async () => {
    const files = openFiles()
    await files.write(join(root, 'a'), Buffer.from('12345'), 2)
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('345')
    const failure = files.write(join(root, 'a/b'), Buffer.from('x'), 0)
    await expect(failure).rejects.toBeInstanceOf(PartialWrite)
    await expect(failure).rejects.toMatchObject({ code: 'ENOTDIR', written: 0 })
    await files.close()
  })
})
