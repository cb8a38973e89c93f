import { describe, expect, it } from 'vitest'
import { placeAt } from './completion-place.ts'
import { completionsAt, inserted, type PluginReference } from './completions.ts'

const option = { list: false, required: false, doc: 'What it does.' }
const reference: PluginReference = {
  names: async (type) => (type === 'codec' ? ['json', 'json_lines'] : ['file', 'beats', 'generator']),
  declared: async (type, name) =>
    type === 'input' && name === 'file'
      ? {
          summary: 'Reads files.',
          options: [
            { ...option, name: 'mode', kind: 'one_of', values: ['tail', 'read'], default: '"tail"' },
            { ...option, name: 'codec', kind: 'codec' },
            { ...option, name: 'path', kind: 'string', list: true, required: true },
            { ...option, name: 'check_archive_validity', kind: 'boolean', default: 'false' },
          ],
        }
      : undefined,
}

async function offered(text: string): Promise<string[]> {
  const place = placeAt(text)
  return place === undefined ? [] : (await completionsAt(place, reference)).map(({ name }) => name)
}

describe('completions', () => {
  it.each([
    ['', ['input', 'filter', 'output']],
    ['in', ['input']],
    ['input { ', ['file', 'beats', 'generator']],
    ['input { e', ['file', 'beats', 'generator']],
    ['filter { if [a] { } e', ['else', 'else if', 'file', 'beats', 'generator']],
    ['input { file { ', ['path', 'mode', 'codec', 'check_archive_validity']],
    ['input { file { path => ["a"] mo', ['mode']],
    ['input { file { mode => ', ['tail', 'read']],
    ['input { file { check_archive_validity => t', ['true']],
    ['input { file { codec => json', ['json', 'json_lines']],
    ['input { unknown { ', []],
    ['input { file { path => "', []],
  ])('after %s', async (text, names) => {
    expect(await offered(text)).toEqual(names)
  })

  it('write what belongs around a value, and leave the caret in it', async () => {
    const [path] = await completionsAt(placeAt('input { file { pa')!, reference)
    expect([inserted(path!, '    '), path?.note]).toEqual([
      { text: 'path => [""]', caret: 10 },
      'string list, required',
    ])
    const [file] = await completionsAt(placeAt('input {\n  fi')!, reference)
    expect(inserted(file!, '  ')).toEqual({ text: 'file {\n    \n  }', caret: 11 })
    const [tail] = await completionsAt(placeAt('input { file { mode => ta')!, reference)
    expect([inserted(tail!, ''), tail?.note]).toEqual([{ text: '"tail"', caret: 6 }, 'default'])
  })
})
