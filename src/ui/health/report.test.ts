import { expect, it } from 'vitest'
import { findingsOf, rank } from './report.ts'

it('lists what is worst first, by the names of the innermost indicators', () => {
  const leaf = (status: string) => ({ status, symptom: `is ${status}` })
  const report = {
    status: 'red',
    symptom: '',
    indicators: {
      pipelines: { ...leaf('red'), indicators: { a: leaf('green'), b: leaf('red'), c: leaf('unknown') } },
      store: leaf('yellow'),
      empty: { ...leaf('green'), indicators: {} },
    },
  }
  expect(findingsOf(report).map(({ name, indicator }) => `${name} ${indicator.status}`)).toEqual([
    'pipelines / b red',
    'store yellow',
    'pipelines / c unknown',
    'pipelines / a green',
    'empty green',
  ])
})

it('takes a word it does not know for unknown', () => {
  expect(rank('purple')).toBe(rank('unknown'))
  expect(rank('RED')).toBeLessThan(rank('yellow'))
})
