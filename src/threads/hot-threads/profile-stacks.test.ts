import { describe, expect, it } from 'vitest'
import { hotStack, isIdle, stacksOf } from './profile-stacks.ts'

const frame = (functionName: string, url = '', lineNumber = -1, columnNumber = -1) => ({
  functionName,
  url,
  lineNumber,
  columnNumber,
})

const profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('', 'file:///a/b.js', 0, 4), children: [4] },
    { id: 4, callFrame: frame('leaf', 'node:fs', 9, 0) },
  ],
  samples: [2, 4, 4, 3, 1, 99],
}

describe('stacks of a profile', () => {
  it('are one per sample, innermost frame first', () => {
    const outer = '(anonymous) (/a/b.js:1:5)'
    expect(stacksOf(profile)).toEqual([
      ['(idle)'],
      ['leaf (node:fs:10:1)', outer],
      ['leaf (node:fs:10:1)', outer],
      [outer],
      ['(program)'],
      ['(program)'],
    ])
  })

  it('are none without samples', () => {
    expect(stacksOf({ nodes: [] })).toEqual([])
    expect(hotStack([])).toEqual([])
  })

  it('know idle ones', () => {
    expect(isIdle(['(idle)'])).toBe(true)
    expect(isIdle(['(idle)', 'f'])).toBe(false)
  })
})

describe('the hot stack', () => {
  it('is the way most samples went, from the outside in', () => {
    const stacks = [
      ['a', 'run'],
      ['x', 'filter', 'run'],
      ['y', 'filter', 'run'],
      ['y', 'filter', 'run'],
      ['b'],
    ]
    expect(hotStack(stacks)).toEqual(['y', 'filter', 'run'])
  })

  it('ends where most samples ended', () => {
    expect(hotStack([['run'], ['run'], ['a', 'run']])).toEqual(['run'])
  })

  it('is idle only when there was nothing else', () => {
    expect(hotStack([['(idle)'], ['(idle)'], ['(idle)'], ['b', 'c']])).toEqual(['b', 'c'])
    expect(hotStack([['(idle)'], ['(idle)']])).toEqual(['(idle)'])
  })

  it('is garbage collection only when that was most', () => {
    const collecting = ['(garbage collector)']
    expect(hotStack([collecting, collecting, ['f', 'g'], ['h', 'g']])).toEqual(['f', 'g'])
    expect(hotStack([collecting, collecting, ['f', 'g']])).toEqual(collecting)
  })
})
