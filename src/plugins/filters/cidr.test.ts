import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import { NetworkSet, parseAddress } from './cidr/network-set.ts'
import cidr from './cidr.ts'

async function matches(options: TestOptions, fields: Record<string, unknown>): Promise<boolean> {
  const [result] = await runFilter(cidr, { add_tag: ['in'], ...options }, [fields as never])
  return result?.['tags'] !== undefined
}

describe('cidr', () => {
  it.each<[string, string, boolean]>([
    ['192.168.2.3', '192.168.2.0/24', true],
    ['192.168.3.3', '192.168.2.0/24', false],
    ['192.168.2.3', '192.168.2.0/255.255.255.0', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '0.0.0.0/0', true],
    ['10.1.2.127', '10.1.2.0/25', true],
    ['10.1.2.128', '10.1.2.0/25', false],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['10.1.2.3', '::/0', false],
    ['fe80::1', 'fe80::/10', true],
    ['10.1.2.3', '1.0.0.0/8, 10.0.0.0/8', true],
  ])('%s in %s: %s', async (address, network, expected) => {
    expect(await matches({ address: ['%{a}'], network: [network] }, { a: address })).toBe(expected)
  })

  it('takes lists, fields and networks out of the event', async () => {
    expect(
      await matches({ address: ['1.1.1.1', '%{a}'], network: ['%{n}'] }, { a: '10.0.0.1', n: '10.0.0.0/8' }),
    ).toBe(true)
    expect(await matches({ address_field: 'a', network: ['10.0.0.0/8'] }, { a: ['x', '10.0.0.1'] })).toBe(
      true,
    )
    expect(await matches({ address_field: 'a', network: ['10.0.0.0/8'] }, { b: 1 })).toBe(false)
  })

  it('skips what is invalid, with a warning', async () => {
    const { environment, filter } = filterFor(cidr, {
      address: ['%{a}'],
      network: ['nonsense', '10.0.0.0/40', '10.0.0.0/8'],
      add_tag: ['in'],
    })
    const [first, second] = await filter([testEvent({ a: 'x' }), testEvent({ a: '10.9.9.9' })])
    expect(first!.get('tags')).toBeUndefined()
    expect(second!.get('tags')).toEqual(['in'])
    expect(environment.logger.messages('warn')).toEqual([
      'Invalid IP network, skipping',
      'Invalid IP network, skipping',
      'Invalid IP address, skipping',
    ])
  })

  it('reads networks from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cidr-'))
    try {
      const path = join(folder, 'networks')
      writeFileSync(path, '10.0.0.0/8;192.168.0.0/16;')
      const options = { address: ['%{a}'], network_path: path, separator: ';' }
      expect(await matches(options, { a: '192.168.1.1' })).toBe(true)
      expect(await matches(options, { a: '172.16.1.1' })).toBe(false)
      expect(() => filterFor(cidr, { ...options, network: ['10.0.0.0/8'] })).toThrow('mutually exclusive')
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(() => filterFor(cidr, { address: ['a'], address_field: 'b' })).toThrow('mutually exclusive')
  })

  it('reads the file again after an interval', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cidr-'))
    const path = join(folder, 'networks')
    writeFileSync(path, '10.0.0.0/8')
    const options = { address: ['%{a}'], network_path: path, refresh_interval: 0.02, add_tag: ['in'] }
    const { instance, filter } = filterFor(cidr, options)
    await instance.register?.()
    const tagsOf = async (a: string) => (await filter([testEvent({ a })]))[0]!.get('tags')
    try {
      expect([await tagsOf('10.1.1.1'), await tagsOf('192.0.2.1')]).toEqual([['in'], undefined])
      writeFileSync(path, '192.0.2.0/24')
      await expect.poll(() => tagsOf('192.0.2.1'), { timeout: 20_000 }).toEqual(['in'])
      expect(await tagsOf('10.1.1.1')).toBeUndefined()
    } finally {
      await instance.close?.()
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a set of networks', () => {
  it('has exactly the addresses of its networks', () => {
    const address = fc.integer({ min: 0, max: 0xffffffff })
    const text = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, other, length) => {
        const set = new NetworkSet()
        expect(set.add(`${text(network)}/${length}`)).toBe(true)
        const mask = length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0
        for (const one of [network, other, network ^ 1, network ^ 0x80]) {
          const inside = (one & mask) >>> 0 === (network & mask) >>> 0
          expect(set.has(parseAddress(text(one >>> 0))!)).toBe(inside)
        }
      }),
    )
  })
})
