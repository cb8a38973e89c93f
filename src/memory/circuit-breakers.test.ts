import { expect, it } from 'vitest'
import { CircuitBreaker, CircuitBreakers, shortBytes, shownBytes } from './circuit-breakers.ts'

const mb = 1024 * 1024

function breakersOf(limit: number, used: { bytes: number }, relieve?: () => void) {
  const request = new CircuitBreaker('request', limit / 4)
  const inFlight = new CircuitBreaker('inflight_requests', limit / 4)
  return new CircuitBreakers({ request, inFlight }, { limit, resident: () => used.bytes, relieve })
}

it('counts what is taken and given back, and refuses in the words of Elasticsearch', () => {
  const breaker = new CircuitBreaker('request', 10 * mb)
  expect(breaker.take(6 * mb, '<agg [a]>')).toBeUndefined()
  expect(breaker.take(6 * mb, '<agg [b]>')).toEqual({
    message:
      '[request] Data too large, data for [<agg [b]>] would be [12582912/12mb], which is larger than the limit of [10485760/10mb]',
    bytesWanted: 12582912,
    bytesLimit: 10485760,
    durability: 'TRANSIENT',
  })
  expect(breaker.stats).toEqual({ limit: 10 * mb, estimated: 6 * mb, overhead: 1, tripped: 1 })
  breaker.giveBack(6 * mb)
  expect(breaker.take(6 * mb, '<agg [b]>')).toBeUndefined()
})

it('says that waiting does not help where one request is larger than the limit', () => {
  const breaker = new CircuitBreaker('request', mb)
  expect(breaker.take(2 * mb, 'x')?.durability).toBe('PERMANENT')
})

it('compares what the process really uses with the limit of all', () => {
  const used = { bytes: 90 * mb }
  const breakers = breakersOf(100 * mb, used)
  expect(breakers.check(5 * mb, '<http_request>', false)).toBeUndefined()
  const refusal = breakers.check(6 * mb, '<http_request>', false)!
  expect(refusal.message).toBe(
    '[parent] Data too large, data for [<http_request>] would be [100663296/96mb], which is larger than the limit of [99614720/95mb], real usage: [94371840/90mb], new bytes reserved: [6291456/6mb], usages [request=0/0b, inflight_requests=0/0b]',
  )
  expect([refusal.bytesWanted, refusal.bytesLimit]).toEqual([96 * mb, 95 * mb])
  expect(breakers.parentStats.tripped).toBe(1)
})

it('frees what can be freed before it refuses', () => {
  const used = { bytes: 94 * mb }
  const breakers = breakersOf(100 * mb, used, () => {
    used.bytes = 50 * mb
  })
  expect(breakers.check(6 * mb, 'x', false)).toBeUndefined()
  expect(breakers.parentStats.tripped).toBe(0)
})

it('lets a request that is alone into the head room, but no further', () => {
  const breakers = breakersOf(100 * mb, { bytes: 100 * mb })
  expect(breakers.check(9 * mb, 'x', true)).toBeUndefined()
  expect(breakers.check(10 * mb, 'x', true)).toBeDefined()
})

it('writes sizes as Elasticsearch does', () => {
  expect([0, 1023, 1024, 1536, 276_824_064].map(shownBytes)).toEqual([
    '0/0b',
    '1023/1023b',
    '1024/1kb',
    '1536/1.5kb',
    '276824064/264mb',
  ])
  expect(shortBytes(1.99 * 1024 * mb)).toBe('1.9gb')
})
