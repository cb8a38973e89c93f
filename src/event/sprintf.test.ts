import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Event } from './event.ts'
import { parseJson } from './json-parse.ts'
import type { Fields } from './value.ts'

interface Row {
  template: string
  result?: string
  error?: string
}

const golden = JSON.parse(readFileSync('test/data/pipeline-golden.json', 'utf8')) as {
  sprintf: Row[]
  sprintf_event: string
}

describe('templates observed on Logstash', () => {
  const event = Event.from(parseJson(golden.sprintf_event) as Fields)

  it.each(golden.sprintf)('$template', ({ template, result, error }) => {
    if (error === undefined) expect(event.sprintf(template)).toBe(result)
    else expect(() => event.sprintf(template)).toThrow(error.slice(error.indexOf(': ') + 2))
  })
})

describe('templates', () => {
  it('give empty text for dates when the event has no timestamp', () => {
    const event = Event.from({})
    event.remove('@timestamp')
    expect(event.sprintf('<%{+YYYY}%{+%s}%{{yyyy}}>%{@timestamp}')).toBe('<>%{@timestamp}')
  })

  it('know %{{TIME_NOW}}', () => {
    expect(Event.from({}).sprintf('%{{TIME_NOW}}')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
  })

  it('read inherited names only when the event has them', () => {
    expect(Event.from({}).sprintf('%{constructor} %{__proto__} %{[a][toString]}')).toBe(
      '%{constructor} %{__proto__} %{[a][toString]}',
    )
    expect(
      Event.from(parseJson('{"__proto__":"p","constructor":5}') as Fields).sprintf(
        '%{constructor}%{__proto__}',
      ),
    ).toBe('5p')
  })
})

describe('maps in templates', () => {
  // Seen in Logstash 8.19: maps are copied to a HashMap of their size; inside a list Java writes them.
  it.each<[string, Fields, string]>([
    ['%{n}', { n: { k: 1, deep: { x: [true, 'z'] }, e: 'E' } }, '{"e":"E","deep":{"x":[true,"z"]},"k":1}'],
    ['%{a}', { a: [{ k: { d: '  pad  ' } }, { k: '2', j: 1 }] }, '{k={d=  pad  }},{j=1, k=2}'],
    ['%{a}', { a: [1.5, 'x', { y: null, l: ['a', 2] }] }, '1.5,x,{l=[a, 2], y=null}'],
    ['%{a}', { a: [[{ k: 1 }], 2] }, '{k=1},2'],
  ])('%s of %o', (template, fields, text) => {
    expect(Event.from(fields).sprintf(template)).toBe(text)
  })
})
