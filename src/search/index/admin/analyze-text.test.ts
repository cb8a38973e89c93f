/** `_analyze` with `explain` against its own chain, component by component; and what it costs. */
import { describe, expect, it, vi } from 'vitest'
import { Analysis } from '../../analysis/analysis.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { AnswerBytes, AnswerTooLarge } from '../../answer/answer-memory.ts'
import type { JsonObject } from '../../request/json-object.ts'
import { finish } from '../../scheduling/steps.ts'
import { analyzeText } from './analyze-text.ts'

interface Shown {
  readonly tokens: readonly JsonObject[]
}

interface Detail {
  readonly charfilters: readonly { readonly name: string; readonly filtered_text: readonly string[] }[]
  readonly tokenizer: Shown
  readonly tokenfilters: readonly (Shown & { readonly name: string })[]
}

function analyse(request: JsonObject, maxBytes = 100_000_000): JsonObject {
  const answer = new AnswerBytes(maxBytes)
  const context = { analysis: new Analysis(), mapping: undefined, maxTokens: 10_000, answer }
  return finish(analyzeText(request, context))
}

function explained(request: JsonObject, maxBytes?: number): Detail {
  return analyse({ ...request, explain: true }, maxBytes)['detail'] as Detail
}

const shownAlways = ['token', 'start_offset', 'end_offset', 'type', 'position'] as const

function plain(tokens: readonly JsonObject[]): unknown[] {
  return tokens.map((token) => shownAlways.map((name) => token[name]))
}

describe('_analyze with explain', () => {
  const text = 'The <b>QUICK</b> Wi-Fi|2.5 foxes&#39; dens were running, running 42'

  it.each<[string, JsonObject]>([
    [
      'filters that drop and change tokens',
      { tokenizer: 'whitespace', filter: ['lowercase', 'stop', 'porter_stem', 'unique'] },
    ],
    [
      'filters that add tokens',
      {
        tokenizer: 'standard',
        filter: [
          'lowercase',
          'word_delimiter_graph',
          'keyword_repeat',
          'porter_stem',
          'shingle',
          'edge_ngram',
        ],
      },
    ],
    [
      'character filters',
      {
        tokenizer: 'standard',
        char_filter: ['html_strip', { type: 'mapping', mappings: ['QUICK => slow'] }],
        filter: ['lowercase', 'reverse'],
      },
    ],
    [
      'synonyms of what is before them',
      {
        tokenizer: 'whitespace',
        filter: [
          'lowercase',
          { type: 'synonym_graph', synonyms: ['quick, fast', 'wi-fi => wireless lan'] },
          'uppercase',
        ],
      },
    ],
    ['payloads', { tokenizer: 'whitespace', filter: ['lowercase', 'delimited_payload', 'reverse'] }],
  ])('shows behind each component what the chain up to there gives: %s', (_, chain) => {
    const filters = (chain['filter'] as unknown[] | undefined) ?? []
    const detail = explained({ ...chain, text })
    const upTo = (count: number) => analyse({ ...chain, filter: filters.slice(0, count), text })['tokens']
    expect(plain(detail.tokenizer.tokens)).toEqual(plain(upTo(0) as JsonObject[]))
    expect(detail.tokenfilters).toHaveLength(filters.length)
    for (const [place, { tokens }] of detail.tokenfilters.entries())
      expect(plain(tokens)).toEqual(plain(upTo(place + 1) as JsonObject[]))
    const changes = (chain['char_filter'] as unknown[] | undefined) ?? []
    for (const [place, { filtered_text }] of detail.charfilters.entries()) {
      const [token] = analyse({ tokenizer: 'keyword', char_filter: changes.slice(0, place + 1), text })[
        'tokens'
      ] as JsonObject[]
      expect(filtered_text).toEqual([token!['token']])
    }
  })

  it('counts positions and offsets on over several texts', () => {
    const { tokenizer, tokenfilters } = explained({
      tokenizer: 'whitespace',
      filter: ['lowercase'],
      text: ['A b', 'C'],
    })
    const places = [
      ['A', 0, 0],
      ['b', 2, 1],
      ['C', 4, 2],
    ]
    expect(
      tokenizer.tokens.map((token) => [token['token'], token['start_offset'], token['position']]),
    ).toEqual(places)
    expect(tokenfilters[0]!.tokens.map(({ token }) => token)).toEqual(['a', 'b', 'c'])
  })

  it('marks keywords from the first filter on that knows them, and payloads behind the filter that takes them', () => {
    const filter = ['lowercase', 'delimited_payload', 'porter_stem']
    const { tokenizer, tokenfilters } = explained({ tokenizer: 'whitespace', filter, text: 'Foxes|2.5 dens' })
    const keywords = [tokenizer, ...tokenfilters].map(({ tokens }) => tokens[0]!['keyword'])
    expect(keywords).toEqual([undefined, undefined, undefined, false])
    const payloads = [tokenizer, ...tokenfilters].map(({ tokens }) => tokens.map((token) => token['payload']))
    expect(payloads).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['[40 20 0 0]', null],
      ['[40 20 0 0]', null],
    ])
  })

  it('prints bytes as Lucene does', () => {
    const { tokenizer } = explained({ tokenizer: 'keyword', text: 'a\tö' })
    expect(tokenizer.tokens[0]!['bytes']).toBe('[61 9 c3 b6]')
    expect(
      explained({ tokenizer: 'keyword', text: 'a', attributes: ['termFrequency'] }).tokenizer.tokens[0],
    ).toEqual({
      token: 'a',
      start_offset: 0,
      end_offset: 1,
      type: 'word',
      position: 0,
      termFrequency: 1,
    })
  })

  it('runs the chain once, however many filters it has', () => {
    const push = vi.spyOn(TokenBuffer.prototype, 'push')
    const filter = Array.from({ length: 200 }, () => 'lowercase')
    const { tokenfilters } = explained({ tokenizer: 'whitespace', filter, text: 'A '.repeat(100) })
    const count = push.mock.calls.length
    push.mockRestore()
    expect(tokenfilters.at(-1)!.tokens).toHaveLength(100)
    expect(count).toBe(100)
  })

  it('refuses what takes more memory than an answer may', () => {
    const filter = Array.from({ length: 200 }, () => 'lowercase')
    const request = { tokenizer: 'whitespace', filter, text: 'A '.repeat(1000) }
    expect(() => explained(request, 1_000_000)).toThrow(AnswerTooLarge)
    expect(() => explained({ tokenizer: 'keyword', text: 'a'.repeat(500_000) }, 1_000_000)).toThrow(
      AnswerTooLarge,
    )
  })
})
