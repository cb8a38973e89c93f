import { expect, it } from 'vitest'
import { flameBoxes, functionOf } from './flame.ts'

it('joins stacks at their outer frames, the widest first', () => {
  const boxes = flameBoxes([
    { samples: 1, frames: ['c', 'main'] },
    { samples: 2, frames: ['a', 'b', 'main'] },
    { samples: 1, frames: ['b', 'main'] },
  ])
  expect(boxes.map(({ frame, depth, left, width, samples }) => [frame, depth, left, width, samples])).toEqual(
    [
      ['main', 0, 0, 1, 4],
      ['b', 1, 0, 0.75, 3],
      ['a', 2, 0, 0.5, 2],
      ['c', 1, 0.75, 0.25, 1],
    ],
  )
})

it('is empty without samples', () => expect(flameBoxes([])).toEqual([]))

it('knows functions by their names', () => {
  expect(functionOf('run (/a/b.js:1:2)')).toBe('run')
  expect(functionOf('(garbage collector)')).toBe('(garbage collector)')
})
