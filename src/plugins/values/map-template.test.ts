import { expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { MapTemplate } from './map-template.ts'

it('gives maps that share nothing which can change', () => {
  const template = new MapTemplate([
    ['[b][c]', 1],
    ['a', { x: [1] }],
    ['missing', undefined],
    ['none', null],
    ['[b][d]', new LsFloat(1)],
    ['__proto__', 'plain'],
  ])
  const first = template.copy()
  expect(Object.keys(first)).toEqual(['b', 'a', 'none', '__proto__'])
  expect(first['b']).toEqual({ c: 1, d: new LsFloat(1) })
  ;(first['b'] as { c: number }).c = 2
  ;(first['a'] as { x: number[] }).x.push(2)
  const second = template.copy()
  expect([second['b'], second['a'], second['none']]).toEqual([{ c: 1, d: new LsFloat(1) }, { x: [1] }, null])
})
