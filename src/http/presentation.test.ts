import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formatOf, presented } from './presentation.ts'
import { Query } from './query.ts'
import { json, text } from './respond.ts'

const asked = (query: string, accept?: string) => ({
  query: new Query(query),
  headers: accept === undefined ? {} : { accept },
})

describe('the format of a reply', () => {
  it('is JSON unless the parameter or the header says YAML, and the parameter wins', () => {
    expect(formatOf(asked(''))).toBe('json')
    expect(formatOf(asked('format=yaml'))).toBe('yaml')
    expect(formatOf(asked('format=json', 'application/yaml'))).toBe('json')
    expect(formatOf(asked('', 'application/yaml'))).toBe('yaml')
    expect(formatOf(asked('', 'application/yaml;q=0.5, application/json'))).toBe('json')
    expect(formatOf(asked('', 'text/html, application/yaml;q=0.9, */*;q=0.1'))).toBe('yaml')
    expect(() => formatOf(asked('format=xml'))).toThrow('Unsupported format [xml]')
  })

  it('changes nothing but the text', async () => {
    const value = {
      version: '9.5.2',
      number: '12',
      yes: 'yes',
      time: '2026-01-02T03:04:05.678Z',
      nothing: null,
      none: {},
      list: [{ id: 'a', count: 1 }],
      large: 1_700_000_000_000,
    }
    const reply = await presented(json(value), asked('format=yaml&pretty'))
    expect(reply.type).toBe('application/yaml')
    const { text: yaml } = reply.content as { text: string }
    expect(yaml.startsWith('---\n')).toBe(true)
    expect(parse(yaml)).toEqual(value)
    expect(parse(yaml, { version: '1.1' })).toEqual(value)
    expect(yaml).toContain('number: "12"')
    expect(yaml).toContain('"yes": "yes"')
    expect(yaml).toContain('nothing: null')
    expect(yaml).toContain('list:\n  - id: a\n    count: 1\n')
  })

  it('applies to errors, which are never filtered, and not to texts', async () => {
    const error = await presented(json({ status: 404 }, 404), asked('format=yaml&filter_path=x'))
    expect([error.status, error.content]).toEqual([404, { text: '---\nstatus: 404\n' }])
    const bad = await presented(json({ status: 400 }, 400), asked('format=xml'))
    expect(bad.content).toEqual({ json: { status: 400 } })
    expect((await presented(text('x'), asked('format=yaml'))).content).toEqual({ text: 'x' })
    expect((await presented(json({ a: 1, b: 2 }), asked('filter_path=b'))).content).toEqual({
      json: { b: 2 },
    })
  })
})
