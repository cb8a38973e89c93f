import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { codecFor, decodeWith, encodeWith, type TestOptions } from '../../plugin/testing.ts'
import { escapeHeader, escapeValue, readCefMessage } from './cef/message.ts'
import { defaultZone, readCefTime } from './cef/time.ts'
import cef from './cef.ts'

const head = 'CEF:0|security|threatmanager|1.0|100|trojan successfully stopped|10|'
const extension = (text: string) => Object.fromEntries(readCefMessage(head + text).extension)

describe('a CEF message', () => {
  it('has a header with escaped bars and may follow a syslog header', () => {
    const message = 'Sep 19 08:26:10 host CEF:0|sec\\|urity|threat\\\\manager|1.0|100|stopped|10|src=1.2.3.4'
    expect(readCefMessage(message)).toEqual({
      syslog: 'Sep 19 08:26:10 host',
      header: ['0', 'sec|urity', 'threat\\manager', '1.0', '100', 'stopped', '10'],
      extension: [['src', '1.2.3.4']],
    })
    expect(readCefMessage(`"${head}src=1"`).extension).toEqual([['src', '1']])
  })

  it('has values with blanks, equals signs, escapes and line ends', () => {
    expect(extension('src=10.0.0.192 dst=12.121.122.82 spt=1232')).toEqual({
      src: '10.0.0.192',
      dst: '12.121.122.82',
      spt: '1232',
    })
    expect(extension('moo=this\\=has = equals\\= act=blocked a\\\\b')).toEqual({
      moo: 'this=has = equals=',
      act: 'blocked a\\b',
    })
    expect(extension('msg=one\\ntwo request=http://x/?a\\=b')).toEqual({
      msg: 'one\ntwo',
      request: 'http://x/?a=b',
    })
    expect(extension('a= b=c')).toEqual({ a: '', b: 'c' })
    expect(extension('ad.field[0]=x ad.other=y')).toEqual({ 'ad.field[0]': 'x', 'ad.other': 'y' })
  })

  it('survives being written and read', () => {
    const word = fc.string().map((text) => text.trim())
    fc.assert(
      fc.property(word, word, (name, value) => {
        const text = `CEF:0|v|p|1|s|${escapeHeader(name)}|3|k=${escapeValue(value)}`
        const { header, extension: pairs } = readCefMessage(text)
        expect(header[5]).toBe(name.replace(/\r\n|[\r\n]/g, ' '))
        expect(pairs).toEqual([['k', value.replace(/\r\n|[\r\n]/g, '\n')]])
      }),
    )
  })

  it.each([
    ['1443675967089', '2015-10-01T05:06:07.089Z'],
    ['Oct 01 2015 05:06:07', '2015-10-01T05:06:07.000Z'],
    ['Oct 1 2015 05:06:07.5 +0200', '2015-10-01T03:06:07.500Z'],
    ['Dec 31 23:59:59', '2014-12-31T23:59:59.000Z'],
  ])('has the time %s', (text, expected) => {
    const now = new Timestamp(Date.UTC(2015, 0, 1))
    expect(readCefTime(text, defaultZone('UTC'), now)?.toString()).toBe(expected)
  })
})

describe('cef', () => {
  it('uses the names of the Elastic Common Schema', () => {
    const text = `${head}src=10.0.0.1 dpt=80 cs1=v cs1Label=l rt=1443675967000 dvchost=fw own=1`
    expect(decodeWith(codecFor(cef, {}, { ecs: 'v8' }), text)).toEqual([
      {
        '@timestamp': new Timestamp(1443675967000),
        cef: {
          version: '0',
          name: 'trojan successfully stopped',
          device_custom_string_1: { value: 'v', label: 'l' },
        },
        observer: { vendor: 'security', product: 'threatmanager', version: '1.0', hostname: 'fw' },
        event: { code: '100', severity: '10' },
        source: { ip: '10.0.0.1' },
        destination: { port: '80' },
        own: '1',
      },
    ])
  })

  it('cuts a stream, tags what it cannot read, and keeps the text', () => {
    const codec = codecFor(cef, { delimiter: '\\r\\n', raw_data_field: 'raw' })
    const events = decodeWith(codec, [`${head}act=a\r`, `\nno cef\r\n`])
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ deviceAction: 'a', raw: `${head}act=a` })
    expect(events[1]).toEqual({ message: 'no cef', raw: 'no cef', tags: ['_cefparsefailure'] })
  })

  it('writes fields by their short keys and keeps severities in range', () => {
    const codec = codecFor(cef, {
      fields: ['sourceAddress', '[a][b]', 'list', 'none'],
      reverse_mapping: true,
      severity: '%{sev}',
      name: 'a|%{n}',
    })
    const [first, second] = encodeWith(codec, [
      { sourceAddress: '1.2.3.4', a: { b: 'x=y\nz' }, list: [1], sev: 11, n: 'b' },
      { sev: 7, n: 'c' },
    ])
    expect(first).toBe('CEF:0|Elasticsearch|Logstash|1.0|Logstash|a\\|b|6|src=1.2.3.4 ab=x\\=y\\nz list=[1]')
    expect(second).toBe('CEF:0|Elasticsearch|Logstash|1.0|Logstash|a\\|c|7|')
  })
})

describe('options of the CEF codec', () => {
  it('say whether the device is an observer or the host, and the zone of times without one', () => {
    const text = `${head}dvc=192.0.2.1 rt=Sep 19 2016 08:26:10\n`
    const read = (options: TestOptions) => decodeWith(codecFor(cef, options, { ecs: 'v8' }), text)[0]!
    expect(read({ default_timezone: '+02:00' })).toMatchObject({
      observer: { ip: '192.0.2.1' },
      '@timestamp': new Timestamp(Date.UTC(2016, 8, 19, 6, 26, 10)),
    })
    expect(read({ device: 'host', default_timezone: 'UTC' })).toMatchObject({
      host: { ip: '192.0.2.1' },
      '@timestamp': new Timestamp(Date.UTC(2016, 8, 19, 8, 26, 10)),
    })
  })

  it('take the zone of the device from the message, by offset or name', () => {
    const read = (zone: string) =>
      decodeWith(
        codecFor(cef, { default_timezone: 'UTC' }, { ecs: 'v8' }),
        `${head}rt=Jul 19 2016 08:26:10 ${zone}`,
      )[0]!
    expect(read('dtz=+05:00')['@timestamp']).toEqual(new Timestamp(Date.UTC(2016, 6, 19, 3, 26, 10)))
    expect(read('deviceTimeZone=America/New_York')['@timestamp']).toEqual(
      new Timestamp(Date.UTC(2016, 6, 19, 12, 26, 10)),
    )
    expect(() => codecFor(cef, { default_timezone: 'Nowhere' })).toThrow('The time zone Nowhere is not known')
  })

  it('end what is written with the delimiter, and use the short keys of ECS fields', () => {
    const options = {
      delimiter: '\\n',
      fields: ['[source][ip]', '[cef][device_custom_string_1][label]'],
      reverse_mapping: true,
    }
    const event = { source: { ip: '::1' }, cef: { device_custom_string_1: { label: 'l|\\' } } }
    expect(encodeWith(codecFor(cef, options, { ecs: 'v8' }), [event])[0]).toMatch(
      /\|src=::1 cs1Label=l\|\\\\\n$/,
    )
  })

  it('fill the header of what is written', () => {
    const codec = codecFor(cef, { signature: 'class %{n}' })
    expect(encodeWith(codec, [{ n: 1 }])[0]).toMatch(
      /^CEF:0\|Elasticsearch\|Logstash\|1\.0\|class 1\|Logstash\|6\|/,
    )
  })
})
