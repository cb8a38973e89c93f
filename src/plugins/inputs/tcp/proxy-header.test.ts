import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidProxyHeader, ProxyHeader } from './proxy-header.ts'

const line = 'PROXY TCP6 2001:db8::1 2001:db8::2 56324 443\r\n'
const peer = {
  address: '2001:db8::1',
  proxyAddress: '2001:db8::2',
  port: '56324',
  proxyPort: '443',
}

describe('PROXY header', () => {
  it('is read whatever pieces it comes in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: line.length }), fc.string(), (cut, rest) => {
        const bytes = Buffer.from(line + rest)
        const header = new ProxyHeader()
        const first = header.push(bytes.subarray(0, cut))
        const result = first ?? header.push(bytes.subarray(cut))
        const after = first === undefined ? '' : bytes.subarray(cut).toString()
        expect(result?.peer).toEqual(peer)
        expect(result!.rest.toString() + after).toBe(Buffer.from(rest).toString())
      }),
    )
  })

  it('may not know the peer', () => {
    expect(new ProxyHeader().push(Buffer.from('PROXY UNKNOWN\r\nx'))).toEqual({
      peer: { address: undefined, port: undefined, proxyAddress: undefined, proxyPort: undefined },
      rest: Buffer.from('x'),
    })
  })

  it.each(['HELLO\r\n', `PROXY ${'x'.repeat(200)}`, `PROXY ${'x'.repeat(200)}\r\n`])('is not %j', (text) => {
    expect(() => new ProxyHeader().push(Buffer.from(text))).toThrow(InvalidProxyHeader)
  })
})
