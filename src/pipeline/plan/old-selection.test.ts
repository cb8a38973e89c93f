import { describe, expect, it } from 'vitest'
import { eventOf, openPipeline } from '../../../test/support/in-process.ts'

const events = ['{"n":1,"type":"a"}', '{"n":2,"type":"b"}', '{"n":3,"type":"a"}', '{"n":4}']

async function changed(options: string): Promise<unknown[]> {
  const pipeline = await openPipeline(`mutate { ${options} replace => { "hit" => "1" } }`)
  const out = await pipeline.run(events.map(eventOf))
  expect(out).toHaveLength(events.length)
  return out.filter((event) => event.get('hit') === '1').map((event) => event.get('n'))
}

describe('type of filters', () => {
  it.each([
    ['', [1, 2, 3, 4]],
    ['type => "a"', [1, 3]],
    ['type => "b"', [2]],
    [`type => 'with "quotes"'`, []],
  ])('%s', async (options, expected) => {
    expect(await changed(options)).toEqual(expected)
  })

  it('is no longer there with --strict', async () => {
    await expect(openPipeline('mutate { type => "a" }', { 'compat.strict': true })).rejects.toThrow(
      /^The setting `type` in plugin `mutate` is obsolete/,
    )
  })

  it.each(['tags', 'exclude_tags'])('%s is refused', async (option) => {
    await expect(openPipeline(`mutate { ${option} => "a" }`)).rejects.toThrow(
      `The setting \`${option}\` in plugin \`mutate\` is obsolete`,
    )
  })
})
