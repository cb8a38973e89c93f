import { describe, expect, it } from 'vitest'
import { plainValues } from '../../request/test-values.ts'
import { search, testIndex } from '../test-search.ts'

const index = testIndex(
  [
    [
      [
        {
          id: '1',
          source: {
            title: 'The quick brown fox is brown',
            k1: '123',
            k2: '123',
            body: 'A first sentence about foxes. Then nothing. At last a fox again!',
          },
        },
        {
          id: '2',
          source: {
            title: 'The quick blue fox is blue',
            k1: '1234',
            k2: '1234',
            many: ['red apple', 'green pear', 'red rose'],
          },
        },
      ],
    ],
  ],
  {
    mappings: {
      properties: {
        title: { type: 'text' },
        body: { type: 'text' },
        many: { type: 'text' },
        k1: { type: 'keyword' },
        k2: { type: 'keyword', ignore_above: 3 },
      },
    },
  },
)

function highlights(query: unknown, highlight: unknown): unknown[] {
  return search(index, { query, highlight, sort: ['_doc'] }).hits.hits.map((hit) =>
    plainValues(hit['highlight']),
  )
}

describe('highlighting', () => {
  it('marks terms, patterns of their own query, and only fields that match', () => {
    const highlight = {
      fields: {
        body: { highlight_query: { prefix: { body: 'zz' } } },
        title: { highlight_query: { prefix: { title: 'br' } } },
      },
    }
    expect(highlights({ ids: { values: ['1'] } }, highlight)).toEqual([
      { title: ['The quick <em>brown</em> fox is <em>brown</em>'] },
    ])
  })

  it('marks phrases only where they stand together', () => {
    const fields = { title: {} }
    expect(highlights({ match_phrase: { title: 'brown fox' } }, { fields })).toEqual([
      { title: ['The quick <em>brown</em> <em>fox</em> is brown'] },
    ])
  })

  it.each(['plain', 'unified'])('leaves out keywords that were ignored (%s)', (type) => {
    const highlight = { require_field_match: false, fields: { k2: { type } } }
    expect(highlights({ prefix: { k1: '12' } }, highlight)).toEqual([{ k2: ['<em>123</em>'] }, undefined])
  })

  it('cuts texts into sentences', () => {
    const query = { match: { body: 'fox sentence' } }
    expect(highlights(query, { fields: { body: { fragment_size: 0 } } })).toEqual([
      { body: ['A first <em>sentence</em> about foxes.', 'At last a <em>fox</em> again!'] },
    ])
    expect(highlights(query, { fields: { body: { fragment_size: 50 } } })).toEqual([
      { body: ['A first <em>sentence</em> about foxes. Then nothing.', 'At last a <em>fox</em> again!'] },
    ])
    const best = { fragment_size: 30, number_of_fragments: 1, order: 'score' }
    expect(highlights(query, { fields: { body: best } })).toEqual([
      { body: ['At last a <em>fox</em> again!'] },
    ])
    expect(highlights(query, { fields: { body: { number_of_fragments: 0 } } })).toEqual([
      { body: ['A first <em>sentence</em> about foxes. Then nothing. At last a <em>fox</em> again!'] },
    ])
  })

  it('keeps a sentence together across lines', () => {
    const lines = testIndex([[[{ id: '1', source: { t: 'First line\nsecond line. Third one!\nFourth' } }]]])
    const highlight = { fields: { t: { fragment_size: 0 } } }
    const [hit] = search(lines, { query: { match: { t: 'second fourth' } }, highlight }).hits.hits
    expect(plainValues(hit!['highlight'])).toEqual({
      t: ['First line\n<em>second</em> line.', '<em>Fourth</em>'],
    })
  })

  it.each<[string, object, string, readonly string[]]>([
    ['prefix', { prefix: { o: 'e' } }, 'unified', ['<em>error</em> <em>emu</em> fox']],
    ['prefix', { prefix: { o: 'e' } }, 'fvh', ['<em>error</em> emu fox']],
    ['span', { span_or: { clauses: [{ span_term: { t: 'fox' } }] } }, 'plain', ['error emu <em>fox</em>']],
    ['span', { span_or: { clauses: [{ span_term: { t: 'fox' } }] } }, 'fvh', []],
    ['interval', { intervals: { t: { prefix: { prefix: 'f' } } } }, 'unified', ['error emu <em>fox</em>']],
    ['interval', { intervals: { t: { prefix: { prefix: 'f' } } } }, 'plain', []],
    ['open phrase', { match_phrase_prefix: { t: 'emu f' } }, 'plain', ['error <em>emu</em> <em>fox</em>']],
    ['open phrase', { match_phrase_prefix: { o: 'error f' } }, 'plain', []],
  ])('shows a %s as each highlighter of OpenSearch 3.8 does: %j, %s', (_, query, type, expected) => {
    const text = { type: 'text', term_vector: 'with_positions_offsets' }
    const one = testIndex([[[{ id: '1', source: { t: 'error emu fox', o: 'error fix' } }]]], {
      mappings: { properties: { t: text, o: { type: 'text' } } },
    })
    const highlight = { require_field_match: false, fields: { t: { type } } }
    const [hit] = search(one, { query, highlight }).hits.hits
    const shown = hit!['highlight'] === undefined ? {} : plainValues(hit!['highlight'])
    expect((shown as { t?: unknown }).t ?? []).toEqual(expected)
  })

  it('cuts as the plain and the fast vector highlighter do', () => {
    const text = 'one two three four five six seven eight nine ten eleven twelve'
    const plain = { type: 'text', term_vector: 'with_positions_offsets' }
    const one = testIndex([[[{ id: '1', source: { t: text } }]]], {
      mappings: { properties: { t: plain } },
    })
    const marked = (options: object) => {
      const highlight = { fields: { t: options } }
      const [hit] = search(one, { query: { match: { t: 'four ten' } }, highlight }).hits.hits
      return (plainValues(hit!['highlight']) as { t: unknown }).t
    }
    expect(marked({ type: 'plain', fragment_size: 20 })).toEqual([
      'one two three <em>four</em>',
      ' nine <em>ten</em> eleven twelve',
    ])
    expect(marked({ type: 'fvh', fragment_size: 18 })).toEqual([
      'two three <em>four</em> five six',
      'eight nine <em>ten</em> eleven twelve',
    ])
    const causeOf = (options: object) => {
      try {
        return marked(options)
      } catch (error) {
        return ((error as Error).cause as Error).message
      }
    }
    expect(causeOf({ type: 'fvh', fragment_size: 10 })).toBe(
      'fragCharSize(10) is too small. It must be 18 or higher.',
    )
    expect(causeOf({ boundary_scanner: 'chars' })).toBe('Invalid boundary scanner type: chars')
  })

  it('takes each value of a list by itself', () => {
    expect(highlights({ match: { many: 'red' } }, { fields: { many: {} } })).toEqual([
      { many: ['<em>red</em> apple', '<em>red</em> rose'] },
    ])
  })

  it('uses other tags, encodes the rest, and shows the start of what does not match', () => {
    const odd = testIndex([
      [[{ id: '1', source: { t: '<b>fox</b> & more', u: 'one two three four', v: 'one. two.' } }]],
    ])
    const highlight = {
      pre_tags: ['['],
      post_tags: [']'],
      encoder: 'html',
      fields: { t: {}, u: { no_match_size: 5, type: 'plain' }, v: { no_match_size: 20, type: 'plain' } },
    }
    const [hit] = search(odd, { query: { match: { t: 'fox' } }, highlight }).hits.hits
    expect(plainValues(hit!['highlight'])).toEqual({
      t: ['&lt;b&gt;[fox]&lt;&#x2F;b&gt; &amp; more'],
      u: ['one'],
      v: ['one. two'],
    })
  })

  it('refuses texts that are too long', () => {
    const long = testIndex([[[{ id: '1', source: { t: 'fox '.repeat(10) } }]]], {
      limits: { maxAnalyzedOffset: 20 },
    })
    const body = (more: object) => ({ query: { match: { t: 'fox' } }, highlight: { fields: { t: more } } })
    expect(() => search(long, body({}))).toThrow('all shards failed')
    expect(search(long, body({ max_analyzed_offset: 8, number_of_fragments: 0 })).hits.hits).toHaveLength(1)
  })
})
