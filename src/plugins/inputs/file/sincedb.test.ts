import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordingLogger } from '../../../plugin/testing.ts'
import { fileKey, Sincedb } from './sincedb.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sincedb-'))
})
afterEach(() => rm(folder, { recursive: true }))

const day = 86_400_000

function open(path = join(folder, 'db'), settings = {}) {
  const logger = recordingLogger()
  return Sincedb.open({ path, writeMilliseconds: 0, expiryMilliseconds: 14 * day, logger, ...settings })
}

describe('sincedb', () => {
  it('reads the lines of Logstash, old and new', async () => {
    const now = Date.now() / 1000
    await writeFile(
      join(folder, 'db'),
      `1311076 0 51713 94\n22 0 64768 7 ${now} /var/log/with blank.log\n23 0 64768 8 ${now}\n\n`,
    )
    const sincedb = await open()
    expect(sincedb.get('1311076 0 51713')).toMatchObject({ offset: 94, path: undefined })
    expect(sincedb.get('22 0 64768')).toMatchObject({ offset: 7, path: '/var/log/with blank.log' })
    expect(sincedb.get('23 0 64768')).toMatchObject({ offset: 8, path: undefined })
    expect(sincedb.isDamaged).toBe(false)
  })

  it('writes what it would read, and leaves nothing unfinished beside it', async () => {
    const sincedb = await open()
    sincedb.set('1 0 2', 3, '/a b')
    await sincedb.write()
    const text = await readFile(join(folder, 'db'), 'utf8')
    expect(text).toMatch(/^1 0 2 3 \d{10}\.\d{9} \/a b\n$/)
    expect((await readdir(folder)).sort()).toEqual(['db', 'db.names'])
    expect((await open()).get('1 0 2')).toMatchObject({ offset: 3, path: '/a b' })
    sincedb.delete('1 0 2')
    await sincedb.write()
    expect(await readFile(join(folder, 'db'), 'utf8')).toBe('')
  })

  it('writes by itself, soon after a change', async () => {
    const sincedb = await open()
    sincedb.set('1 0 2', 3, '/a')
    for (let i = 0; i < 500 && (await readFile(join(folder, 'db'), 'utf8')) === ''; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await readFile(join(folder, 'db'), 'utf8')).toMatch(/^1 0 2 3 /)
    await sincedb.write()
  })

  describe('that is damaged', () => {
    const keys = ['11 0 2', '12 0 2', '13 0 2']

    /** A sincedb of three files, and what is read of other bytes in its place. */
    async function damagedBy(damage: (bytes: Buffer) => Buffer) {
      const sincedb = await open()
      for (const [at, key] of keys.entries()) sincedb.set(key, 1000 + at, `/var/log/a ${at}.log`)
      await sincedb.write()
      const path = join(folder, 'db')
      const whole = await readFile(path)
      await writeFile(path, damage(Buffer.from(whole)))
      const logger = recordingLogger()
      const opened = await open(path, { logger })
      const offsets = keys.map((key) => opened.get(key)?.offset)
      await opened.write()
      return { whole, offsets, isDamaged: opened.isDamaged, logger }
    }

    it('has the right positions or an ERROR line, whichever bit is flipped', async () => {
      const { whole } = await damagedBy((bytes) => bytes)
      for (let bit = 0; bit < whole.length * 8; bit += 3) {
        const { offsets, isDamaged, logger } = await damagedBy((bytes) => {
          bytes[bit >> 3]! ^= 1 << (bit & 7)
          return bytes
        })
        const right = [1000, 1001, 1002]
        for (const [at, offset] of offsets.entries())
          expect([right[at], undefined], `${bit}`).toContain(offset)
        expect(logger.messages('error').length, `${bit}`).toBe(isDamaged ? 1 : 0)
        if (!isDamaged) expect(offsets, `${bit}`).toEqual(right)
      }
    }, 60_000)

    it('has the right positions or an ERROR line, wherever it is cut off', async () => {
      const { whole } = await damagedBy((bytes) => bytes)
      for (let length = 1; length < whole.length; length++) {
        const { isDamaged, logger } = await damagedBy((bytes) => bytes.subarray(0, length))
        expect(isDamaged, `${length}`).toBe(true)
        expect(logger.messages('error'), `${length}`).toHaveLength(1)
      }
    }, 60_000)

    it('keeps the bytes beside and is whole the next time', async () => {
      const { logger } = await damagedBy((bytes) => bytes.fill('x', 8, 9))
      const kept = String(logger.lines[0]!.fields!['kept'])
      expect(await readFile(kept, 'utf8')).toContain('x')
      expect((await open()).isDamaged).toBe(false)
    })
  })

  it('takes a last line without an end from files that others wrote', async () => {
    await writeFile(join(folder, 'db'), `1 0 2 3 ${Date.now() / 1000} /a\n2 0 2 4 ${Date.now() / 1000} /b`)
    const sincedb = await open()
    expect(sincedb.get('2 0 2')?.offset).toBe(4)
    expect(sincedb.isDamaged).toBe(false)
  })

  it('forgets files that were not read for long', async () => {
    const now = Date.now() / 1000
    await writeFile(join(folder, 'db'), `1 0 2 3 ${now - 20 * 86_400} /old\n2 0 2 4 ${now} /new\n`)
    const sincedb = await open()
    expect(sincedb.get('1 0 2')).toBeUndefined()
    expect(sincedb.get('2 0 2')?.offset).toBe(4)
  })

  it('refuses a folder', async () => {
    await mkdir(join(folder, 'sub'))
    await expect(open(join(folder, 'sub'))).rejects.toThrow(
      `The "sincedb_path" argument must point to a file, received a directory: "${join(folder, 'sub')}"`,
    )
  })

  it.each(['/dev/null', 'NUL'])('remembers nothing in %s', async (path) => {
    const sincedb = await open(path)
    sincedb.set('1 0 2', 3, '/a')
    await sincedb.write()
    expect(sincedb.get('1 0 2')?.offset).toBe(3)
  })

  it('identifies files by inode and device, the device split as JRuby does', async () => {
    const stats = await stat(folder, { bigint: true })
    expect(fileKey(Object.assign(stats, { ino: 7n, dev: 0xfd00n }))).toBe('7 0 64768')
  })
})
