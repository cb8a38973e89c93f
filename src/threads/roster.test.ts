import { describe, expect, it } from 'vitest'
import { Roster, shortName } from './roster.ts'

const memory = (rows: number) => ({
  buffer: new SharedArrayBuffer(64 + rows * 128),
  offset: 64,
  length: rows * 128,
})

describe('the roster', () => {
  it('holds what threads say of themselves, seen by all', () => {
    const part = memory(4)
    new Roster(part).enter({ workerThreadId: 0, kernelId: 100, name: 'agent' })
    new Roster(part).enter({ workerThreadId: 2, kernelId: 102, name: '[변환]>worker0' })
    expect(new Roster(part).entries()).toEqual([
      { workerThreadId: 0, kernelId: 100, name: 'agent' },
      { workerThreadId: 2, kernelId: 102, name: '[변환]>worker0' },
    ])
  })

  it('gives the row of an earlier thread to a later one', () => {
    const one = new Roster(memory(2))
    one.enter({ workerThreadId: 1, kernelId: 5, name: 'a much longer name' })
    one.enter({ workerThreadId: 3, kernelId: 6, name: 'short' })
    expect(one.entries()).toEqual([{ workerThreadId: 3, kernelId: 6, name: 'short' }])
  })

  it('cuts names that do not fit and stays in its row', () => {
    const one = new Roster(memory(2))
    one.enter({ workerThreadId: 1, kernelId: 7, name: 'next' })
    one.enter({ workerThreadId: 0, kernelId: 6, name: 'x'.repeat(1000) })
    expect(one.entries().map(({ name }) => name)).toEqual(['x'.repeat(116), 'next'])
  })
})

describe('names for the kernel', () => {
  it('have 15 bytes and keep their end', () => {
    expect(shortName('[main]>worker0')).toBe('[main]>worker0')
    expect(shortName('[a-long-pipeline]>worker12')).toBe('[a-lo]>worker12')
    expect(shortName('[변환]>worker0')).toBe('[__]>worker0')
  })
})
