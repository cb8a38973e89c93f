import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import csv from './csv.ts'

async function written(options: TestOptions, events: Parameters<ReturnType<typeof outputFor>['deliver']>[0]) {
  const path = join(await mkdtemp(join(tmpdir(), 'millrace-csv-')), 'out.csv')
  const { instance, deliver } = outputFor(csv, { path, ...options })
  await instance.register!()
  await deliver(events)
  await instance.close!()
  return readFile(path, 'utf8')
}

describe('csv', () => {
  it('writes chosen fields, quoted where needed', async () => {
    const events = [
      { a: 'x,"y"', b: { c: 1 } },
      { a: 'z', b: { d: [1] } },
    ]
    expect(await written({ fields: ['a', '[b][c]', 'b', 'none'] }, events)).toBe(
      '"x,""y""",1,"{""c"":1}",\nz,,"{""d"":[1]}",\n',
    )
  })

  it('takes the harm out of formulas, not out of numbers', async () => {
    const events = [{ a: '=1+1', b: -5 }]
    expect(await written({ fields: ['a', 'b'] }, events)).toBe("'=1+1,-5\n")
    expect(await written({ fields: ['a', 'b'], spreadsheet_safe: false }, events)).toBe('=1+1,-5\n')
  })

  it('replaces what was there, and sets modes, as it is told', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'millrace-csv-')), 'new')
    const path = join(folder, 'out.csv')
    const options = { path, fields: ['a'], dir_mode: 0o700, file_mode: 0o600, write_behavior: 'overwrite' }
    for (const a of ['first', 'second']) {
      const { instance, deliver } = outputFor(csv, { ...options, stale_cleanup_interval: 1 })
      await instance.register!()
      await deliver([{ a }])
      await instance.close!()
    }
    expect(await readFile(path, 'utf8')).toBe('second\n')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('takes another form', async () => {
    const csv_options = { col_sep: '\t', row_sep: '\r\n', force_quotes: true }
    expect(await written({ fields: ['a', 'b'], csv_options }, [{ a: 1 }])).toBe('"1"\t""\r\n')
  })
})
