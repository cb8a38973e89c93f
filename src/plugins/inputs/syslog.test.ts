import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import plain from '../codecs/plain.ts'
import syslog from './syslog.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function portOf({ environment }: TestInput, protocol: 'udp' | 'tcp'): Promise<number> {
  for (let i = 0; i < 500; i++) {
    const line = environment.logger.lines.find(
      ({ message }) => message === `Starting syslog ${protocol} listener`,
    )
    if (line !== undefined) return Number(String(line.fields!['address']).split(':').pop())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`no ${protocol} listener`)
}

async function serving(options: TestOptions = {}, settings: TestSettings = {}) {
  const input = inputFor(
    syslog,
    { host: '127.0.0.1', port: 0, timezone: 'UTC', locale: 'en', ...options },
    { codecs: [plain, json], ...settings },
  )
  await input.instance.register?.()
  const running = input.instance.run(input.sink)
  cleanups.push(async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  })
  return { ...input, udp: await portOf(input, 'udp'), tcp: await portOf(input, 'tcp') }
}

async function sendUdp(port: number, ...datagrams: string[]): Promise<void> {
  const socket = createSocket('udp4')
  for (const datagram of datagrams) {
    await new Promise((resolve) => socket.send(datagram, port, '127.0.0.1', resolve))
  }
  socket.close()
}

async function sendTcp(port: number, ...chunks: string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const chunk of chunks) {
    socket.write(chunk)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  socket.end()
  await closed
}

const line = "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"

describe('syslog input', () => {
  it('decorates lines before it takes them apart', async () => {
    const { udp, sink } = await serving({
      type: 'syslog',
      tags: ['mine'],
      add_field: { whole: '%{message}', program: 'given' },
    })
    await sendUdp(udp, line, 'no syslog')
    const [first, second] = await sink.waitFor(2)
    expect(first).toMatchObject({ type: 'syslog', tags: ['mine'], whole: line, program: ['given', 'su'] })
    expect(second).toMatchObject({ tags: ['mine', '_grokparsefailure_sysloginput'], whole: 'no syslog' })
  })

  it('listens at the address it is told', async () => {
    const { environment } = await serving()
    const addresses = environment.logger.lines.flatMap(({ fields }) => fields?.['address'] ?? [])
    expect(addresses).toHaveLength(2)
    expect(addresses.every((address) => /^127\.0\.0\.1:\d+$/.test(String(address)))).toBe(true)
  })

  it('takes a datagram apart', async () => {
    const { udp, sink, environment } = await serving()
    await sendUdp(udp, line)
    const [fields] = await sink.waitFor(1)
    expect(fields).toEqual({
      '@timestamp': expect.anything(),
      message: "'su root' failed for lonvick on /dev/pts/8",
      host: '127.0.0.1',
      priority: 34,
      facility: 4,
      severity: 2,
      facility_label: 'security/authorization',
      severity_label: 'Critical',
      timestamp: 'Oct 11 22:14:15',
      logsource: 'mymachine',
      program: 'su',
    })
    expect(String(sink.received[0]!.timestamp)).toMatch(/^\d{4}-10-11T22:14:15\.000Z$/)
    expect(environment.counts.get('messages_received')).toBe(1)
  })

  it('uses the names of ECS', async () => {
    const { udp, sink } = await serving({}, { ecs: 'v8' })
    await sendUdp(udp, '<13>Feb  5 01:02:03 box app[42]: hi')
    const [fields] = await sink.waitFor(1)
    expect(fields).toEqual({
      '@timestamp': expect.anything(),
      message: 'hi',
      event: { original: '<13>Feb  5 01:02:03 box app[42]: hi' },
      host: { ip: '127.0.0.1', hostname: 'box' },
      log: {
        syslog: {
          priority: 13,
          facility: { code: 1, name: 'user-level' },
          severity: { code: 5, name: 'Notice' },
        },
      },
      process: { name: 'app', pid: 42 },
      service: { type: 'system' },
    })
    expect(String(sink.received[0]!.timestamp)).toMatch(/-02-05T01:02:03\.000Z$/)
  })

  it('names the service it is told, unless the event has one', async () => {
    const { udp, sink } = await serving({ service_type: 'own' })
    await sendUdp(udp, line)
    expect((await sink.waitFor(1))[0]).toMatchObject({ service: { type: 'own' } })
    const given = await serving({ service_type: 'own', add_field: { '[service][type]': 'given' } })
    await sendUdp(given.udp, line)
    expect((await given.sink.waitFor(1))[0]).toMatchObject({ service: { type: 'given' } })
  })

  it('gives a line it cannot read the priority 0', async () => {
    const { udp, sink } = await serving()
    await sendUdp(udp, 'hello')
    const [fields] = await sink.waitFor(1)
    expect(fields).toMatchObject({
      message: 'hello',
      tags: ['_grokparsefailure_sysloginput'],
      priority: 0,
      facility: 0,
      severity: 0,
      facility_label: 'kernel',
      severity_label: 'Emergency',
    })
  })

  it('reads lines from TCP with their ends, however they are cut', async () => {
    const { tcp, sink } = await serving()
    await sendTcp(tcp, `${line}\n<1>Oct 11 22:14`, ':15 m p: second\n<191>Oct 11 22:14:15 m p: last')
    const events = await sink.waitFor(3)
    expect(events.map(({ message }) => message)).toEqual([
      "'su root' failed for lonvick on /dev/pts/8\n",
      'second\n',
      'last',
    ])
    expect(events.map(({ facility_label }) => facility_label)).toEqual([
      'security/authorization',
      'kernel',
      'local7',
    ])
  })

  it('asks a proxy for whom it speaks', async () => {
    const { tcp, sink } = await serving({ proxy_protocol: true })
    await sendTcp(tcp, 'PROXY TCP4 1.2.3.4 5.6.7.8 1000 514\r\n', `${line}\n`)
    expect((await sink.waitFor(1))[0]).toMatchObject({ host: '1.2.3.4', program: 'su' })
  })

  it('refuses a connection without that header', async () => {
    const { tcp, environment } = await serving({ proxy_protocol: true })
    await sendTcp(tcp, `${line}\n`)
    expect(environment.logger.messages('error')).toEqual(['invalid proxy protocol header label'])
  })

  it('leaves labels out, or uses others', async () => {
    const without = await serving({ use_labels: false })
    await sendUdp(without.udp, line)
    const [fields] = await without.sink.waitFor(1)
    expect(fields).toMatchObject({ facility: 4, severity: 2 })
    expect(fields).not.toHaveProperty('facility_label')
    const own = await serving({ severity_labels: ['a', 'b', 'c'], facility_labels: ['x'] })
    await sendUdp(own.udp, line)
    const [labelled] = await own.sink.waitFor(1)
    expect(labelled).toMatchObject({ severity_label: 'c' })
    expect(labelled).not.toHaveProperty('facility_label')
  })

  it('takes a pattern and a zone of its own', async () => {
    const { udp, sink } = await serving({
      grok_pattern: '<%{POSINT:priority}>%{TIMESTAMP_ISO8601:timestamp} %{GREEDYDATA:rest}',
      timezone: 'Asia/Tokyo',
    })
    await sendUdp(udp, '<1>2024-02-03T09:00:00 text')
    expect((await sink.waitFor(1))[0]).toMatchObject({ rest: 'text', priority: 1 })
    expect(String(sink.received[0]!.timestamp)).toBe('2024-02-03T00:00:00.000Z')
  })

  it('tags a time it cannot read', async () => {
    const { udp, sink } = await serving({ grok_pattern: '<%{POSINT:priority}>%{WORD:timestamp}' })
    await sendUdp(udp, '<1>now')
    expect((await sink.waitFor(1))[0]).toMatchObject({ timestamp: 'now', tags: ['_dateparsefailure'] })
  })

  it('lets the codec read the line first', async () => {
    const { udp, sink } = await serving({ codec: 'json', syslog_field: 'raw' })
    await sendUdp(udp, JSON.stringify({ raw: line, host: 'theirs' }))
    expect((await sink.waitFor(1))[0]).toMatchObject({ raw: line, program: 'su', host: '127.0.0.1' })
  })

  it('does not know every zone', () => {
    expect(() => inputFor(syslog, { timezone: 'Moon/Base' })).toThrow(
      "The datetime zone id 'Moon/Base' is not recognised",
    )
  })
})
