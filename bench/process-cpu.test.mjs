import { expect, test } from 'vitest'
import { cpuMoment, microsBetween, ticksIn } from './process-cpu.mjs'

const moment = (threads, ticks) => ({ threads: new Map(threads), ticks: new Map(ticks) })

test('user and system time, of children too, whatever the name of the process is', () => {
  const stat = '12 (a ) b (c) R 1 12 12 0 -1 4194304 100 0 0 0 250 30 4 5 20 0 11 0 12345 1000 200'
  expect(ticksIn(stat)).toBe(250 + 30 + 4 + 5)
})

test('threads are counted to the microsecond', () => {
  const before = moment([['1', 1000]], [['1', 7]])
  expect(
    microsBetween(
      before,
      moment(
        [
          ['1', 1500],
          ['2', 70],
        ],
        [['1', 7]],
      ),
    ),
  ).toBe(570)
})

test('the ticks of the process count when threads have ended in between', () => {
  const before = moment(
    [
      ['1', 1000],
      ['2', 500],
    ],
    [['1', 7]],
  )
  expect(microsBetween(before, moment([['1', 1500]], [['1', 107]]))).toBe(980_000)
})

test.skipIf(process.platform !== 'linux')('what this process does is counted', () => {
  const before = cpuMoment(process.pid)
  const end = performance.now() + 50
  while (performance.now() < end);
  const micros = microsBetween(before, cpuMoment(process.pid))
  expect(micros).toBeGreaterThan(5_000)
  expect(micros).toBeLessThan(10_000_000)
})
