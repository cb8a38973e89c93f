import { describe, expect, it } from 'vitest'
import { TestIndex } from '../../query/test-index.ts'

const index = new TestIndex({ properties: { like: { type: 'search_as_you_type' } } }).add(
  { like: 'disk full' },
  { like: 'full disk of the dog' },
  { like: 'disk of the database server' },
)

describe('search_as_you_type', () => {
  it('indexes the beginnings of runs of words, those at the end of the text too', () => {
    const prefix = (value: string) => index.find({ term: { 'like._index_prefix': value } })
    expect(prefix('di')).toEqual(['0', '1', '2'])
    expect(prefix('disk f')).toEqual(['0'])
    expect(prefix('do')).toEqual(['1'])
    expect(prefix('disk of the')).toEqual(['1', '2'])
  })

  it('finds phrases whose last word is a beginning', () => {
    const find = (query: string) => index.find({ match_phrase_prefix: { like: query } })
    expect(find('disk fu')).toEqual(['0'])
    expect(find('disk of the d')).toEqual(['1', '2'])
    expect(find('disk of the da')).toEqual(['2'])
    expect(find('of disk')).toEqual([])
  })

  it('finds phrases by runs of words', () => {
    const find = (query: string) => index.find({ match_phrase: { like: query } })
    expect(find('disk of')).toEqual(['1', '2'])
    expect(find('disk of the database')).toEqual(['2'])
    expect(find('the disk')).toEqual([])
  })

  it('takes no phrases in the field of beginnings', () => {
    expect(() => index.find({ match_phrase: { 'like._index_prefix': 'disk full' } })).toThrow(
      'Can only use phrase queries on text fields - not on [like._index_prefix] which is of type [prefix]',
    )
  })
})
