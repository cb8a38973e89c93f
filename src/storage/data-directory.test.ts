import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataDirectory } from './data-directory.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-data-directory-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('makes the folder and those above it, for its owner alone', async () => {
  const path = join(folder, 'a', 'data')
  await makeDataDirectory(path)
  await makeDataDirectory(path)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

it('names the path and the setting when something else is in its place', async () => {
  const path = join(folder, 'data')
  await writeFile(path, '')
  await expect(makeDataDirectory(path)).rejects.toThrow(
    `Path "${path}" must be a writable directory. It is not a directory. Choose another one with the --path.data option.`,
  )
})

it('names the setting when a file is where a folder above it should be', async () => {
  await writeFile(join(folder, 'file'), '')
  const path = join(folder, 'file', 'data')
  await expect(makeDataDirectory(path)).rejects.toThrow(
    /^Path ".*\/file\/data": ENOTDIR.*--path\.data option\.$/,
  )
})
