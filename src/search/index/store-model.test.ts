/**
 * The whole store against a model that keeps documents in a map and sorts everything: random mappings, shards,
 * documents, replacements, deletes, refreshes, flushes, merges and restarts, and between them searches with random
 * filters, sorts and pages; in every other store searches wait for another thread wherever they can. Every search is
 * a case. `STORE_CASES` sets their number, `STORE_SEED` the seed.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { compareUtf8 } from '../../text/utf8-order.ts'
import { writeJson } from '../answer/json-text.ts'
import { type BackgroundJob, backgroundWork } from '../scheduling/background-work.ts'
import { ownedArrays, runSegmentTask, type SegmentTask } from '../segment/segment-task.ts'
import { Cluster } from './cluster.ts'
import { shardNumber, type WriteAction, write } from './documents/document-writes.ts'
import { EmbeddedSearch } from './embedded-search.ts'
import { openOptions } from './index-expressions.ts'
import type { SearchCall } from './search-calls.ts'
import { searchTargets } from './search-targets.ts'
import { EmbeddedStores } from './shards/embedded-stores.ts'

const cases = Number(process.env['STORE_CASES'] ?? 400)
const seed = Number(process.env['STORE_SEED'] ?? Date.now() % 2 ** 31)
const searchesPerStore = 20

// ------------------------------------------------------------------------------------------------- documents

type Value = number | string | boolean
interface Kind {
  readonly values: readonly Value[]
  /** The keyword sub-field that dynamic mapping adds. */
  readonly keyword?: string
}

/** Few values, so that many documents share them. */
const kinds: Readonly<Record<string, Kind>> = {
  long: { values: [-3, -1, 0, 1, 2, 7, 1_000_000] },
  integer: { values: [-3, 0, 1, 5] },
  double: { values: [-1.5, 0.25, 0.5, 3.75] },
  boolean: { values: [true, false] },
  keyword: { values: ['a', 'b', 'é', 'z', 'zz', 'ﬁ', '𝒳', 'A "b"'], keyword: '.keyword' },
  date: {
    values: ['2024-01-02T03:04:05.678Z', '2023-12-31T00:00:00.000Z', '1969-07-20T20:17:40.000Z'],
  },
}
const kindNames = Object.keys(kinds)
const words = ['red', 'green', 'blue', 'dark', 'light']

interface Source {
  readonly uid: number
  readonly a?: readonly Value[]
  readonly b?: readonly Value[]
  readonly text?: string
}

/** A single value is written as a scalar, as in most documents. */
function jsonOf(source: Source): string {
  return JSON.stringify(source, (_, value) => (Array.isArray(value) && value.length === 1 ? value[0] : value))
}

interface Field {
  readonly name: 'a' | 'b'
  readonly kind: string
  /** The path for sorting and filtering. */
  readonly path: string
}

interface Layout {
  readonly shards: number
  readonly isDynamic: boolean
  readonly fields: readonly [Field, Field]
}

const layout: fc.Arbitrary<Layout> = fc
  .record({
    shards: fc.integer({ min: 1, max: 7 }),
    isDynamic: fc.boolean(),
    a: fc.constantFrom(...kindNames),
    b: fc.constantFrom(...kindNames),
  })
  .map(({ shards, isDynamic, a, b }) => {
    const field = (name: 'a' | 'b', kind: string): Field => ({
      name,
      kind,
      path: isDynamic ? `${name}${kinds[kind]!.keyword ?? ''}` : name,
    })
    return { shards, isDynamic, fields: [field('a', a), field('b', b)] }
  })

const drawn = fc.option(fc.array(fc.nat(100), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 4 })
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      id: fc.nat(40),
      a: drawn,
      b: drawn,
      text: fc.option(fc.array(fc.constantFrom(...words), { maxLength: 4 }), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat(40) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('refresh', 'refresh', 'refresh', 'flush', 'merge', 'restart'),
    }),
  },
)
type Step = { kind: string; id?: number; a?: number[]; b?: number[]; text?: string[] }

// -------------------------------------------------------------------------------------------------- searches

const key = fc.record({
  field: fc.nat(1),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  missing: fc.constantFrom(undefined, '_last' as const, '_first' as const),
})
const question = fc.record({
  filter: fc.record({
    kind: fc.constantFrom('all', 'term', 'range', 'exists', 'without', 'match', 'both'),
    field: fc.nat(1),
    value: fc.nat(100),
    word: fc.constantFrom(...words),
  }),
  keys: fc.array(key, { maxLength: 2 }),
  /** Without it, ties are ordered by shard, then by arrival. */
  hasLastKey: fc.boolean(),
  from: fc.nat(45),
  size: fc.nat(20),
  after: fc.nat(50),
})
type Question = typeof question extends fc.Arbitrary<infer One> ? One : never

/** A document as a search should see it. */
interface Row {
  readonly id: string
  readonly shard: number
  readonly arrived: number
  readonly source: Source
}

function comparable(kind: string, value: Value): number | string {
  if (kind === 'date') return Date.parse(value as string)
  return kind === 'boolean' ? Number(value) : (value as number | string)
}

function order(one: number | string, other: number | string): number {
  return typeof one === 'string' ? compareUtf8(one, other as string) : one - (other as number)
}

/** Returns the smallest value for an ascending sort, otherwise the largest. */
function sortValue(
  { source }: Row,
  { name, kind }: Field,
  isAscending: boolean,
): number | string | undefined {
  const values = source[name]?.map((value) => comparable(kind, value)).sort(order)
  return isAscending ? values?.[0] : values?.at(-1)
}

function compareRows(one: Row, other: Row, { keys, hasLastKey }: Question, { fields }: Layout): number {
  for (const { field, order: direction, missing } of keys) {
    const isAscending = direction === 'asc'
    const left = sortValue(one, fields[field]!, isAscending)
    const right = sortValue(other, fields[field]!, isAscending)
    if (left === undefined && right === undefined) continue
    if (left === undefined || right === undefined)
      return (left === undefined) === (missing === '_first') ? -1 : 1
    const compared = order(left, right)
    if (compared !== 0) return isAscending ? compared : -compared
  }
  return hasLastKey
    ? one.source.uid - other.source.uid
    : one.shard - other.shard || one.arrived - other.arrived
}

function matches(
  { source }: Row,
  { filter: { kind, field: at, value, word } }: Question,
  { fields }: Layout,
): boolean {
  const field = fields[at]!
  const { values } = kinds[field.kind]!
  const own = source[field.name]
  const chosen = values[value % values.length]!
  const isInRange = () =>
    own?.some((one) => order(comparable(field.kind, one), comparable(field.kind, chosen)) >= 0) ?? false
  const hasWord = () => source.text?.split(' ').includes(word) ?? false
  if (kind === 'term') return own?.includes(chosen) ?? false
  if (kind === 'range') return isInRange()
  if (kind === 'exists') return own !== undefined
  if (kind === 'without') return own === undefined
  if (kind === 'match') return hasWord()
  return kind === 'both' ? hasWord() && isInRange() : true
}

function queryOf({ filter: { kind, field: at, value, word } }: Question, { fields }: Layout): unknown {
  const { path, kind: fieldKind } = fields[at]!
  const { values } = kinds[fieldKind]!
  const chosen = values[value % values.length]!
  const range = { range: { [path]: { gte: chosen } } }
  const match = { match: { text: word } }
  if (kind === 'term') return { term: { [path]: chosen } }
  if (kind === 'range') return range
  if (kind === 'exists') return { exists: { field: path } }
  if (kind === 'without') return { bool: { must_not: [{ exists: { field: path } }] } }
  if (kind === 'match') return { constant_score: { filter: match } }
  return kind === 'both' ? { bool: { filter: [match, range] } } : { match_all: {} }
}

function sortOf({ keys, hasLastKey }: Question, { fields }: Layout): unknown[] {
  const sort: unknown[] = keys.map(({ field, order: direction, missing }) => {
    const { path, kind } = fields[field]!
    return {
      [path]: { order: direction, unmapped_type: kind, ...(missing !== undefined && { missing }) },
    }
  })
  if (hasLastKey) sort.push({ uid: 'asc' })
  return sort
}

// ----------------------------------------------------------------------------------------------------- store

const indexName = 'model'

class Store {
  readonly #files = new MemoryFiles()
  readonly #layout: Layout
  #cluster: Cluster
  #search: EmbeddedSearch
  /** Rows by id, as written and as of the last refresh. */
  readonly #written = new Map<string, Row>()
  #visible: readonly Row[] = []
  #arrived = 0

  constructor(layout: Layout) {
    this.#layout = layout
    ;[this.#cluster, this.#search] = this.#open()
    const { shards, isDynamic, fields } = layout
    const properties = Object.fromEntries(fields.map(({ name, kind }) => [name, { type: kind }]))
    this.#cluster.createIndex(indexName, {
      settings: {
        'index.refresh_interval': '-1',
        'index.number_of_shards': shards,
        'index.number_of_replicas': 0,
      },
      mappings: {
        properties: { uid: { type: 'long' }, text: { type: 'text' }, ...(!isDynamic && properties) },
      },
    } as Parameters<Cluster['createIndex']>[1])
  }

  #open(): [Cluster, EmbeddedSearch] {
    const stores = new EmbeddedStores({ files: this.#files, directory: 'data' })
    const cluster = new Cluster({ files: this.#files, directory: 'data', stores })
    return [cluster, new EmbeddedSearch({ cluster, node: 'model' })]
  }

  get #shards() {
    return this.#cluster.store(this.#cluster.index(indexName)!).shards
  }

  async take({ kind, id, a, b, text }: Step): Promise<void> {
    if (kind === 'index') await this.#index(String(id), a, b, text)
    else if (kind === 'delete') await this.#delete(String(id))
    else if (kind === 'refresh') this.#refresh()
    else if (kind === 'flush') for (const shard of this.#shards) await shard.flush()
    else if (kind === 'merge') for (const shard of this.#shards) await shard.forceMerge(1)
    else await this.#restart()
    // These operations refresh, too, so the model does.
    if (kind === 'flush' || kind === 'merge' || kind === 'restart') this.#refresh()
  }

  async #index(id: string, a: number[] | undefined, b: number[] | undefined, text: string[] | undefined) {
    const [first, second] = this.#layout.fields
    const valuesOf = ({ kind }: Field, numbers: number[]) => {
      const { values } = kinds[kind]!
      return numbers.map((number) => values[number % values.length]!)
    }
    const source: Source = {
      uid: this.#arrived,
      ...(a !== undefined && { a: valuesOf(first, a) }),
      ...(b !== undefined && { b: valuesOf(second, b) }),
      ...(text !== undefined && { text: text.join(' ') }),
    }
    await this.#write({ kind: 'index', index: indexName, id, source: Buffer.from(jsonOf(source)) })
    const shard = shardNumber(this.#cluster.index(indexName)!, id, undefined)
    this.#written.set(id, { id, shard, arrived: this.#arrived++, source })
  }

  async #delete(id: string): Promise<void> {
    await this.#write({ kind: 'delete', index: indexName, id, source: new Uint8Array(0) })
    this.#written.delete(id)
  }

  async #write(action: WriteAction): Promise<void> {
    const [answer] = await write(this.#cluster, [action], { refresh: 'false' })
    if ('error' in answer!) throw answer.error
  }

  #refresh(): void {
    for (const shard of this.#shards) shard.refresh()
    this.#visible = [...this.#written.values()]
  }

  async #restart(): Promise<void> {
    await this.close()
    ;[this.#cluster, this.#search] = this.#open()
  }

  async ask(asked: Question): Promise<void> {
    const rows = this.#visible
      .filter((row) => matches(row, asked, this.#layout))
      .sort((one, other) => compareRows(one, other, asked, this.#layout))
    const ids = rows.map(({ id }) => id)
    const { from, size, after, hasLastKey } = asked
    // Without a sort the order is by score, which is equal for all documents here.
    const sort = sortOf(asked, this.#layout)
    const filter = queryOf(asked, this.#layout)
    const body = {
      query: { constant_score: { filter } },
      ...(sort.length > 0 && { sort }),
      track_total_hits: true,
    }
    const page = await this.#hits({ ...body, from, size })
    expect(page.hits.map(({ _id }) => _id)).toEqual(ids.slice(from, from + size))
    expect(page.total).toEqual({ value: ids.length, relation: 'eq' })
    expect(page.hits.map(({ _source }) => _source)).toEqual(
      rows.slice(from, from + size).map(({ source }) => JSON.parse(jsonOf(source))),
    )
    if (!hasLastKey || ids.length === 0) return
    const at = after % ids.length
    const [hit] = (await this.#hits({ ...body, from: at, size: 1 })).hits
    const next = await this.#hits({ ...body, size, search_after: hit!.sort })
    expect(next.hits.map(({ _id }) => _id)).toEqual(ids.slice(at + 1, at + 1 + size))
  }

  async #hits(body: Record<string, unknown>) {
    const answer = await this.#search.search(
      searchTargets(this.#cluster, [indexName], openOptions, undefined),
      {
        body: body as SearchCall['body'],
        bodyText: new Uint8Array(0),
        parameters: new Map(),
        namesIndices: true,
        signal: new AbortController().signal,
      },
    )
    const { hits } = JSON.parse(writeJson(answer)) as {
      hits: { total: unknown; hits: { _id: string; _source: unknown; sort: unknown[] }[] }
    }
    return hits
  }

  /** Simulates another thread: only copies go in and out. */
  readonly doElsewhere = async (job: BackgroundJob): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve))
    const { result, buffers } = ownedArrays(runSegmentTask(this.#files, structuredClone(job as SegmentTask)))
    return structuredClone(result, { transfer: buffers })
  }

  async close(): Promise<void> {
    this.#search.close()
    await this.#cluster.close()
  }
}

// The periodic refresh of shards would make documents visible without the model's knowledge.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterAll(() => void vi.useRealTimers())

it(`answers searches like a model that sorts everything (${cases} searches, seed ${seed})`, {
  timeout: 60_000 + cases * 100,
}, async () => {
  let asked = 0
  const chapter = fc.tuple(fc.array(step, { maxLength: 14 }), question)
  const story = fc.array(chapter, { minLength: searchesPerStore, maxLength: searchesPerStore })
  await fc.assert(
    fc.asyncProperty(layout, story, fc.boolean(), async (one, chapters, waits) => {
      const store = new Store(one)
      if (waits) backgroundWork.use(store.doElsewhere, 0)
      try {
        for (const [steps, search] of chapters) {
          for (const each of steps) await store.take(each as Step)
          await store.ask(search)
          asked += 1
        }
      } finally {
        backgroundWork.use(undefined)
        await store.close()
      }
    }),
    { numRuns: Math.ceil(cases / searchesPerStore), seed },
  )
  expect(asked).toBeGreaterThanOrEqual(cases)
})
