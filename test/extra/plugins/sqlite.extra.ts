/** SQLite through the packages that users install: statements, values of every kind, two connections to one file. */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { float } from '../../../src/event/value.ts'
import { parseConnectionString } from '../../../src/plugins/jdbc/connection-string.ts'
import { openDatabase } from '../../../src/plugins/jdbc/database.ts'
import { fillPositions } from '../../../src/plugins/jdbc/sql-text.ts'
import { utc } from '../../../src/time/zone.ts'
import { serverFolder } from '../support/server-process.ts'

const beside = createRequire(
  join(resolve(process.env['MILLRACE_INSTALLED'] ?? '.tmp/installed'), 'package.json'),
)
/** The package even where Node has SQLite built in, and then what is built in. */
const loads = {
  'node-sqlite3-wasm': (name: string) =>
    name.startsWith('node:') ? Promise.reject(new Error('not now')) : import(beside.resolve(name)),
  'what is installed': (name: string) => import(name.startsWith('node:') ? name : beside.resolve(name)),
}

describe.each(Object.entries(loads))('SQLite by %s', (_, load) => {
  it('stores and reads values', async () => {
    const path = join(serverFolder('sqlite'), 'data.db')
    const open = () =>
      openDatabase(
        {
          address: parseConnectionString(`jdbc:sqlite:${path}`),
          user: undefined,
          password: undefined,
          connectMilliseconds: 1000,
          zone: utc,
        },
        load,
      )
    const [writer, reader] = [await open(), await open()]
    await writer.run('CREATE TABLE t (id INTEGER, big INTEGER, f REAL, s TEXT, b BLOB, n TEXT)')
    const values = [1, 2n ** 60n, float(1.5), "it's \\ €", null]
    await writer.run(fillPositions("INSERT INTO t VALUES (?, ?, ?, ?, x'ff00', ?)", values, 'sqlite'))
    expect(await reader.run('SELECT * FROM t')).toEqual([
      { id: 1, big: 2n ** 60n, f: 1.5, s: "it's \\ €", b: '\xff\0', n: null },
    ])
    const portions: number[] = []
    await writer.run('INSERT INTO t (id) VALUES (2), (3), (4), (5)')
    for await (const rows of reader.rows('SELECT id FROM t', 2)) portions.push(rows.length)
    expect(portions).toEqual([2, 2, 1])
    await expect(reader.run('SELECT missing_column')).rejects.toThrow(/no such column/)
    await Promise.all([writer.close(), reader.close()])
  })
})
