import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { block, outputFor, type TestOptions, testEvent } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import plain from '../codecs/plain.ts'
import syslog from './syslog.ts'

function message(options: TestOptions, fields: Parameters<typeof testEvent>[0]): string {
  const { instance } = outputFor(syslog, { host: 'h', port: 1, ...options }, { codecs: [plain, json] })
  const [encoded] = instance.encode!([testEvent(fields)])
  return Buffer.from(encoded!.bytes).subarray(4).toString()
}

describe('syslog', () => {
  it('writes messages of RFC 3164', () => {
    expect(message({}, { host: 'a', message: 'two\nlines\r\n' })).toBe(
      '<13>Oct 01 05:06:07 a LOGSTASH[-]: two\\nlines\n',
    )
  })

  it('writes messages of RFC 5424', () => {
    const options = {
      rfc: 'rfc5424',
      facility: 'local0',
      severity: '%{s}',
      appname: 'app',
      procid: '7',
      msgid: 'id',
    }
    expect(message(options, { host: 'a', message: 'm', s: 'error' })).toBe(
      '<131>1 2015-10-01T05:06:07.089+00:00 a app 7 id - m\n',
    )
  })

  it('says who sends as it is told', () => {
    expect(message({ sourcehost: 'from-%{n}' }, { n: 1, host: 'a', message: 'm' })).toBe(
      '<13>Oct 01 05:06:07 from-1 LOGSTASH[-]: m\n',
    )
  })

  it.each([
    ['34', '<34>'],
    ['192', '<13>'],
    ['x', '<13>'],
  ])('takes the priority %s for %s', (syslog_pri, head) => {
    expect(message({ use_labels: false }, { syslog_pri }).slice(0, head.length)).toBe(head)
  })

  it('uses a codec that was given', () => {
    const text = message({ codec: block('plain', { format: 'f %{a}' }), message: 'no' }, { a: 1, host: 'h' })
    expect(text).toMatch(/: f 1\n$/)
    expect(message({ codec: 'json' }, { a: 1, host: 'h' })).toMatch(/: \{"a":1,/)
  })

  it('sends datagrams', async () => {
    const server = createSocket('udp4')
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    const got = once(server, 'message')
    const { instance, deliver } = outputFor(syslog, { host: '127.0.0.1', port: server.address().port })
    await instance.register!()
    await deliver([{ host: 'a', message: 'm' }])
    expect(String((await got)[0])).toBe('<13>Oct 01 05:06:07 a LOGSTASH[-]: m\n')
    await instance.close!()
    server.close()
  })

  it('sends lines over TCP', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { instance, deliver } = outputFor(syslog, { host: '127.0.0.1', port, protocol: 'tcp' })
    await instance.register!()
    const connected = once(server, 'connection')
    await deliver([{ host: 'a', message: 'm' }])
    const [socket] = await connected
    const [chunk] = await once(socket, 'data')
    expect(String(chunk)).toBe('<13>Oct 01 05:06:07 a LOGSTASH[-]: m\n')
    await instance.close!()
    server.close()
  })
})
