import { mkdtemp, readFile } from 'node:fs/promises'
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

  it('takes another form', async () => {
    const csv_options = { col_sep: '\t', row_sep: '\r\n', force_quotes: true }
    expect(await written({ fields: ['a', 'b'], csv_options }, [{ a: 1 }])).toBe('"1"\t""\r\n')
  })
})
