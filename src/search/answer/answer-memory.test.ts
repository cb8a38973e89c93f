import { expect, it } from 'vitest'
import { AnswerBytes, AnswerTooLarge } from './answer-memory.ts'
import { RawJson } from './json-text.ts'

it('refuses bytes beyond its limit before they are allocated', () => {
  const bytes = new AnswerBytes(1000)
  bytes.add(900)
  bytes.expect(100)
  expect(() => bytes.expect(101)).toThrow(AnswerTooLarge)
  bytes.add(100)
  expect(() => bytes.add(1)).toThrow(
    /would be \[1001\/1001b\], which is larger than the limit of \[1000\/1000b\]/,
  )
})

it('counts texts inside any container', () => {
  const text = 'x'.repeat(1000)
  for (const value of [
    text,
    new RawJson(`"${text}"`),
    new RawJson(Buffer.from(`"${text}"`)),
    { a: [{ b: text }] },
    new Map([['a', [text]]]),
  ]) {
    expect(() => new AnswerBytes(999).addValue(value)).toThrow(AnswerTooLarge)
    new AnswerBytes(1200).addValue(value)
  }
  new AnswerBytes(1000).addValue([null, undefined, 1, true, {}])
})

it('discards what was counted by work that restarts', () => {
  const bytes = new AnswerBytes(1000)
  bytes.add(400)
  // biome-ignore lint/correctness/useYield: it counts before its first step.
  const begin = bytes.counting(function* () {
    bytes.add(500)
  })
  for (let time = 0; time < 3; time++) begin().next()
  bytes.expect(100)
  expect(() => bytes.expect(101)).toThrow(AnswerTooLarge)
})
