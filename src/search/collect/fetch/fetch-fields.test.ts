import { expect, it } from 'vitest'
import { searchSteps } from '../execute-search.ts'
import { parseSearchRequest } from '../request/parse-request.ts'
import { testIndex } from '../test-search.ts'

const source = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field_${at}`, at]))
const index = testIndex([[[{ id: '1', source }]]])

function stepsOf(body: object): number {
  const steps = searchSteps([index], parseSearchRequest(body), { node: 'node' })
  let count = 0
  while (!steps.next().done) count++
  return count
}

it.each(['fields', 'stored_fields'])('thousands of patterns in `%s` are matched in steps', (key) => {
  const patterns = new Array(2000).fill('f*')
  expect(stepsOf({ [key]: patterns }) - stepsOf({ [key]: ['f*'] })).toBeGreaterThan(40)
})
