import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { peerAddress } from './peer-address.ts'

describe('address of a peer', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['2001:db8::8a2e:370:7334', '2001:db8:0:0:0:8a2e:370:7334'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1%eth0'],
    ['::1.2.3.4', '0:0:0:0:0:0:102:304'],
    ['', ''],
  ])('%s is %s', (address, expected) => {
    expect(peerAddress(address)).toBe(expected)
  })

  it('always has eight groups and is the same address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const text = peerAddress(address)
        if (!text.includes(':')) return
        expect(text.split(':')).toHaveLength(8)
        expect(isIPv6(text)).toBe(true)
        expect(new URL(`http://[${text}]/`).hostname).toBe(new URL(`http://[${address}]/`).hostname)
      }),
    )
  })
})
