import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, testEvent } from '../../plugin/testing.ts'
import prune from './prune.ts'

describe('prune', () => {
  it('keeps what the whitelist names, the reserved fields not among them', async () => {
    const [fields] = await runFilter(prune, { whitelist_names: ['^first', 'name$'] }, [
      { firstname: 'a', lastname: 'b', middle: 'c', tags: ['t'], '@version': '1' },
    ])
    expect(fields).toEqual({ firstname: 'a', lastname: 'b' })
  })

  it('keeps the time and the version only if the whitelist names them', async () => {
    const names = async (whitelist_names: string[]) => {
      const [event] = await filterFor(prune, { whitelist_names }).filter([testEvent({ a: 1 })])
      return Object.keys(event!.toHash()).sort()
    }
    expect(await names(['^a$'])).toEqual(['a'])
    expect(await names(['^a$', '^@'])).toEqual(['@timestamp', '@version', 'a'])
  })

  it('removes names with placeholders left, unless there is another blacklist', async () => {
    const fields = { '%{none}': 1, 'x_%{[a][b]}': 2, '%{}': 3, '100%': 4 }
    expect(await runFilter(prune, {}, [fields])).toEqual([{ '%{}': 3, '100%': 4 }])
    expect(await runFilter(prune, { blacklist_names: ['^1'] }, [fields])).toEqual([
      { '%{none}': 1, 'x_%{[a][b]}': 2, '%{}': 3 },
    ])
  })

  it('removes what the blacklist names', async () => {
    expect(await runFilter(prune, { blacklist_names: ['^a', 'z'] }, [{ ab: 1, ba: 2, xyz: 3 }])).toEqual([
      { ba: 2 },
    ])
  })

  it('looks at the top of the event only, at names as they are', async () => {
    const fields = { n: { a: 1 }, '[x][y]': 2 }
    expect(await runFilter(prune, { blacklist_names: ['^a', '^\\[x'] }, [fields])).toEqual([{ n: { a: 1 } }])
  })

  it('chooses by values', async () => {
    const options = { whitelist_values: { a: '^x', list: '^x', none: 'x', n: '^5' } }
    const events = [
      { a: 'xa', list: ['x', 'y', 'xz'], n: 5 },
      { a: 'b', list: ['y'], n: 7 },
    ]
    expect(await runFilter(prune, options, events)).toEqual([{ a: 'xa', list: ['x', 'xz'], n: 5 }, {}])
    expect(await runFilter(prune, { blacklist_values: { a: '^x' } }, [{ a: 'xa' }, { a: 'b' }])).toEqual([
      {},
      { a: 'b' },
    ])
  })

  it('fills in names and expressions when asked', async () => {
    const fields = { which: 'a', a: 1, b: 2 }
    expect(await runFilter(prune, { interpolate: true, blacklist_names: ['^%{which}$'] }, [fields])).toEqual([
      { which: 'a', b: 2 },
    ])
    expect(
      await runFilter(prune, { interpolate: true, blacklist_values: { '%{which}': '1' } }, [fields]),
    ).toEqual([{ which: 'a', b: 2 }])
  })

  it('matches always', async () => {
    expect(await runFilter(prune, { add_tag: ['ok'] }, [{ a: 1 }])).toEqual([{ a: 1, tags: ['ok'] }])
  })
})
