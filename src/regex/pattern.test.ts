import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, PatternError, PatternTimeout } from './pattern.ts'

describe('compilePattern', () => {
  it('gives the same object for the same source and options', () => {
    expect(compilePattern('a+')).toBe(compilePattern('a+'))
    expect(compilePattern('a+', { ignoreCase: true })).not.toBe(compilePattern('a+'))
    expect(compilePattern('a+', { timeout: 5 })).not.toBe(compilePattern('a+'))
  })
  it('matches any text by its escaped self', () => {
    const escaped = (text: string): string =>
      text.replace(/[^0-9A-Za-z\u0080-\uffff]/g, '\\$&').replace(/\\\n/g, '\\n')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.boolean(), (text, multiline) => {
        const match = compilePattern(`\\A${escaped(text)}\\z`, { multiline }).exec(text)
        expect(match?.groups).toEqual([text])
        expect(compilePattern(escaped(text)).test(`x${text}y`)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
  it('never throws anything but its own errors on arbitrary sources', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '*',
        '+',
        '?',
        '{2}',
        '{1,3}',
        '(',
        ')',
        '(?:',
        '(?>',
        '(?<n>',
        '(?i)',
        '(?=',
        '(?<!',
        '|',
      ],
      ...[
        '[',
        ']',
        '[^',
        '&&',
        '[:alpha:]',
        '-',
        '\\',
        '\\w',
        '\\b',
        '\\k<n>',
        '\\g<n>',
        '\\1',
        '\\u{41}',
        '\\x',
        '^',
        '$',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.string({ maxLength: 10 }), (pieces, text) => {
        try {
          compilePattern(pieces.join(''), { timeout: 50 }).exec(text)
        } catch (error) {
          if (!(error instanceof PatternError) && !(error instanceof PatternTimeout)) throw error
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a pattern that only some texts show to be too large', () => {
  // In a text of several lines each `$` is a look-ahead, which takes two registers of 65,536.
  it.each(['test', 'exec', 'matchAll', 'offsets'] as const)('is refused by %s', (search) => {
    const pattern = compilePattern('$|'.repeat(33_000))
    expect(pattern.test('one line')).toBe(true)
    const refused = expect.objectContaining({
      name: 'PatternError',
      reason: expect.stringContaining('too large'),
    })
    expect(() => pattern[search]('two\nlines')).toThrow(refused)
  })
})

describe('exec', () => {
  it('gives the place and the groups', () => {
    const pattern = compilePattern('(?<key>\\w+)=(?<value>\\S+)?')
    expect(pattern.exec('x a=1')).toEqual({ index: 2, groups: ['a=1', 'a', '1'] })
    expect(pattern.exec('x a=')).toEqual({ index: 2, groups: ['a=', 'a', undefined] })
    expect(pattern.exec('x')).toBeNull()
    expect(pattern.offsets('x a=1')).toEqual([
      [2, 5],
      [2, 3],
      [4, 5],
    ])
    expect(pattern.groupNames).toEqual(['key', 'value'])
  })
  it('answers alike for ASCII texts, other texts, one line and several', () => {
    const pattern = compilePattern('^(\\w+) (.)$')
    expect(pattern.exec('ab c')?.groups).toEqual(['ab c', 'ab', 'c'])
    expect(pattern.exec('ab é')?.groups).toEqual(['ab é', 'ab', 'é'])
    expect(pattern.exec('x\nab c\ny')).toEqual({ index: 2, groups: ['ab c', 'ab', 'c'] })
    expect(pattern.exec('é\nab 😀\ny')?.groups).toEqual(['ab 😀', 'ab', '😀'])
  })
  it('finds the leftmost match of a pattern that starts with a loop', () => {
    expect(compilePattern('.*b').exec('x\nab')).toEqual({ index: 2, groups: ['ab'] })
    expect(compilePattern('.*(?<=\\n)').exec('a\n')).toEqual({ index: 2, groups: [''] })
    expect(compilePattern('(.*)b', { multiline: true }).exec('x\nab')).toEqual({
      index: 0,
      groups: ['x\nab', 'x\na'],
    })
  })
})

describe('replaceAll', () => {
  it('is Ruby’s gsub', () => {
    expect(compilePattern('(?<n>b)').replaceAll('abc', '[\\k<n>\\1\\0]')).toBe('a[bbb]c')
    expect(compilePattern('x*').replaceAll('abc', '-')).toBe('-a-b-c-')
    expect(compilePattern('b*').replaceAll('abc', '-')).toBe('-a--c-')
    expect(compilePattern('.*').replaceAll('abc', 'x')).toBe('xx')
    expect(compilePattern('\\Ga').replaceAll('aaba', '.')).toBe('..ba')
    expect(compilePattern('(?<n>x)|(?<n>y)').replaceAll('x1y2', '<\\k<n>>')).toBe('<x>1<y>2')
    expect(compilePattern('x*').replaceAll('😀', '-')).toBe('-😀-')
    expect(compilePattern('(?<n>x*)|(?<n>y)').replaceAll('😀', '-\\k<n>')).toBe('-😀-')
    expect(compilePattern('a').replaceAll('b', 'x')).toBe('b')
  })

  it('means the same in long texts, whose pieces are joined as they come', () => {
    const unit = `${'a1😀b22 '.repeat(8)}\n`
    const count = 40_000
    for (const [source, replacement] of [
      ['\\n', '<\\0>'],
      ['b(\\d)(\\d)? $', '\\2\\1'],
      ['\\s\\n', '$1$&\\\\'],
    ] as const) {
      const pattern = compilePattern(source, { timeout: 60_000 })
      const short = pattern.replaceAll(unit.repeat(2), replacement)
      const long = pattern.replaceAll(unit.repeat(count), replacement)
      // What stands between the first unit and the last is the same again and again.
      const once = pattern.replaceAll(unit.repeat(3), replacement).length - short.length
      expect(long.length).toBe(short.length + once * (count - 2))
      expect(long.startsWith(short.slice(0, once))).toBe(true)
      expect(long.endsWith(short.slice(-once))).toBe(true)
    }
  })

  it('ends in an error when its result is more than the heap can hold', () => {
    const text = 'ab'.repeat(1_100_000)
    expect(() => compilePattern('b').replaceAll(text, "\\'\\`")).toThrow(
      /^The result of a replacement|needs too much memory/,
    )
    expect(compilePattern('[\\\\?#-]').replaceAll('a\\b?c', '.')).toBe('a.b.c')
  })
  it('keeps dollar signs', () => {
    expect(compilePattern('a').replaceAll('ba', '$& $1 $$')).toBe('b$& $1 $$')
  })
})

describe('patterns that explode', () => {
  const long = 'a'.repeat(30_000)
  const cases: [pattern: string, text: string][] = [
    ['^(a+)+$', `${long}!`],
    ['^(?:a|a)*$', `${long}!`],
    ['^(a|aa)+$', `${long}!`],
    ['(\\w+\\s?)+$', `${'word '.repeat(6000)}!`],
    ['^(?:\\\\.|[^\\\\"]+)+"', `${long}\\`],
    ['^(.*?,){20}P', '1,'.repeat(15_000)],
    ['(a*)*b', long],
    ['^(?=(a+)+b)', long],
    ['(a+)+\\1b', long],
    ['(.*)(.*)(.*)(.*)x$', `${long}y`],
    ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@', `${long}!`],
  ]
  it.each(cases)('%s ends in an answer or a time-out', (source, text) => {
    const pattern = compilePattern(source, { timeout: 40 })
    let outcome: unknown
    try {
      outcome = pattern.test(text)
    } catch (error) {
      outcome = error
    }
    if (outcome !== false) expect(outcome).toBeInstanceOf(PatternTimeout)
  })
  it('never takes a limit that was hit for an answer', () => {
    // Exponential before it matches: the limited run gives up, the slow lane has the truth.
    const pattern = compilePattern('^(?:a+)+(?:b|$)|^(?:(?:a|a)+c|a+d)$', {
      backtrackLimit: 2000,
      timeout: 20_000,
    })
    expect(pattern.test(`${'a'.repeat(14)}d`)).toBe(true)
    expect(compilePattern('^(?:a|a)+$', { timeout: 20 }).dangers).toHaveLength(1)
    expect(() => compilePattern('^(?:a|a)+$', { timeout: 20 }).test(`${'a'.repeat(60)}!`)).toThrow(
      PatternTimeout,
    )
    expect(() => compilePattern('^(?:a|a)+$', { timeout: 20 }).exec(`${'a'.repeat(60)}!`)).toThrow(
      'regular expression took longer than 20 ms: /^(?:a|a)+$/',
    )
    expect(() => compilePattern('^(?:a|a)+$', { timeout: 20 }).replaceAll(`${'a'.repeat(60)}!`, '')).toThrow(
      PatternTimeout,
    )
  })
  it('never takes it for one from a later place either, in short texts and long ones', () => {
    const pattern = compilePattern('(?:a|a)+$', { timeout: 20 })
    for (const length of [40, 400]) {
      expect(() => pattern.searchFrom(`${'a'.repeat(length)}!`, 1)).toThrow(PatternTimeout)
      expect(pattern.searchFrom(`${'a'.repeat(length)}!aa`, length)?.index).toBe(length + 1)
    }
    const words = compilePattern('\\b(\\w+)', {})
    expect(words.searchFrom('one two', 1)?.[1]).toBe('two')
    expect(words.searchFrom('one two', 5)).toBe(null)
    expect(words.searchFrom('one two', 8)).toBe(null)
    expect(compilePattern('\\A\\w').searchFrom('ab', 1)).toBe(null)
  })
  it.each(['[ab]*[cd]', '\\s+$', '(?:ab)*[cd]', '(?<x>a+)(?<y>\\s+)[cd]'])(
    'ends the quadratic search of a greedy loop in time: %s',
    (source) => {
      const pattern = compilePattern(source, { timeout: 100 })
      const text = `${'ab'.repeat(20_000)}${' '.repeat(40_000)}x`
      for (const search of [() => pattern.test(text), () => pattern.replaceAll(text, '')]) {
        const { user } = process.cpuUsage()
        try {
          search()
        } catch (error) {
          expect(error).toBeInstanceOf(PatternTimeout)
        }
        expect(process.cpuUsage().user - user).toBeLessThan(4_000_000)
      }
    },
    60_000,
  )
  it('answers at once where a literal is missing', () => {
    expect(compilePattern('(\\w+)+://').test(long)).toBe(false)
    expect(compilePattern('.*foo.*bar').test(long)).toBe(false)
  })
})

describe('a very long source', () => {
  it('is refused before it is read', () => {
    const started = performance.now()
    expect(() => compilePattern('a=b '.repeat(2_500_000))).toThrow(/^too big pattern: \/a=b a=b/)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('takes the place of older ones in the cache', () => {
    const first = compilePattern('first of all')
    expect(compilePattern('first of all')).toBe(first)
    for (let n = 0; n < 9; n++) compilePattern(`(?#${'x'.repeat(500_000)})${n}`)
    expect(compilePattern('first of all')).not.toBe(first)
    expect(compilePattern('first of all')).toBe(compilePattern('first of all'))
  })
})
