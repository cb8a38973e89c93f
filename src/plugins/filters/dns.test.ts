import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterFor, type TestOptions, testEvent } from '../../plugin/testing.ts'
import { parseHosts } from './dns/hosts-file.ts'
import { Lookup, type LookupOptions, LookupTimeout } from './dns/lookup.ts'
import dns from './dns.ts'

const folder = mkdtempSync(join(tmpdir(), 'dns-'))
const hosts = join(folder, 'hosts')
let server: Socket
let asked: string[] = []

/**
 * A name server: `a.test` and `late.test` have an address, 192.0.2.9 a name, `silent.test` no answer, the rest do
 * not exist.
 */
function reply(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += query[at]! + 1
  }
  const name = labels.join('.').toLowerCase()
  const type = query.readUInt16BE(at + 1)
  asked.push(`${type} ${name}`)
  if (name === 'silent.test') return undefined
  const question = query.subarray(12, at + 5)
  const data =
    (name === 'a.test' || name === 'late.test') && type === 1
      ? Buffer.from([192, 0, 2, 9])
      : name === '9.2.0.192.in-addr.arpa' && type === 12
        ? Buffer.from('\x04name\x04test\x00', 'latin1')
        : undefined
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(data === undefined ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(1, 4)
  if (data === undefined) return Buffer.concat([head, question])
  head.writeUInt16BE(1, 6)
  const answer = Buffer.alloc(12)
  answer.writeUInt16BE(0xc00c, 0)
  answer.writeUInt16BE(type, 2)
  answer.writeUInt16BE(1, 4)
  answer.writeUInt32BE(60, 6)
  answer.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, question, answer, data])
}

beforeAll(async () => {
  writeFileSync(hosts, '192.0.2.1 one.example one # comment\n')
  server = createSocket('udp4')
  server.on('message', (query, from) => {
    const answer = reply(query)
    if (answer === undefined) return
    setTimeout(() => server.send(answer, from.port, from.address), query.includes('late') ? 900 : 0)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

async function run(options: TestOptions, ...events: Record<string, unknown>[]) {
  asked = []
  const nameserver = [`127.0.0.1:${server.address().port}`]
  const { instance, filter } = filterFor(dns, { nameserver, hostsfile: [hosts], add_tag: ['ok'], ...options })
  await instance.register?.()
  const result = await filter(events.map((fields) => testEvent(fields as never)))
  await instance.close?.()
  return result.map((event) => {
    const { '@timestamp': _, '@version': __, ...fields } = event.toHash()
    return fields
  })
}

describe('dns', () => {
  it('appends or replaces', async () => {
    expect(await run({ resolve: ['h'] }, { h: 'a.test' }, { h: ['a.test'] })).toEqual([
      { h: ['a.test', '192.0.2.9'], tags: ['ok'] },
      { h: ['a.test', '192.0.2.9'], tags: ['ok'] },
    ])
    expect(
      await run({ reverse: ['i'], action: 'replace' }, { i: '192.0.2.9' }, { i: ['192.0.2.9'] }),
    ).toEqual([
      { i: 'name.test', tags: ['ok'] },
      { i: ['name.test'], tags: ['ok'] },
    ])
  })

  it('stops at what it cannot look up', async () => {
    const options = { resolve: ['a', 'b'], action: 'replace' }
    expect(
      await run(options, { a: 'none.test', b: 'a.test' }, { b: 'a.test' }, { a: ['x', 'y'], b: 'a.test' }),
    ).toEqual([{ a: 'none.test', b: 'a.test' }, { b: 'a.test' }, { a: ['x', 'y'], b: 'a.test' }])
    expect(await run({ reverse: ['i'] }, { i: 'name' })).toEqual([{ i: 'name' }])
  })

  it('asks hosts files first', async () => {
    const options = { resolve: ['h'], reverse: ['i'], action: 'replace' }
    expect(await run(options, { h: 'one', i: '192.0.2.1' })).toEqual([
      { h: '192.0.2.1', i: 'one.example', tags: ['ok'] },
    ])
    expect(asked).toEqual([])
  })

  it('asks once for many events', async () => {
    const events = Array.from({ length: 20 }, () => ({ h: 'a.test' }))
    await run({ resolve: ['h'] }, ...events)
    expect(asked).toEqual(['1 a.test'])
  })

  it('remembers names for hit_cache_ttl, and failures for failed_cache_ttl', async () => {
    const nameserver = [`127.0.0.1:${server.address().port}`]
    const askedFor = async (options: TestOptions) => {
      asked = []
      const { instance, filter } = filterFor(dns, {
        nameserver,
        resolve: ['h'],
        hostsfile: [hosts],
        ...options,
      })
      await instance.register?.()
      for (const h of ['a.test', 'a.test', 'none.test', 'none.test']) await filter([testEvent({ h })])
      await instance.close?.()
      return ['1 a.test', '1 none.test'].map((question) => asked.filter((one) => one === question).length)
    }
    expect(await askedFor({})).toEqual([2, 2])
    expect(await askedFor({ hit_cache_size: 10, hit_cache_ttl: 60 })).toEqual([1, 2])
    expect(await askedFor({ failed_cache_size: 10, failed_cache_ttl: 60 })).toEqual([2, 1])
    expect(
      await askedFor({ hit_cache_size: 10, hit_cache_ttl: 0, failed_cache_size: 10, failed_cache_ttl: 0 }),
    ).toEqual([2, 2])
  })

  it('completes names', async () => {
    const nameserver = { address: [`127.0.0.1:${server.address().port}`], search: ['nowhere', 'test'] }
    expect(await run({ resolve: ['h'], action: 'replace', nameserver }, { h: 'a' })).toEqual([
      { h: '192.0.2.9', tags: ['ok'] },
    ])
    expect(asked).toEqual(['1 a.nowhere', '1 a.test'])
  })

  it('tags what is not answered in time', async () => {
    const options = { resolve: ['h'], timeout: 0.05, max_retries: 1, tag_on_timeout: ['slow'] }
    expect(await run(options, { h: 'silent.test' })).toEqual([{ h: 'silent.test', tags: ['slow'] }])
    expect(asked).toHaveLength(2)
    const { tag_on_timeout: _, ...usual } = { ...options, max_retries: 0 }
    expect(await run(usual, { h: 'silent.test' })).toEqual([{ h: 'silent.test', tags: ['_dnstimeout'] }])
    expect(asked).toHaveLength(1)
  })

  it('waits for an answer as long as it is told', async () => {
    const options = { resolve: ['h'], action: 'replace', timeout: 20, max_retries: 0 }
    expect(await run(options, { h: 'late.test' })).toEqual([{ h: '192.0.2.9', tags: ['ok'] }])
    const { timeout: _, ...usual } = options
    expect(await run(usual, { h: 'late.test' })).toEqual([{ h: 'late.test', tags: ['_dnstimeout'] }])
  })

  it('warns of name servers that are none, and refuses to ask nobody', async () => {
    const good = `127.0.0.1:${server.address().port}`
    const some = filterFor(dns, { nameserver: ['2001:4860:4860:8888', good] })
    await some.instance.register?.()
    expect(some.environment.logger.messages('warn')).toEqual([
      'DNS: there is no such name server, it is not asked',
    ])
    await some.instance.close?.()
    const none = filterFor(dns, { nameserver: ['2001:4860:4860:8888'] })
    await expect(none.instance.register?.()).rejects.toThrow('none of the name servers is known')
    expect(() => filterFor(dns, { nameserver: { search: ['a'] } })).toThrow('must include `address`')
  })
})

describe('a lookup', () => {
  const options: LookupOptions = {
    servers: [],
    search: [],
    ndots: 1,
    timeout: 1,
    retries: 2,
    hits: { size: 10, ttl: 60 },
    failures: { size: 10, ttl: 60 },
  }

  function counting(answer: () => string[]) {
    const calls: string[] = []
    const ask = async (question: string) => {
      calls.push(question)
      return answer()
    }
    return { calls, addresses: ask, names: ask, cancel: () => {} }
  }

  it('remembers answers and failures', async () => {
    const good = counting(() => ['1.1.1.1'])
    const found = new Lookup(options, parseHosts([]), good)
    expect([await found.address('a'), await found.address('a')]).toEqual(['1.1.1.1', '1.1.1.1'])
    expect(good.calls).toHaveLength(1)
    const bad = counting(() => {
      throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    })
    const failing = new Lookup(options, parseHosts([]), bad)
    expect([await failing.address('a'), await failing.address('a')]).toEqual([undefined, undefined])
    expect(bad.calls).toHaveLength(1)
  })

  it('asks again after a time-out, so often', async () => {
    const slow = counting(() => {
      throw Object.assign(new Error(), { code: 'ETIMEOUT' })
    })
    await expect(new Lookup(options, parseHosts([]), slow).name('1.1.1.1')).rejects.toThrow(LookupTimeout)
    expect(slow.calls).toHaveLength(3)
  })
})
