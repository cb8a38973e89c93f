import { describe, expect, it } from 'vitest'
import { filterInParts, filterPaths } from './filter-path.ts'

const body = {
  jvm: { mem: { heap_used: 1, heap_max: 2 }, threads: { count: 3 } },
  pipelines: {
    main: {
      events: { in: 1, out: 2 },
      plugins: { filters: [{ id: 'a', n: 1 }, { id: 'b', n: 2 }, { n: 3 }] },
    },
    'a.b': { events: { in: 5, out: 6 } },
  },
  empty: {},
  list: [],
}

describe('filter_path', () => {
  it('keeps what is named, with everything below it', () => {
    expect(filterPaths(body, 'jvm.mem')).toEqual({ jvm: { mem: { heap_used: 1, heap_max: 2 } } })
    expect(filterPaths(body, 'jvm.threads.count,pipelines.main.events.in')).toEqual({
      jvm: { threads: { count: 3 } },
      pipelines: { main: { events: { in: 1 } } },
    })
    expect(filterPaths(body, 'nobody.home')).toEqual({})
    expect(filterPaths(body, 'empty')).toEqual({ empty: {} })
  })

  it('knows stars for a part of a name, a name and many names', () => {
    expect(filterPaths(body, 'jvm.mem.heap_*')).toEqual({ jvm: { mem: { heap_used: 1, heap_max: 2 } } })
    expect(filterPaths(body, 'jvm.*.*ou*')).toEqual({ jvm: { threads: { count: 3 } } })
    expect(filterPaths(body, 'pipelines.*.events.out')).toEqual({
      pipelines: { main: { events: { out: 2 } }, 'a.b': { events: { out: 6 } } },
    })
    expect(filterPaths(body, '**.in')).toEqual({
      pipelines: { main: { events: { in: 1 } }, 'a.b': { events: { in: 5 } } },
    })
    expect(filterPaths(body, 'pipelines.**.**.id')).toEqual({
      pipelines: { main: { plugins: { filters: [{ id: 'a' }, { id: 'b' }] } } },
    })
  })

  it('takes dots of names with a backslash, and looks into lists', () => {
    expect(filterPaths(body, 'pipelines.a\\.b.events.in')).toEqual({
      pipelines: { 'a.b': { events: { in: 5 } } },
    })
    expect(filterPaths(body, 'pipelines.main.plugins.filters.id')).toEqual({
      pipelines: { main: { plugins: { filters: [{ id: 'a' }, { id: 'b' }] } } },
    })
  })

  it('leaves out what has a minus, before it looks for the rest', () => {
    expect(filterPaths(body, '-pipelines,-jvm.mem')).toEqual({
      jvm: { threads: { count: 3 } },
      empty: {},
      list: [],
    })
    expect(filterPaths(body, 'jvm,-**.heap_used')).toEqual({
      jvm: { mem: { heap_max: 2 }, threads: { count: 3 } },
    })
    expect(filterPaths(body, 'jvm.mem,-jvm.mem.*')).toEqual({})
  })

  it('treats every name as data and survives many stars', () => {
    const odd = JSON.parse('{"__proto__":{"x":1},"constructor":{"x":2}}') as unknown
    expect(JSON.stringify(filterPaths(odd, '__proto__.x,constructor'))).toBe(JSON.stringify(odd))
    let deep: unknown = 1
    for (let i = 0; i < 60; i++) deep = { a: deep, b: deep === 1 ? 2 : 0 }
    expect(filterPaths(deep, `${'**.a.'.repeat(40)}zz`)).toEqual({})
    expect(filterPaths({ [`${'a'.repeat(2000)}`]: 1 }, `${'a*'.repeat(500)}b`)).toEqual({})
  })

  it('takes time in proportion to what is named, however many stars there are', () => {
    let deep: unknown = 1
    for (let i = 0; i < 12; i++) deep = { a: deep, b: deep === 1 ? 2 : {} }
    const wide = Array.from({ length: 100 }, () => deep)
    const started = performance.now()
    expect(filterPaths(wide, `${'**.'.repeat(4000)}x`)).toEqual({})
    expect(filterPaths({ deep }, `${'**.'.repeat(4000)}b`)).toEqual(filterPaths({ deep }, '**.b'))
    const many = Array.from({ length: 250 }, (_, n) => `${'**.*.'.repeat(11)}x${n}`)
    expect(filterPaths(wide.slice(0, 10), many.join(','))).toEqual({})
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('goes through long bodies in parts, and into what has to be opened first', () => {
    class Sealed {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
    }
    const look = (value: object) => (value instanceof Sealed ? (JSON.parse(value.text) as object) : value)
    const hits = Array.from({ length: 2000 }, (_, n) => ({
      n,
      source: new Sealed(`{"a":${n},"b":[1,{"c":2}]}`),
    }))
    const partsOf = (paths: string) => {
      const work = filterInParts({ hits, gone: undefined, map: new Map([['x', 1]]) }, paths, look)
      for (let parts = 1; ; parts++) {
        const { done, value } = work.next()
        if (done) return { parts, value }
      }
    }
    const some = partsOf('hits.source.b.c,map')
    expect(some.value).toEqual({
      hits: hits.map(() => ({ source: { b: [{ c: 2 }] } })),
      map: new Map([['x', 1]]),
    })
    expect(some.parts).toBeGreaterThan(50)
    expect(partsOf('-hits.source.b,-map.x,-gone.x').value).toEqual({
      hits: hits.map(({ n }) => ({ n, source: { a: n } })),
    })
    // What is wanted whole is not opened.
    expect((partsOf('hits.source').value as typeof body & { hits: unknown[] }).hits[7]).toEqual({
      source: hits[7]!.source,
    })
    expect(partsOf('gone').value).toEqual({})
  })
})
