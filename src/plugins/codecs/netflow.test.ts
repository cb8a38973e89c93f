import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import { ipv6 } from './netflow/field-values.ts'
import netflow from './netflow.ts'

const u8 = (...values: number[]) => Buffer.from(values)
const u16 = (...values: number[]) => Buffer.concat(values.map((n) => u8(n >> 8, n & 255)))
const u32 = (...values: number[]) => Buffer.concat(values.map((n) => u16(Math.floor(n / 65536), n % 65536)))
const sized = (id: number, body: Buffer) => Buffer.concat([u16(id, body.length + 4), body])

/** 2015-10-01T05:06:07Z */
const seconds = 1443675967
const header9 = (...sets: Buffer[]) =>
  Buffer.concat([u16(9, sets.length), u32(10_000, seconds, 77, 5), ...sets])
const header10 = (...sets: Buffer[]) => {
  const body = Buffer.concat([u32(seconds, 88, 6), ...sets])
  return Buffer.concat([u16(10, body.length + 4), body])
}

describe('netflow', () => {
  it('reads version 5', () => {
    const record = Buffer.concat([
      u8(10, 0, 0, 1, 10, 0, 0, 2, 10, 0, 0, 3),
      u16(1, 2),
      u32(3, 400, 8000, 9000),
      u16(1234, 80),
      u8(0, 0x18, 6, 0),
      u16(100, 200),
      u8(24, 16, 0, 0),
    ])
    const packet = Buffer.concat([
      u16(5, 1),
      u32(10_000, seconds, 89_000_000, 42),
      u8(1, 2),
      u16((1 << 14) | 100),
      record,
    ])
    expect(decodeWith(codecFor(netflow), packet)).toEqual([
      {
        '@timestamp': new Timestamp(seconds * 1000 + 89),
        netflow: {
          version: 5,
          flow_seq_num: 42,
          engine_type: 1,
          engine_id: 2,
          sampling_algorithm: 1,
          sampling_interval: 100,
          flow_records: 1,
          ipv4_src_addr: '10.0.0.1',
          ipv4_dst_addr: '10.0.0.2',
          ipv4_next_hop: '10.0.0.3',
          input_snmp: 1,
          output_snmp: 2,
          in_pkts: 3,
          in_bytes: 400,
          first_switched: '2015-10-01T05:06:05.089Z',
          last_switched: '2015-10-01T05:06:06.089Z',
          l4_src_port: 1234,
          l4_dst_port: 80,
          tcp_flags: 24,
          protocol: 6,
          src_tos: 0,
          src_as: 100,
          dst_as: 200,
          src_mask: 24,
          dst_mask: 16,
        },
      },
    ])
  })

  it('reads version 9 once the template is there', () => {
    const codec = codecFor(netflow, { include_flowset_id: true, target: '[flow]' })
    const template = sized(0, Buffer.concat([u16(256, 5), u16(8, 4, 21, 4, 1, 8, 999, 2, 56, 6)]))
    const data = sized(
      256,
      Buffer.concat([
        u8(192, 168, 0, 1),
        // 1.25 seconds before the packet.
        u32(8750),
        u32(0, 5),
        u16(7),
        u8(0, 1, 2, 3, 4, 255),
        // Padding to a multiple of four.
        u8(0, 0),
      ]),
    )
    expect(decodeWith(codec, header9(data))).toEqual([])
    expect(decodeWith(codec, header9(template, data))).toEqual([
      {
        '@timestamp': new Timestamp(seconds * 1000),
        flow: {
          version: 9,
          flow_seq_num: 77,
          flowset_id: 256,
          ipv4_src_addr: '192.168.0.1',
          last_switched: '2015-10-01T05:06:06.999750Z',
          in_bytes: 5,
          in_src_mac: '00:01:02:03:04:ff',
        },
      },
    ])
    expect(decodeWith(codec, header9(data))).toHaveLength(1)
  })

  it('forgets templates after cache_ttl seconds', async () => {
    const template = sized(0, u16(256, 1, 1, 4))
    const data = sized(256, u32(5))
    const codec = codecFor(netflow, { cache_ttl: 0.05 })
    expect(decodeWith(codec, header9(template, data))).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(decodeWith(codec, header9(data))).toEqual([])
  })

  it('reads chosen versions only', () => {
    const packet = header9(sized(0, u16(256, 1, 1, 4)), sized(256, u32(5)))
    expect(decodeWith(codecFor(netflow, { versions: [9] }), packet)).toHaveLength(1)
    expect(decodeWith(codecFor(netflow, { versions: [5, 10] }), packet)).toEqual([])
  })

  it('knows further fields of version 9', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'millrace-netflow-')), 'netflow.yaml')
    await writeFile(file, '999:\n- 2\n- :own_number\n1000:\n- :string\n- :own_text\n1:\n- :skip\n')
    const template = sized(0, u16(256, 2, 999, 2, 1000, 4))
    const data = sized(256, Buffer.concat([u16(7), Buffer.from('ab\0\0')]))
    const [event] = decodeWith(codecFor(netflow, { netflow_definitions: file }), header9(template, data))
    expect(event!['netflow']).toEqual({
      version: 9,
      flow_seq_num: 77,
      flowset_id: 256,
      own_number: 7,
      own_text: 'ab',
    })
  })

  it('shows application ids, forwarding states and access lists', () => {
    const fields = [95, 4, 89, 1, 33000, 12]
    const template = sized(0, u16(256, 3, ...fields))
    const data = sized(256, Buffer.concat([u8(13, 0, 1, 2), u8(0x42), u32(1, 2, 0xabcdef01)]))
    expect(decodeWith(codecFor(netflow), header9(template, data))[0]!['netflow']).toMatchObject({
      application_id: '13:258',
      forwarding_status: { status: 1, reason: 2 },
      ingress_acl_id: '00000001-00000002-abcdef01',
    })
  })

  it('keeps templates on the disk, and forgets none of another version', async () => {
    const cache_save_path = await mkdtemp(join(tmpdir(), 'millrace-netflow-'))
    const template = sized(0, u16(256, 2, 1, 4, 999, 4))
    decodeWith(codecFor(netflow, { cache_save_path }), header9(template))
    const data = header9(sized(256, u32(5, 6)))
    expect(decodeWith(codecFor(netflow, { cache_save_path }), data)[0]!['netflow']).toMatchObject({
      in_bytes: 5,
    })
    expect(decodeWith(codecFor(netflow, {}), data)).toEqual([])
    await writeFile(join(cache_save_path, 'netflow_templates.cache'), '{"0|256":[["uint32","in_bytes"]]}')
    expect(decodeWith(codecFor(netflow, { cache_save_path }), data)).toEqual([])
  })

  it('reads options of version 9', () => {
    const template = sized(1, Buffer.concat([u16(257, 4, 4), u16(1, 2, 34, 2), u16(0)]))
    const data = sized(257, u16(1, 100))
    expect(decodeWith(codecFor(netflow), header9(template, data))[0]!['netflow']).toEqual({
      version: 9,
      flow_seq_num: 77,
      flowset_id: 257,
      scope_system: 1,
      sampling_interval: 100,
    })
  })

  it('reads IPFIX with lengths that vary, and fields of vendors', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'millrace-ipfix-')), 'ipfix.yaml')
    await writeFile(file, '9:\n  12:\n  - :string\n  - :vendorText\n')
    const template = sized(
      2,
      Buffer.concat([u16(300, 4), u16(96, 65535), u16(0x800c, 65535), u32(9), u16(27, 16), u16(152, 8)]),
    )
    const data = sized(
      300,
      Buffer.concat([
        u8(3),
        Buffer.from('web'),
        u8(255),
        u16(2),
        Buffer.from('ok'),
        Buffer.from('20010db8000000000000000000000001', 'hex'),
        u32(0x150, 0x20000000),
      ]),
    )
    const [event] = decodeWith(codecFor(netflow, { ipfix_definitions: file }), header10(template, data))
    expect(event!['netflow']).toEqual({
      version: 10,
      applicationName: 'web',
      vendorText: 'ok',
      sourceIPv6Address: '2001:db8::1',
      flowStartMilliseconds: new Date(0x150 * 2 ** 32 + 0x20000000).toISOString(),
    })
  })

  it.each([
    ['00000000000000000000000000000000', '::'],
    ['00000000000000000000000000000001', '::1'],
    ['20010db8000100000000000000000000', '2001:db8:1::'],
    ['00010000000200000000000300000004', '1:0:2::3:0:4'],
    ['00010002000300040005000600070008', '1:2:3:4:5:6:7:8'],
  ])('%s is the address %s', (hex, text) => {
    expect(ipv6(Buffer.from(hex, 'hex'))).toBe(text)
  })

  it('survives any packet', () => {
    const codec = codecFor(netflow)
    const packet = fc.tuple(fc.constantFrom(5, 9, 10), fc.uint8Array({ maxLength: 120 }))
    fc.assert(
      fc.property(packet, ([version, rest]) => {
        expect(Array.isArray(decodeWith(codec, Buffer.concat([u16(version), rest])))).toBe(true)
      }),
    )
  })
})
