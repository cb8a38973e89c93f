/** Outputs that send to one HTTP service each, against a server over loopback. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutputDefinition } from '../../plugin/define.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import line from '../codecs/line.ts'
import datadog from './datadog.ts'
import datadogMetrics from './datadog-metrics.ts'
import influxdb from './influxdb.ts'
import loki from './loki.ts'
import { TestService } from './test-service.ts'
import { snappy } from './webhdfs/snappy.ts'
import webhdfs from './webhdfs.ts'

let service: TestService
beforeEach(async () => {
  service = await TestService.start()
})
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
  service.close()
})

async function output(definition: OutputDefinition, options: TestOptions) {
  const made = outputFor(definition, options, { codecs: [line] })
  await made.instance.register!()
  atEnd.push(() => made.instance.close!())
  return made
}

describe('influxdb', () => {
  const base = () => ({ host: '127.0.0.1', port: service.port, initial_delay: 0.01 })

  it('writes points in the line protocol, per database', async () => {
    const { deliver } = await output(influxdb, {
      ...base(),
      db: 'db-%{d}',
      user: 'me',
      password: 'a b',
      measurement: 'm,%{d} x',
      data_points: { 'f %{d}': '%{n}', text: 'a"\\%{d}', host: 'h=1', n: '%{n}', gone: '' },
      coerce_values: { n: 'integer' },
    })
    await deliver([
      { d: '1', n: '7x' },
      { d: '2', n: '1.5' },
      { d: '1', n: '8' },
    ])
    expect(service.seen.map(({ path, parameters }) => [path, parameters])).toEqual([
      ['/write', { db: 'db-1', precision: 'ms', rp: 'autogen', u: 'me', p: 'a b' }],
      ['/write', { db: 'db-2', precision: 'ms', rp: 'autogen', u: 'me', p: 'a b' }],
    ])
    expect(service.bodies()[0]).toBe(
      'm\\,1\\ x,host=h\\=1 f\\ 1="7x",text="a\\"\\\\1",n=7i 1443675967089\n' +
        'm\\,1\\ x,host=h\\=1 f\\ 1="8",text="a\\"\\\\1",n=8i 1443675967089',
    )
  })

  it('sends fields of the event, tags as tags, and a time of its own', async () => {
    const { deliver } = await output(influxdb, {
      ...base(),
      use_event_fields_for_data_points: true,
      allow_time_override: true,
      time_precision: 's',
    })
    await deliver([{ a: 1, b: 2.5, c: true, host: 'h', tags: ['t'], message: 'no', time: 99 }])
    expect(service.bodies()).toEqual(['logstash,host=h,t=true a=1i,b=2.5,c=true 99'])
    expect(service.seen[0]!.parameters['precision']).toBe('s')
  })

  it('leaves fields out, and sends so many points at once under a policy', async () => {
    const { deliver } = await output(influxdb, {
      ...base(),
      use_event_fields_for_data_points: true,
      exclude_fields: ['@timestamp', '@version', 'secret'],
      retention_policy: 'a_week',
      flush_size: 2,
    })
    await deliver([{ a: 1, secret: 'x' }, { a: 2 }, { a: 3 }])
    expect(service.bodies().map((body) => body.replace(/ \d+$/gm, ''))).toEqual([
      'logstash a=1i\nlogstash a=2i',
      'logstash a=3i',
    ])
    expect(service.seen.map(({ parameters }) => parameters['rp'])).toEqual(['a_week', 'a_week'])
  })

  it('tries again what may pass, and gives up what is refused', async () => {
    service.answers = [{ status: 503 }, { status: 204 }]
    const { deliver, environment } = await output(influxdb, { ...base(), data_points: { a: 'b' } })
    await deliver([{}])
    expect(service.seen).toHaveLength(2)
    service.answers = [{ status: 400, body: 'partial write' }]
    await deliver([{}])
    expect(service.seen).toHaveLength(3)
    expect(environment.logger.messages('error')).toEqual([
      'Non recoverable exception while writing to InfluxDB',
    ])
    service.answers = [{ status: 500 }]
    const { deliver: short } = await output(influxdb, { ...base(), data_points: { a: 'b' }, max_retries: 2 })
    await short([{}])
    expect(service.seen).toHaveLength(6)
  })

  it('needs something to send', async () => {
    await expect(output(influxdb, base())).rejects.toThrow('data_points is missing')
  })
})

describe('loki', () => {
  const time = '1443675967089000000'

  it('groups lines by labels', async () => {
    const { deliver } = await output(loki, {
      url: `${service.url}/push`,
      tenant_id: 't1',
      username: 'u',
      password: 'p',
    })
    await deliver([
      { message: 'one', b: 1, a: 'x', map: { c: 1 } },
      { message: 'two', a: 'x', b: 1 },
      { message: 'three', a: 'y', b: 1 },
    ])
    expect(JSON.parse(service.bodies()[0]!)).toEqual({
      streams: [
        {
          stream: { a: 'x', b: '1' },
          values: [
            [time, 'one'],
            [time, 'two'],
          ],
        },
        { stream: { a: 'y', b: '1' }, values: [[time, 'three']] },
      ],
    })
    expect(service.seen[0]!.headers).toMatchObject({
      'x-scope-orgid': 't1',
      authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
      'content-type': 'application/json',
    })
  })

  it('takes labels and metadata that are named, in batches of bytes', async () => {
    const { deliver } = await output(loki, {
      url: service.url,
      include_fields: ['a'],
      metadata_fields: ['b'],
      message_field: 'line',
      batch_size: 6,
    })
    await deliver([
      { line: 'aaaa', a: 1, b: 2, c: 3 },
      { line: 'bbbb', a: 1 },
    ])
    expect(service.bodies().map((body) => JSON.parse(body).streams)).toEqual([
      [{ stream: { a: '1' }, values: [[time, 'aaaa', { b: '2' }]] }],
      [{ stream: { a: '1' }, values: [[time, 'bbbb']] }],
    ])
  })

  it('tries again as often as told', async () => {
    service.answers = [{ status: 429 }]
    const { deliver, environment } = await output(loki, { url: service.url, retries: 2, min_delay: 0.01 })
    await deliver([{ message: 'x' }])
    expect(service.seen).toHaveLength(3)
    expect(environment.logger.messages('error')).toEqual(['failed to write post to Loki'])
  })

  it('refuses what is no URL', () => {
    expect(() => outputFor(loki, { url: 'localhost:3100' })).toThrow(
      "url parameter must be valid HTTP, currently 'localhost:3100'",
    )
  })
})

describe('datadog', () => {
  it('sends an event', async () => {
    service.answers = [{ status: 200 }]
    const { deliver } = await output(datadog, {
      api_key: 'k&y',
      url: `${service.url}/api/v1/events`,
      dd_tags: ['env:%{e}'],
      alert_type: 'error',
      priority: 'low',
    })
    await deliver([{ host: 'h', message: 'm', e: 'x' }])
    expect(service.seen[0]!.parameters).toEqual({ api_key: 'k&y' })
    expect(JSON.parse(service.bodies()[0]!)).toEqual({
      title: 'Logstash event for h',
      text: 'm',
      date_happened: 1443675967,
      tags: ['env:x'],
      source_type_name: 'my apps',
      alert_type: 'error',
      priority: 'low',
    })
  })

  it('sends metrics, several in a request', async () => {
    const { deliver } = await output(datadogMetrics, {
      api_key: 'k',
      api_url: service.url,
      metric_name: 'm.%{n}',
      metric_value: '%{v}',
      metric_type: 'gauge',
      device: 'd',
      queue_size: 2,
    })
    await deliver([1, 2, 3].map((n) => ({ n, v: n * 1.5, host: 'h', tags: ['t'] })))
    const [first, second] = service.bodies().map((body) => JSON.parse(body).series)
    expect(first[1]).toEqual({
      metric: 'm.2',
      points: [[1443675967, 3]],
      type: 'gauge',
      host: 'h',
      device: 'd',
      tags: ['t'],
    })
    expect(second).toHaveLength(1)
  })
})

describe('webhdfs', () => {
  const redirect = ({ path }: { path: string }) => ({
    status: 307,
    headers: { location: `${service.url}/data${path}` },
  })
  const base = () => ({
    host: '127.0.0.1',
    port: service.port,
    user: 'hue',
    path: '/logs/%{d}.log',
    retry_interval: 0.01,
  })

  it('appends through the place the name node names', async () => {
    service.answers = [redirect, { status: 200 }]
    const { deliver } = await output(webhdfs, base())
    await deliver([{ message: 'a', d: 'x y' }])
    expect(service.seen.map(({ method, path, body }) => [method, path, body.length > 0])).toEqual([
      ['POST', '/webhdfs/v1/logs/x%20y.log', false],
      ['POST', '/data/webhdfs/v1/logs/x%20y.log', true],
    ])
    expect(service.seen[0]!.parameters).toEqual({ op: 'APPEND', 'user.name': 'hue' })
    expect(service.bodies()[1]).toMatch(/ a\n$/)
  })

  it('creates files that do not exist', async () => {
    service.answers = [{ status: 404 }, redirect, { status: 201 }]
    const { deliver } = await output(webhdfs, { ...base(), compression: 'gzip' })
    await deliver([{ message: 'a', d: 1 }])
    expect(service.seen[1]).toMatchObject({ method: 'PUT', path: '/webhdfs/v1/logs/1.log.gz' })
    expect(service.seen[1]!.parameters['op']).toBe('CREATE')
    expect(gunzipSync(service.seen[2]!.body).toString()).toMatch(/ a\n$/)
  })

  it('sends at once to HttpFS, and tries the other node', async () => {
    service.answers = [{ status: 200 }]
    const { deliver } = await output(webhdfs, {
      ...base(),
      port: 1,
      standby_host: '127.0.0.1',
      standby_port: service.port,
      use_httpfs: true,
    })
    await deliver([{ message: 'a', d: 1 }])
    expect(service.seen).toHaveLength(1)
    expect(service.seen[0]!.parameters).toMatchObject({ op: 'APPEND', data: 'true' })
  })

  it('gives up after the last try', async () => {
    service.answers = [{ status: 403, body: 'lease' }]
    const { deliver } = await output(webhdfs, { ...base(), retry_times: 2 })
    await expect(deliver([{ message: 'a', d: 1 }])).rejects.toThrow('status 403: lease')
    expect(service.seen).toHaveLength(3)
  })

  it('packs with Snappy as a stream of blocks or as a file', async () => {
    const sent = async (more: TestOptions): Promise<Buffer> => {
      service.answers = [redirect, { status: 200 }]
      const { deliver } = await output(webhdfs, { ...base(), compression: 'snappy', ...more })
      await deliver([{ message: 'a'.repeat(90), d: 1 }])
      return service.seen.at(-1)!.body
    }
    const lengths = (body: Buffer): number[] => {
      const found: number[] = []
      for (let at = 0; at < body.length; at += 8 + body.readUInt32BE(at + 4))
        found.push(body.readUInt32BE(at))
      return found
    }
    const [whole] = lengths(await sent({}))
    const blocks = lengths(await sent({ snappy_bufsize: 50 }))
    expect(blocks.slice(0, -1).every((size) => size === 50)).toBe(true)
    expect(blocks.reduce((sum, size) => sum + size)).toBe(whole)
    const file = await sent({ snappy_format: 'file' })
    expect(file.readUInt32BE(0)).toBe(file.length - 4)
  })

  it('tries nothing again when told so, and waits no longer than told', async () => {
    service.answers = [{ status: 403, body: 'lease' }]
    const { deliver } = await output(webhdfs, { ...base(), retry_times: 5, retry_known_errors: false })
    await expect(deliver([{ message: 'a', d: 1 }])).rejects.toThrow('lease')
    expect(service.seen).toHaveLength(1)
    const patient = await output(webhdfs, {
      ...base(),
      retry_times: 2,
      retry_interval: 9,
      retry_max_interval: 0,
    })
    const before = Date.now()
    await expect(patient.deliver([{ message: 'a', d: 1 }])).rejects.toThrow('lease')
    expect(Date.now() - before).toBeLessThan(5000)
  })

  it('waits read_timeout seconds for an answer', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    atEnd.push(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const impatient = { retry_times: 0, read_timeout: 1, open_timeout: 1 }
    const { deliver } = await output(webhdfs, { ...base(), port, ...impatient })
    await expect(deliver([{ message: 'a', d: 1 }])).rejects.toThrow()
  })

  it('names files by thread, which has to be in the path', async () => {
    const options = { ...base(), single_file_per_thread: true }
    await expect(output(webhdfs, options)).rejects.toThrow('`single_file_per_thread` needs')
    service.answers = [redirect, { status: 200 }]
    const { deliver } = await output(webhdfs, { ...options, path: '/logs/%{[@metadata][thread_id]}.log' })
    await deliver([{ message: 'a' }])
    expect(service.seen[0]!.path).toBe('/webhdfs/v1/logs/0.log')
  })

  it('speaks https with use_ssl_auth', async () => {
    const { deliver } = await output(webhdfs, { ...base(), use_ssl_auth: true, retry_times: 0 })
    await expect(deliver([{ message: 'a', d: 1 }])).rejects.toThrow(
      /SSL|TLS|wrong version|EPROTO|packet length/i,
    )
    expect(service.seen).toEqual([])
  })

  it('refuses Kerberos', async () => {
    await expect(output(webhdfs, { ...base(), use_kerberos_auth: true })).rejects.toThrow('not supported')
  })
})

describe('snappy', () => {
  /** A reader by the description of the format. */
  function unpack(data: Buffer): Buffer {
    let at = 0
    const next = () => data[at++]!
    let [length, shift] = [0, 0]
    for (let byte = 0x80; byte >= 0x80; shift += 7) {
      byte = next()
      length |= (byte & 0x7f) << shift
    }
    const out: number[] = []
    while (at < data.length) {
      const tag = next()
      if ((tag & 3) === 0) {
        const short = tag >> 2
        const size = short < 60 ? short : short === 60 ? next() : next() | (next() << 8)
        for (let i = 0; i <= size; i++) out.push(next())
      } else {
        expect(tag & 3).toBe(2)
        const offset = next() | (next() << 8)
        for (let i = 0; i <= tag >> 2; i++) out.push(out[out.length - offset]!)
      }
    }
    expect(out.length).toBe(length)
    return Buffer.from(out)
  }

  it.each([
    '',
    'a',
    'abcabcabcabcabc',
    'x'.repeat(200_000),
    JSON.stringify(Array.from({ length: 9000 }, (_, n) => ({ n, message: `line ${n % 7}` }))),
  ])('gives back what it was given, case %#', (text) => {
    const data = Buffer.from(text)
    const packed = snappy(data)
    expect(unpack(packed).equals(data)).toBe(true)
    if (data.length > 1000) expect(packed.length).toBeLessThan(data.length / 2)
  })
})
