/**
 * `has_child` and `has_parent` over random families in several segments, with deletions, against a plain reading of
 * what they mean.
 */
import { describe, expect, it } from 'vitest'
import { finish } from '../../../scheduling/steps.ts'
import { TestIndex } from '../../test-index.ts'
import { joinOrdinals } from './join-ordinals.ts'

const mapping = {
  properties: {
    j: { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } },
    n: { type: 'integer' },
    k: { type: 'keyword' },
  },
}

interface Doc {
  readonly id: string
  readonly name: string
  readonly parent: string | undefined
  readonly n: number
}

/** Numbers from a seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function families(seed: number): { index: TestIndex; docs: Doc[] } {
  const next = random(seed)
  const docs: Doc[] = []
  for (let i = 0; i < 120; i++) {
    const name = ['question', 'answer', 'comment', 'vote', 'none'][next(5)]!
    const parents = docs.filter((one) => one.name === (name === 'vote' ? 'answer' : 'question'))
    const isChild = name !== 'question' && name !== 'none'
    // Some parents are not there.
    const parent = !isChild
      ? undefined
      : parents.length === 0 || next(8) === 0
        ? 'gone'
        : parents[next(parents.length)]!.id
    docs.push({ id: `d${i}`, name, parent, n: 1 + next(9) })
  }
  const index = new TestIndex(mapping)
  const shuffled = docs.map((doc) => ({ doc, at: next(1000) })).sort((one, other) => one.at - other.at)
  for (let from = 0; from < shuffled.length; from += 30)
    index.add(
      ...shuffled.slice(from, from + 30).map(({ doc: { id, name, parent, n } }) => ({
        id,
        routing: 'r',
        source: { n, ...(name !== 'none' && { j: { name, ...(parent !== undefined && { parent }) } }) },
      })),
    )
  const kept = docs.filter(({ id }) => {
    const isDeleted = next(6) === 0
    if (isDeleted) index.delete(id)
    return !isDeleted
  })
  return { index, docs: kept }
}

/** Documents score their number. */
function scored(least: number) {
  return {
    function_score: {
      query: { range: { n: { gte: least } } },
      field_value_factor: { field: 'n' },
      boost_mode: 'replace',
    },
  }
}

const combine = {
  none: () => 1,
  sum: (all: number[]) => all.reduce((sum, one) => sum + one, 0),
  avg: (all: number[]) => Math.fround(all.reduce((sum, one) => sum + one, 0) / all.length),
  min: (all: number[]) => Math.min(...all),
  max: (all: number[]) => Math.max(...all),
} as const

const seeds = Array.from({ length: 12 }, (_, i) => i + 1)

describe.each(seeds)('families of seed %i', (seed) => {
  const { index, docs } = families(seed)

  it.each(['none', 'sum', 'avg', 'min', 'max'] as const)('has_child with score_mode %s', (mode) => {
    for (const [type, parent] of [
      ['answer', 'question'],
      ['comment', 'question'],
      ['vote', 'answer'],
    ] as const)
      for (const [min, max] of [
        [1, 99],
        [2, 3],
        [0, 1],
      ] as const) {
        const expected: Record<string, number> = {}
        for (const one of docs.filter(({ name }) => name === parent)) {
          const children = docs.filter(
            (child) => child.name === type && child.parent === one.id && child.n >= 4,
          )
          if (children.length < Math.max(1, min) || children.length > max) continue
          expected[one.id] = combine[mode](children.map(({ n }) => n))
        }
        const query = {
          has_child: { type, query: scored(4), score_mode: mode, min_children: min, max_children: max },
        }
        const found = index.scores(query)
        expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
        for (const [id, score] of Object.entries(expected)) expect(found[id]).toBeCloseTo(score, 4)
        expect(index.find({ bool: { filter: [query] } }).sort()).toEqual(Object.keys(expected).sort())
      }
  })

  it.each([true, false])('has_parent with score %s', (score) => {
    for (const [type, names] of [
      ['question', ['answer', 'comment']],
      ['answer', ['vote']],
    ] as const) {
      const expected: Record<string, number> = {}
      for (const child of docs.filter(({ name }) => (names as readonly string[]).includes(name))) {
        const parent = docs.find(({ id, name }) => id === child.parent && name === type)
        if (parent !== undefined && parent.n >= 4) expected[child.id] = score ? parent.n : 1
      }
      expect(index.scores({ has_parent: { parent_type: type, query: scored(4), score } })).toEqual(expected)
    }
  })
})

describe('the ordinals of a join', () => {
  const child = (id: string, parent: string) => ({
    id,
    routing: 'r',
    source: { j: { name: 'answer', parent } },
  })
  const index = new TestIndex(mapping)
    .add({ id: 'b', source: { j: 'question' } }, child('1', 'a'), { id: 'x', source: {} })
    .add(child('2', 'b'), child('3', 'a'), child('4', 'c'))

  it('are the same number for the same id in every segment', () => {
    const ordinals = finish(joinOrdinals(index.leaves, 'j#question'))
    const [first, second] = index.leaves.map(({ segment }) => ordinals.of(segment))
    expect(ordinals.size).toBe(3)
    expect(first!(0)).toBe(second!(0))
    expect(first!(1)).toBe(second!(1))
    expect(first!(2)).toBe(-1)
    expect(new Set([0, 1, 2].map(second!)).size).toBe(3)
  })

  it('are made once for the same segments', () => {
    const made = finish(joinOrdinals(index.leaves, 'j#question'))
    index.delete('2')
    expect(finish(joinOrdinals(index.leaves, 'j#question'))).toBe(made)
    index.add(child('5', 'd'))
    expect(finish(joinOrdinals(index.leaves, 'j#question')).size).toBe(4)
  })
})
