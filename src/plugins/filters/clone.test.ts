import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, testEvent } from '../../plugin/testing.ts'
import clone from './clone.ts'

describe('clone', () => {
  it('names copies by type in legacy mode, and they follow their original', async () => {
    const options = { clones: ['clone', 'other'], ecs_compatibility: 'disabled' }
    expect(await runFilter(clone, options, [{ n: 1, type: 'original' }, { n: 2 }])).toEqual([
      { n: 1, type: 'original' },
      { n: 1, type: 'clone' },
      { n: 1, type: 'other' },
      { n: 2 },
      { n: 2, type: 'clone' },
      { n: 2, type: 'other' },
    ])
  })

  it('names copies by a tag in ECS mode', async () => {
    const options = { clones: ['x'], ecs_compatibility: 'v8' }
    const events = [{ n: 1 }, { n: 2, tags: ['x'] }, { n: 3, tags: 'a' }]
    expect(await runFilter(clone, options, events)).toEqual([
      { n: 1 },
      { n: 1, tags: ['x'] },
      { n: 2, tags: ['x'] },
      { n: 2, tags: ['x', 'x'] },
      { n: 3, tags: 'a' },
      { n: 3, tags: ['a', 'x'] },
    ])
  })

  it('decorates the copies only', async () => {
    const options = {
      clones: ['c1', 'c2'],
      add_tag: ['RABBIT', 'NO_ES'],
      remove_tag: ['TESTLOG'],
      ecs_compatibility: 'disabled',
    }
    expect(await runFilter(clone, options, [{ type: 'nginx', tags: ['TESTLOG'] }])).toEqual([
      { type: 'nginx', tags: ['TESTLOG'] },
      { type: 'c1', tags: ['RABBIT', 'NO_ES'] },
      { type: 'c2', tags: ['RABBIT', 'NO_ES'] },
    ])
  })

  it('copies deeply, metadata and odd names too', async () => {
    const { filter } = filterFor(clone, { clones: ['c'], ecs_compatibility: 'disabled' })
    const fields = JSON.parse('{"a":{"__proto__":{"constructor":1}},"@metadata":{"m":{"x":1}}}')
    const [original, copy] = await filter([testEvent(fields)])
    original!.set('[a][__proto__][constructor]', 2)
    original!.set('[@metadata][m][x]', 2)
    expect(copy!.get('[a][__proto__][constructor]')).toBe(1)
    expect(copy!.get('[@metadata][m][x]')).toBe(1)
  })

  it('warns when there is nothing to do', async () => {
    const { instance, environment, filter } = filterFor(clone, { clones: [] })
    await instance.register?.()
    expect(environment.logger.messages('warn')).toEqual([
      "The parameter 'clones' is empty, so no clones will be created.",
    ])
    expect(await filter([testEvent({})])).toHaveLength(1)
  })

  it('needs names', () => {
    expect(() => filterFor(clone, {})).toThrow()
  })
})
