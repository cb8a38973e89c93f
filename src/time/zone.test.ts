import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findZone, systemZone, utc } from './zone.ts'

const hour = 3_600_000

function local(text: string): number {
  return Date.parse(`${text}Z`)
}

test('names are found in any case; names that Java does not know are not', () => {
  expect(findZone('Europe/Paris')).toBe(findZone('europe/PARIS'))
  for (const name of ['UTC', 'CET', 'EST5EDT', 'Etc/GMT+5', 'US/Pacific', 'Asia/Calcutta', 'Europe/Kyiv']) {
    expect(findZone(name), name).toBeDefined()
  }
  for (const name of [
    '',
    'PST',
    'EST',
    'JST',
    'Nope/Nope',
    '+02:00',
    'Europe/Paris ',
    '__proto__',
    'A/'.repeat(5000),
  ]) {
    expect(findZone(name), name).toBeUndefined()
  }
})

test('offsets, with seconds where history has them', () => {
  const paris = findZone('Europe/Paris')!
  expect(paris.offsetAt(local('2015-01-01T00:00:00'))).toBe(hour)
  expect(paris.offsetAt(local('2015-07-01T00:00:00'))).toBe(2 * hour)
  expect(paris.offsetAt(local('1900-01-01T00:00:00'))).toBe((9 * 60 + 21) * 1000)
  expect(findZone('Asia/Kolkata')!.offsetAt(0)).toBe(5.5 * hour)
  expect(findZone('Etc/GMT+5')!.offsetAt(0)).toBe(-5 * hour)
  expect(utc.offsetAt(0)).toBe(0)
})

test('the offset changes at the second of the transition', () => {
  const paris = findZone('Europe/Paris')!
  const change = local('2015-03-29T01:00:00')
  expect(paris.offsetAt(change - 1)).toBe(hour)
  expect(paris.offsetAt(change)).toBe(2 * hour)
  const back = local('2015-10-25T01:00:00')
  expect(paris.offsetAt(back - 1)).toBe(2 * hour)
  expect(paris.offsetAt(back)).toBe(hour)
})

test('a skipped local time moves forward, a repeated one means the first', () => {
  const newYork = findZone('America/New_York')!
  expect(newYork.instantOf(local('2015-03-08T02:30:00'))).toBe(local('2015-03-08T07:30:00'))
  expect(newYork.isSkipped(local('2015-03-08T02:30:00'))).toBe(true)
  expect(newYork.isSkipped(local('2015-03-08T03:00:00'))).toBe(false)
  expect(newYork.isSkipped(local('2015-03-08T01:59:59'))).toBe(false)
  expect(newYork.instantOf(local('2015-11-01T01:30:00'))).toBe(local('2015-11-01T05:30:00'))
  expect(newYork.isSkipped(local('2015-11-01T01:30:00'))).toBe(false)
  const apia = findZone('Pacific/Apia')!
  expect(apia.isSkipped(local('2011-12-30T12:00:00'))).toBe(true)
  expect(apia.instantOf(local('2011-12-30T12:00:00'))).toBe(local('2011-12-30T22:00:00'))
})

test('any instant comes back from its local time, unless clocks repeated it', () => {
  const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tehran', 'Pacific/Apia']
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2e12 }), (name, instant) => {
      const zone = findZone(name)!
      const there = instant + zone.offsetAt(instant)
      const back = zone.instantOf(there)
      expect(zone.isSkipped(there)).toBe(false)
      expect(back === instant || back + zone.offsetAt(back) === there).toBe(true)
      expect(back).toBeLessThanOrEqual(instant)
    }),
  )
})

test('the zone of the computer is the one Date uses', () => {
  const winter = new Date(2015, 0, 15, 12)
  expect(systemZone().instantOf(local('2015-01-15T12:00:00'))).toBe(winter.getTime())
  expect(systemZone()).toBe(systemZone())
})
