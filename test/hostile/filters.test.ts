/**
 * Every filter of the catalogue, as its own examples use it, on events whose fields hold what nobody expects: no
 * exception leaves the pipeline, no event is lost, and the next event is worked on as if nothing had been.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneValue } from '../../src/event/clone.ts'
import { Event } from '../../src/event/event.ts'
import { type Fields, putField } from '../../src/event/value.ts'
import type { FilterDefinition } from '../../src/plugin/define.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'
import { testDatabase } from '../../src/plugins/filters/geoip/test-database.ts'
import { openPipeline } from '../support/in-process.ts'
import { hostileValues } from './hostile-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'hostile-filters-'))
const places = join(folder, 'places.mmdb')
writeFileSync(places, testDatabase('GeoLite2-City', { '1.2.3.0/24': { country: { iso_code: 'US' } } }))
/** Answers with what is no good JSON to every other question. */
let asked = 0
const server = createServer((request, response) => {
  request.resume()
  asked += 1
  response.setHeader('content-type', 'application/json')
  response.end(asked % 2 === 0 ? '{"a":{"__proto__":{"x":1}}}' : '{"a":')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** For filters whose examples need a server or a file, or that have none. */
const ownConfigs: Readonly<Record<string, string>> = {
  elasticsearch: `elasticsearch { hosts => ["${address}"] query => "a:%{[a]}" fields => { "a" => "b" } retry_on_failure => 0 }`,
  memcached: 'memcached { hosts => ["127.0.0.1:1"] get => { "%{a}" => "b" } }',
  geoip: `geoip { source => "a" target => "g" database => "${places}" }`,
  http: `http { url => "${address}/%{[a]}" verb => "POST" body => { "a" => "%{a}" } body_format => "json" target_body => "t" automatic_retries => 0 }`,
  rest: `rest { request => { "url" => "${address}/%{a}" "method" => "post" "params" => { "p" => "%{[message]}" } } json => true sprintf => true target => "t" }`,
  sleep: 'sleep { time => "0" }',
  metrics: 'metrics { meter => ["%{a}"] timer => { "t" => "%{a}" } }',
}

/** Their drivers are not installed here; they have tests of their own. */
const needsDriver = new Set(['jdbc_static', 'jdbc_streaming'])

/** Filters that may make no event of one, or many. */
const changesCount = new Set([
  'aggregate',
  'clone',
  'csv',
  'drop',
  'elapsed',
  'multiline',
  'prune',
  'ruby',
  'split',
  'throttle',
])

interface Case {
  readonly config: string
  readonly fields: Fields
}

async function casesOf(name: string): Promise<Case[]> {
  if (name in ownConfigs) {
    return [{ config: ownConfigs[name]!, fields: { a: 'x' } }]
  }
  const definition = (await catalogue.load('filter', name)) as FilterDefinition
  return (definition.examples ?? []).map((example) => {
    const [first = {}] = [example.in].flat()
    return { config: example.config, fields: first }
  })
}

/** One event for each field of the example, with the value in its place, and one below a text. */
function eventsWith(fields: Fields, value: unknown): Event[] {
  return Object.keys({ ...fields, message: 1 }).map((name) => {
    const data = cloneValue(fields)
    putField(data, name, value as never)
    return Event.from({ ...data, nothing_else: true })
  })
}

describe('every filter', async () => {
  const names = await Promise.all(
    catalogue
      .names('filter')
      .filter((name) => !needsDriver.has(name))
      .map(async (name) => [name, await casesOf(name)] as const),
  )

  it('is among these tests', () => {
    expect(names.filter(([, cases]) => cases.length === 0)).toEqual([])
  })

  it.each(names)('%s survives hostile fields', async (name, cases) => {
    for (const { config, fields } of cases) {
      const pipeline = await openPipeline(config)
      await pipeline.execution.registerFilters()
      for (const value of hostileValues.values()) {
        const events = eventsWith(fields, value)
        const out = await pipeline.run(events)
        if (!changesCount.has(name)) expect(out).toHaveLength(events.length)
      }
      const again = await pipeline.run([Event.from({ ...cloneValue(fields), last: 'one' })])
      if (!changesCount.has(name)) expect(again.map((event) => event.get('last'))).toEqual(['one'])
      await pipeline.execution.close()
    }
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it.each(names)('%s keeps an event whose common options cannot be applied', async (name, [first]) => {
    const config = first!.config.replace(/\}\s*$/, 'add_field => { "[text][below]" => "x" } }')
    const pipeline = await openPipeline(config)
    await pipeline.execution.registerFilters()
    const make = (text: unknown) => Event.from({ ...cloneValue(first!.fields), text: text as never })
    const out = await pipeline.run([make('kept'), make({})])
    const failed = out.filter((event) => event.get('tags') !== undefined && event.get('text') === 'kept')
    if (!changesCount.has(name)) expect(out).toHaveLength(2)
    for (const event of failed) expect(event.get('text')).toBe('kept')
    await pipeline.execution.close()
  })
})

describe('an exception in a filter', () => {
  it('tags its event with the name of the filter and keeps what the event held', async () => {
    const { run, warnings } = await openPipeline(
      'uuid { target => "u" add_field => { "[host][ip]" => "x" } }',
    )
    const out = await run([Event.from({ host: 'web1' }), Event.from({ host: { name: 'web2' } })])
    expect(out.map((event) => [event.get('host'), event.get('tags')])).toEqual([
      ['web1', ['_uuidfailure']],
      [{ name: 'web2', ip: 'x' }, undefined],
    ])
    expect(warnings).toHaveLength(1)
  })
})
