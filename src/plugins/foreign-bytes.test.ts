/**
 * Bytes that are no UTF-8, at every place where a codec or an input makes text of bytes: they are shown as Ruby
 * shows them (`\xE9`) and never replaced, because a replaced byte is lost.
 */
import { describe, expect, it } from 'vitest'
import { utf8Json } from '../event/utf8-text.ts'
import type { CodecDefinition } from '../plugin/define.ts'
import { codecFor, decodeWith } from '../plugin/testing.ts'
import { catalogue } from './catalogue.ts'
import { textOf } from './codecs/collectd/packet.ts'
import { readFlowValue } from './codecs/netflow/field-values.ts'
import { readPacket } from './inputs/ganglia/packet.ts'
import { partText, readMail } from './inputs/imap/mail.ts'
import { FrameReader } from './lumberjack/frame-reader.ts'
import { dataFrame } from './lumberjack/test-client.ts'
import { requiredOptions } from './test-options.ts'

const foreign = Buffer.from('caf\xe9', 'latin1')
const shown = 'caf\\xE9'

const codecs = await Promise.all(
  catalogue.names('codec').map(async (name) => (await catalogue.load('codec', name)) as CodecDefinition),
)
/** They read no such text: binary ones, and those that skip a line that is not of their format. */
const withoutText = new Set([
  'avro',
  'cloudfront',
  'es_bulk',
  'cloudtrail',
  'collectd',
  'netflow',
  'nmap',
  'protobuf',
  's3_plain',
  's3plain',
])

describe('a text that is no UTF-8', () => {
  it.each(codecs)('is lost in no codec: $name', (definition) => {
    const codec = codecFor(definition, requiredOptions(definition))
    if (codec.decode === undefined && codec.decodeBytes === undefined && codec.decoder === undefined) return
    const events = JSON.stringify(decodeWith(codec, Buffer.concat([foreign, Buffer.from('\n')])))
    expect(events).not.toContain('\ufffd')
    if (!withoutText.has(definition.name)) expect(events).toMatch(/caf\\\\+xE9/)
  })

  it('is shown in texts of msgpack', () => {
    const map = Buffer.concat([Buffer.from([0x81, 0xa1, 0x61, 0xa4]), foreign])
    const msgpack = codecs.find(({ name }) => name === 'msgpack')!
    expect(decodeWith(codecFor(msgpack, {}), map)).toMatchObject([{ a: shown }])
  })

  it('is shown in flows, values of collectd and of gmond', () => {
    expect(readFlowValue(Buffer.concat([foreign, Buffer.alloc(3)]), 'text')).toBe(shown)
    expect(textOf(Buffer.concat([foreign, Buffer.alloc(1)]))).toBe(shown)
    const number = (value: number) => Buffer.from([0, 0, 0, value])
    const text = (bytes: Buffer) =>
      Buffer.concat([number(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
    const packet = [
      number(133),
      text(foreign),
      text(foreign),
      number(0),
      text(Buffer.from('%s')),
      text(foreign),
    ]
    expect(readPacket(Buffer.concat(packet))).toMatchObject({
      value: { hostname: shown, name: shown, value: shown },
    })
  })

  it('is shown in frames of Lumberjack, of both kinds', () => {
    const reader = new FrameReader()
    const frame = dataFrame(1, { line: 'café' })
    const at = frame.indexOf('é')
    frame.copy(frame, at + 1, at + 2)
    const sent = Buffer.from(frame.subarray(0, frame.length - 1))
    sent.writeUInt32BE(4, at - 3 - 4)
    sent[at] = 0xe9
    reader.push(sent)
    expect(reader.next()).toMatchObject({ fields: { line: shown } })
    const json = Buffer.concat([Buffer.from('{"message":"'), foreign, Buffer.from('\\n\\""}')])
    expect(JSON.parse(utf8Json(json))).toEqual({ message: `${shown}\n"` })
  })

  it('is shown in mails that claim to be UTF-8', () => {
    const mail = readMail(
      Buffer.concat([Buffer.from('Content-Type: text/plain; charset=UTF-8\r\n\r\n'), foreign]),
    )
    expect(partText(mail)).toBe(shown)
  })
})
