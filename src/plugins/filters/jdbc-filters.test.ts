import { beforeEach, describe, expect, it, vi } from 'vitest'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import { type FakeDatabase, fakeDatabase, fakePg } from '../jdbc/test-drivers.ts'
import jdbcStatic from './jdbc-static.ts'
import jdbcStreaming from './jdbc-streaming.ts'

let database: FakeDatabase = fakeDatabase()
vi.mock('pg', () => ({ default: fakePg(databaseInUse()) }))

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
    answer: (statement) => database.answer(statement),
  }
}
beforeEach(() => {
  database = fakeDatabase()
})

const connection = {
  jdbc_connection_string: 'jdbc:postgresql://db/shop',
  jdbc_driver_class: 'org.postgresql.Driver',
  jdbc_user: 'me',
  jdbc_password: 'secret',
}

describe('jdbc_streaming', () => {
  const base: TestOptions = {
    ...connection,
    statement: 'select * from country where code = :code',
    parameters: { code: 'country_code' },
    target: 'details',
  }

  it('stores rows, asks once for events alike, decorates', async () => {
    database.types = { n: 20 }
    database.answer = () => [{ Name: 'Norway', n: '5' }]
    const events = await runFilter(jdbcStreaming, { ...base, add_tag: ['ok'] }, [
      { country_code: "n'o" },
      { country_code: "n'o" },
    ])
    expect(events[1]).toEqual({ country_code: "n'o", details: [{ Name: 'Norway', n: 5 }], tags: ['ok'] })
    expect(database.statements).toEqual(["select * from country where code = 'n''o'"])
    expect(database.settings[0]).toMatchObject({ host: 'db', user: 'me', password: 'secret' })
  })

  it('asks each time without a cache', async () => {
    database.answer = () => [{ a: 'b' }]
    await runFilter(jdbcStreaming, { ...base, use_cache: false }, [{}, {}])
    expect(database.statements).toEqual(Array(2).fill('select * from country where code = NULL'))
  })

  it('forgets what has expired', async () => {
    database.answer = () => [{ a: 'b' }]
    const { instance, filter } = filterFor(jdbcStreaming, { ...base, cache_expiration: 0 })
    await instance.register!()
    await filter([testEvent({})])
    await filter([testEvent({})])
    await instance.close!()
    expect(database.statements).toHaveLength(2)
  })

  it('uses defaults without rows, and tags', async () => {
    const [event] = await runFilter(jdbcStreaming, { ...base, default_hash: { Name: '?' } }, [{}])
    expect(event).toEqual({ details: [{ Name: '?' }], tags: ['_jdbcstreamingdefaultsused'] })
  })

  it('remembers cache_size answers, and tags defaults as told', async () => {
    database.answer = () => [{ a: '1' }]
    const events = ['a', 'b', 'a'].map((country_code) => ({ country_code }))
    await runFilter(jdbcStreaming, { ...base, cache_size: 1 }, events)
    expect(database.statements).toHaveLength(3)
    database.answer = () => []
    const options = { ...base, default_hash: { a: 0 }, tag_on_default_use: ['none'] }
    expect(await runFilter(jdbcStreaming, options, [{}])).toEqual([{ details: [{ a: 0 }], tags: ['none'] }])
  })

  it.each([true, false])('warns of constants among bind values: %s', async (warns) => {
    const { instance, environment } = filterFor(jdbcStreaming, {
      ...base,
      statement: 'select a from t where x = ?',
      use_prepared_statements: true,
      prepared_statement_name: 'mine',
      prepared_statement_bind_values: ['const'],
      prepared_statement_warn_on_constant_usage: warns,
    })
    await instance.register!()
    await instance.close!()
    expect(environment.logger.messages('warn').length > 0).toBe(warns)
  })

  it('tags failures, and remembers them', async () => {
    database.answer = () => {
      throw new Error('no such table')
    }
    const events = await runFilter(jdbcStreaming, base, [{}, {}])
    const tags = ['_jdbcstreamingfailure', '_jdbcstreamingdefaultsused']
    expect(events).toEqual(Array(2).fill({ details: [{}], tags }))
    expect(database.statements).toHaveLength(1)
  })

  it('fills prepared statements from fields in brackets, templates and constants', async () => {
    database.answer = () => [{ a: 'b' }]
    const options = {
      ...base,
      statement: 'select a from t where x = ? and y = ? and z = ?',
      use_prepared_statements: true,
      prepared_statement_name: 'mine',
      prepared_statement_bind_values: ['[a][b]', '%{c}-', 'const'],
    }
    await runFilter(jdbcStreaming, options, [{ a: { b: 7 }, c: 'd' }])
    expect(database.statements).toEqual(["select a from t where x = 7 and y = 'd-' and z = 'const'"])
  })

  it('refuses prepared statements that cannot work', async () => {
    const { instance } = filterFor(jdbcStreaming, { ...base, use_prepared_statements: true })
    await expect(instance.register!()).rejects.toThrow(
      'Prepared Statement Mode validation errors: must provide a name',
    )
  })
})

describe('jdbc_static', () => {
  const base: TestOptions = {
    ...connection,
    loaders: [{ id: 'load', query: 'select ip, name, n from remote', local_table: 'servers' }],
    local_db_objects: [
      {
        name: 'servers',
        index_columns: ['ip'],
        columns: [
          ['ip', 'varchar(64)'],
          ['name', 'varchar(64)'],
          ['n', 'INTEGER'],
        ],
      },
    ],
    local_lookups: [
      {
        query: 'select name, n from servers where ip = :ip',
        parameters: { ip: '[client][ip]' },
        target: '[server]',
      },
    ],
  }
  const rows = [
    { ip: '1', name: 'web', n: '5' },
    { ip: '2', name: 'db', n: null },
  ]

  it('loads tables and looks events up', async () => {
    database.answer = (statement) => (statement.includes('remote') ? rows : [])
    const events = await runFilter(jdbcStatic, { ...base, add_tag: ['ok'] }, [
      { client: { ip: '1' } },
      { client: { ip: '9' } },
    ])
    expect(events).toEqual([
      { client: { ip: '1' }, server: [{ name: 'web', n: 5 }], tags: ['ok'] },
      { client: { ip: '9' }, server: [], tags: ['ok'] },
    ])
  })

  it.each([
    [{ loader_schedule: '* * * * * *' }, 'later'],
    [{}, 'web'],
  ])('with %j a table that has changed says %s after a while', async (options, name) => {
    database.answer = () => rows
    const made = filterFor(jdbcStatic, { ...base, ...options })
    await made.instance.register!()
    database.answer = () => [{ ip: '1', name: 'later', n: '5' }]
    const nameOf = async () => {
      const [event] = await made.filter([testEvent({ client: { ip: '1' } })])
      return (event!.get('server') as { name: string }[])[0]!.name
    }
    if (name === 'later') await vi.waitFor(async () => expect(await nameOf()).toBe('later'), 10_000)
    else await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await nameOf()).toBe(name)
    await made.instance.close!()
  })

  it('uses defaults, templates, prepared parameters and the id as target', async () => {
    database.answer = () => rows
    const lookups = [
      {
        id: 'like',
        query: 'select name from servers where name like ?',
        prepared_parameters: ['%{start}%'],
        default_hash: { name: 'none' },
      },
      {
        query: 'select count(*) as c from servers',
        tag_on_failure: [],
      },
    ]
    const events = await runFilter(jdbcStatic, { ...base, local_lookups: lookups }, [
      { start: 'w' },
      { start: 'x' },
    ])
    expect(events).toEqual([
      { start: 'w', like: [{ name: 'web' }], 'lookup-2': [{ c: 2 }] },
      { start: 'x', like: [{ name: 'none' }], 'lookup-2': [{ c: 2 }], tags: ['_jdbcstaticdefaultsused'] },
    ])
  })

  it('tags events that got defaults as told', async () => {
    database.answer = () => rows
    const [lookup] = base['local_lookups'] as Record<string, unknown>[]
    const local_lookups = [{ ...lookup, default_hash: { name: '?' } }]
    const options = { ...base, local_lookups, tag_on_default_use: ['unknown'] }
    const [event] = await runFilter(jdbcStatic, options, [{ client: { ip: '9' } }])
    expect(event).toMatchObject({ server: [{ name: '?' }], tags: ['unknown'] })
  })

  it('tags events without the parameter', async () => {
    database.answer = () => rows
    const [event] = await runFilter(jdbcStatic, { ...base, add_tag: ['ok'] }, [{ a: 1 }])
    expect(event).toEqual({ a: 1, tags: ['_jdbcstaticfailure'] })
  })

  it('keeps a table empty when there are too many rows', async () => {
    database.answer = () => rows
    const loaders = [{ query: 'select 1', local_table: 'servers', max_rows: 1 }]
    const [event] = await runFilter(jdbcStatic, { ...base, loaders }, [{ client: { ip: '1' } }])
    expect(event).toMatchObject({ server: [] })
  })

  it.each([
    [{ loaders: [{ query: 'select 1' }] }, "The options must include a 'local_table' string"],
    [{ local_lookups: [{}] }, "The options for 'lookup-1' must include a 'query' string"],
    [{ local_lookups: [{ query: 'select x from servers' }] }, 'The column x does not exist'],
    [
      { local_lookups: [{ query: 'select n from servers where n = ?', prepared_parameters: [] }] },
      "doesn't match count with query's placeholder",
    ],
    [{ local_db_objects: [{ name: 't' }] }, "The columns array for 't' is not an array"],
  ])('refuses %j', async (options, message) => {
    const { instance } = filterFor(jdbcStatic, { ...base, ...options } as TestOptions)
    await expect(instance.register!()).rejects.toThrow(message)
  })
})
