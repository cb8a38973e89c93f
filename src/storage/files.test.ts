import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diskFiles } from './files.ts'

const bytes = (text: string) => Buffer.from(text)

it('writes nothing into another file after a file was closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-files-'))
  try {
    const inPlace = diskFiles.openInPlace(join(folder, 'in-place'))
    inPlace.close()
    const random = diskFiles.openRandom(join(folder, 'random'))
    random.close()
    const append = diskFiles.openAppend(join(folder, 'append'))
    append.close()
    // The kernel gives the next files the numbers of those.
    const later = Array.from({ length: 3 }, (_, number) => join(folder, `later-${number}`))
    const open = later.map((path) => diskFiles.openAppend(path))
    for (const file of open) file.append([bytes('kept')])
    expect(() => inPlace.write(bytes('lost'))).toThrow()
    expect(() => random.write(0, [bytes('lost')])).toThrow()
    expect(() => random.truncate(0)).toThrow()
    expect(() => append.append([bytes('lost')])).toThrow()
    await expect(append.sync()).rejects.toThrow()
    expect(later.map((path) => readFileSync(path, 'utf8'))).toEqual(['kept', 'kept', 'kept'])
    for (const file of open) file.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
