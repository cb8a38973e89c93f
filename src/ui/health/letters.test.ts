import { expect, it } from 'vitest'
import { changedBody, type Letter, pathOf, replayBody } from './letters.ts'

const letter: Letter = {
  segment: 2,
  offset: 33,
  entry_time: '2026-01-01T00:00:00.000Z',
  plugin_type: 'opensearch',
  plugin_id: 'out',
  reason: 'no',
  event: {},
}

it('names pipelines and parameters safely', () => {
  expect(pathOf('a/b', { q: 'x&y', before: undefined })).toBe('/_node/pipelines/a%2Fb/_dead_letters?q=x%26y')
})

it('sends an event as it was written, and nothing that is no object', () => {
  expect(JSON.parse(replayBody([letter]))).toEqual({ entries: [{ segment: 2, offset: 33 }] })
  expect(changedBody(letter, '{"n":12345678901234567890}')).toContain('12345678901234567890')
  expect(() => changedBody(letter, '[1]')).toThrow('object')
  expect(() => changedBody(letter, '{')).toThrow()
})
