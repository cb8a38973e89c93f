/** Automata against naive models, and tables of the syntax. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editsFor, parseFuzziness } from '../fuzziness.ts'
import { fuzzyMatcher } from './fuzzy.ts'
import { regexpMatcher } from './regexp.ts'
import { parseRegexpFlags } from './regexp-syntax.ts'
import { prefixMatcher, type TermMatcher } from './term-matcher.ts'
import { wildcardMatcher } from './wildcard.ts'

const terms = fc
  .array(fc.constantFrom('a', 'b', 'c', 'B', '*', '\\', 'é', '😀'), { maxLength: 8 })
  .map((list) => list.join(''))

/** Checks `prefix`, `exact` and `whole` of a matcher for a term. */
function keepsPromises(matcher: TermMatcher, term: string): void {
  const matches = matcher.test(term)
  if (matches) expect(term.startsWith(matcher.prefix)).toBe(true)
  if (matches && matcher.exact) expect(term).toBe(matcher.prefix)
  if (matcher.whole && term.startsWith(matcher.prefix)) expect(matches).toBe(true)
}

describe('wildcard', () => {
  const model = (pattern: string[], term: string[]): boolean => {
    const [first, ...rest] = pattern
    if (first === undefined) return term.length === 0
    if (first === '*') return model(rest, term) || (term.length > 0 && model(pattern, term.slice(1)))
    if (term.length === 0) return false
    if (first === '\\' && rest.length > 0) return rest[0] === term[0] && model(rest.slice(1), term.slice(1))
    return (first === '?' || first === term[0]) && model(rest, term.slice(1))
  }
  const patterns = fc.array(fc.constantFrom('a', 'b', '*', '?', '\\', 'é', '😀'), { maxLength: 8 })

  it('matches the same terms as a naive model', () => {
    fc.assert(
      fc.property(patterns, terms, (pattern, term) => {
        const matcher = wildcardMatcher(pattern.join(''))
        expect(matcher.test(term)).toBe(model(pattern, [...term]))
        keepsPromises(matcher, term)
      }),
      { numRuns: 3000 },
    )
  })

  it('derives the literal prefix and recognizes exact and prefix patterns', () => {
    // No term is as long as that; nothing is made of its half a million parts.
    expect(wildcardMatcher('a*'.repeat(500_000))).toMatchObject({ prefix: '', exact: false, whole: false })
    expect(wildcardMatcher('*'.repeat(500_000)).test('a')).toBe(true)
    expect(wildcardMatcher('abc*')).toMatchObject({ prefix: 'abc', whole: true, exact: false })
    expect(wildcardMatcher('a\\*c')).toMatchObject({ prefix: 'a*c', exact: true })
    expect(wildcardMatcher('ab?d*')).toMatchObject({ prefix: 'ab', exact: false, whole: false })
  })

  it('ignores the case of ASCII letters only', () => {
    const matcher = wildcardMatcher('1A*b', true)
    expect(matcher.prefix).toBe('1')
    expect(['1ab', '1AxxB', '1b'].map((term) => matcher.test(term))).toEqual([true, true, false])
    expect(prefixMatcher('Ab', true).test('aBc')).toBe(true)
  })

  it('matches long terms and patterns without exponential work', () => {
    const matcher = wildcardMatcher(`${'*a?'.repeat(200)}b`)
    expect(matcher.test('a'.repeat(30_000))).toBe(false)
  })
})

describe('fuzzy', () => {
  /** Optimal string alignment distance by its recursive definition. */
  const distance = (one: string[], other: string[], exchanges: boolean): number => {
    if (one.length === 0 || other.length === 0) return one.length + other.length
    const same = one.at(-1) === other.at(-1) ? 0 : 1
    let best = Math.min(
      distance(one.slice(0, -1), other, exchanges) + 1,
      distance(one, other.slice(0, -1), exchanges) + 1,
      distance(one.slice(0, -1), other.slice(0, -1), exchanges) + same,
    )
    if (
      exchanges &&
      one.length > 1 &&
      other.length > 1 &&
      one.at(-1) === other.at(-2) &&
      one.at(-2) === other.at(-1)
    ) {
      best = Math.min(best, distance(one.slice(0, -2), other.slice(0, -2), exchanges) + 1)
    }
    return best
  }
  const short = fc.array(fc.constantFrom('a', 'b', 'c', '😀'), { maxLength: 6 }).map((list) => list.join(''))

  it('accepts exactly the terms within the edit distance', () => {
    fc.assert(
      fc.property(
        short,
        short,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
        fc.boolean(),
        (text, term, edits, prefixLength, transpositions) => {
          const matcher = fuzzyMatcher(text, { edits, prefixLength, transpositions })
          const prefix = [...text].slice(0, prefixLength)
          const whole = distance(
            [...text].slice(prefix.length),
            [...term].slice(prefix.length),
            transpositions,
          )
          const near = term.startsWith(prefix.join('')) && whole <= edits
          expect(matcher.distance(term)).toBe(near ? whole : -1)
          keepsPromises(matcher, term)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('AUTO allows one edit from 3 characters on and two from 6', () => {
    const auto = parseFuzziness('auto')
    expect(['', 'ab', 'abc', 'abcde', 'abcdef', '😀😀'].map((text) => editsFor(auto, text))).toEqual([
      0, 0, 1, 1, 2, 0,
    ])
    expect(editsFor(parseFuzziness('AUTO:2,4'), 'abc')).toBe(1)
    expect(() => parseFuzziness('AUTO:4,2')).toThrow('fuzziness wrongly configured')
  })
})

describe('regexp', () => {
  it.each([
    ['ab*c', ['ac', 'abbc'], ['ab', 'xac', 'acx']],
    ['a.c', ['abc', 'a😀c'], ['ac', 'abbc']],
    ['(ab|cd)+', ['ab', 'abcd'], ['', 'abc']],
    ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
    ['a{2}', ['aa'], ['a', 'aaa']],
    ['a{2,}', ['aa', 'aaaaa'], ['a']],
    ['[a-c1]x', ['ax', '1x'], ['dx']],
    ['[^a-c]', ['d', '😀'], ['a', '']],
    ['a~b', ['a', 'aa', 'abb'], ['ab']],
    ['~(ab)c', ['c', 'abbc'], ['abc', 'ab']],
    ['.*a.*&.*b.*', ['ab', 'ba', 'xaxbx'], ['a', 'b']],
    ['a@b', ['ab', 'axxb'], ['a']],
    ['#', [], ['', '#']],
    ['<1-20>', ['1', '20', '007', '15'], ['0', '21', '']],
    ['<01-10>', ['01', '09', '10'], ['1', '11', '001']],
    ['<20-1>', ['7'], ['21']],
    ['a"b.c"d', ['ab.cd'], ['abxcd']],
    ['\\d+\\.\\w\\s', ['12.a ', '0._\t'], ['1xa ']],
    ['\\D\\W\\S', ['a-b'], ['1-b']],
    ['^a$', ['^a$'], ['a']],
    ['a()', ['a'], ['ab']],
    ['', [''], ['a']],
    ['*a', ['*a'], ['a']],
  ])('%s', (pattern, matching, others) => {
    const matcher = regexpMatcher(pattern)
    expect(matching.filter((term) => !matcher.test(term))).toEqual([])
    expect(others.filter((term) => matcher.test(term))).toEqual([])
    for (const term of [...matching, ...others]) keepsPromises(matcher, term)
  })

  it('derives the literal prefix of a pattern', () => {
    expect(regexpMatcher('foo.*')).toMatchObject({ prefix: 'foo', whole: true })
    expect(regexpMatcher('foo')).toMatchObject({ prefix: 'foo', exact: true })
    expect(regexpMatcher('fo(o|p)x')).toMatchObject({ prefix: 'fo', exact: false, whole: false })
  })

  it('flags disable optional operators', () => {
    expect(regexpMatcher('a~b', { flags: parseRegexpFlags('NONE') }).test('a~b')).toBe(true)
    expect(regexpMatcher('<1-2>', { flags: parseRegexpFlags('COMPLEMENT') }).test('<1-2>')).toBe(true)
    expect(regexpMatcher('a&b', { flags: parseRegexpFlags('INTERVAL|ANYSTRING') }).test('a&b')).toBe(true)
    expect(() => parseRegexpFlags('FOO')).toThrow('Unknown regexp flag [FOO]')
  })

  it('ignores case when asked to, except in ranges', () => {
    const matcher = regexpMatcher('Ab[c-d]', { caseInsensitive: true })
    expect(['abc', 'ABD', 'aBe'].map((term) => matcher.test(term))).toEqual([true, false, false])
    const test = (pattern: string, text: string) =>
      regexpMatcher(pattern, { caseInsensitive: true }).test(text)
    expect([test('[^r]', 'R'), test('[^A-Z]', 'r'), test('[rg]', 'G')]).toEqual([false, true, true])
  })

  it.each([
    ['a{', 'integer expected at position 2'],
    ['a{2', "expected '}' at position 3"],
    ['a{3,2}', 'invalid repetition range(out of order): 3..2'],
    ['(a', "expected ')' at position 2"],
    ['[a', "expected ']' at position 2"],
    ['a)', 'end-of-string expected at position 1'],
    ['"a', "expected '\"' at position 2"],
    ['<a', "expected '>' at position 2"],
    ['<foo>', "'foo' not found"],
    ['<1-2-3>', 'interval syntax error at position 6'],
    ['a\\', 'unexpected end-of-string'],
    ['[b-a]', 'invalid range: from (98) cannot be > to (97)'],
    ['[ac]*a[ac]{50,200}', 'Determinizing [ac]*a[ac]{50,200} would require more than 10000 effort.'],
    [
      '((a{1000}){1000}){1000}',
      'Determinizing ((a{1000}){1000}){1000} would require more than 10000 effort.',
    ],
  ])('refuses %s', (pattern, message) => {
    expect(() => regexpMatcher(pattern)).toThrow(message)
  })

  it.each(['.*a.{15}', '~(.*a.{12})~(.*b.{12})', '(ab|bc|cd|.*x){1,40}&~(.*a.{9})'])(
    'refuses %s although the request allows any effort',
    (pattern) => {
      const asked = { maxDeterminizedStates: 2_000_000_000 }
      expect(() => regexpMatcher(pattern, asked)).toThrow('would require more than 2000000000 effort')
    },
  )

  it('takes more than the default effort where that is allowed', () => {
    expect(() => regexpMatcher('.*a.{13}')).toThrow('10000 effort')
    expect(regexpMatcher('.*a.{13}', { maxDeterminizedStates: 25_000 }).test('xxa1234567890123')).toBe(true)
  })

  /** Expressions that mean the same in both syntaxes, with terms to test them. */
  const expressions = fc.letrec<{ expression: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 1, withCrossShrink: true },
      fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', 'é', '😀'),
      tie('expression').map((inner) => `(${inner})`),
    ),
    expression: fc
      .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{1,2}', '{2}')), {
        minLength: 1,
        maxLength: 3,
      })
      .chain((parts) =>
        fc.constantFrom('', '|').map((joint) => parts.map(([atom, suffix]) => atom + suffix).join(joint)),
      ),
  })).expression

  /** Skips the rare expression that exceeds the determinization limit. */
  const compiled = (pattern: string): TermMatcher => {
    try {
      return regexpMatcher(pattern)
    } catch (error) {
      fc.pre(!(error instanceof Error && error.message.startsWith('Determinizing')))
      throw error
    }
  }

  it('agrees with V8 on the syntax they share', () => {
    fc.assert(
      fc.property(expressions, fc.array(terms, { minLength: 5, maxLength: 5 }), (pattern, tried) => {
        const matcher = compiled(pattern)
        const model = new RegExp(`^(?:${pattern})$`, 'su')
        for (const term of tried) {
          expect(matcher.test(term)).toBe(model.test(term))
          keepsPromises(matcher, term)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('complement and intersection are the set operations', () => {
    fc.assert(
      fc.property(expressions, expressions, terms, (one, other, term) => {
        const [first, second] = [compiled(one).test(term), compiled(other).test(term)]
        expect(compiled(`~(${one})`).test(term)).toBe(!first)
        expect(compiled(`(${one})&(${other})`).test(term)).toBe(first && second)
      }),
      { numRuns: 500 },
    )
  })

  it('numeric intervals match exactly the numbers in them', () => {
    const number = fc.integer({ min: 0, max: 1200 })
    fc.assert(
      fc.property(number, number, number, (from, to, tried) => {
        const [low, high] = [Math.min(from, to), Math.max(from, to)]
        const fixed = String(from).length === String(to).length
        const text = fixed ? String(tried).padStart(String(from).length, '0') : String(tried)
        const inside = tried >= low && tried <= high
        expect(regexpMatcher(`<${from}-${to}>`).test(text)).toBe(inside)
      }),
      { numRuns: 300 },
    )
  })

  it('is linear where a backtracking engine is exponential', () => {
    expect(regexpMatcher('(a*)*b').test('a'.repeat(30_000))).toBe(false)
    expect(regexpMatcher('(a|a)*(a|aa)+b').test('a'.repeat(30_000))).toBe(false)
  })
})
