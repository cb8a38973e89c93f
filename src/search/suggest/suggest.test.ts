/** The term, phrase and completion suggesters through the API of a node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { writeJson } from '../answer/json-text.ts'
import { Cluster } from '../index/cluster.ts'
import { write } from '../index/documents/document-writes.ts'
import { EmbeddedSearch } from '../index/embedded-search.ts'
import { openOptions } from '../index/index-expressions.ts'
import { searchTargets } from '../index/search-targets.ts'
import { EmbeddedStores } from '../index/shards/embedded-stores.ts'
import { similarities } from './string-distance.ts'

interface Option {
  readonly text: string
  readonly score?: number
  readonly freq?: number
  readonly highlighted?: string
  readonly _id?: string
  readonly _score?: number
  readonly _source?: unknown
}
interface Entry {
  readonly text: string
  readonly offset: number
  readonly length: number
  readonly options: readonly Option[]
}

describe('suggest', () => {
  const files = new MemoryFiles()
  const cluster = new Cluster({
    files,
    directory: 'd',
    stores: new EmbeddedStores({ files, directory: 'd' }),
  })
  const search = new EmbeddedSearch({ cluster, node: 'n' })

  async function ask(body: object, parameters: Record<string, string> = {}) {
    const answer = await search.search(searchTargets(cluster, ['books'], openOptions, undefined), {
      body: body as Record<string, unknown>,
      bodyText: new Uint8Array(0),
      parameters: new Map(Object.entries(parameters)),
      namesIndices: true,
      signal: new AbortController().signal,
    })
    return JSON.parse(writeJson(answer)) as {
      suggest: Record<string, Entry[]>
      hits: { total: { value: number } }
    }
  }
  const suggest = async (one: object) => (await ask({ suggest: { s: one } })).suggest['s']!

  beforeAll(async () => {
    cluster.createIndex('books', {
      settings: { number_of_shards: 2 },
      mappings: {
        properties: {
          title: { type: 'text' },
          name: { type: 'completion' },
          kind: { type: 'completion', contexts: [{ name: 'color', type: 'category' }] },
          shade: { type: 'completion', contexts: [{ name: 'color', path: 'paint' }] },
          paint: { type: 'keyword' },
        },
      },
    })
    const documents = [
      { title: 'the quick brown fox', name: { input: ['Foo Fighters', 'Fighters'], weight: 3 } },
      { title: 'quick brown dogs', name: 'Foo Bar' },
      { title: 'quiet brown houses', name: { input: 'Foo Fighters', weight: 2 } },
      { title: 'brown', kind: { input: 'ball', weight: 5, contexts: { color: ['red', 'blue'] } } },
      { title: 'brown', kind: { input: 'balloon', contexts: { color: 'red' } } },
      { shade: 'dark', paint: ['grey', 'green'] },
    ]
    const actions = documents.map((document, at) => ({
      kind: 'index' as const,
      index: 'books',
      id: String(at),
      source: Buffer.from(JSON.stringify(document)),
    }))
    const answers = await write(cluster, actions, { refresh: 'true' })
    expect(answers.filter((answer) => 'error' in answer)).toEqual([])
  })

  afterAll(async () => {
    search.close()
    await cluster.close()
  })

  it('the term suggester corrects single words', async () => {
    const entries = await suggest({ text: 'quikc borwn', term: { field: 'title' } })
    expect(entries.map(({ text, offset, length }) => [text, offset, length])).toEqual([
      ['quikc', 0, 5],
      ['borwn', 6, 5],
    ])
    expect(entries[0]!.options[0]).toEqual({ text: 'quick', score: 0.8, freq: 2 })
    expect(entries[1]!.options[0]).toEqual({ text: 'brown', score: 0.8, freq: 5 })
  })

  it('the term suggester skips existing words, unless suggest_mode says otherwise', async () => {
    expect((await suggest({ text: 'quick', term: { field: 'title' } }))[0]!.options).toEqual([])
    const always = { field: 'title', suggest_mode: 'always', max_term_freq: 10 }
    expect((await suggest({ text: 'quiet', term: always }))[0]!.options.map(({ text }) => text)).toEqual([
      'quick',
    ])
    expect((await suggest({ text: 'fix', term: { field: 'title' } }))[0]!.options).toEqual([])
    const short = { field: 'title', min_word_length: 3 }
    expect((await suggest({ text: 'fix', term: short }))[0]!.options[0]!.text).toBe('fox')
  })

  it('accepts a global text and the suggest_* parameters', async () => {
    const { suggest: found, hits } = await ask({
      suggest: { text: 'quikc', a: { term: { field: 'title' } }, b: { term: { field: 'title', size: 1 } } },
    })
    expect(Object.keys(found)).toEqual(['a', 'b'])
    expect(hits.total.value).toBe(0)
    const parameters = { suggest_field: 'title', suggest_text: 'quikc', typed_keys: 'true' }
    const named = await ask({ query: { match_all: {} } }, parameters)
    expect(Object.keys(named.suggest)).toEqual(['term#title'])
    expect(named.hits.total.value).toBe(6)
  })

  it('the phrase suggester corrects whole texts', async () => {
    const highlight = { pre_tag: '<em>', post_tag: '</em>' }
    const [entry] = await suggest({ text: 'quikc brown', phrase: { field: 'title', highlight } })
    expect(entry!.options[0]).toMatchObject({ text: 'quick brown', highlighted: '<em>quick</em> brown' })
    expect((await suggest({ text: 'quick brown', phrase: { field: 'title' } }))[0]!.options).toEqual([])
  })

  it('the completion suggester orders by weight and shows each document once', async () => {
    const [entry] = await suggest({ prefix: 'FOO', completion: { field: 'name' } })
    expect(entry!.options.map(({ text, _id, _score }) => [text, _id, _score])).toEqual([
      ['Foo Fighters', '0', 3],
      ['Foo Fighters', '2', 2],
      ['Foo Bar', '1', 1],
    ])
    expect(entry!.options[2]!._source).toEqual({ title: 'quick brown dogs', name: 'Foo Bar' })
    const once = { field: 'name', skip_duplicates: true }
    expect((await suggest({ prefix: 'foo', completion: once }))[0]!.options.map(({ text }) => text)).toEqual([
      'Foo Fighters',
      'Foo Bar',
    ])
    expect((await suggest({ prefix: 'fig', completion: { field: 'name' } }))[0]!.options[0]!.text).toBe(
      'Fighters',
    )
  })

  it('the completion suggester accepts fuzzy prefixes and regular expressions', async () => {
    const fuzzy = { field: 'name', fuzzy: { fuzziness: 1 } }
    expect((await suggest({ prefix: 'foa f', completion: fuzzy }))[0]!.options[0]!.text).toBe('Foo Fighters')
    expect((await suggest({ prefix: 'foa f', completion: { field: 'name' } }))[0]!.options).toEqual([])
    expect((await suggest({ regex: 'f[ia]g', completion: { field: 'name' } }))[0]!.options[0]!.text).toBe(
      'Fighters',
    )
  })

  it('the completion suggester requires one of the contexts', async () => {
    const within = (color: unknown) =>
      suggest({ prefix: 'ba', completion: { field: 'kind', contexts: { color } } })
    expect((await within('red'))[0]!.options.map(({ text }) => text)).toEqual(['ball', 'balloon'])
    expect((await within('blue'))[0]!.options.map(({ text }) => text)).toEqual(['ball'])
    expect((await within([{ context: 're', prefix: true, boost: 3 }]))[0]!.options[0]!._score).toBe(15)
    await expect(suggest({ prefix: 'ba', completion: { field: 'kind' } })).rejects.toThrow(
      'Missing mandatory contexts in context query',
    )
  })

  it('contexts can come from other fields', async () => {
    const completion = { field: 'shade', contexts: { color: 'green' } }
    expect((await suggest({ prefix: 'd', completion }))[0]!.options.map(({ text }) => text)).toEqual(['dark'])
    const source = Buffer.from('{"shade":"light"}')
    const [answer] = await write(cluster, [{ kind: 'index', index: 'books', id: 'x', source }], {
      refresh: 'false',
    })
    expect(answer).toMatchObject({
      error: { causedBy: { message: 'Contexts are mandatory in context enabled completion field [shade]' } },
    })
  })

  it.each<[object, string]>([
    [{ text: 'a', term: { field: 'nope' } }, 'all shards failed'],
    [{ text: 'a', term: {} }, 'the required field option [field] is missing'],
    [{ term: { field: 'title' } }, 'all shards failed'],
    [{ text: 'a', term: { field: 'title', max_edits: 3 } }, 'maxEdits must be between 1 and 2'],
    [{ text: 'a', term: { field: 'title', nope: 1 } }, "suggester[term] doesn't support field [nope]"],
    [{ prefix: 'a', completion: { field: 'title' } }, 'Field [title] is not a completion suggest field'],
  ])('%j is refused', async (one, reason) => {
    await expect(suggest(one)).rejects.toThrow(reason)
  })
})

describe('string_distance', () => {
  it('measures similarity in four ways', () => {
    expect(similarities.levenshtein('abcd', 'abdc')).toBe(0.5)
    expect(similarities.damerau_levenshtein('abcd', 'abdc')).toBe(0.75)
    expect(similarities.jaro_winkler('martha', 'marhta')).toBeCloseTo(0.961, 3)
    expect(similarities.ngram('abcd', 'abce')).toBeCloseTo(0.875)
    for (const measure of Object.values(similarities)) {
      expect(measure('same', 'same')).toBe(1)
      expect(measure('same', 'xyzw')).toBe(0)
    }
  })
})
