import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SourceNames } from './source-names.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-names-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (isNew = false) => new SourceNames(join(folder, 'db'), isNew)

describe('names of files', () => {
  it('stay when the program starts again', () => {
    const before = open(true).nameOf('1 0 2', 5)
    expect(open().nameOf('1 0 2', 5)).toBe(before)
  })

  it('are others for another inode, another birth and after a truncation, also after a start', () => {
    const names = open(true)
    const first = names.nameOf('1 0 2', 5)
    const all = [first, names.nameOf('2 0 2', 5), names.nameOf('1 0 2', 6)]
    names.truncated('1 0 2')
    all.push(names.nameOf('1 0 2', 5))
    expect(new Set(all).size).toBe(4)
    expect(open().nameOf('1 0 2', 5)).toBe(all[3])
  })

  it('are others when the sincedb was removed', () => {
    const before = open(true).nameOf('1 0 2', 5)
    expect(open(true).nameOf('1 0 2', 5)).not.toBe(before)
  })

  it('are not given where the birth of files is unknown', () => {
    expect(open(true).nameOf('1 0 2', undefined)).toBeUndefined()
  })
})
