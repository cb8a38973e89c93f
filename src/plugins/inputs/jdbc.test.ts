import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { inputFor, type TestOptions } from '../../plugin/testing.ts'
import { openDatabase } from '../jdbc/database.ts'
import { type FakeDatabase, fakeDatabase, fakeMysql, fakePg } from '../jdbc/test-drivers.ts'
import { lastRunText, parseLastRun } from './jdbc/last-run.ts'
import jdbc from './jdbc.ts'

let database: FakeDatabase = fakeDatabase()
vi.mock('pg', () => ({ default: fakePg(databaseInUse()) }))
vi.mock('mysql2', () => ({ default: fakeMysql(databaseInUse()) }))

/** The modules are made once; the database behind them is that of the test at hand. */
function databaseInUse(): FakeDatabase {
  return {
    get statements() {
      return database.statements
    },
    get settings() {
      return database.settings
    },
    get types() {
      return database.types
    },
    get refusals() {
      return database.refusals ?? 0
    },
    set refusals(left) {
      database.refusals = left
    },
    answer: (statement) => database.answer(statement),
  }
}

let folder = ''
beforeEach(async () => {
  database = fakeDatabase()
  folder = await mkdtemp(join(tmpdir(), 'millrace-jdbc-'))
})

async function run(options: TestOptions) {
  const input = inputFor(
    jdbc,
    {
      jdbc_connection_string: 'jdbc:postgresql://db:5432/shop',
      jdbc_driver_class: 'org.postgresql.Driver',
      jdbc_default_timezone: 'UTC',
      last_run_metadata_path: join(folder, 'last'),
      ...options,
    },
    { settings: { 'path.data': folder } },
  )
  await input.instance.register?.()
  await input.instance.run(input.sink)
  await input.instance.close?.()
  const fields = input.sink.fields().map(({ '@timestamp': _, ...rest }) => rest)
  return { ...input, fields }
}

describe('connections of the jdbc input', () => {
  it('are tried connection_retry_attempts times, for jdbc_pool_timeout seconds each', async () => {
    database.answer = () => [{ a: 'x' }]
    const options = {
      statement: 'SELECT a',
      connection_retry_attempts_wait_time: 0.01,
      jdbc_pool_timeout: 7,
    }
    database.refusals = 2
    expect((await run({ ...options, connection_retry_attempts: 3 })).fields).toEqual([{ a: 'x' }])
    expect(database.settings).toHaveLength(3)
    expect(database.settings[0]).toMatchObject({ connectionTimeoutMillis: 7000 })
    database.refusals = 2
    const { fields } = await run({ ...options, connection_retry_attempts: 2 })
    expect(fields).toEqual([])
    expect(database.settings).toHaveLength(5)
  })

  it('are opened again and again with interval', async () => {
    database.answer = () => [{ a: 'x' }]
    const input = inputFor(
      jdbc,
      {
        jdbc_connection_string: 'jdbc:postgresql://db:5432/shop',
        jdbc_driver_class: 'org.postgresql.Driver',
        last_run_metadata_path: join(folder, 'last'),
        statement: 'SELECT a',
        interval: '1s',
      },
      { settings: { 'path.data': folder } },
    )
    await input.instance.register?.()
    const ended = input.instance.run(input.sink)
    await input.sink.waitFor(2)
    await input.instance.stop()
    await ended
    await input.instance.close?.()
    expect(database.statements.length).toBeGreaterThanOrEqual(2)
  })
})

describe('jdbc input', () => {
  it('makes events of rows, column names in lower case', async () => {
    database.types = { Id: 20, Price: 1700, At: 1184, Ok: 16 }
    database.answer = () => [
      { Id: '1', Price: '2.50', At: '2024-01-02 03:04:05+00', Ok: 't', Name: 'é', None: null },
    ]
    const { fields } = await run({ statement: 'SELECT * FROM t', jdbc_user: 'u', jdbc_password: 'p' })
    expect(fields).toEqual([
      {
        id: 1,
        price: 2.5,
        at: new Timestamp(Date.UTC(2024, 0, 2, 3, 4, 5)),
        ok: true,
        name: 'é',
        none: null,
      },
    ])
    expect(database.settings[0]).toMatchObject({
      host: 'db',
      port: 5432,
      database: 'shop',
      user: 'u',
      password: 'p',
    })
    expect(database.statements).toEqual([
      'BEGIN',
      'DECLARE millrace_rows NO SCROLL CURSOR FOR SELECT * FROM t',
      'FETCH FORWARD 1000 FROM millrace_rows',
      'COMMIT',
    ])
  })

  it('reads MySQL too, and keeps names when told to', async () => {
    database.types = {
      Id: 'LONG',
      Flag: 'TINY:1',
      Created: 'DATETIME',
      Sum: 'NEWDECIMAL',
      Stamp: 'TIMESTAMP',
    }
    database.answer = (sql) =>
      sql.startsWith('SET')
        ? []
        : [{ Id: '5', Flag: '1', Created: '2024-01-02 03:04:05', Sum: '7', Stamp: '2024-01-02 00:00:00' }]
    const { fields } = await run({
      jdbc_connection_string: 'jdbc:mysql://db/shop',
      statement: 'SELECT * FROM t WHERE n = :n',
      parameters: { n: "it's" },
      lowercase_column_names: false,
      jdbc_default_timezone: 'Asia/Tokyo',
    })
    expect(fields).toEqual([
      {
        Id: 5,
        Flag: true,
        Created: new Timestamp(Date.UTC(2024, 0, 1, 18, 4, 5)),
        Sum: new LsFloat(7),
        Stamp: new Timestamp(Date.UTC(2024, 0, 2)),
      },
    ])
    expect(database.statements.at(-1)).toBe("SELECT * FROM t WHERE n = 'it''s'")
  })

  it('remembers the last value when all rows are safe, and not before', async () => {
    database.types = { id: 20 }
    database.answer = () => [{ id: '3' }, { id: '8' }]
    const path = join(folder, 'last')
    const start = async () => {
      const input = inputFor(jdbc, {
        jdbc_connection_string: 'jdbc:postgresql://db:5432/shop',
        last_run_metadata_path: path,
        statement: 'SELECT id FROM t WHERE id > :sql_last_value',
        use_column_value: true,
        tracking_column: 'id',
      })
      await input.instance.register?.()
      input.sink.hold()
      const running = input.instance.run(input.sink)
      await input.sink.waitFor(2)
      await new Promise((resolve) => setTimeout(resolve, 50))
      await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT')
      return { ...input, running }
    }
    const unsafe = await start()
    await unsafe.instance.stop()
    unsafe.environment.stop()
    await unsafe.running
    await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT')
    const { sink, running } = await start()
    sink.release()
    await running
    expect(await readFile(path, 'utf8')).toBe('--- 8\n')
  })

  it('begins at the last value of a column', async () => {
    database.types = { id: 20 }
    database.answer = () => [{ id: '3' }, { id: '8' }]
    const options = {
      statement: 'SELECT id FROM t WHERE id > :sql_last_value',
      use_column_value: true,
      tracking_column: 'id',
    }
    await run(options)
    expect(await readFile(join(folder, 'last'), 'utf8')).toBe('--- 8\n')
    await run(options)
    const asked = database.statements.filter((statement) => statement.startsWith('DECLARE'))
    expect(asked.map((statement) => statement.split('> ')[1])).toEqual(['0', '8'])
    database.statements.length = 0
    await writeFile(join(folder, 'last'), '--- 5\n')
    await run({ ...options, record_last_run: false })
    expect(await readFile(join(folder, 'last'), 'utf8')).toBe('--- 5\n')
    database.statements.length = 0
    await run({ ...options, clean_run: true, record_last_run: false })
    expect(database.statements[1]).toContain('> 0')
  })

  it('begins at the last time in a column, decorates rows, ignores the library of the driver', async () => {
    database.types = { at: 1184 }
    database.answer = () => [{ at: '2024-01-02 03:04:05+00' }]
    const options = {
      statement: 'SELECT at FROM t WHERE at > :sql_last_value',
      use_column_value: true,
      tracking_column: 'at',
      tracking_column_type: 'timestamp',
      jdbc_driver_library: '/nowhere/postgresql.jar',
      add_field: { from: 'db' },
      codec: 'plain',
    }
    const { fields } = await run(options)
    expect(fields).toEqual([{ at: new Timestamp(Date.UTC(2024, 0, 2, 3, 4, 5)), from: 'db' }])
    expect(await readFile(join(folder, 'last'), 'utf8')).toBe('--- 2024-01-02 03:04:05.000000000 Z\n')
    await run(options)
    const asked = database.statements.filter((statement) => statement.startsWith('DECLARE'))
    expect(asked.map((statement) => statement.split('> ')[1])).toEqual([
      "'1970-01-01 00:00:00.000000+0000'",
      "'2024-01-02 03:04:05.000000+0000'",
    ])
  })

  it('begins at the time of the last run otherwise', async () => {
    await writeFile(join(folder, 'last'), '--- 2024-05-06 07:08:09.123456000 Z\n')
    const before = Date.now()
    await run({ statement: 'SELECT * FROM t WHERE at > :sql_last_value' })
    expect(database.statements[1]).toContain("at > '2024-05-06 07:08:09.123456+0000'")
    const kept = parseLastRun(await readFile(join(folder, 'last'), 'utf8')) as Timestamp
    expect(kept.millis).toBeGreaterThanOrEqual(before - 1)
  })

  it('keeps the value below path.data unless told otherwise', async () => {
    await run({ statement: 'SELECT 1', last_run_metadata_path: folder })
    expect(await readFile(join(folder, 'logstash_jdbc_last_run'), 'utf8')).toMatch(/^--- \d{4}-/)
  })

  it('reads pages until one is not full', async () => {
    const rows = ['1', '2', '3'].map((id) => ({ id }))
    database.answer = (sql) => {
      const [, size = '0', offset = '0'] = /LIMIT (\d+) OFFSET (\d+)/.exec(sql) ?? []
      return rows.slice(Number(offset), Number(offset) + Number(size))
    }
    const { fields } = await run({
      statement: 'SELECT id FROM t',
      jdbc_paging_enabled: true,
      jdbc_page_size: 2,
    })
    expect(fields).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }])
    const pages = () =>
      database.statements.flatMap((sql) => /LIMIT (\d+) OFFSET (\d+)/.exec(sql)?.slice(1).join() ?? [])
    expect(pages()).toEqual(['2,0', '2,2'])
    const explicit = await run({
      statement: 'SELECT id FROM t LIMIT :size OFFSET :offset',
      jdbc_paging_enabled: true,
      jdbc_paging_mode: 'explicit',
      jdbc_page_size: 2,
    })
    expect(explicit.fields).toHaveLength(3)
    expect(pages().slice(-3)).toEqual(['2,0', '2,2', '2,4'])
  })

  it('fills in values by position', async () => {
    await run({
      statement: 'SELECT * FROM t WHERE id > ? AND n = ?',
      use_prepared_statements: true,
      prepared_statement_name: 'newer',
      prepared_statement_bind_values: [':sql_last_value', 5],
      use_column_value: true,
      tracking_column: 'id',
    })
    expect(database.statements[1]).toContain('id > 0 AND n = 5')
  })

  it('reads the statement from a file, puts rows below a target', async () => {
    const file = join(folder, 'statement.sql')
    await writeFile(file, 'SELECT a FROM t;\n')
    database.answer = () => [{ a: 'x' }]
    const { fields } = await run({ statement_filepath: file, target: '[row]' })
    expect(fields).toEqual([{ row: { a: 'x' } }])
    expect(database.statements[1]).toContain('CURSOR FOR SELECT a FROM t')
  })

  it('warns of a column that is not there, and of errors', async () => {
    database.answer = () => [{ a: 'x' }]
    const missing = await run({ statement: 'SELECT a', use_column_value: true, tracking_column: 'id' })
    expect(missing.environment.logger.messages('warn')).toEqual(['tracking_column not found in dataset.'])
    database.answer = () => {
      throw new Error('syntax error')
    }
    const failed = await run({ statement: 'SELECT a' })
    expect(failed.environment.logger.lines.at(-2)).toMatchObject({
      message: 'Exception when executing JDBC query',
      fields: { message: 'syntax error' },
    })
  })

  it('logs the statements it ran, at the level it is given', async () => {
    database.answer = () => [{ a: 'x' }]
    const lines = async (options: TestOptions) =>
      (await run({ statement: 'SELECT :n', parameters: { n: 5 }, ...options })).environment.logger.lines.map(
        ({ level, message }) => [level, message.replace(/\d\.\d{6}/, 'time')],
      )
    expect(await lines({})).toEqual([['info', '(times) SELECT 5']])
    expect(await lines({ sql_log_level: 'debug' })).toEqual([['debug', '(times) SELECT 5']])
  })

  it('reads the password from a file, and so many rows at once', async () => {
    const file = join(folder, 'password')
    await writeFile(file, 'from a file\n')
    database.answer = () => ['1', '2', '3'].map((a) => ({ a }))
    const { fields } = await run({ statement: 'SELECT a', jdbc_password_filepath: file, jdbc_fetch_size: 2 })
    expect(fields).toHaveLength(3)
    expect(database.settings[0]).toMatchObject({ password: 'from a file' })
    expect(database.statements.find((sql) => sql.startsWith('FETCH'))).toMatch(/^FETCH FORWARD 2 /)
  })

  it('runs a statement that failed as often as it is told', async () => {
    let tries = 0
    database.answer = (sql) => {
      if (sql !== 'SELECT a') return []
      tries += 1
      if (tries < 3) throw new Error('not now')
      return [{ a: 'x' }]
    }
    const patient = { statement_retry_attempts: 5, statement_retry_attempts_wait_time: 0 }
    expect((await run({ statement: 'SELECT a', ...patient })).fields).toEqual([{ a: 'x' }])
    expect(tries).toBe(3)
  })

  it('runs again after a period', async () => {
    let runs = 0
    const first = inputFor(
      jdbc,
      {
        jdbc_connection_string: 'jdbc:postgresql://db:5432/shop',
        jdbc_driver_class: 'org.postgresql.Driver',
        last_run_metadata_path: join(folder, 'last'),
        statement: 'SELECT a',
        period: '1s',
      },
      { settings: { 'path.data': folder } },
    )
    database.answer = () => [{ a: String(++runs) }]
    await first.instance.register?.()
    const running = first.instance.run(first.sink)
    await first.sink.waitFor(2)
    await first.instance.stop()
    await running
    expect(runs).toBeGreaterThan(1)
  })

  it.each([
    [{ statement: 'x', period: 'often' }, 'invalid duration "often"'],
    [{}, 'Must set either :statement or :statement_filepath. Only one may be set at a time.'],
    [{ statement: 'x', use_column_value: true }, 'Must set :tracking_column if :use_column_value is true.'],
    [{ statement: 'x', jdbc_connection_string: 'jdbc:oracle:thin:@h' }, 'Oracle cannot be read'],
    [{ statement: 'x', jdbc_default_timezone: 'Moon/Base' }, 'Unknown time zone'],
    [{ statement: 'x', schedule: 'often' }, 'invalid cron string'],
  ])('refuses %j', async (options, message) => {
    await expect(run(options)).rejects.toThrow(message)
  })

  it('says which package is missing', async () => {
    const { parseConnectionString } = await import('../jdbc/connection-string.ts')
    const { utc } = await import('../../time/zone.ts')
    const opening = openDatabase(
      {
        address: parseConnectionString('jdbc:mysql://h/x'),
        user: undefined,
        password: undefined,
        connectMilliseconds: 1,
        zone: utc,
      },
      () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' })),
    )
    await expect(opening).rejects.toThrow('npm install mysql2')
  })
})

describe('the kept value', () => {
  it.each([
    ['--- 42\n', 42],
    ['--- 1.5\n', 1.5],
    ["--- '7'\n", 7],
    ['', undefined],
    ['--- 2024-05-06 07:08:09.123456000 Z\n', new Timestamp(Date.UTC(2024, 4, 6, 7, 8, 9, 123), 456_000)],
    ['--- 2024-05-06 09:08:09 +02:00\n', new Timestamp(Date.UTC(2024, 4, 6, 7, 8, 9))],
    [
      "--- !ruby/object:DateTime '2024-05-06 07:08:09.000000000 Z'\n",
      new Timestamp(Date.UTC(2024, 4, 6, 7, 8, 9)),
    ],
  ])('%j', (text, expected) => {
    expect(parseLastRun(text)).toEqual(expected)
  })

  it('is written so that Logstash can read it', () => {
    expect(lastRunText(new Timestamp(0, 1000))).toBe('--- 1970-01-01 00:00:00.000001000 Z\n')
    expect(lastRunText(5n)).toBe('--- 5\n')
  })
})
