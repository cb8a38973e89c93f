/** The jdbc input reads a real PostgreSQL through the package `pg`. */
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Millrace, type MillraceOptions, OUT, run } from '../../support/millrace.ts'
import { startPostgresql, type TestDatabase } from '../support/databases.ts'
import { serverFolder } from '../support/server-process.ts'

let database: TestDatabase
const running: Millrace[] = []
const folder = serverFolder('jdbc')

beforeAll(async () => {
  database = await startPostgresql()
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

async function start(options: string, more: MillraceOptions = {}): Promise<Millrace> {
  const millrace = await Millrace.start({ config: config(options), ...more })
  running.push(millrace)
  return millrace
}

async function rowsOf(options: string, more: MillraceOptions = {}) {
  const { events, code, stdout } = await run({ config: config(options), ...more })
  expect(code, stdout).toBe(0)
  return events
}

describe('jdbc input with PostgreSQL', () => {
  it('gives every type of column as its kind of value', async () => {
    database.sql(`CREATE TABLE types (
        small smallint, whole integer, big bigint, exact numeric(20,4), single real, twice double precision,
        yes boolean, short varchar(20), fixed char(5), long text, day date, local timestamp, zoned timestamptz,
        clock time, id uuid, doc jsonb, list text[], bytes bytea, address inet, nothing text, "MixedCase" int);
      INSERT INTO types VALUES (1, -2, 9007199254740993, 1234.5600, 1.5, 0.1, true, 'naïve €', 'ab', 'it''s',
        '2024-02-29', '2024-03-31 02:30:00.123456', '2024-03-31 02:30:00.123456+02', '12:34:56',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": [1]}', '{x,"y z"}', '\\x00ff', '10.0.0.1', NULL, 7);`)
    const { stdout } = await run({
      config: config(`statement => "SELECT * FROM types" jdbc_default_timezone => "Europe/Paris"`),
    })
    expect(stdout).toContain('"big":9007199254740993')
    const [row] = await rowsOf(`statement => "SELECT * FROM types" jdbc_default_timezone => "Asia/Tokyo"`)
    expect(row).toMatchObject({
      small: 1,
      whole: -2,
      exact: 1234.56,
      single: 1.5,
      twice: 0.1,
      yes: true,
      short: 'naïve €',
      fixed: 'ab   ',
      long: "it's",
      day: '2024-02-28T15:00:00.000Z',
      local: '2024-03-30T17:30:00.123456Z',
      zoned: '2024-03-31T00:30:00.123456Z',
      id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      doc: '{"a": [1]}',
      address: '10.0.0.1',
      nothing: null,
      mixedcase: 7,
    })
    const [kept] = await rowsOf(`statement => "SELECT * FROM types" lowercase_column_names => false`)
    expect(kept).toHaveProperty('MixedCase', 7)
  })

  it('streams a large result in order, and pages it', async () => {
    database.sql(`CREATE TABLE many AS SELECT n, md5(n::text) AS text FROM generate_series(1, 20000) n;`)
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
    const named = `statement => "SELECT :word AS word, :number + 1 AS sum, ':word' AS quoted, '1'::int AS cast_of -- :word"
      parameters => { "word" => "it's \\ not :number" "number" => 41 }`
    expect((await rowsOf(named))[0]).toMatchObject({
      word: "it's \\ not :number",
      sum: 42,
      quoted: ':word',
      cast_of: 1,
    })
    const prepared = `statement => "SELECT n FROM many WHERE n > ? AND n < ? ORDER BY n" use_prepared_statements => true
      prepared_statement_name => "some" prepared_statement_bind_values => [5, 8]`
    expect((await rowsOf(prepared)).map((row) => row['n'])).toEqual([6, 7])
  })

  it('goes on from the last value of a column, on a schedule and after a restart', async () => {
    database.sql(`CREATE TABLE grown (id serial, text text); INSERT INTO grown (text) VALUES ('a'), ('b');`)
    const kept = join(folder, 'grown')
    const options = `schedule => "* * * * * *" use_column_value => true tracking_column => "id"
      last_run_metadata_path => "${kept}"
      statement => "SELECT * FROM grown WHERE id > :sql_last_value ORDER BY id"`
    const first = await start(options)
    await first.until(() => first.events().length === 2)
    database.sql(`INSERT INTO grown (text) VALUES ('c');`)
    await first.until(() => first.events().length === 3)
    await untilText(kept, '--- 3\n')
    first.signal('SIGTERM')
    expect(await first.exit()).toMatchObject({ code: 0 })
    database.sql(`INSERT INTO grown (text) VALUES ('d');`)
    const second = await start(options)
    await second.until(() => second.events().length === 1)
    expect(second.events()).toMatchObject([{ id: 4, text: 'd' }])
  })

  it('goes on from a time, of a column or of the last run', async () => {
    database.sql(`CREATE TABLE changed (id int, at timestamptz);
      INSERT INTO changed VALUES (1, '2024-01-01 00:00:00.000001+00'), (2, '2024-01-01 00:00:00.000002+00');`)
    const kept = join(folder, 'changed')
    const byColumn = `use_column_value => true tracking_column => "at" tracking_column_type => "timestamp"
      last_run_metadata_path => "${kept}" statement => "SELECT * FROM changed WHERE at > :sql_last_value ORDER BY at"`
    expect(await rowsOf(byColumn)).toHaveLength(2)
    expect(await readFile(kept, 'utf8')).toBe('--- 2024-01-01 00:00:00.000002000 Z\n')
    expect(await rowsOf(byColumn)).toHaveLength(0)
    database.sql(`INSERT INTO changed VALUES (3, '2024-01-01 00:00:00.000003+00');`)
    expect(await rowsOf(byColumn)).toMatchObject([{ id: 3 }])

    const byRun = `last_run_metadata_path => "${kept}-run" statement => "SELECT * FROM changed WHERE at > :sql_last_value"`
    expect(await rowsOf(byRun)).toHaveLength(3)
    expect(await rowsOf(byRun)).toHaveLength(0)
    database.sql(`INSERT INTO changed VALUES (4, now());`)
    expect(await rowsOf(byRun)).toMatchObject([{ id: 4 }])
    expect(await rowsOf(`${byRun} clean_run => true`)).toHaveLength(4)
  })

  it('runs what is no plain SELECT, too', async () => {
    expect(await rowsOf(`statement => "WITH x AS (SELECT 1 AS a) SELECT * FROM x;"`)).toMatchObject([
      { a: 1 },
    ])
    expect(await rowsOf(`statement => "UPDATE many SET text = 'new' WHERE n < 3 RETURNING n"`)).toHaveLength(
      2,
    )
    expect(
      await rowsOf(
        `statement => "WITH gone AS (DELETE FROM many WHERE n < 3 RETURNING n) SELECT * FROM gone"`,
      ),
    ).toHaveLength(2)
    expect(database.sql('SELECT count(*) FROM many WHERE n < 3')).toBe('0')
    database.sql(`CREATE TABLE calls (n int);
      CREATE FUNCTION called() RETURNS int LANGUAGE sql AS 'INSERT INTO calls VALUES (1) RETURNING n';`)
    expect(await rowsOf(`statement => "SELECT called() AS n"`)).toMatchObject([{ n: 1 }])
    expect(database.sql('SELECT count(*) FROM calls')).toBe('1')
    expect(await rowsOf(`statement => "SHOW server_version_num"`)).toHaveLength(1)
  })

  it('says what the database did not like, and tries again at the next time', async () => {
    const millrace = await start(`schedule => "* * * * * *" statement => "SELECT * FROM not_yet"`)
    await millrace.until('relation \\"not_yet\\" does not exist')
    database.sql('CREATE TABLE not_yet AS SELECT 1 AS n')
    await millrace.until(() => millrace.events().length > 0)
    await database.stop()
    await millrace.until(/ECONNREFUSED|terminat/)
    await database.restart()
    const before = millrace.events().length
    await millrace.until(() => millrace.events().length > before)
    millrace.signal('SIGTERM')
    expect(await millrace.exit()).toMatchObject({ code: 0 })
  })

  it('says that the password is wrong', async () => {
    const { stdout } = await run({
      config: `input { jdbc { jdbc_connection_string => "jdbc:postgresql://127.0.0.1:${database.port}/postgres"
        jdbc_user => "millrace" jdbc_password => "wrong" jdbc_driver_class => "x" statement => "SELECT 1" } } ${OUT}`,
    })
    expect(stdout).toContain('password authentication failed')
  })
})

async function untilText(path: string, text: string): Promise<void> {
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = await readFile(path, 'utf8').catch(() => '')
    if (found === text) return
    if (Date.now() > end) throw new Error(`${path} holds ${JSON.stringify(found)}`)
  }
}
