import { describe, expect, it } from 'vitest'
import { Progress } from './progress.ts'

function kept(isTTY: boolean) {
  const texts: string[] = []
  return { texts, write: (text: string) => texts.push(text), isTTY, columns: 80 }
}

describe('progress', () => {
  it('is a bar with the time left on a terminal', () => {
    const target = kept(true)
    let now = 0
    const progress = new Progress({ title: 'repair', unit: 'events', total: 100, target, clock: () => now })
    now = 500
    progress.add(10)
    expect(target.texts).toEqual([])
    now = 2000
    progress.add(40)
    expect(target.texts[0]).toContain('[████████████············] 50 % of 100 events, 2 s left')
    progress.end()
    expect(target.texts.at(-1)).toBe('\r\u001b[K')
  })

  it('is a plain line now and then elsewhere', () => {
    const target = kept(false)
    let now = 0
    const progress = new Progress({ title: 'import', unit: 'events', target, clock: () => now })
    for (; now < 25_000; now += 1000) progress.add(1000)
    progress.end()
    expect(target.texts).toEqual(['import: 11,000 events\n', 'import: 21,000 events\n'])
  })
})
