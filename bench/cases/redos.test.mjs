// What counts as standing firm against a hostile line.
import { expect, test } from 'vitest'
import { hostileLine } from '../generate/apache-variants.mjs'
import { judge } from './redos.mjs'

const text = (...events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const harmless = { message: 'x', agent: '"-"' }
const hostile = { message: hostileLine, tags: ['_groktimeout'] }

test('counts hostile and harmless lines', () => {
  expect(judge(text(harmless, hostile, harmless))).toEqual({ hostile: 1, others: 2 })
  expect(judge(text({ ...hostile, tags: ['_grokparsefailure'] }))).toEqual({ hostile: 1, others: 0 })
})

test('refuses a hostile line without a tag, and a harmless one that is not parsed', () => {
  expect(() => judge(text({ message: hostileLine }))).toThrow('a hostile line without a tag')
  expect(() => judge(text({ message: 'x' }))).toThrow('a harmless line suffered')
  expect(() => judge(text({ ...harmless, tags: ['_groktimeout'] }))).toThrow('a harmless line suffered')
})
