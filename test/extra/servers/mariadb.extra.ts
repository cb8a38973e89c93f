/** The jdbc input reads a real MariaDB through the package `mysql2`. */
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Millrace, OUT, run } from '../../support/millrace.ts'
import { startMariadb, type TestDatabase } from '../support/databases.ts'
import { serverFolder } from '../support/server-process.ts'

let database: TestDatabase
const running: Millrace[] = []
const folder = serverFolder('jdbc')

beforeAll(async () => {
  database = await startMariadb()
})
afterEach(async () => {
  for (const millrace of running.splice(0)) await millrace.dispose()
})
afterAll(async () => {
  await database?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

function config(options: string): string {
  return `input { jdbc { ${database.connection} ${options} } } ${OUT}`
}

async function start(options: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config: config(options) })
  running.push(millrace)
  return millrace
}

async function rowsOf(options: string) {
  const { events, code, stdout } = await run({ config: config(options) })
  expect(code, stdout).toBe(0)
  return events
}

describe('jdbc input with MariaDB', () => {
  it('gives every type of column as its kind of value', async () => {
    database.sql(`CREATE TABLE kinds (
        flag tinyint(1), tiny tinyint, whole int, big bigint, huge bigint unsigned, exact decimal(20,4), single float,
        twice double, bits bit(1), word varchar(20), body text, day date, at datetime(6), stamped timestamp(6) NULL,
        clock time, born year, kind enum('a','b'), doc json, raw varbinary(4), nothing int, MixedCase int);
      SET time_zone = '+02:00';
      INSERT INTO kinds VALUES (1, 5, -2, 9007199254740993, 18446744073709551615, 1234.56, 1.5, 0.1, b'1', 'naïve €',
        'it''s', '2024-02-29', '2024-03-31 02:30:00.123456', '2024-03-31 02:30:00.123456', '12:34:56', 2024, 'b',
        '{"a": [1]}', 'abcd', NULL, 7);`)
    const { stdout } = await run({ config: config(`statement => "SELECT * FROM kinds"`) })
    expect(stdout).toContain('"big":9007199254740993')
    expect(stdout).toContain('"huge":18446744073709551615')
    const [row] = await rowsOf(`statement => "SELECT * FROM kinds" jdbc_default_timezone => "Asia/Tokyo"`)
    expect(row).toMatchObject({
      flag: true,
      tiny: 5,
      whole: -2,
      exact: 1234.56,
      single: 1.5,
      twice: 0.1,
      bits: true,
      word: 'naïve €',
      body: "it's",
      day: '2024-02-28T15:00:00.000Z',
      at: '2024-03-30T17:30:00.123456Z',
      stamped: '2024-03-31T00:30:00.123456Z',
      born: 2024,
      kind: 'b',
      doc: '{"a": [1]}',
      raw: 'abcd',
      nothing: null,
      mixedcase: 7,
    })
  })

  it('streams a large result in order, and pages it', async () => {
    database.sql('CREATE TABLE many AS SELECT seq AS n, md5(seq) AS text FROM seq_1_to_20000;')
    const all = Array.from({ length: 20_000 }, (_, n) => n + 1)
    const read = async (options: string) =>
      (await rowsOf(`statement => "SELECT * FROM many ORDER BY n" ${options}`)).map((row) => row['n'])
    expect(await read('')).toEqual(all)
    expect(await read('jdbc_fetch_size => 7000')).toEqual(all)
    expect(await read('jdbc_paging_enabled => true jdbc_page_size => 3000')).toEqual(all)
    const explicit = `statement => "SELECT * FROM many ORDER BY n LIMIT :size OFFSET :offset"
      jdbc_paging_enabled => true jdbc_paging_mode => "explicit" jdbc_page_size => 5000`
    expect((await rowsOf(explicit)).map((row) => row['n'])).toEqual(all)
  })

  it('fills in parameters, and values of prepared statements', async () => {
    const named = `statement => "SELECT :word AS word, :number + 1 AS sum, ':word' AS quoted"
      parameters => { "word" => "it's \\ not :number" "number" => 41 }`
    expect((await rowsOf(named))[0]).toMatchObject({ word: "it's \\ not :number", sum: 42, quoted: ':word' })
    const prepared = `statement => "SELECT n FROM many WHERE n > ? AND n < ? ORDER BY n" use_prepared_statements => true
      prepared_statement_name => "some" prepared_statement_bind_values => [5, 8]`
    expect((await rowsOf(prepared)).map((row) => row['n'])).toEqual([6, 7])
  })

  it('goes on from the last value of a column, and from the time of the last run', async () => {
    database.sql(`CREATE TABLE grown (id int AUTO_INCREMENT PRIMARY KEY, at timestamp(6) DEFAULT now(6));
      INSERT INTO grown () VALUES (), ();`)
    const kept = join(folder, 'grown')
    const millrace = await start(`schedule => "* * * * * *" use_column_value => true tracking_column => "id"
      last_run_metadata_path => "${kept}" statement => "SELECT * FROM grown WHERE id > :sql_last_value ORDER BY id"`)
    await millrace.until(() => millrace.events().length === 2)
    database.sql('INSERT INTO grown () VALUES ();')
    await millrace.until(() => millrace.events().length === 3)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toMatchObject({ code: 0 })
    expect(await readFile(kept, 'utf8')).toBe('--- 3\n')

    const byRun = `last_run_metadata_path => "${kept}-run" statement => "SELECT * FROM grown WHERE at > :sql_last_value"`
    expect(await rowsOf(byRun)).toHaveLength(3)
    expect(await rowsOf(byRun)).toHaveLength(0)
    database.sql('INSERT INTO grown () VALUES ();')
    expect(await rowsOf(byRun)).toMatchObject([{ id: 4 }])
  })

  it('says what the database did not like, and tries again at the next time', async () => {
    const millrace = await start(`schedule => "* * * * * *" statement => "SELECT * FROM not_yet"`)
    await millrace.until("Table 'shop.not_yet' doesn't exist")
    database.sql('CREATE TABLE not_yet AS SELECT 1 AS n;')
    await millrace.until(() => millrace.events().length > 0)
    await database.stop()
    await millrace.until(/ECONNREFUSED|closed/)
    await database.restart()
    const before = millrace.events().length
    await millrace.until(() => millrace.events().length > before)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toMatchObject({ code: 0 })
  })

  it('stops in the middle of a long result', async () => {
    const millrace = await start('statement => "SELECT a.n FROM many a, many b"')
    await millrace.until(() => millrace.stdout.length > 100_000)
    millrace.signal('SIGTERM')
    expect(await millrace.exit(20_000)).toMatchObject({ code: 0 })
  })

  it('runs other statements, several where the connection allows it', async () => {
    expect(await rowsOf(`statement => "UPDATE many SET text = 'x' WHERE n = 1"`)).toEqual([])
    expect(database.sql('SELECT text FROM many WHERE n = 1;')).toBe('x')
    const both = config(`statement => "SET @a = 5; SELECT @a AS a"`).replace(
      'useSSL=false',
      'useSSL=false&allowMultiQueries=true',
    )
    const { events } = await run({ config: both })
    expect(events).toMatchObject([{ a: 5 }])
  })
})
