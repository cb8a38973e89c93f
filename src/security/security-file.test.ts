import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFiles } from '../storage/files.ts'
import { MemoryFiles } from '../storage/memory-files.ts'
import { newUser } from './security.ts'
import { SecurityFile } from './security-file.ts'
import { withEntry } from './security-state.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-security-'))
  path = join(folder, 'security', 'security.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function withUser(file: SecurityFile, name: string): Promise<void> {
  return file.change((state) => ({
    ...state,
    users: withEntry(state.users, name, newUser('hash', ['read'])),
  }))
}

describe('the security file', () => {
  it('is readable by its owner alone and keeps any name as plain data', async () => {
    const file = new SecurityFile(diskFiles, path)
    await withUser(file, '__proto__')
    await withUser(file, 'constructor')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'security')).mode & 0o777).toBe(0o700)
    expect([...new SecurityFile(diskFiles, path).state.users.keys()]).toEqual(['__proto__', 'constructor'])
    expect(Object.hasOwn(Object.prototype, 'roles')).toBe(false)
  })

  it('is refused when any byte of it is another one, and never overwritten then', async () => {
    await withUser(new SecurityFile(diskFiles, path), 'a')
    const good = readFileSync(path)
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at] = bad[at]! ^ 1
      writeFileSync(path, bad)
      expect(() => new SecurityFile(diskFiles, path), `byte ${at}`).toThrow(path)
    }
    writeFileSync(path, good.subarray(0, good.length - 1))
    expect(() => new SecurityFile(diskFiles, path)).toThrow('its checksum does not fit')
  })

  it('of a newer version is refused', async () => {
    await withUser(new SecurityFile(diskFiles, path), 'a')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"version":1', '"version":2'))
    expect(() => new SecurityFile(diskFiles, path)).toThrow('its format version is 2, this program knows 1')
  })

  it('keeps the last good state when a bad file takes its place, and writes nothing over it', async () => {
    const file = new SecurityFile(diskFiles, path)
    await withUser(file, 'a')
    writeFileSync(path, 'nonsense\n')
    expect(() => file.refresh()).toThrow('its header is damaged')
    expect([...file.state.users.keys()]).toEqual(['a'])
    await expect(withUser(file, 'b')).rejects.toThrow('its header is damaged')
    expect(readFileSync(path, 'utf8')).toBe('nonsense\n')
  })

  it('loses no change of several writers', async () => {
    const writers = [1, 2, 3].map(() => new SecurityFile(diskFiles, path))
    const names = Array.from({ length: 30 }, (_, n) => `user-${n}`)
    await Promise.all(names.map((name, at) => withUser(writers[at % 3]!, name)))
    expect([...new SecurityFile(diskFiles, path).state.users.keys()].sort()).toEqual(names.sort())
  })

  it('is there, whole, after a power cut right after a change', async () => {
    const disk = new MemoryFiles()
    const file = new SecurityFile(disk, 'security/security.json', false)
    await withUser(file, 'a')
    await withUser(file, 'b')
    const after = new SecurityFile(disk.crash(), 'security/security.json', false)
    expect([...after.state.users.keys()]).toEqual(['a', 'b'])
  })

  it('can be copied', async () => {
    await withUser(new SecurityFile(diskFiles, path), 'a')
    cpSync(join(folder, 'security'), join(folder, 'copy'), { recursive: true })
    expect(new SecurityFile(diskFiles, join(folder, 'copy', 'security.json')).state.users.has('a')).toBe(true)
  })
})
