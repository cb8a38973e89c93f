import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exposition, type Family, preferredExposition } from './prometheus-text.ts'

const families: Family[] = [
  {
    name: 'a_total',
    type: 'counter',
    help: 'Line\nbreak, "quote", back\\slash.',
    samples: [
      { labels: [['x', 'a\\b"c\nd']], value: 3 },
      { labels: [['x', 'é']], value: 1e21 },
    ],
  },
  { name: 'b', type: 'untyped', help: 'B.', samples: [{ labels: [], value: Number.POSITIVE_INFINITY }] },
  { name: 'c', type: 'gauge', help: 'C.', samples: [] },
  { name: 'd', type: 'gauge', help: 'D.', samples: [{ labels: [], value: Number.NaN }] },
]

describe('metrics as text', () => {
  it('follows format 0.0.4', () => {
    expect(exposition(families, 'text')).toBe(
      [
        '# HELP a_total Line\\nbreak, "quote", back\\\\slash.',
        '# TYPE a_total counter',
        'a_total{x="a\\\\b\\"c\\nd"} 3',
        'a_total{x="é"} 1e+21',
        '# HELP b B.',
        '# TYPE b untyped',
        'b +Inf',
        '# HELP d D.',
        '# TYPE d gauge',
        'd NaN',
        '',
      ].join('\n'),
    )
  })

  it('follows OpenMetrics', () => {
    expect(exposition(families, 'openmetrics')).toBe(
      [
        '# HELP a Line\\nbreak, \\"quote\\", back\\\\slash.',
        '# TYPE a counter',
        'a_total{x="a\\\\b\\"c\\nd"} 3',
        'a_total{x="é"} 1e+21',
        '# HELP b B.',
        '# TYPE b unknown',
        'b +Inf',
        '# HELP d D.',
        '# TYPE d gauge',
        'd NaN',
        '# EOF',
        '',
      ].join('\n'),
    )
  })

  it('keeps any label value on its line and gives it back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = exposition(
          [{ name: 'm', type: 'gauge', help: 'h', samples: [{ labels: [['l', value]], value: 1 }] }],
          'text',
        )
        const lines = text.split('\n')
        expect(lines).toHaveLength(4)
        const [, quoted = ''] = /^m\{l="((?:[^"\\]|\\[\\n"])*)"\} 1$/s.exec(lines[2]!) ?? []
        expect(quoted.replace(/\\([\\n"])/g, (_, sign) => (sign === 'n' ? '\n' : sign))).toBe(value)
      }),
    )
  })

  it.each([
    [undefined, 'text'],
    ['*/*', 'text'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text; version=1.0.0; charset=utf-8', 'openmetrics'],
    ['application/openmetrics-text;version=0.0.1', 'text'],
    [
      'application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    ['application/openmetrics-text;q=0.4,text/plain;version=0.0.4;q=0.5', 'text'],
    ['application/openmetrics-text;q=0', 'text'],
  ])('answers Accept: %s with %s', (accept, form) => {
    expect(preferredExposition(accept)).toBe(form)
  })
})
