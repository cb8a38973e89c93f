import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { float, type Value } from '../../event/value.ts'
import { filterFor, runFilter, testEvent } from '../../plugin/testing.ts'
import { compileRing, hostOf } from './memcached/ring.ts'
import { dump, load } from './memcached/ruby-marshal.ts'
import { TestMemcached } from './memcached/test-server.ts'
import { keyBytes } from './memcached/values.ts'
import memcached from './memcached.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function server(): Promise<TestMemcached> {
  const made = await TestMemcached.start()
  atEnd.push(() => made.close())
  return made
}

describe('memcached', () => {
  it('reads keys into fields, with a namespace', async () => {
    const store = await server()
    store.items.set('threats:host:a b', { value: Buffer.from('böse'), flags: 0, seconds: 0 })
    store.items.set('threats:n', { value: deflateSync(dump(7)), flags: 3, seconds: 0 })
    const options = {
      hosts: [`127.0.0.1:${store.port}`],
      namespace: 'threats',
      get: { 'host:%{h}': '[threat][level]', n: 'n', missing: 'm' },
      add_tag: ['known'],
    }
    const events = await runFilter(memcached, options, [{ h: 'a b' }])
    expect(events).toEqual([{ h: 'a b', threat: { level: 'böse' }, n: 7, tags: ['known'] }])
  })

  it('writes fields under keys before it reads, in the order of the events', async () => {
    const store = await server()
    const options = {
      hosts: [`127.0.0.1:${store.port}`],
      set: { '[a][b]': 'k', n: 'n' },
      get: { k: 'last' },
      ttl: 60,
    }
    const events = await runFilter(memcached, options, [{ a: { b: 'x' } }, { a: { b: 'y' }, n: 5 }, { c: 1 }])
    expect(events.map((event) => event['last'])).toEqual(['x', 'y', 'y'])
    expect(store.items.get('k')).toEqual({ value: Buffer.from('y'), flags: 0, seconds: 60 })
    expect(store.items.get('n')).toEqual({ value: Buffer.from([4, 8, 0x69, 10]), flags: 1, seconds: 60 })
  })

  it('applies no common option when nothing was found', async () => {
    const store = await server()
    const options = { hosts: [`127.0.0.1:${store.port}`], get: { k: 'v' }, add_tag: ['known'] }
    expect(await runFilter(memcached, options, [{ a: 1 }])).toEqual([{ a: 1 }])
  })

  it('remembers what it read, misses too', async () => {
    const store = await server()
    store.items.set('k', { value: Buffer.from('v'), flags: 0, seconds: 0 })
    const options = { hosts: [`127.0.0.1:${store.port}`], get: { '%{k}': 'v' }, lru_cache_ttl: 60 }
    const { instance, filter } = filterFor(memcached, options)
    atEnd.unshift(() => instance.close!())
    for (let i = 0; i < 3; i++) await filter([testEvent({ k: 'k' })])
    for (let i = 0; i < 3; i++) await filter([testEvent({ k: 'missing' })])
    expect(store.gets).toBe(2)
  })

  it('remembers no more than lru_cache_max_size values, and tags failures as told', async () => {
    const store = await server()
    const options = { hosts: [`127.0.0.1:${store.port}`], get: { '%{k}': 'v' }, lru_cache_ttl: 60 }
    const { instance, filter } = filterFor(memcached, { ...options, lru_cache_max_size: 1 })
    atEnd.unshift(() => instance.close!())
    for (const k of ['a', 'b', 'a', 'b']) await filter([testEvent({ k })])
    expect(store.gets).toBe(4)
    const failing = { hosts: ['127.0.0.1:1'], get: { k: 'v' }, tag_on_failure: 'down' }
    expect(await runFilter(memcached, failing, [{}])).toEqual([{ tags: ['down'] }])
  })

  it('tags events while no server answers, and comes back', async () => {
    const dead = await runFilter(memcached, { hosts: ['127.0.0.1:1'], get: { k: 'v' } }, [{}, {}])
    expect(dead.map((event) => event['tags'])).toEqual([['_memcached_failure'], ['_memcached_failure']])
    const store = await server()
    const { instance, filter } = filterFor(memcached, {
      hosts: [`127.0.0.1:${store.port}`],
      set: { a: 'k' },
    })
    atEnd.unshift(() => instance.close!())
    await filter([testEvent({ a: '1' })])
    store.disconnectAll()
    await expect
      .poll(async () => (await filter([testEvent({ a: '2' })]))[0]!.get('tags'), { timeout: 5000 })
      .toBeUndefined()
    expect(store.items.get('k')!.value.toString()).toBe('2')
  })

  it('refuses a negative time to live', () => {
    expect(() => filterFor(memcached, { ttl: -1 })).toThrow("'ttl' option cannot be negative")
  })
})

describe('values in the Marshal format', () => {
  // What `Marshal.dump` of Ruby 3.1 gives.
  it.each<[Value, string]>([
    [null, '040830'],
    [true, '040854'],
    [5, '0408690a'],
    [-129, '040869ff7f'],
    [300, '040869022c01'],
    [1073741824, '04086c2b0700000040'],
    [2n ** 70n, '04086c2b0a00000000000000004000'],
    [float(1.5), '04086608312e35'],
    ['é', '0408492207c3a9063a064554'],
    [['a', 1], '04085b0749220661063a0645546906'],
  ])('%s', (value, hex) => {
    expect(dump(value).toString('hex')).toBe(hex)
    expect(load(Buffer.from(hex, 'hex'))).toEqual(value)
  })

  it('reads a map with symbols and links', () => {
    // {a: "x", "b" => ["x"]} with the text shared
    const hex = '04087b073a066149220678063a06455449220662063b06545b064006'
    expect(load(Buffer.from(hex, 'hex'))).toEqual({ a: 'x', b: ['x'] })
  })

  it('never reads past the end, whatever it is given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          load(Buffer.from([4, 8, ...bytes]))
        } catch (error) {
          expect((error as Error).message).not.toMatch(/undefined|Maximum call/)
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('keys and servers', () => {
  it('cuts keys that are too long and adds a digest', () => {
    const key = keyBytes('k'.repeat(300), 'ns')
    expect(key.length).toBe(250)
    expect(key.toString()).toMatch(/^ns:k+:md5:[0-9a-f]{32}$/)
  })

  it.each([
    ['a', { host: 'a', port: 11211, weight: 1 }],
    ['a:1', { host: 'a', port: 1, weight: 1 }],
    ['::1', { host: '::1', port: 11211, weight: 1 }],
    ['[::1]:7', { host: '::1', port: 7, weight: 1 }],
  ])('%s', (text, expected) => {
    expect(hostOf(text)).toEqual(expected)
  })

  it('moves few keys when a server is added', () => {
    const hosts = ['a', 'b', 'c', 'd'].map(hostOf)
    const [three, four] = [compileRing(hosts.slice(0, 3)), compileRing(hosts)]
    const keys = Array.from({ length: 2000 }, (_, n) => Buffer.from(`key ${n}`))
    const moved = keys.filter((key) => three(key) !== four(key))
    expect(moved.every((key) => four(key) === 3)).toBe(true)
    expect(moved.length).toBeGreaterThan(250)
    expect(moved.length).toBeLessThan(800)
  })
})
