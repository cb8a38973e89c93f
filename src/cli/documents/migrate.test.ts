import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../endpoint.ts'
import { folderOf, KeptOutput } from '../testing.ts'
import { migrateCommand } from './migrate.ts'
import { MigrationLines } from './migration-lines.ts'

let from: Endpoint
let folder: string

beforeEach(async () => {
  from = await startEndpoint()
  folder = await folderOf({ 'logstash.yml': '' })
  const document = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"n":1}' }
  await fetch(`${from.url}/a/_doc/1?refresh=true`, document)
})

afterEach(() => from.stop())

async function run(...args: string[]) {
  const output = new KeptOutput()
  const paths = ['--path.settings', folder, '--path.data', folder, '--search.path', join(folder, 'search')]
  const code = await migrateCommand([...args, ...paths], output)
  return { code, ...output, printed: output.printed, told: output.told }
}

describe('migrate', () => {
  it('copies into the store at search.path, and says which line to change', async () => {
    const { code, printed, told } = await run('--from', from.url, '--to', 'store')
    expect({ code, told }).toMatchObject({ code: 0 })
    expect(told).toContain('1 documents are the same at')
    expect(printed).toContain('search.backend: embedded')
    const opened = await startEndpoint({ directory: join(folder, 'search') })
    expect(await (await fetch(`${opened.url}/a/_doc/1`)).json()).toMatchObject({ _source: { n: 1 } })
    await opened.stop()
  })

  it('says what it would do', async () => {
    const { code, told } = await run('--from', from.url, '--to', 'store', '--dry-run')
    expect(code).toBe(0)
    expect(told).toContain('a: index, 1 documents\n')
  })

  it('ends with 1 and says so when the target has the index', async () => {
    expect((await run('--from', from.url, '--to', 'store', '--keep')).code).toBe(0)
    const { code, told } = await run('--from', from.url, '--to', 'store')
    expect(code).toBe(1)
    expect(told).toContain('--replace deletes it there first')
    expect((await run('--from', from.url, '--to', 'store', '--replace')).code).toBe(0)
  })

  it.each([
    [['--rate', '0'], "option '--rate'"],
    [['--workers', 'many'], "option '--workers'"],
    [['--what'], "Unrecognised option '--what'"],
    [['word'], "Unrecognised argument 'word'"],
  ])('refuses %j', async (args, message) => {
    const { code, told } = await run(...args)
    expect(code).toBe(2)
    expect(told).toContain(message)
  })
})

describe('progress', () => {
  it('is a line now and then with speed and rest', () => {
    const output = new KeptOutput()
    let now = 0
    const lines = new MigrationLines(output, () => now)
    lines.progress({ copied: 10, total: 100_000 })
    now = 5000
    lines.progress({ copied: 50_000, total: 100_000 })
    expect(output.told).toBe('50,000 documents copied, 10,000/s, 50,000 left, about 5 s\n')
  })
})
