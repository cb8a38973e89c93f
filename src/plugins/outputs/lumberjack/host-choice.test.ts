import { expect, it } from 'vitest'
import { HostChoice } from './host-choice.ts'

it('takes any host by chance, none that failed within a minute, at last the one that failed first', () => {
  let now = 0
  let chance = 0
  const choice = new HostChoice(
    () => now,
    () => chance,
  )
  const next = () => choice.next(['a', 'b', 'c'])
  expect(next()).toBe('a')
  chance = 0.99
  expect(next()).toBe('c')
  choice.failed('c')
  expect(next()).toBe('b')
  now = 10
  choice.failed('b')
  now = 20
  choice.failed('a')
  expect(next()).toBe('c')
  choice.failed('c')
  expect(next()).toBe('b')
  now = 60_011
  expect(next()).toBe('b')
})
