import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configureLogging } from '../log/logger.ts'
import { glob, matchesSegment } from '../storage/glob.ts'
import { type ConfigPart, loadConfigParts } from './config-sources.ts'
import { Settings } from './settings.ts'

let directory = ''
let lines: string[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-sources-'))
  lines = []
  configureLogging({ level: 'info', format: 'plain', writeConsole: (line) => lines.push(line) })
})

afterEach(async () => {
  configureLogging({ level: 'info', writeConsole: null })
  await rm(directory, { recursive: true, force: true })
})

function load(name: 'config.string' | 'path.config', value: string): Promise<ConfigPart[]> {
  const place = { home: directory, hostname: 'h', cores: 1, pathSettings: directory }
  return loadConfigParts(new Settings(place, new Map([[name, { value, source: 'command line' }]])))
}

describe('config.string', () => {
  it('is one part', async () => {
    const text = 'input { stdin { } } output { stdout { } }'
    expect(await load('config.string', text)).toEqual([{ protocol: 'string', id: 'config_string', text }])
    expect(lines).toEqual([])
  })

  it('gets a missing input and output with warnings', async () => {
    const parts = await load('config.string', '')
    expect(parts.map(({ text }) => text)).toEqual([
      'input { stdin { type => stdin } }',
      'output { stdout { codec => rubydebug } }',
      '',
    ])
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('[WARN ]')
    const onlyOutput = await load('config.string', 'input\n{ stdin { } }')
    expect(onlyOutput.map(({ id }) => id)).toEqual(['default output', 'config_string'])
  })
})

describe('path.config', () => {
  it.skipIf(process.platform === 'win32')('passes over a pipe that lies in its folder', async () => {
    execFileSync('mkfifo', [join(directory, 'a.conf')])
    await writeFile(join(directory, 'b.conf'), 'B')
    const expected = [{ protocol: 'file', id: join(directory, 'b.conf'), text: 'B' }]
    expect(await load('path.config', directory)).toEqual(expected)
    expect(await load('path.config', join(directory, '*.conf'))).toEqual(expected)
  })

  it.skipIf(process.platform === 'win32')('is a pipe whose writer comes later', async () => {
    const path = join(directory, 'a.conf')
    execFileSync('mkfifo', [path])
    const loaded = load('path.config', path)
    await wait(100)
    const writing = writeFile(path, 'input { stdin { } }')
    expect(await loaded).toEqual([{ protocol: 'file', id: path, text: 'input { stdin { } }' }])
    await writing
  })

  it.skipIf(process.platform === 'win32')(
    'is no pipe into which nobody writes',
    {
      timeout: 40_000,
    },
    async () => {
      const path = join(directory, 'a.conf')
      execFileSync('mkfifo', [path])
      await expect(load('path.config', path)).rejects.toThrow(
        `Cannot read the config file ${path}: its writer had not come to an end within 10 seconds`,
      )
    },
  )

  it.skipIf(process.platform === 'win32')(
    'is no pipe that brings more than a file may hold',
    {
      timeout: 40_000,
    },
    async () => {
      const path = join(directory, 'a.conf')
      execFileSync('mkfifo', [path])
      const writing = writeFile(path, Buffer.alloc(65 * 1024 * 1024, '#')).catch(
        ({ code }: { code: string }) => code,
      )
      await expect(load('path.config', path)).rejects.toThrow('more than 67108864 bytes came through it')
      expect(await writing).toBe('EPIPE')
    },
  )

  const write = (name: string, text: string | Buffer): Promise<void> => writeFile(join(directory, name), text)

  it('is a file, relative or absolute, or a file address', async () => {
    await write('a.conf', 'A')
    const expected = [{ protocol: 'file', id: join(directory, 'a.conf'), text: 'A' }]
    expect(await load('path.config', join(directory, 'a.conf'))).toEqual(expected)
    expect(await load('path.config', relative(process.cwd(), join(directory, 'a.conf')))).toEqual(expected)
    expect(await load('path.config', `file://${directory}/a.conf`)).toEqual(expected)
  })

  it('is a directory: its files in order, without directories, hidden and temporary files', async () => {
    await write('20.conf', 'two')
    await write('10.conf', 'one')
    await write('B', 'upper case first')
    await write('.hidden', 'no')
    await write('30.conf~', 'no')
    await mkdir(join(directory, 'sub'))
    await write('sub/x.conf', 'no')
    await symlink(join(directory, 'sub', 'x.conf'), join(directory, 'link'))
    const parts = await load('path.config', directory)
    expect(parts.map(({ text }) => text)).toEqual(['one', 'two', 'upper case first', 'no'])
    expect(lines.join('')).toContain(
      `NOT reading config file because it is a temp file {:config_file=>"${join(directory, '30.conf~')}"}`,
    )
  })

  it('is a glob', async () => {
    for (const name of ['a1.conf', 'a2.conf', 'b1.conf', 'c.txt']) await write(name, name)
    const names = async (pattern: string): Promise<string[]> =>
      (await load('path.config', join(directory, pattern))).map(({ text }) => text)
    expect(await names('*.conf')).toEqual(['a1.conf', 'a2.conf', 'b1.conf'])
    expect(await names('a?.conf')).toEqual(['a1.conf', 'a2.conf'])
    expect(await names('{b,c}*')).toEqual(['b1.conf', 'c.txt'])
    expect(await names('[^a]*')).toEqual(['b1.conf', 'c.txt'])
  })

  it('may find nothing', async () => {
    expect(await load('path.config', join(directory, 'none.conf'))).toEqual([])
    expect(lines[0]).toContain(`No config files found in path {:path=>"${join(directory, 'none.conf')}"}`)
  })

  it('must be UTF-8', async () => {
    await write('good.conf', '# Zürich')
    await write('bad.conf', Buffer.from([0x23, 0xfc]))
    await expect(load('path.config', directory)).rejects.toThrow(
      `The following config files contains non-ascii characters but are not UTF-8 encoded ["${join(directory, 'bad.conf')}"]`,
    )
  })

  it('knows no other scheme', async () => {
    await expect(load('path.config', 'ftp://x/y')).rejects.toThrow('URI scheme not supported: ftp://x/y')
  })
})

describe('a remote path.config', () => {
  let server: Server
  let address = ''

  beforeEach(async () => {
    server = createServer((request, response) => {
      const status = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200)
      response.writeHead(status, { location: '/200' }).end(`input { } # ${request.url}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())))

  it('is fetched', async () => {
    expect(await load('path.config', `${address}/a.conf?x=1`)).toEqual([
      { protocol: 'http', id: `${address}/a.conf?x=1`, text: 'input { } # /a.conf?x=1' },
    ])
  })

  it.each([
    [302, "We don't follow redirection for remote configuration"],
    [404, 'File not found'],
    [403, 'Permission denied'],
    [500, '500 error on remote host'],
    [301, 'code: 301, message: Net::HTTPMovedPermanently'],
    [503, 'code: 503, message: Net::HTTPServiceUnavailable'],
  ])('answers %d', async (status, reason) => {
    await expect(load('path.config', `${address}/${status}`)).rejects.toThrow(
      `Unable to fetch config from: ${address}/${status}\nReason: ${reason}`,
    )
  })

  it('hides the password of the address', async () => {
    await expect(load('path.config', `${address.replace('//', '//user:pa55@')}/404`)).rejects.toThrow(
      `Unable to fetch config from: ${address}/404\nReason: File not found`,
    )
  })

  it('may refuse the connection', async () => {
    await expect(load('path.config', 'http://127.0.0.1:1/x')).rejects.toThrow(
      /^Unable to fetch config from: http:\/\/127\.0\.0\.1:1\/x\nReason: .*ECONNREFUSED/,
    )
  })
})

describe('glob', () => {
  it('descends with two stars and not into links or hidden directories', async () => {
    await mkdir(join(directory, 'a/b/.c'), { recursive: true })
    for (const name of ['x.conf', 'a/x.conf', 'a/b/x.conf', 'a/b/.c/x.conf'])
      await writeFile(join(directory, name), '')
    await symlink(directory, join(directory, 'a', 'loop'))
    const found = await glob(join(directory, '**', '*.conf'))
    expect(found.map((path) => relative(directory, path))).toEqual(['a/b/x.conf', 'a/x.conf', 'x.conf'])
  })

  it.each([
    ['*', 'a', true],
    ['*', '.a', false],
    ['.*', '.a', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbbd', false],
    ['a?c', 'a.c', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]', ']', true],
    ['a[', 'a[', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(200), false],
    ['?', '🙂', true],
  ])('%s on %s is %s', (pattern, name, expected) => {
    expect(matchesSegment(pattern, name)).toBe(expected)
  })

  it('matches every name with itself when nothing is special', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/), (name) => {
        expect(matchesSegment(name, name)).toBe(true)
        expect(matchesSegment(`${name}*`, `${name}tail`)).toBe(true)
        expect(matchesSegment(name, `${name}x`)).toBe(false)
      }),
    )
  })

  it('limits alternatives', async () => {
    await expect(glob(`/${'{a,b}'.repeat(20)}`)).rejects.toThrow('Too many alternatives')
  })
})
