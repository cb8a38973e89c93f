import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { yamlAsJson } from './yaml-body.ts'

const read = async (text: string) => JSON.parse((await yamlAsJson(Buffer.from(text))).toString())

describe('a body in YAML', () => {
  it('becomes the JSON it means', async () => {
    const text =
      'query:\n  match: { title: "a b" }\nsize: 3\nids: &ids [1, x]\nsame: *ids\n__proto__: { a: 1 }\n'
    expect(await yamlAsJson(Buffer.from(text)).then(String)).toBe(
      '{"query":{"match":{"title":"a b"}},"size":3,"ids":[1,"x"],"same":[1,"x"],"__proto__":{"a":1}}',
    )
    expect(await read('# nothing\n')).toBeNull()
  })

  it.each([
    ['a: 1\nb: 2\na: 3', 'json_parse_exception', "Duplicate field 'a'\n at [line: 3, column: 1]"],
    ['a: [1', 'marked_y_a_m_l_exception', /at \[line: 1, column: \d\]/],
    ['a: *b', 'jackson_y_a_m_l_parse_exception', /alias/],
    ['a: 1\n---\nb: 2', 'marked_y_a_m_l_exception', /single document/],
    ['- '.repeat(20_000), 'marked_y_a_m_l_exception', /^Nesting Depth exceeded max 50/],
    ['{a: '.repeat(20_000), 'marked_y_a_m_l_exception', /^Nesting Depth exceeded max 50/],
    [
      'x'.repeat(3 * 1024 * 1024 + 1),
      'jackson_y_a_m_l_parse_exception',
      /exceeds the limit: 3145728 code points/,
    ],
  ])('is refused with what is wrong: %.20s', async (text, type, message) => {
    await expect(read(text)).rejects.toMatchObject({ type, status: 400 })
    await expect(read(text)).rejects.toThrow(message)
  })

  it('is refused when its aliases double again and again', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const before = `*a${level - 1}, `.repeat(9)
      return `a${level}: &a${level} [${level === 0 ? 'x' : before}]`
    })
    await expect(read(levels.join('\n'))).rejects.toMatchObject({
      type: 'jackson_y_a_m_l_parse_exception',
      status: 400,
    })
  })

  it('is refused with more tokens than there is memory for', async () => {
    await expect(read(`[${'a,'.repeat(400_000)}]`)).rejects.toMatchObject({
      type: 'circuit_breaking_exception',
      status: 429,
    })
  })

  it('does not keep others waiting, however many names it has', async () => {
    await read('a: 1')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const names = Array.from({ length: 40_000 }, (_, i) => `name${i}: ${i}`)
    expect(Object.keys(await read(names.join('\n')))).toHaveLength(40_000)
    delay.disable()
    // Comparing each name with all before it took 20 seconds.
    expect(delay.max / 1e6).toBeLessThan(2000)
  })
})
