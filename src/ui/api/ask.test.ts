import { expect, it } from 'vitest'
import { problemOf } from './ask.ts'

it('gives the most particular reason an answer has', () => {
  const reason = (status: number, body: unknown) => problemOf(status, body, '').message
  const nested = {
    error: { type: 'x', reason: 'all shards failed', root_cause: [{ type: 'y', reason: 'no such field' }] },
  }
  expect(reason(400, nested)).toBe('no such field')
  expect(problemOf(400, nested, '').type).toBe('y')
  expect(reason(404, { error: 'plain' })).toBe('plain')
  expect(reason(400, { status: 400, error: { message: 'pattern %{NOPE} not defined' } })).toBe(
    'pattern %{NOPE} not defined',
  )
  expect(reason(401, undefined)).toBe('You are not signed in.')
  expect(reason(500, [])).toBe('The node answered with status 500.')
})
