import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat, type Value } from '../../event/value.ts'
import { findZone, utc } from '../../time/zone.ts'
import { columnValue } from './column-values.ts'
import { parseConnectionString } from './connection-string.ts'
import { fillNamed, fillPositions, literalOf, pageOf } from './sql-text.ts'

describe('connection strings', () => {
  it.each([
    ['jdbc:postgresql://db.example:5433/shop', 'postgresql', 'db.example', 5433, 'shop'],
    ['jdbc:postgresql://db/shop', 'postgresql', 'db', 5432, 'shop'],
    ['jdbc:postgresql:shop', 'postgresql', 'localhost', 5432, 'shop'],
    ['jdbc:mysql://localhost/logs?useSSL=false', 'mysql', 'localhost', 3306, 'logs'],
    ['jdbc:mariadb://[::1]:3307/a%20b', 'mysql', '::1', 3307, 'a b'],
    ['jdbc:mysql://a:1,b:2/x', 'mysql', 'a', 1, 'x'],
    ['jdbc:mysql://h', 'mysql', 'h', 3306, ''],
  ])('%s', (text, kind, host, port, database) => {
    expect(parseConnectionString(text)).toMatchObject({ kind, host, port, database })
  })

  it('carry properties', () => {
    const { properties } = parseConnectionString('jdbc:mysql://h/x?a=1&b=x%3Dy&&c')
    expect([...properties]).toEqual([
      ['a', '1'],
      ['b', 'x=y'],
    ])
  })

  it.each([
    ['jdbc:sqlserver://h:1433;databaseName=x;password=geheim', 'Microsoft SQL Server cannot be read'],
    ['jdbc:oracle:thin:@h:1521/x', 'Oracle cannot be read'],
    ['mysql://h/x', 'Not a JDBC connection string'],
  ])('%s is refused, without its password', (text, message) => {
    expect(() => parseConnectionString(text)).toThrow(message)
    expect(() => parseConnectionString(text)).not.toThrow('geheim')
  })
})

describe('statements', () => {
  const parameters = new Map<string, Value>([
    ['id', 7],
    ['name', "O'Hara"],
  ])

  it('get their parameters by name', () => {
    expect(fillNamed('SELECT * FROM t WHERE id > :id AND n = :name', parameters, 'mysql')).toBe(
      "SELECT * FROM t WHERE id > 7 AND n = 'O''Hara'",
    )
  })

  it('keep colons that mean something else', () => {
    const text = `SELECT ':id', "a:id", x::id, '12:30' -- :id\n/* :id */ FROM t WHERE a = :other`
    expect(fillNamed(text, parameters, 'postgresql')).toBe(text)
  })

  it('get their parameters by position', () => {
    expect(fillPositions("SELECT '?' WHERE a = ? AND b = ?", [1, null], 'mysql')).toBe(
      "SELECT '?' WHERE a = 1 AND b = NULL",
    )
    expect(() => fillPositions('SELECT ?', [1, 2], 'mysql')).toThrow('1 placeholders and 2 values')
  })

  it.each([
    ['postgresql', 'a\\b', "E'a\\\\b'"],
    ['mysql', 'a\\b', "'a\\\\b'"],
    ['postgresql', new Timestamp(1500, 250_000), "'1970-01-01 00:00:01.500250+0000'"],
    ['mysql', new Timestamp(0), "'1970-01-01 00:00:00.000000'"],
    ['mysql', true, 'TRUE'],
    ['mysql', new LsFloat(2), '2.0'],
    ['mysql', [1, 'a'], "(1, 'a')"],
    ['mysql', 12345678901234567890n, '12345678901234567890'],
  ] as const)('write for %s %s', (kind, value, literal) => {
    expect(literalOf(value as Value, kind)).toBe(literal)
  })

  it('never let a text end its quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '\\', 'a', '"', ';') }), (text) => {
        const mysql = literalOf(text, 'mysql').slice(1, -1)
        expect(mysql.replace(/''|\\\\/g, '')).not.toMatch(/['\\]/)
        const postgresql = literalOf(text, 'postgresql').replace(/^E/, '').slice(1, -1)
        expect(postgresql.replace(/''|\\\\/g, '')).not.toMatch(/['\\]/)
      }),
    )
  })

  it('are cut into pages', () => {
    expect(pageOf('SELECT 1; ', 10, 20)).toBe('SELECT * FROM (SELECT 1\n) AS t1 LIMIT 10 OFFSET 20')
  })
})

describe('columns', () => {
  it.each([
    ['42', 'integer', 42],
    ['9223372036854775807', 'integer', 9223372036854775807n],
    ['1.50', 'float', 1.5],
    ['2', 'float', new LsFloat(2)],
    ['t', 'boolean', true],
    ['f', 'boolean', false],
    ['2024-05-06 07:08:09.123456+02', 'time', new Timestamp(Date.UTC(2024, 4, 6, 5, 8, 9, 123), 456_000)],
    ['2024-05-06 07:08:09', 'time', new Timestamp(Date.UTC(2024, 4, 6, 7, 8, 9))],
    ['2024-05-06', 'time', new Timestamp(Date.UTC(2024, 4, 6))],
    ['infinity', 'time', 'infinity'],
  ] as const)('%s as %s', (text, kind, expected) => {
    expect(columnValue(text, kind, utc)).toEqual(expected)
  })

  it('with times that name no zone are in the given one', () => {
    const zone = findZone('Asia/Tokyo')!
    expect(columnValue('2024-05-06 09:00:00', 'time', zone)).toEqual(new Timestamp(Date.UTC(2024, 4, 6)))
  })
})
