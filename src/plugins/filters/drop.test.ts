import { describe, expect, it, vi } from 'vitest'
import { runFilter } from '../../plugin/testing.ts'
import drop from './drop.ts'

describe('drop', () => {
  it('drops every event', async () => {
    expect(await runFilter(drop, {}, [{ a: 1 }, { a: 2 }])).toEqual([])
  })

  it('drops a share by chance and never decorates', async () => {
    const random = vi.spyOn(Math, 'random')
    try {
      for (const chance of [0.39, 0.4, 0.99]) random.mockReturnValueOnce(chance)
      const events = [{ n: 1 }, { n: 2 }, { n: 3 }]
      expect(await runFilter(drop, { percentage: 40, add_tag: ['kept'] }, events)).toEqual([
        { n: 2 },
        { n: 3 },
      ])
    } finally {
      random.mockRestore()
    }
  })

  it('drops nothing at 0', async () => {
    expect(await runFilter(drop, { percentage: 0 }, [{ n: 1 }])).toEqual([{ n: 1 }])
  })
})
