import { describe, expect, it } from 'vitest'
import { parseHost } from './cluster-host.ts'
import { HostPool } from './host-pool.ts'

const [a, b, c] = ['a', 'b', 'c'].map((name) => parseHost(name)) as [never, never, never]

describe('a pool of hosts', () => {
  it('asks a failed host last until it has answered a probe', () => {
    const pool = new HostPool([a, b, c], () => 0)
    pool.failed(a, 'refused')
    expect(pool.order()).toEqual([b, c, a])
    expect(pool.order()).toEqual([b, c, a])
    pool.worked(a)
    expect(pool.order()).toEqual([c, a, b])
  })

  it('names a failed host for a probe after a pause that doubles', () => {
    let now = 0
    const pool = new HostPool([a, b], () => now)
    pool.failed(a, 'refused')
    now = 999
    expect(pool.due()).toEqual([])
    now = 1_000
    expect(pool.due()).toEqual([a])
    expect(pool.due()).toEqual([])
    pool.failed(a, 'refused')
    now = 2_999
    expect(pool.due()).toEqual([])
    now = 3_000
    expect(pool.due()).toEqual([a])
  })

  it('asks the host first that failed first when all have failed', () => {
    let now = 0
    const pool = new HostPool([a, b, c], () => now)
    for (const host of [b, c, a]) {
      pool.failed(host, 'refused')
      now += 10
    }
    expect(pool.order()).toEqual([b, c, a])
    expect(pool.order()).toEqual([b, c, a])
  })

  it('counts requests that failed together as one failure', () => {
    let now = 0
    const pool = new HostPool([a, b], () => now)
    for (let time = 0; time < 10; time++) pool.failed(a, 'refused')
    now = 1_000
    expect(pool.due()).toEqual([a])
  })

  it('keeps what it knows of hosts that stay', () => {
    const pool = new HostPool([a, b], () => 0)
    pool.failed(b, 'refused')
    pool.replace([b, c])
    expect(pool.status.map(({ url, isAlive }) => [url, isAlive])).toEqual([
      ['http://b:9200', false],
      ['http://c:9200', true],
    ])
  })
})

describe('the address of a host', () => {
  it.each([
    ['es1', 'http://es1:9200'],
    ['es1:9201', 'http://es1:9201'],
    ['http://es1:80', 'http://es1:80'],
    ['https://es1', 'https://es1:9200'],
    ['https://kim:secret@es1:443/search/', 'https://es1:443/search'],
    ['[::1]:9200', 'http://[::1]:9200'],
  ])('%s is %s', (text, url) => {
    expect(parseHost(text).url).toBe(url)
  })

  it('is refused when it is none', () => {
    expect(() => parseHost('ftp://es1/')).toThrow('[ftp://es1/] is not an address of http or https')
    expect(() => parseHost('http://')).toThrow('[http://] is not the address of a host')
  })
})
