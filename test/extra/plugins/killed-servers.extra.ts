/**
 * Outputs and inputs with a real server between them that is killed in the middle and started again on its data: Redis,
 * PostgreSQL, InfluxDB, and memcached, which keeps nothing. 10,000 events each (`MILLRACE_COUNT`); none may be missing, and how
 * many came twice is printed.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, IN, jsonLines, Millrace } from '../../support/millrace.ts'
import { startPostgresql } from '../support/databases.ts'
import { influxConfig } from '../support/influx.ts'
import { commandPath, ServerProcess, serverFolder } from '../support/server-process.ts'

const count = Number(process.env['MILLRACE_COUNT'] ?? 10_000)
const minutes = 60_000
const limit = 10 * minutes
/** A thousand events a second, so that there is a middle. */
const slowly = 'filter { sleep { time => "0.1" every => 100 } }'

const running: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const process of running.splice(0).reverse()) await process.dispose()
})

async function start(config: string): Promise<Millrace> {
  const millrace = await Millrace.start({ config })
  running.push(millrace)
  await millrace.untilStarted(2 * minutes)
  return millrace
}

/** A server that can be killed and started again with the same command. */
async function serverOf(options: Parameters<typeof ServerProcess.start>[0]) {
  let server = await ServerProcess.start(options)
  running.push({ dispose: () => server.dispose() })
  return {
    async killAndRestart(pause = 2000): Promise<void> {
      await server.end('SIGKILL')
      await wait(pause)
      server = await ServerProcess.start(options)
    },
  }
}

const numbered = () => jsonLines(...Array.from({ length: count }, (_, n) => ({ n })))
const newFile = () => join(mkdtempSync(join(tmpdir(), 'millrace-killed-')), 'events')
const numbersIn = (path: string): number[] =>
  existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/"n":"?(\d+)/g)].map(([, n]) => Number(n)) : []

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + limit; !holds(); await wait(100))
    if (Date.now() > end) throw new Error(`not in time: ${what}`)
}

/** Prints how many of the numbers are missing, which has to be none, and how many came more than once. */
function report(name: string, numbers: readonly number[]): { lost: number; twice: number } {
  const distinct = new Set(numbers)
  const lost = Array.from({ length: count }, (_, n) => n).filter((n) => !distinct.has(n)).length
  const twice = numbers.length - distinct.size
  console.log(`${name}: ${count} events, ${lost} lost, ${twice} twice`)
  return { lost, twice }
}

describe('redis', () => {
  it(
    'output to input through a list: nothing is lost, with a processing list',
    async () => {
      const port = await freePort()
      const folder = serverFolder('redis')
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes']
      const redis = await serverOf({
        command: 'redis-server',
        args: [...args, '--appendfsync', 'always', '--save', ''],
        folder,
        port,
      })
      const path = newFile()
      await start(`input { redis { port => ${port} data_type => "list" key => "k" processing_list => "at-work" } }
        output { file { path => "${path}" } }`)
      const writer = await start(
        `${IN} ${slowly} output { redis { host => ["127.0.0.1:${port}"] data_type => "list" key => "k" } }`,
      )
      writer.write(numbered())
      writer.endInput()
      await until(() => numbersIn(path).length > count / 4, 'a quarter')
      await redis.killAndRestart()
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      await until(() => new Set(numbersIn(path)).size === count, 'everything')
      const { lost, twice } = report('redis -> redis', numbersIn(path))
      expect(lost).toBe(0)
      // A batch of the output that was not answered, and what the input had in hand.
      expect(twice).toBeLessThanOrEqual(500 + 2 * 125 + 1000)
    },
    limit,
  )
})

describe('jdbc', () => {
  it(
    'output to input through PostgreSQL: nothing is lost',
    async () => {
      const database = await startPostgresql()
      running.push(database)
      database.sql('CREATE TABLE pair (id serial PRIMARY KEY, n integer)')
      const [, url] = /jdbc_connection_string => "([^"]*)"/.exec(database.connection)!
      const [, password] = /jdbc_password => "([^"]*)"/.exec(database.connection)!
      const writer = await start(`${IN} ${slowly} output { jdbc {
        connection_string => "${url}" username => "millrace" password => "${password}" retry_initial_interval => 1
        max_flush_exceptions => 0 statement => [ "INSERT INTO pair (n) VALUES (CAST (? AS integer))", "n" ] } }`)
      writer.write(numbered())
      writer.endInput()
      const rows = () => Number(database.sql('SELECT count(*) FROM pair'))
      while (rows() < count / 4) await wait(200)
      await database.stop()
      await wait(2000)
      await database.restart()
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      const written = database.sql('SELECT n FROM pair').split('\n').map(Number)
      expect(report('jdbc output', written).lost).toBe(0)

      const path = newFile()
      await start(`input { jdbc { ${database.connection} schedule => "* * * * * *" use_column_value => true
        tracking_column => "id" last_run_metadata_path => "${path}.last" jdbc_paging_enabled => true jdbc_page_size => 500
        connection_retry_attempts => 60
        statement => "SELECT id, n FROM pair WHERE id > :sql_last_value ORDER BY id" } }
        ${slowly} output { file { path => "${path}" } }`)
      await until(() => numbersIn(path).length > count / 4, 'a quarter read')
      await database.stop()
      await wait(2000)
      await database.restart()
      await until(() => new Set(numbersIn(path)).size === count, 'everything read')
      await wait(3000)
      expect(report('jdbc input', numbersIn(path)).lost).toBe(0)
    },
    limit,
  )
})

describe('influxdb', () => {
  it(
    'output to InfluxDB: nothing is lost, and points have no doubles',
    async () => {
      const port = await freePort()
      const inner = await freePort()
      const folder = serverFolder('influxdb')
      const config = influxConfig(folder, { http: port, inner })
      const influx = await serverOf({
        command: commandPath('influxd'),
        args: ['-config', config],
        folder,
        port,
      })
      const query = async (text: string): Promise<unknown[][]> => {
        const answer = await fetch(
          `http://127.0.0.1:${port}/query?db=statistics&q=${encodeURIComponent(text)}`,
          { method: 'POST' },
        )
        const { results } = (await answer.json()) as { results: { series?: { values: unknown[][] }[] }[] }
        return results[0]?.series?.[0]?.values ?? []
      }
      await query('CREATE DATABASE statistics')
      const writer = await start(`${IN} ${slowly} output { influxdb { host => "127.0.0.1" port => ${port}
        data_points => { "n" => "%{n}" "number" => "%{n}" } coerce_values => { "n" => "integer" }
        send_as_tags => ["number"] max_retries => -1 } }`)
      writer.write(numbered())
      writer.endInput()
      for (let points = 0; points < count / 4; await wait(200))
        points = Number((await query('SELECT count(n) FROM logstash'))[0]?.[1] ?? 0)
      await influx.killAndRestart()
      expect(await writer.exit(limit)).toMatchObject({ code: 0 })
      const points = await query('SELECT n FROM logstash')
      expect(
        report(
          'influxdb output',
          points.map(([, n]) => Number(n)),
        ),
      ).toEqual({ lost: 0, twice: 0 })
    },
    limit,
  )
})

describe('memcached', () => {
  it(
    'filter: every event comes out once, and those of a server that is away have a tag',
    async () => {
      const port = await freePort()
      const memcached = await serverOf({
        command: 'memcached',
        args: ['-p', String(port), '-l', '127.0.0.1', '-u', 'nobody', '-m', '64'],
        folder: serverFolder('memcached'),
        port,
      })
      const path = newFile()
      const node = await start(`${IN} filter { sleep { time => "0.1" every => 100 }
        memcached { hosts => ["127.0.0.1:${port}"] set => { "n" => "k%{n}" } get => { "k%{n}" => "back" } } }
        output { file { path => "${path}" } }`)
      node.write(numbered())
      node.endInput()
      await until(() => numbersIn(path).length > count / 4, 'a quarter')
      await memcached.killAndRestart()
      expect(await node.exit(limit)).toMatchObject({ code: 0 })
      const events = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { n: number; back?: number; tags?: string[] })
      const failed = events.filter(({ tags }) => tags?.includes('_memcached_failure'))
      console.log(`memcached: ${failed.length} events while the server was away`)
      expect(
        report(
          'memcached filter',
          events.map(({ n }) => n),
        ),
      ).toEqual({ lost: 0, twice: 0 })
      expect(failed.length).toBeGreaterThan(0)
      expect(failed.length).toBeLessThan(count / 2)
      expect(events.filter(({ n, back, tags }) => tags === undefined && back !== n)).toEqual([])
    },
    limit,
  )
})
