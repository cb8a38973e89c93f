/** Analyzers and their components. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Analysis, type AnalysisSettings, analyzerFor, type ComponentReference } from './analysis.ts'
import { tokensOf } from './analyzer.ts'
import type { CompileExpression } from './component.ts'
import { TokenBuffer } from './token-buffer.ts'
import { matchesOf } from './tokenizers/pattern-tokenizer.ts'

const compile: CompileExpression = (source, flags) => {
  const expression = new RegExp(source, flags.includes('CASE_INSENSITIVE') ? 'gi' : 'g')
  return { matchAll: (text) => matchesOf(expression, text) }
}

function terms(name: string, text: string, settings: AnalysisSettings = {}): string[] {
  return tokensOf(analyzerFor(name, settings), text).map(({ token }) => token)
}

/** Prints the tokens of a chain as `term@position`. */
function chain(
  text: string,
  tokenizer: ComponentReference,
  filters: ComponentReference[] = [],
  charFilters: ComponentReference[] = [],
): string[] {
  const analysis = new Analysis({ compile, maxNgramDiff: 10 })
  return tokensOf(analysis.custom(tokenizer, filters, charFilters), text).map(
    ({ token, position }) => `${token}@${position}`,
  )
}

const plain = (rows: string[]): string[] => rows.map((row) => row.replace(/@\d+$/, ''))
const fox = "The 2 QUICK Brown-Foxes jumped over the lazy dog's bone."

describe('built-in analyzers', () => {
  it.each([
    ['standard', "the 2 quick brown foxes jumped over the lazy dog's bone"],
    ['simple', 'the quick brown foxes jumped over the lazy dog s bone'],
    ['whitespace', "The 2 QUICK Brown-Foxes jumped over the lazy dog's bone."],
    ['stop', 'quick brown foxes jumped over lazy dog s bone'],
    ['pattern', 'the 2 quick brown foxes jumped over the lazy dog s bone'],
    ['english', '2 quick brown fox jump over lazi dog bone'],
  ])('tokenizes with the %s analyzer', (name, expected) => {
    expect(terms(name, fox).join(' ')).toBe(expected)
  })

  it('keyword returns the whole text', () => {
    expect(terms('keyword', fox)).toEqual([fox])
    expect(terms('keyword', '')).toEqual([''])
  })

  it('stop words leave position gaps', () => {
    const tokens = tokensOf(analyzerFor('english'), 'to the point of it')
    expect(tokens).toEqual([
      { token: 'point', start_offset: 7, end_offset: 12, type: '<ALPHANUM>', position: 2 },
    ])
    const out = new TokenBuffer()
    analyzerFor('english').analyze('to the point of it', out)
    expect(out.endPosition).toBe(5)
  })

  it('are adjusted by settings', () => {
    const settings = {
      analysis: {
        analyzer: {
          default: { type: 'standard', stopwords: '_english_', max_token_length: '5' },
          named: { type: 'standard', stopwords: ['a', 'cat'] },
          stems: { type: 'english', stem_exclusion: ['foxes'] },
        },
      },
    }
    expect(terms('default', 'the longest day', settings)).toEqual(['longe', 'st', 'day'])
    expect(terms('named', 'a cat and a dog', settings)).toEqual(['and', 'dog'])
    expect(terms('stems', 'foxes boxes', settings)).toEqual(['foxes', 'box'])
  })
})

describe('tokenizers', () => {
  it('splits with letter, lowercase and whitespace', () => {
    expect(plain(chain("You're 2nd", 'letter'))).toEqual(['You', 're', 'nd'])
    expect(plain(chain('ÀB c', 'lowercase'))).toEqual(['àb', 'c'])
    expect(plain(chain('a\u00a0b\u2003c\td', 'whitespace'))).toEqual(['a\u00a0b', 'c', 'd'])
    expect(plain(chain('abcdefg', { type: 'whitespace', max_token_length: 3 }))).toEqual(['abc', 'def', 'g'])
  })

  it('splits with ngram and edge_ngram', () => {
    expect(plain(chain('Fox', 'ngram'))).toEqual(['F', 'Fo', 'o', 'ox', 'x'])
    expect(plain(chain('Quick', 'edge_ngram'))).toEqual(['Q', 'Qu'])
    const options = { min_gram: 3, max_gram: 3, token_chars: ['letter', 'digit'] }
    expect(chain('2 Quick Foxes.', { type: 'ngram', ...options })).toEqual([
      'Qui@0',
      'uic@1',
      'ick@2',
      'Fox@3',
      'oxe@4',
      'xes@5',
    ])
    expect(
      plain(
        chain('2 Quick Foxes.', { type: 'edge_ngram', min_gram: 2, max_gram: 10, token_chars: ['letter'] }),
      ),
    ).toEqual(['Qu', 'Qui', 'Quic', 'Quick', 'Fo', 'Fox', 'Foxe', 'Foxes'])
  })

  it('splits with path_hierarchy', () => {
    expect(chain('/one/two/three', 'path_hierarchy')).toEqual(['/one@0', '/one/two@1', '/one/two/three@2'])
    const dashes = { type: 'path_hierarchy', delimiter: '-', replacement: '/', skip: 2 }
    expect(plain(chain('one-two-three-four-five', dashes))).toEqual([
      '/three',
      '/three/four',
      '/three/four/five',
    ])
    expect(plain(chain('one-two-three-four-five', { ...dashes, reverse: true }))).toEqual([
      'one/two/three/',
      'two/three/',
      'three/',
    ])
  })

  it('splits with pattern and char_group', () => {
    expect(plain(chain('a,b;;c', { type: 'pattern', pattern: '[,;]' }))).toEqual(['a', 'b', 'c'])
    expect(plain(chain('"x", "y"', { type: 'pattern', pattern: '"([^"]*)"', group: 1 }))).toEqual(['x', 'y'])
    expect(
      plain(
        chain('The QUICK-fox_2', { type: 'char_group', tokenize_on_chars: ['whitespace', '-', 'digit'] }),
      ),
    ).toEqual(['The', 'QUICK', 'fox_'])
  })

  it('keeps URLs and mail addresses whole with uax_url_email', () => {
    const tokens = tokensOf(
      new Analysis().custom('uax_url_email'),
      'Mail john.smith@example.com, see https://example.com/a?b=1.',
    )
    expect(tokens.map(({ token, type }) => [token, type])).toEqual([
      ['Mail', '<ALPHANUM>'],
      ['john.smith@example.com', '<EMAIL>'],
      ['see', '<ALPHANUM>'],
      ['https://example.com/a?b=1', '<URL>'],
    ])
    expect(tokens[1]).toMatchObject({ start_offset: 5, end_offset: 27, position: 1 })
  })
})

describe('token filters', () => {
  it('change case, fold, trim and reverse', () => {
    expect(plain(chain('Straße ǆ', 'whitespace', ['uppercase']))).toEqual(['STRAßE', 'Ǆ'])
    expect(plain(chain('ΑΣ İ', 'whitespace', ['lowercase']))).toEqual(['ασ', 'i'])
    expect(plain(chain('açaí à la carte Øre Æon ﬁne Łódź “q” ①', 'whitespace', ['asciifolding']))).toEqual([
      'acai',
      'a',
      'la',
      'carte',
      'Ore',
      'AEon',
      'fine',
      'Lodz',
      '"q"',
      '1',
    ])
    expect(chain('été', 'whitespace', [{ type: 'asciifolding', preserve_original: true }])).toEqual([
      'ete@0',
      'été@0',
    ])
    expect(plain(chain(' a b ', 'keyword', ['trim']))).toEqual(['a b'])
    expect(plain(chain('abc', 'keyword', ['reverse']))).toEqual(['cba'])
    expect(plain(chain('abcdefghijklm', 'keyword', ['truncate']))).toEqual(['abcdefghij'])
    expect(plain(chain("Istanbul'a ٣", 'whitespace', ['apostrophe', 'decimal_digit']))).toEqual([
      'Istanbul',
      '3',
    ])
    expect(plain(chain("l'avion", 'whitespace', ['elision']))).toEqual(['avion'])
  })

  it('drop and mark tokens', () => {
    expect(chain('a quick fox jumps over the dog', 'standard', ['stop'])).toEqual([
      'quick@1',
      'fox@2',
      'jumps@3',
      'over@4',
      'dog@6',
    ])
    expect(chain('The fox', 'standard', [{ type: 'stop', ignore_case: true }])).toEqual(['fox@1'])
    expect(chain('a abc abcde', 'standard', [{ type: 'length', min: 2, max: 3 }])).toEqual(['abc@1'])
    expect(chain('a b a c', 'standard', ['unique'])).toEqual(['a@0', 'b@1', 'c@2'])
    expect(chain('1 a 2', 'standard', [{ type: 'keep_types', types: ['<NUM>'] }])).toEqual(['1@0', '2@2'])
    expect(chain('a b c', 'standard', [{ type: 'limit', max_token_count: 2 }])).toEqual(['a@0', 'b@1'])
    expect(
      plain(
        chain('jumping cats', 'standard', [{ type: 'keyword_marker', keywords: ['jumping'] }, 'porter_stem']),
      ),
    ).toEqual(['jumping', 'cat'])
  })

  it('make ngrams and edge ngrams', () => {
    expect(chain('Quick fox', 'standard', ['ngram'])).toEqual(
      'Q@0 Qu@0 u@0 ui@0 i@0 ic@0 c@0 ck@0 k@0 f@1 fo@1 o@1 ox@1 x@1'.split(' '),
    )
    expect(plain(chain('quick', 'standard', ['edge_ngram']))).toEqual(['q'])
    expect(plain(chain('quick', 'standard', [{ type: 'edge_ngram', side: 'back' }]))).toEqual(['k', 'ck'])
    expect(
      plain(
        chain('ab x', 'standard', [
          { type: 'edge_ngram', min_gram: 2, max_gram: 3, preserve_original: true },
        ]),
      ),
    ).toEqual(['ab', 'x'])
  })

  it('make shingles', () => {
    const tokens = tokensOf(new Analysis().custom('whitespace', ['shingle']), 'quick brown fox')
    expect(tokens).toEqual([
      { token: 'quick', start_offset: 0, end_offset: 5, type: 'word', position: 0 },
      {
        token: 'quick brown',
        start_offset: 0,
        end_offset: 11,
        type: 'shingle',
        position: 0,
        positionLength: 2,
      },
      { token: 'brown', start_offset: 6, end_offset: 11, type: 'word', position: 1 },
      {
        token: 'brown fox',
        start_offset: 6,
        end_offset: 15,
        type: 'shingle',
        position: 1,
        positionLength: 2,
      },
      { token: 'fox', start_offset: 12, end_offset: 15, type: 'word', position: 2 },
    ])
    const only = { type: 'shingle', min_shingle_size: 2, max_shingle_size: 3, output_unigrams: false }
    expect(plain(chain('quick brown fox jumps', 'whitespace', [only]))).toEqual([
      'quick brown',
      'quick brown fox',
      'brown fox',
      'brown fox jumps',
      'fox jumps',
    ])
    expect(
      plain(chain('fox jumps a lazy dog', 'whitespace', ['stop', { ...only, max_shingle_size: 2 }])),
    ).toEqual(['fox jumps', 'jumps _', '_ lazy', 'lazy dog'])
  })

  it('expand synonyms', () => {
    const same = { type: 'synonym', synonyms: ['notebook, laptop', '# a remark', 'usa => united states'] }
    expect(chain('my laptop', 'standard', [same])).toEqual(['my@0', 'laptop@1', 'notebook@1'])
    expect(chain('the USA today', 'standard', ['lowercase', same])).toEqual([
      'the@0',
      'united@1',
      'states@2',
      'today@2',
    ])
    expect(
      chain('sea biscuit wins', 'standard', [{ type: 'synonym', synonyms: ['sea biscuit => seabiscuit'] }]),
    ).toEqual(['seabiscuit@0', 'wins@2'])
    const [, second] = tokensOf(new Analysis().custom('standard', [same]), 'laptop')
    expect(second).toEqual({
      token: 'notebook',
      start_offset: 0,
      end_offset: 6,
      type: 'SYNONYM',
      position: 0,
    })
    expect(plain(chain('laptop', 'standard', [{ ...same, expand: false }]))).toEqual(['notebook'])
  })

  it('split with word_delimiter', () => {
    expect(chain("Neil's-Super-Duper-XL500--42+AutoCoder", 'keyword', ['word_delimiter'])).toEqual(
      'Neil@0 Super@1 Duper@2 XL@3 500@4 42@5 Auto@6 Coder@7'.split(' '),
    )
    expect(plain(chain('wi-fi 4', 'whitespace', [{ type: 'word_delimiter', catenate_words: true }]))).toEqual(
      ['wi', 'wifi', 'fi', '4'],
    )
    expect(chain('a-b c', 'whitespace', [{ type: 'word_delimiter', preserve_original: true }])).toEqual([
      'a-b@0',
      'a@0',
      'b@1',
      'c@2',
    ])
  })

  it('replace patterns and make fingerprints', () => {
    expect(
      plain(chain('foo123', 'keyword', [{ type: 'pattern_replace', pattern: '(\\d)', replacement: '<$1>' }])),
    ).toEqual(['foo<1><2><3>'])
    expect(plain(chain('b a b', 'standard', ['fingerprint']))).toEqual(['a b'])
  })
})

describe('character filters', () => {
  it('strip HTML', () => {
    expect(plain(chain('<p>I&apos;m so <b>happy</b>!</p>', 'keyword', [], ['html_strip']))).toEqual([
      "\nI'm so happy!\n",
    ])
    expect(
      plain(
        chain(
          'a<!-- x --> 1 < 2 &lt;b&gt; &#65;&#x42; <script>no()</script>z',
          'keyword',
          [],
          ['html_strip'],
        ),
      ),
    ).toEqual(['a 1 < 2 <b> AB \nz'])
    const [token] = tokensOf(new Analysis().custom('standard', [], ['html_strip']), '<p><b>happy</b> day</p>')
    expect(token).toMatchObject({ token: 'happy', start_offset: 6 })
    expect(
      plain(chain('<p><b>x</b></p>', 'keyword', [], [{ type: 'html_strip', escaped_tags: ['b'] }])),
    ).toEqual(['\n<b>x</b>\n'])
  })

  it('map characters', () => {
    const digits = { type: 'mapping', mappings: ['٢ => 2', '٥ => 5', ':) => _happy_', 'ph=>f'] }
    expect(plain(chain('٢٥ phone :)', 'keyword', [], [digits]))).toEqual(['25 fone _happy_'])
    const tokens = tokensOf(new Analysis().custom('whitespace', [], [digits]), ':) phone x')
    expect(tokens.map(({ start_offset, end_offset }) => [start_offset, end_offset])).toEqual([
      [0, 2],
      [3, 8],
      [9, 10],
    ])
  })

  it('replace patterns', () => {
    const dashes = { type: 'pattern_replace', pattern: '(\\d+)-(?=\\d)', replacement: '$1_' }
    expect(plain(chain('My credit card is 123-456-789', 'standard', [], [dashes]))).toContain('123_456_789')
  })
})

describe('filters that put several terms in place of one', () => {
  it('are refused beyond four million terms, however many follow each other', () => {
    const filters = Array.from({ length: 40 }, () => 'keyword_repeat')
    expect(() => chain('a', 'keyword', filters)).toThrow(
      'The number of terms that [keyword_repeat] produces of one text has exceeded the allowed maximum of [4194304].',
    )
  })

  it('are refused when a pattern captures too much of one term', () => {
    const captures = { type: 'pattern_capture', patterns: Array.from({ length: 100 }, () => '(a)') }
    expect(() => chain('a'.repeat(5000), 'keyword', [captures])).toThrow(
      'The number of terms that [pattern_capture] produces of one text has exceeded the allowed maximum of [262144].',
    )
  })
})

describe('replacements that grow a text', () => {
  const growing = 'a'.repeat(100)

  it.each([
    ['mapping', { type: 'mapping', mappings: [`a => ${growing}`] }],
    ['pattern_replace', { type: 'pattern_replace', pattern: 'a', replacement: growing }],
  ])('are refused beyond four million characters, however many %s follow each other', (name, filter) => {
    const filters = Array.from({ length: 20 }, () => filter)
    const reason = `The text that [${name}] produces has exceeded the allowed maximum of [4194304] characters.`
    expect(() => chain('aa', 'keyword', [], filters)).toThrow(reason)
    if (name === 'pattern_replace') expect(() => chain('aa', 'keyword', filters)).toThrow(reason)
  })

  it('are applied to a text that is longer than that already', () => {
    const text = `a${'b'.repeat(5_000_000)}a`
    const [changed] = chain(text, 'keyword', [], [{ type: 'mapping', mappings: ['a => c'] }])
    expect(changed === `${text.replaceAll('a', 'c')}@0`).toBe(true)
  })
})

describe('any analyzer chain', () => {
  const tokenizers = [
    'standard',
    'whitespace',
    'letter',
    'keyword',
    'ngram',
    'path_hierarchy',
    'uax_url_email',
  ]
  const filters =
    'lowercase uppercase asciifolding stop ngram edge_ngram shingle unique reverse trim word_delimiter'
      .split(' ')
      .concat('porter_stem', 'snowball', 'fingerprint', 'decimal_digit')
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('<b>', '</p>', '&lt;', 'Wi-Fi', "dog's", ' ', 'é', '😀', 'a'), { maxLength: 20 })
      .map((a) => a.join('')),
  )

  it('makes shingles of tokens that go back in the text', () => {
    const out = new TokenBuffer()
    new Analysis().custom('path_hierarchy', ['word_delimiter', 'shingle'], []).analyze('a/b-c/d', out)
    const back = out.terms.slice(0, out.length).indexOf('c a')
    expect(back).toBeGreaterThanOrEqual(0)
    expect([out.starts[back], out.ends[back]]).toEqual([4, 4])
  })

  it('keeps offsets inside the text and positions ascending', () => {
    const analysis = new Analysis()
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...tokenizers),
        fc.array(fc.constantFrom(...filters), { maxLength: 3 }),
        fc.boolean(),
        (input, tokenizer, chosen, strips) => {
          const out = new TokenBuffer()
          analysis.custom(tokenizer, chosen, strips ? ['html_strip'] : []).analyze(input, out)
          let last = 0
          for (let index = 0; index < out.length; index++) {
            expect(out.positions[index]).toBeGreaterThanOrEqual(last)
            last = out.positions[index]!
            expect(out.starts[index]).toBeGreaterThanOrEqual(0)
            expect(out.ends[index]).toBeGreaterThanOrEqual(out.starts[index]!)
            expect(out.ends[index]).toBeLessThanOrEqual(input.length)
          }
          if (out.length > 0) expect(out.endPosition).toBeGreaterThan(last)
        },
      ),
      { numRuns: 400 },
    )
  })
})
