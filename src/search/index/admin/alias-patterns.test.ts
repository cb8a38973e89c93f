import { expect, it, vi } from 'vitest'
import { startTestNode } from '../../../api/search/testing.ts'

const compared = vi.hoisted(() => ({ count: 0 }))

vi.mock('../../request/simple-match.ts', async (original) => {
  const { isPattern, simpleMatch } = await original<typeof import('../../request/simple-match.ts')>()
  return {
    isPattern,
    simpleMatch: (pattern: string, text: string) => {
      compared.count++
      return simpleMatch(pattern, text)
    },
  }
})

const numbers = Array.from({ length: 500 }, (_, at) => at)

it('compares an alias with the few of many patterns that it may match', async () => {
  const node = await startTestNode()
  try {
    const aliases = Object.fromEntries(numbers.map((at) => [`alias_${at}`, {}]))
    await node.ask('PUT', '/logs', { aliases })
    compared.count = 0
    const patterns = numbers.map((at) => `a*s_${at}x*`)
    for (const path of ['/_alias', '/_resolve/index', '/_cat/aliases'])
      expect((await node.ask('GET', `${path}/${patterns.join(',')}`)).status).toBe(200)
    const remove = { index: 'logs', aliases: [...patterns, 'a*s_49*'], must_exist: false }
    expect((await node.ask('POST', '/_aliases', { actions: [{ remove }] })).status).toBe(200)
    const left = await node.ask('GET', '/logs/_alias')
    expect(Object.keys(left.at('logs.aliases') as object)).toEqual(
      Object.keys(aliases).filter((name) => !name.startsWith('alias_49')),
    )
    // Each with each would be a million in the four requests; the first patterns are compared with all.
    expect(compared.count).toBeLessThan(300_000)
  } finally {
    await node.close()
  }
})
