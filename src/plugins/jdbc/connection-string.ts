/**
 * JDBC connection strings: which database, where, and with which properties.
 *   jdbc:postgresql://host[:port]/database[?name=value&…]      jdbc:postgresql:database
 *   jdbc:mysql://host[:port]/database[?name=value&…]           the same with mariadb
 *   jdbc:sqlite:path[?name=value&…]                            `:memory:` for a database in memory
 * Strings of other databases are known by name, to say that they cannot be read.
 */
import { percentDecoded } from '../values/percent-decoding.ts'
export type DatabaseKind = 'postgresql' | 'mysql' | 'sqlite'

export interface DatabaseAddress {
  readonly kind: DatabaseKind
  readonly host: string
  readonly port: number
  readonly database: string
  readonly properties: ReadonlyMap<string, string>
}

const kinds: Readonly<Record<string, { kind: DatabaseKind; port: number }>> = {
  postgresql: { kind: 'postgresql', port: 5432 },
  mysql: { kind: 'mysql', port: 3306 },
  mariadb: { kind: 'mysql', port: 3306 },
  sqlite: { kind: 'sqlite', port: 0 },
}

const otherDatabases: Readonly<Record<string, string>> = {
  sqlserver: 'Microsoft SQL Server',
  oracle: 'Oracle',
  db2: 'Db2',
  h2: 'H2',
  derby: 'Derby',
  jtds: 'Microsoft SQL Server',
}

export function parseConnectionString(text: string): DatabaseAddress {
  const match =
    /^jdbc:([a-z0-9]+):(?:(?:aws-wrapper|loadbalance|replication|sequential|failover):)*(.*)$/is.exec(
      text.trim(),
    )
  if (match === null) throw new Error(`Not a JDBC connection string: ${withoutSecrets(text)}`)
  const name = match[1]!.toLowerCase()
  const known = kinds[name]
  if (known === undefined) {
    const database = Object.hasOwn(otherDatabases, name) ? otherDatabases[name] : `jdbc:${name}`
    throw new Error(
      `The database ${database} cannot be read: jdbc supports PostgreSQL, MySQL, MariaDB and SQLite (${withoutSecrets(text)})`,
    )
  }
  const [place = '', ...query] = match[2]!.split('?')
  const properties = new Map<string, string>()
  for (const pair of query.join('?').split('&')) {
    const equals = pair.indexOf('=')
    if (equals > 0)
      properties.set(percentDecoded(pair.slice(0, equals)), percentDecoded(pair.slice(equals + 1)))
  }
  if (known.kind === 'sqlite')
    return { kind: 'sqlite', host: '', port: 0, database: place.replace(/^file:/, ''), properties }
  // Of several hosts the first is taken.
  const full = /^\/\/([^/,]*)(?:,[^/]*)?(?:\/(.*))?$/s.exec(place)
  const [, authority = '', path = ''] = full ?? ['', '', place]
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? []
  return {
    kind: known.kind,
    host: host.replace(/^\[|\]$/g, '') || 'localhost',
    port: port === undefined ? known.port : Number(port),
    database: percentDecoded(path.replace(/^\//, '')),
    properties,
  }
}

/** The string without passwords, for messages. */
export function withoutSecrets(text: string): string {
  return text.replace(/(password|pwd)=[^&;]*/gi, '$1=xxxxxx').replace(/:\/\/[^@/]*@/, '://xxxxxx@')
}
