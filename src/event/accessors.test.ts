import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGet, compileRemove, compileSet } from './accessors.ts'
import { cloneValue } from './clone.ts'
import { Event } from './event.ts'
import { parseJson } from './json-parse.ts'
import type { Fields, Value } from './value.ts'

const names = fc.constantFrom(
  'a',
  'b',
  '0',
  '-1',
  'length',
  'value',
  'millis',
  '__proto__',
  'constructor',
  'toString',
  '@timestamp',
  '@metadata',
  'tags',
  "it's",
  'q"\\',
  '\u2028',
)
const references = fc
  .array(names, { minLength: 1, maxLength: 3 })
  .map((path) => (path.length === 1 ? path[0]! : path.map((name) => `[${name}]`).join('')))
const values: fc.Arbitrary<Value> = fc.oneof(
  fc.constant('text'),
  fc.integer(),
  fc.constant(null),
  fc.constant<Value>(['x', 'y']),
)
const data = fc
  .dictionary(
    fc.constantFrom('a', 'b', '__proto__', 'constructor', 'tags'),
    fc.oneof(values, fc.dictionary(names, values)),
  )
  .map((fields) => JSON.stringify(fields))

const outcome = <T>(action: () => T): T | string => {
  try {
    return action()
  } catch (error) {
    return `error: ${(error as Error).message}`
  }
}

const eventOf = (text: string) => {
  const event = Event.from(parseJson(text) as Fields)
  event.data['@timestamp'] = undefined
  return event
}

const state = (event: Event) => [JSON.stringify(event.data), JSON.stringify(event.meta ?? {})]

describe('compiled accessors', () => {
  it('read, write and remove exactly as the event itself does', () => {
    fc.assert(
      fc.property(data, references, references, values, (text, first, second, shared) => {
        const value = cloneValue(shared)
        const plain = eventOf(text)
        const compiled = eventOf(text)
        expect(outcome(() => compileGet(first)(compiled))).toEqual(outcome(() => plain.get(first)))
        expect(outcome(() => compileSet(first)(compiled, value))).toEqual(
          outcome(() => plain.set(first, cloneValue(shared))),
        )
        expect(state(compiled)).toEqual(state(plain))
        expect(outcome(() => compileRemove(second)(compiled))).toEqual(outcome(() => plain.remove(second)))
        expect(state(compiled)).toEqual(state(plain))
      }),
      { numRuns: 3000 },
    )
  })

  it('make the text of an event void when they change its fields, not when they change metadata', () => {
    const event = eventOf('{"a":1}')
    event.raw = '{"a":1}'
    compileSet('[@metadata][x]')(event, 1)
    expect(event.raw).toBe('{"a":1}')
    compileSet('[b][c]')(event, 1)
    expect(event.raw).toBeNull()
    event.raw = '{"a":1}'
    compileRemove('missing')(event)
    expect(event.raw).toBe('{"a":1}')
    compileRemove('a')(event)
    expect(event.raw).toBeNull()
  })
})
