import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fields } from '../../event/value.ts'
import { runFilter, type TestOptions } from '../../plugin/testing.ts'
import grok from '../filters/grok.ts'

/** The fields that an expression adds to an event with this message. */
async function captures(message: string, expression: string, options: TestOptions = {}): Promise<Fields> {
  const match = { message: expression }
  const [{ message: _, ...found } = {}] = await runFilter(grok, { match, ...options }, [{ message }])
  return found
}

const failure = { tags: ['_grokparsefailure'] }

describe('patterns of your own', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-patterns-'))
    mkdirSync(join(folder, 'all', 'deeper'), { recursive: true })
    writeFileSync(join(folder, 'all', 'a'), 'FRUIT apple\nDISH %{FRUIT} pie\n')
    writeFileSync(join(folder, 'all', 'b.txt'), '# FRUIT none\nFRUIT pear\r\nINT [a-z]+\n')
    writeFileSync(join(folder, 'all', '.hidden'), 'FRUIT hidden\n')
    writeFileSync(join(folder, 'all', 'deeper', 'c'), 'FRUIT deep\n')
    writeFileSync(join(folder, 'single'), '  FRUIT   fig  tree \nMALFORMED\n\n')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const dish = (message: string, options: TestOptions) => captures(message, '^%{DISH:dish}$', options)

  it('come from the files of a folder, later ones win', async () => {
    const options = { patterns_dir: [join(folder, 'all')] }
    expect(await dish('pear pie', options)).toEqual({ dish: 'pear pie' })
    expect(await dish('apple pie', options)).toEqual(failure)
  })

  it('win over the library, also inside its patterns', async () => {
    const options = { patterns_dir: [join(folder, 'all')] }
    expect(await captures('12 ab', '^%{INT:n}$|%{INT:n}$', options)).toEqual({ n: 'ab' })
    expect(await captures('01/Jan/2000:01:02:03 zz', '%{HTTPDATE:t}', options)).toEqual({
      t: '01/Jan/2000:01:02:03 zz',
    })
  })

  it('are limited to a glob', async () => {
    const options = { patterns_dir: [join(folder, 'all')], patterns_files_glob: 'a*' }
    expect(await dish('apple pie', options)).toEqual({ dish: 'apple pie' })
  })

  it('may be named by file and by glob, in the order given', async () => {
    const options = (...paths: string[]) => ({ patterns_dir: paths.map((path) => join(folder, path)) })
    expect(await dish('fig  tree  pie', options('all', 'single'))).toEqual({ dish: 'fig  tree  pie' })
    expect(await dish('pear pie', options('single', 'all/[ab]*'))).toEqual({ dish: 'pear pie' })
    expect(await captures('deep', '^%{FRUIT:f}$', options('all/deeper'))).toEqual({ f: 'deep' })
  })

  it('need not exist, unless they are used', async () => {
    expect(await captures('1', '%{INT:n}', { patterns_dir: [join(folder, 'gone')] })).toEqual({ n: '1' })
  })

  it('of the configuration win over files', async () => {
    const options = {
      patterns_dir: [join(folder, 'all')],
      pattern_definitions: { FRUIT: 'plum\n', N: '%{INT}' },
    }
    expect(await dish('plum pie', options)).toEqual({ dish: 'plum pie' })
    expect(await captures('ab', '^%{N:n}$', options)).toEqual({ n: 'ab' })
    const inline = { pattern_definitions: { A: 'x' } }
    expect(await captures('xy', '^%{A:a}%{A:b=y}$', inline)).toEqual({ a: 'x', b: 'y' })
  })

  it('stay with their filter', async () => {
    await captures('ab', '^%{INT:n}$', { pattern_definitions: { INT: '[a-z]+' } })
    expect(await captures('12', '^%{INT:n}$')).toEqual({ n: '12' })
  })
})

describe('the library', () => {
  const line = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326'
  const options = { match: { message: '%{COMMONAPACHELOG}' } }

  it('has old and new field names', async () => {
    expect(await runFilter(grok, options, [{ message: line }])).toMatchObject([
      { clientip: '127.0.0.1', auth: 'frank', response: '200', bytes: '2326' },
    ])
    for (const settings of [{ ecs: 'v1' }, { ecs: 'v8' }] as const) {
      expect(await runFilter(grok, options, [{ message: line }], settings)).toMatchObject([
        {
          source: { address: '127.0.0.1' },
          user: { name: 'frank' },
          http: { response: { status_code: 200, body: { bytes: 2326 } } },
        },
      ])
    }
  })

  it('goes by the option of the filter first', async () => {
    const chosen = { ...options, ecs_compatibility: 'disabled' }
    expect(await runFilter(grok, chosen, [{ message: line }], { ecs: 'v8' })).toMatchObject([
      { auth: 'frank' },
    ])
  })
})
