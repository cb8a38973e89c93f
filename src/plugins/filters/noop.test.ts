import { expect, it } from 'vitest'
import { runFilter } from '../../plugin/testing.ts'
import noop from './noop.ts'

it('matches every event, so that the common options apply', async () => {
  const fields = JSON.parse('{"__proto__":1,"constructor":2}')
  expect(await runFilter(noop, {}, [{}, fields])).toEqual([{}, fields])
  expect(await runFilter(noop, { add_field: { a: '%{b}' }, remove_field: ['b'] }, [{ b: 'x' }])).toEqual([
    { a: 'x' },
  ])
})
