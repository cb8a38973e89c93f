import { expect, it } from 'vitest'
import { nextName } from './rollover.ts'

it('the name of a rolled over index ends in the next number', () => {
  expect(nextName('logs-1')).toBe('logs-000002')
  expect(nextName('logs-000009')).toBe('logs-000010')
  expect(() => nextName('logs')).toThrow("index name [logs] does not match pattern '^.*-\\d+$'")
})
