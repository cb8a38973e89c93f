import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatIp, ipHex, parseCidr, parseIp } from './ip-address.ts'

describe('IP addresses', () => {
  it.each([
    ['127.0.0.1', '00000000000000000000ffff7f000001'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['1:2:3:4:5:6:1.2.3.4', '00010002000300040005000601020304'],
    ['::', '00000000000000000000000000000000'],
    ['2001:db8::FF00:42:8329', '20010db8000000000000ff0000428329'],
    ['1::', '00010000000000000000000000000000'],
  ])('parses %s', (text, hex) => {
    expect(parseIp(text)).toBe(hex)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.',
    ':::1',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7',
    'g::',
    '::1.2.3',
  ])('refuses %s', (text) => {
    expect(parseIp(text)).toBeUndefined()
  })

  it('are parsed back as printed, and agree with node:net', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const hex = parseIp(text)
        expect(hex === undefined).toBe(isIP(text) === 0)
        expect(parseIp(formatIp(hex!))).toBe(hex)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (address) => {
        expect(parseIp(formatIp(ipHex(address)))).toBe(ipHex(address))
      }),
    )
  })

  it('parse CIDR blocks to ranges', () => {
    expect(parseCidr('192.168.1.77/24')).toEqual({
      from: parseIp('192.168.1.0'),
      to: parseIp('192.168.1.255'),
    })
    expect(parseCidr('2001:db8::/32')).toEqual({
      from: parseIp('2001:db8::'),
      to: parseIp('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'),
    })
    expect(parseCidr('10.0.0.0/33')).toBeUndefined()
    expect(parseCidr('10.0.0.0')).toBeUndefined()
  })
})
