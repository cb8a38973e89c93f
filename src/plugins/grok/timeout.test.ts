import { describe, expect, it } from 'vitest'
import type { Fields } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import grok from '../filters/grok.ts'

async function run(fields: Fields, options: TestOptions) {
  const created = filterFor(grok, options)
  const [event] = await created.filter([testEvent(fields)])
  const { counts, logger } = created.environment
  return { event: event!, counts: Object.fromEntries(counts), logger }
}

describe('a search that takes too long', () => {
  /** Doubles its ways with every letter; no rewriting makes it quick. */
  const endless = '^(?<x>(?:a|a|b)+)+c'
  const text = `${'a'.repeat(3000)}!c`

  it('ends with a tag, a line in the log and nothing else', async () => {
    const match = { message: ['(?<first>a)(?<!a)', endless, '%{WORD:w}'], other: '(?<o>.)' }
    const options = { match, timeout_millis: 20, add_tag: ['ok'] }
    const { event, counts, logger } = await run({ message: text, other: 'o' }, options)
    expect(event.get('tags')).toEqual(['_groktimeout'])
    expect(event.get('w')).toBeUndefined()
    expect(event.get('o')).toBeUndefined()
    expect(counts).toEqual({ timeouts: 1, 'ext.patterns.0.misses': 1 })
    expect(logger.messages('warn')).toEqual([
      `Timeout executing grok '${endless}' against field 'message' with value 'Value too large to output (3002 bytes)! First 255 chars are: ${'a'.repeat(256)}'!`,
    ])
  })

  it('shows a short value whole, and tags as it is told', async () => {
    const options = { match: { '[a][b]': '^(?<x>(?:a|a|b)+)+c' }, timeout_millis: 5, tag_on_timeout: 'slow' }
    const value = `${'a'.repeat(100)}é!c`
    const { event, logger } = await run({ a: { b: value } }, options)
    expect(event.get('tags')).toEqual(['slow'])
    expect(logger.messages('warn')).toEqual([
      `Timeout executing grok '^(?<x>(?:a|a|b)+)+c' against field '[a][b]' with value '${value}'!`,
    ])
  })

  it('counts characters, and bytes, as Ruby does', async () => {
    const value = `${'a'.repeat(40)}!c${'🙂'.repeat(213)}`
    const { logger } = await run({ message: value }, { match: { message: endless }, timeout_millis: 5 })
    expect(logger.messages('warn')[0]).toContain(`with value '${value}'!`)
    const longer = await run({ message: `${value}🙂é` }, { match: { message: endless }, timeout_millis: 5 })
    expect(longer.logger.messages('warn')[0]).toContain(
      `'Value too large to output (${42 + 214 * 4 + 2} bytes)! First 255 chars are: ${value}🙂'!`,
    )
  })

  it('shares its time with the others of the event when the scope says so', async () => {
    const shared = { timeout_millis: 30, timeout_scope: 'event' }
    const { event, counts } = await run(
      { message: text },
      { match: { message: [endless, '%{WORD:w}'] }, ...shared },
    )
    expect(event.get('tags')).toEqual(['_groktimeout'])
    expect(counts).toEqual({ timeouts: 1 })
    const quick = await run({ message: 'x 1' }, { match: { message: [endless, '%{INT:n}'] }, ...shared })
    expect(quick.event.get('n')).toBe('1')
  })

  it('does not touch the next event', async () => {
    const options = { match: { message: endless }, timeout_millis: 20 }
    const [first, second] = await runFilter(grok, options, [{ message: text }, { message: 'aac' }])
    expect(first!['tags']).toEqual(['_groktimeout'])
    expect(second).toEqual({ message: 'aac', x: 'aa' })
  })
})
