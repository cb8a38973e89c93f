import { describe, expect, it } from 'vitest'
import { float, type Value } from '../../../event/value.ts'
import { compileQuery } from './sql-query.ts'
import { Table } from './tables.ts'

const servers = new Table('servers', [
  ['id', 'INTEGER'],
  ['ip', 'varchar(64)'],
  ['name', 'varchar(64)'],
  ['load', 'DOUBLE'],
])
servers.replace([
  [1, '10.0.0.1', 'web', float(0.5)],
  [2, '10.0.0.2', 'db', null],
  [3, '10.1.0.1', 'web%2', float(1)],
])
const users = new Table('Users', [
  ['server', 'INTEGER'],
  ['NAME', 'varchar(9)'],
])
users.replace([
  [1, 'kim'],
  [1, 'ann'],
  [2, 'bob'],
])
const tables = new Map([servers, users].map((table) => [table.name, table]))
const run = (sql: string, parameters: Record<string, Value> = {}) =>
  compileQuery(sql, tables)(new Map(Object.entries(parameters)))

describe('queries over tables in memory', () => {
  it.each<[string, Record<string, Value>, unknown[]]>([
    ['select name from servers where ip = :ip', { ip: '10.0.0.2' }, [{ name: 'db' }]],
    [
      'SELECT * FROM SERVERS WHERE ID = :id',
      { id: '1' },
      [{ id: 1, ip: '10.0.0.1', name: 'web', load: 0.5 }],
    ],
    ['select id from servers where ip = :ip', { ip: 'none' }, []],
    ['select id as "N", upper(name) u from servers where id = ?', { p0: 2 }, [{ n: 2, u: 'DB' }]],
    ['select id from servers where ip like :x', { x: '10.0.%' }, [{ id: 1 }, { id: 2 }]],
    ["select id from servers where name like 'web!%_' escape '!'", {}, [{ id: 3 }]],
    ["select id from servers where name not like '%e%'", {}, [{ id: 2 }]],
    ['select id from servers where load is null', {}, [{ id: 2 }]],
    ['select id from servers where not load > 0.7', {}, [{ id: 1 }]],
    ['select id from servers where id in (3, :one) order by id desc', { one: 1 }, [{ id: 3 }, { id: 1 }]],
    ['select id from servers where id between 2 and 3 and (id = 3 or load is not null)', {}, [{ id: 3 }]],
    [
      'select s.name, u.name as who from servers s join users u on u.server = s.id where s.id = :id order by who',
      { id: 1 },
      [
        { name: 'web', who: 'ann' },
        { name: 'web', who: 'kim' },
      ],
    ],
    [
      'select s.id, u.name from servers s left outer join users u on s.id = u.server and u.name <> :x where s.id > 1',
      { x: 'bob' },
      [
        { id: 2, name: null },
        { id: 3, name: null },
      ],
    ],
    ['select count(*) from users', {}, [{ 1: 3 }]],
    [
      'select count(load) as c, max(id) as m, sum(id) as s, min(name) as n from servers',
      {},
      [{ c: 2, m: 3, s: 6, n: 'db' }],
    ],
    ['select distinct server from users order by server fetch first 1 rows only', {}, [{ server: 1 }]],
    ['select id from servers order by load desc limit 1 offset 1', {}, [{ id: 3 }]],
    ['select id + 1 as i, name || :x as n from servers where id = 1', { x: '!' }, [{ i: 2, n: 'web!' }]],
    ['select coalesce(load, 0) as l from servers where id = 2 -- why', {}, [{ l: 0 }]],
  ])('%s', (sql, parameters, expected) => {
    expect(run(sql, parameters)).toEqual(expected)
  })

  it.each([
    ['delete from servers', 'SELECT expected before delete at position 1'],
    ['select id from nowhere', 'The table nowhere does not exist at position 16'],
    ['select what from servers', 'The column what does not exist at position 8'],
    ['select name from servers, users', 'The column name is ambiguous at position 8'],
    ['select server, count(*) from users group by server', 'GROUP is not supported here at position 36'],
    ['select id from (select 1)', 'sub-queries are not supported here at position 16'],
    ['select id from servers where nonsense(id) = 1', 'The function NONSENSE is not supported here'],
  ])('refuses %s', (sql, message) => {
    expect(() => run(sql)).toThrow(message)
  })

  it('matches LIKE in time that grows with the text', () => {
    const table = new Table('t', [['a', 'varchar']])
    table.replace([['a'.repeat(20_000)]])
    const query = compileQuery('select a from t where a like :p', new Map([['t', table]]))
    expect(query(new Map([['p', `${'%a'.repeat(15)}b`]]))).toEqual([])
  })
})
