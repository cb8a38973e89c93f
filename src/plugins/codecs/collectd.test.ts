import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, type TestOptions } from '../../plugin/testing.ts'
import collectd from './collectd.ts'
import { mutations } from './test-mutations.ts'

function part(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(body.length + 4, 2)
  return Buffer.concat([head, body])
}
const text = (type: number, value: string) => part(type, Buffer.from(`${value}\0`))
function number(type: number, value: bigint): Buffer {
  const body = Buffer.alloc(8)
  body.writeBigUInt64BE(value)
  return part(type, body)
}
function values(...given: readonly (readonly [kind: number, value: number])[]): Buffer {
  const body = Buffer.alloc(2 + given.length * 9)
  body.writeUInt16BE(given.length, 0)
  for (const [index, [kind, value]] of given.entries()) {
    body[2 + index] = kind
    const at = 2 + given.length + index * 8
    if (kind === 1) body.writeDoubleLE(value, at)
    else if (kind === 2) body.writeBigInt64BE(BigInt(value), at)
    else body.writeBigUInt64BE(BigInt(value), at)
  }
  return part(6, body)
}

const head = Buffer.concat([text(0, 'h1'), number(8, 1700000000n << 30n), number(9, 10n << 30n)])
const packet = Buffer.concat([
  head,
  text(2, 'load'),
  text(3, ''),
  text(4, 'load'),
  text(5, ''),
  values([1, 0.5], [1, 1], [1, 2]),
  text(2, 'cpu'),
  text(3, '0'),
  text(4, 'cpu'),
  text(5, 'idle'),
  values([2, -7]),
])
const record = { host: 'h1', '@timestamp': '2023-11-14T22:13:20.000Z' }
const shown = (codec: ReturnType<typeof codecFor>, bytes: Buffer) =>
  JSON.parse(JSON.stringify(decodeWith(codec, bytes)))
const decode = (bytes: Buffer, options: TestOptions = {}) => shown(codecFor(collectd, options), bytes)

describe('collectd', () => {
  it('makes an event per list of values', () => {
    expect(decode(packet)).toEqual([
      { ...record, plugin: 'load', collectd_type: 'load', shortterm: 0.5, midterm: 1, longterm: 2 },
      {
        ...record,
        plugin: 'cpu',
        plugin_instance: '0',
        collectd_type: 'cpu',
        type_instance: 'idle',
        value: -7,
      },
    ])
  })

  it('makes an event of a notification, and of intervals if wanted', () => {
    const bytes = Buffer.concat([
      text(0, 'h'),
      number(1, 5n),
      number(7, 10n),
      number(257, 4n),
      text(256, 'full'),
    ])
    const message = { host: 'h', '@timestamp': '1970-01-01T00:00:05.000Z', severity: 4, message: 'full' }
    expect(decode(bytes)).toEqual([message])
    expect(decode(bytes, { prune_intervals: false })).toEqual([
      { host: 'h', '@timestamp': '1970-01-01T00:00:05.000Z', interval: 10 },
      message,
    ])
  })

  it.each([
    ['change_value', [{ value: 0, tags: ['_collectdNaN'] }, { value: 1 }]],
    ['warn', [{ value: 0, tags: ['_collectdNaN'] }, { value: 1 }]],
    ['drop', [{ value: 1 }]],
  ])('handles what is not a number: %s', (nan_handling, expected) => {
    const bytes = Buffer.concat([values([1, Number.NaN]), values([3, 1])])
    expect(decode(bytes, { nan_handling })).toEqual(expected)
  })

  it('replaces what is not a number by nan_value and tags with nan_tag', () => {
    const bytes = values([1, Number.NaN])
    expect(decode(bytes, { nan_value: -1, nan_tag: 'odd' })).toEqual([{ value: -1, tags: ['odd'] }])
    expect(decode(bytes, { nan_tag: '' })).toEqual([{ value: 0 }])
  })

  it('keeps what came before something that cannot be read', () => {
    expect(decode(packet.subarray(0, packet.length - 3))).toHaveLength(1)
  })

  it('takes names from a types.db', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'types-')), 'types.db')
    writeFileSync(path, '# mine\nload  a:GAUGE:0:U, b:GAUGE:0:U\n')
    expect(decode(packet, { typesdb: [path] })[0]).toMatchObject({ a: 0.5, b: 1 })
  })

  describe('security', () => {
    const authfile = join(mkdtempSync(join(tmpdir(), 'auth-')), 'auth')
    writeFileSync(authfile, 'me: secret\nnonsense\n')
    const sign = (key: string) => {
      const user = Buffer.from('me')
      const digest = createHmac('sha256', key).update(user).update(packet).digest()
      return Buffer.concat([part(0x200, Buffer.concat([digest, user])), packet])
    }
    const encrypt = (key: string) => {
      const iv = Buffer.alloc(16, 7)
      const cipher = createCipheriv('aes-256-ofb', createHash('sha256').update(key).digest(), iv)
      const digest = createHash('sha1').update(packet).digest()
      const secret = Buffer.concat([cipher.update(Buffer.concat([digest, packet])), cipher.final()])
      return part(0x210, Buffer.concat([Buffer.from([0, 2]), Buffer.from('me'), iv, secret]))
    }

    it.each([
      ['None', packet, 2],
      ['None', sign('wrong'), 2],
      ['Sign', packet, 0],
      ['Sign', sign('secret'), 2],
      ['Sign', sign('wrong'), 0],
      ['Sign', encrypt('secret'), 2],
      ['Encrypt', packet, 0],
      ['Encrypt', sign('secret'), 0],
      ['Encrypt', encrypt('secret'), 2],
      ['Encrypt', encrypt('wrong'), 0],
      ['Encrypt', Buffer.concat([encrypt('secret'), packet]), 2],
    ])('%s, case %#', (security_level, bytes, count) => {
      expect(decode(bytes as Buffer, { security_level: security_level as string, authfile })).toHaveLength(
        count as number,
      )
    })

    it('needs a file', () => {
      expect(() => codecFor(collectd, { security_level: 'Sign' })).toThrow('no authfile was configured')
    })
  })

  it('survives 10,000 mutated packets', () => {
    const codec = codecFor(collectd)
    for (const bytes of mutations([packet], 10_000)) {
      if (decodeWith(codec, bytes).length > 50) expect.fail(bytes.toString('hex'))
    }
  })
})
