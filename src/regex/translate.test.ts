import { describe, expect, it } from 'vitest'
import { compilePattern, PatternError, type PatternFlags } from './pattern.ts'
import { translate } from './translate.ts'

/** Pattern, text, and what Ruby's `match` gives: the whole match and the groups, or null. */
type Row = [pattern: string, text: string, expected: (string | null)[] | null, flags?: PatternFlags]

function check(rows: Row[]): void {
  for (const [source, text, expected, flags] of rows) {
    const match = compilePattern(source, flags).exec(text)
    expect(
      match === null ? null : match.groups.map((group) => group ?? null),
      `/${source}/ on ${text}`,
    ).toEqual(expected)
    expect(compilePattern(source, flags).test(text), `test /${source}/ on ${text}`).toBe(expected !== null)
  }
}

describe('anchors', () => {
  it('treats ^ and $ as line anchors, for \\n only', () => {
    check([
      ['^b', 'a\nb', ['b']],
      ['a$', 'a\nb', ['a']],
      ['a$', 'a\r\nb', null],
      ['^b', 'a\rb', null],
      ['^$', 'a\n', null],
      ['^$', '\n', ['']],
      ['^$', 'a\n\nb', ['']],
      ['a$', 'a\n', ['a']],
    ])
  })
  it('knows the ends of the text', () => {
    check([
      ['\\Ab', 'a\nb', null],
      ['a\\z', 'a\n', null],
      ['a\\Z', 'a\n', ['a']],
      ['a\\Z', 'a\n\n', null],
      ['\\Ga', 'ba', null],
      ['\\Ga', 'ab', ['a']],
    ])
  })
  it('uses Unicode words for \\b and ASCII for \\w', () => {
    check([
      ['\\ba', 'éa', null],
      ['\\ba', '-a', ['a']],
      ['\\w', 'é', null],
      ['é\\b', 'é-', ['é']],
      ['(?a)\\ba', 'éa', ['a']],
    ])
  })
  it('accepts a repeated anchor', () => {
    check([
      ['^*a', 'ba', ['a']],
      ['(?=a)*b', 'b', ['b']],
      ['$?b', 'b', ['b']],
    ])
  })
})

describe('characters and classes', () => {
  it('keeps \\d \\s \\w \\h ASCII and POSIX brackets Unicode', () => {
    check([
      ['\\d', '٣', null],
      ['[[:digit:]]', '٣', ['٣']],
      ['\\s', '\u00a0', null],
      ['\\s', '\u000b', ['\u000b']],
      ['[[:space:]]', '\u00a0', ['\u00a0']],
      ['\\h+', 'xyzBEEF', ['BEEF']],
      ['[[:alpha:]]+', 'éa1', ['éa']],
      ['[[:^alpha:]]+', 'a12', ['12']],
      ['[^[:alnum:]]+', 'a--', ['--']],
      ['[[:punct:]]+', 'a$+!', ['$+!']],
      ['(?u)\\w+', 'é', ['é']],
      ['(?a)[[:alpha:]]+', 'éa', ['a']],
    ])
  })
  it('lets the dot match a newline with the option m only, and a character beyond the BMP as one', () => {
    check([
      ['a.b', 'a\nb', null],
      ['a.b', 'a\rb', ['a\rb']],
      ['a.b', 'a\nb', ['a\nb'], { multiline: true }],
      ['(?m)a.b', 'a\nb', ['a\nb']],
      ['(?m:a.)b.', 'a\nb\n', null],
      ['^.$', '😀', ['😀']],
      ['^(.)x', '😀x', ['😀x', '😀']],
      ['.+', '日本\n語', ['日本\n語'], { multiline: true }],
    ])
  })
  it('evaluates nested classes and intersections', () => {
    check([
      ['[a-z&&[^aeiou]]+', 'aeioubcd', ['bcd']],
      ['[^a-z&&[^b]]+', 'acb!', ['b!']],
      ['[[a]b[c-d]]+', 'xabcd', ['abcd']],
      ['[a&&]', 'a', null],
      ['[\\w&&[^\\d_]]+', '12ab_', ['ab']],
      ['[\\p{L}&&[^a-c]]+', 'abcд', ['д']],
      ['[\\W\\d]+', 'ab12é', ['12é']],
      ['[]a]+', 'x]a', [']a']],
      ['[^]a]', ']ab', ['b']],
      ['[a\\-z]+', 'b-a', ['-a']],
      ['[a-c-e]+', 'd-e', ['-e']],
    ])
  })
  it('repeats a negated class on texts beyond ASCII', () => {
    check([
      ['(?:[a-z&&[^b]]+?[^\\n]{1,2}1{1,2})+?', 'kЖ1sB', ['kЖ1']],
      ['[^\\d]+', 'жы1', ['жы']],
    ])
  })
  it('reads every way to write a character', () => {
    check([
      ['\\x41\\u0042\\103\\u{44 45}', 'ABCDE', ['ABCDE']],
      ['\\xc3\\xa9\\303\\251', 'éé', ['éé']],
      ['\\cA\\C-b\\e\\a\\0', '\u0001\u0002\u001b\u0007\u0000', ['\u0001\u0002\u001b\u0007\u0000']],
      ['[\\x41-\\x43]+', 'xABC', ['ABC']],
      ['[\\b]', '\b', ['\b']],
      ['\\N\\O\\y\\Q\\pL', 'NOyQpL', ['NOyQpL']],
      ['\\/\\-\\!', '/-!', ['/-!']],
      ['a{x', 'a{x', ['a{x']],
    ])
  })
  it('knows \\R, \\X and properties', () => {
    check([
      ['\\A\\R\\n', '\r\n', null],
      ['\\R', 'a\r\nb', ['\r\n']],
      ['\\X', 'e\u0301x', ['e\u0301']],
      ['\\p{Lu}\\p{^Lu}', 'abCd', ['Cd']],
      ['\\P{L}+', 'a12', ['12']],
      ['\\p{Greek}+', 'aπβ', ['πβ']],
    ])
  })
})

describe('ignoring case', () => {
  it('holds for a whole pattern or a part', () => {
    check([
      ['abc', 'xABC', ['ABC'], { ignoreCase: true }],
      ['(?i)abc', 'ABC', ['ABC']],
      ['(?i:a)b', 'Ab', ['Ab']],
      ['(?i:a)b', 'AB', null],
      ['a(?i)b|c', 'aC', ['aC']],
      ['a(?i)b|c', 'C', null],
      ['(?-i:a)b', 'aB', ['aB'], { ignoreCase: true }],
      ['(?-i:a)b', 'AB', null, { ignoreCase: true }],
      ['(?i:[a-c])+x', 'aBCx', ['aBCx']],
      ['(?i:[^a])', 'A', null],
    ])
  })
  it('folds over Unicode', () => {
    check([
      ['(?i)k', '\u212a', ['\u212a']],
      ['(?i:k)x', '\u212ax', ['\u212ax']],
      ['(?i)[a-z]', 'ſ', ['ſ']],
      ['(?i)\\w', '\u212a', null],
      ['(?i)жук', 'ЖУК', ['ЖУК']],
      ['(?i)ss', 'ß', ['ß']],
      ['(?i)straße', 'STRASSE', ['STRASSE']],
      ['(?i)i', 'ı', null],
      ['(?i)\\p{Lu}', 'a', ['a']],
      ['(?i)[^[:upper:]]', 'a', null],
      ['(?i)[[A-z]&&[^a]]', 'a', ['a']],
      ['(?i)[[a-z]&&[^a]]', 'a', null],
    ])
  })
})

describe('groups', () => {
  it('captures by number, and by name only when a name is given', () => {
    check([
      ['(a)|(b)', 'b', ['b', null, 'b']],
      ['(?<n>a)(b)', 'ab', ['ab', 'a']],
      ["(?'q'a)b", 'ab', ['ab', 'a']],
      ['(?<n>a)|(?<n>b)', 'b', ['b', null, 'b']],
      ['(a)\\1', 'aa', ['aa', 'a']],
      ['(?<n>.)\\k<n>', 'abb', ['bb', 'b']],
      ['(a)(b)\\k<-1>', 'abb', ['abb', 'a', 'b']],
    ])
    const pattern = compilePattern('(?<[a][b]>x)(?<@c>y)|(?<[a][b]>z)')
    expect(pattern.groupNames).toEqual(['[a][b]', '@c'])
    expect(pattern.names.get('[a][b]')).toEqual([1, 3])
    expect(pattern.exec('z')?.groups).toEqual(['z', undefined, undefined, 'z'])
  })
  it('keeps atomic groups and possessive quantifiers atomic', () => {
    check([
      ['(?>a|ab)c', 'abc', null],
      ['a++ab', 'aaab', null],
      ['a*+b', 'aab', ['aab']],
      ['(?>a+)b', 'aab', ['aab']],
      ['"(?>\\\\.|[^\\\\"]+)*+"', 'x "a\\"b" y', ['"a\\"b"']],
      ['(?>(a)|b)+c', 'abac', ['abac', 'a']],
      ['a{2}+a', 'aaaaa', ['aaaaa']],
    ])
  })
  it('reads {n}? as optional and {n,m}? as lazy', () => {
    check([
      ['a{2}?', 'b', ['']],
      ['a{2}?', 'aa', ['aa']],
      ['a{1,3}?', 'aaa', ['a']],
      ['a{,2}', 'aaa', ['aa']],
    ])
  })
  it('keeps the empty text of an optional group', () => {
    check([
      ['(a*)?', 'b', ['', '']],
      ['(a?)*', 'b', ['', '']],
      ['(a)?b', 'b', ['b', null]],
    ])
  })
  it('expands calls and follows recursion', () => {
    check([
      ['(?<n>a|b)\\g<n>', 'ab', ['ab', 'b']],
      ['\\g<1>(a|b)', 'ba', ['ba', 'a']],
      ['(?<p>\\((?:[^()]|\\g<p>)*\\))', 'x(a(b)c)y', ['(a(b)c)', '(a(b)c)']],
    ])
  })
  it('looks ahead and behind', () => {
    check([
      ['(?<![0-9])\\d{2}(?![0-9])', '123 45', ['45']],
      ['(?<=a|bc)x', 'bcx', ['x']],
      ['(?=(a))a', 'a', ['a', 'a']],
      ['(?<=^|,)b', 'a,b', ['b']],
    ])
  })
  it('ignores comments and, with x, white space', () => {
    check([
      ['a(?#comment)b', 'ab', ['ab']],
      ['(?x) a b # ( [ \n c', 'abc', ['abc']],
      ['a b\\ c', 'ab c', ['ab c'], { extended: true }],
      ['(?x:a b)c d', 'abc d', ['abc d']],
    ])
  })
})

describe('translation', () => {
  it('emits plain numbered groups and hides those of atomic groups', () => {
    const { source, flags, groups, groupCount } = translate('(?>a|ab)(?<x>\\d+)')
    expect({ source, flags }).toEqual({ source: '(?:(?=(a|ab))\\1)(\\d+)', flags: '' })
    expect(groupCount).toBe(1)
    expect(groups).toEqual([[], [2]])
  })
  it('uses the i flag for a whole pattern and classes for a part', () => {
    expect(translate('ab', { ignoreCase: true })).toMatchObject({ source: 'ab', flags: 'i' })
    expect(translate('(?i:a)b')).toMatchObject({ source: '[Aa]b', flags: '' })
  })
  it('takes the danger out of a loop around a loop', () => {
    expect(translate('(?:[a-z]+)+\\d').source).toBe('[a-z]+\\d')
    expect(translate('(?:[a-z]+)*\\d').source).toBe('[a-z]*\\d')
  })
  it('drops atomicity only where it cannot matter', () => {
    expect(translate('(?>\\d\\d)x').source).toBe('\\d\\dx')
    expect(translate('(?>\\d+)x').source).toBe('\\d+x')
    expect(translate('(?>\\d+)\\d').groups).toEqual([[]])
    expect(translate('(?>\\d+)\\d').source).toBe('(?:(?=(\\d+))\\1)\\d')
  })
  it('notes constructs on which the engines part', () => {
    expect(translate('(a)?\\1b').notes).toHaveLength(1)
    expect(translate('(?:(a)|b)*').notes).toHaveLength(1)
    expect(translate('^(?<a>\\d+) (?<b>.*)$').notes).toEqual([])
  })
})

describe('mistakes', () => {
  const messages: [string, string][] = [
    ['(', 'end pattern with unmatched parenthesis: /(/'],
    [')', 'unmatched close parenthesis: /)/'],
    ['(?', 'end pattern in group: /(?/'],
    ['(?z)', 'undefined group option: /(?z)/'],
    ['(?P<n>a)', 'undefined group option: /(?P<n>a)/'],
    ['*', 'target of repeat operator is not specified: /*/'],
    ['a|+', 'target of repeat operator is not specified: /a|+/'],
    ['(*FAIL)', 'target of repeat operator is not specified: /(*FAIL)/'],
    ['[a', 'premature end of char-class: /[a/'],
    ['[]', 'empty char-class: /[]/'],
    ['[z-a]', 'empty range in char class: /[z-a]/'],
    ['[a-\\d]', 'char-class value at end of range: /[a-\\d]/'],
    ['[\\w-x]', 'unmatched range specifier in char-class: /[\\w-x]/'],
    ['[[:foo:]]', 'invalid POSIX bracket type: /[[:foo:]]/'],
    ['\\p{Foo}', 'invalid character property name {Foo}: /\\p{Foo}/'],
    ['(?<1a>x)', 'invalid group name <1a>: /(?<1a>x)/'],
    ['(?<>a)', 'group name is empty: /(?<>a)/'],
    ['(?<a>x)(y)\\1', 'numbered backref/call is not allowed. (use name): /(?<a>x)(y)\\1/'],
    ['(?<a>x)\\k<b>', 'undefined name <b> reference: /(?<a>x)\\k<b>/'],
    ['\\g<b>', 'undefined name <b> reference: /\\g<b>/'],
    ['\\g<3>(a)', 'undefined group <3> reference: /\\g<3>(a)/'],
    ['(a)\\2', 'invalid backref number/name: /(a)\\2/'],
    ['a{3,1}', 'upper is smaller than lower in repeat range: /a{3,1}/'],
    ['a{100001}', 'too big number for repeat range: /a{100001}/'],
    ['(?<=a+)b', 'invalid pattern in look-behind: /(?<=a+)b/'],
    ['(?<!(a))b', 'invalid pattern in look-behind: /(?<!(a))b/'],
    ['(?<n>\\g<n>)', 'never ending recursion: /(?<n>\\g<n>)/'],
    ['a\\', 'too short escape sequence: /a\\/'],
    ['\\x', 'invalid hex escape: /\\x/'],
    ['\\xff', 'invalid multibyte escape: /\\xff/'],
    ['\\u12', 'invalid Unicode escape: /\\u12/'],
    ['\\uD800', 'invalid Unicode range: /\\uD800/'],
    ['a/(', 'end pattern with unmatched parenthesis: /a\\/(/'],
  ]
  it.each(messages)('%s', (source, message) => {
    expect(() => translate(source)).toThrow(PatternError)
    expect(() => translate(source)).toThrow(expect.objectContaining({ message, source }))
  })
  it('names the options in the message and the position in the source', () => {
    try {
      translate('ab)', { ignoreCase: true, extended: true })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ message: 'unmatched close parenthesis: /ab)/ix', position: 2 })
    }
  })
  it.each([
    ['(?~a)', 'absence operator is not supported'],
    ['(a)(?(1)b|c)', 'conditional group is not supported'],
    ['a\\Kb', 'keep operator \\K is not supported'],
    ['a\\G', '\\G is supported at the start of a pattern only'],
  ])('refuses %s clearly', (source, reason) => {
    expect(() => translate(source)).toThrow(reason)
  })
  it('survives absurd nesting', () => {
    expect(() => translate('('.repeat(200_000))).toThrow(PatternError)
    expect(() => translate(`${'(?:'.repeat(100_000)}a${')'.repeat(100_000)}`)).toThrow(PatternError)
  })
})
