import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineCodec, defineFilter, option } from '../define.ts'
import type { PluginSource } from '../registry.ts'
import { commonOptionsPage, indexPage, referencePage } from './reference.ts'
import { referencePages, stalePages, writePages } from './reference-folder.ts'

const truncate = defineFilter({
  name: 'truncate',
  summary: 'Cuts field values that are longer than a byte limit.',
  options: {
    length_bytes: option.number({ required: true, doc: 'Longest value to keep.', aliases: ['length'] }),
    fields: option.list(option.fieldReference({ doc: 'x.' }), {
      default: ['message'],
      doc: 'Fields to cut.',
    }),
    mode: option.oneOf(['head', 'a|b'], { default: 'head', doc: 'What to keep.' }),
    old: option.string({ doc: 'Old.', deprecated: 'Use `mode`.' }),
  },
  metrics: { truncated: 'Values that were cut.' },
  examples: [
    {
      title: 'Keep it short',
      config: 'truncate { length_bytes => 5 }',
      in: { message: 'hello!' },
      out: { message: 'hello' },
    },
    { title: 'Nothing left', config: 'truncate { length_bytes => 0 }', in: { message: 'x' }, out: [] },
  ],
  create: () => ({}),
})

test('page of a filter', () => {
  expect(referencePage(truncate)).toBe(`# truncate filter

Cuts field values that are longer than a byte limit.

\`\`\`
filter {
  truncate {
    length_bytes => …
  }
}
\`\`\`

## Options

| option | type | default | required | |
|---|---|---|---|---|
| [length_bytes](#length_bytes) | number |  | yes |  |
| [fields](#fields) | list of field reference | \`["message"]\` |  |  |
| [mode](#mode) | one of \`"head"\`, \`"a\\|b"\` | \`"head"\` |  |  |
| [old](#old) | string |  |  | deprecated |

Options that every filter has are described in [common options](common-options.md).

### length_bytes

Type: number. Required. Also accepted as \`length\`.

Longest value to keep.

### fields

Type: list of field reference. Default: \`["message"]\`.

Fields to cut.

### mode

Type: one of \`"head"\`, \`"a|b"\`. Default: \`"head"\`.

What to keep.

### old

Type: string.

Old.

Deprecated: Use \`mode\`.

## Metrics

| metric | meaning |
|---|---|
| \`truncated\` | Values that were cut. |

## Examples

### Keep it short

\`\`\`
truncate { length_bytes => 5 }
\`\`\`

The event

\`\`\`json
{
  "message": "hello!"
}
\`\`\`

comes out as

\`\`\`json
{
  "message": "hello"
}
\`\`\`

### Nothing left

\`\`\`
truncate { length_bytes => 0 }
\`\`\`

The event

\`\`\`json
{
  "message": "x"
}
\`\`\`

No event comes out.
`)
})

test('page of a codec, with backticks in its example', () => {
  const page = referencePage(
    defineCodec({
      name: 'ticks',
      summary: 'x.',
      options: {},
      examples: [{ title: 'Ticks', config: 'ticks', decode: { text: '```', out: [{ message: '```' }] } }],
      create: () => ({}),
    }),
  )
  expect(page).toContain('````\n```\n````')
  expect(page).toContain('```\ncodec => ticks\n```')
  expect(page).toContain('This plugin has no options of its own.')
})

test('page of the common options has no obsolete ones', () => {
  const page = commonOptionsPage('filter')
  expect(page).toContain('### add_field')
  expect(page).toContain('| [ecs_compatibility](#ecs_compatibility) | one of `disabled`, `v1`, `v8` |')
  expect(page).not.toContain('exclude_tags')
})

test('index', () => {
  expect(indexPage([{ type: 'filter', name: 'truncate', summary: 'Cuts | things.', rows: 3 }])).toContain(
    '## Filters\n\n| plugin | what it does | rows |\n|---|---|---|\n| [truncate](filters/truncate.md) | Cuts \\| things. | 3 |',
  )
})

test('the folder of pages: written, stale, left over', async () => {
  const catalogue: PluginSource = {
    names: (type) => (type === 'filter' ? ['truncate'] : []),
    load: async () => truncate,
  }
  const folder = await mkdtemp(join(tmpdir(), 'reference-'))
  try {
    const pages = await referencePages(catalogue, folder)
    expect([...pages.keys()].sort()).toEqual([
      'README.md',
      'codecs/common-options.md',
      'filters/common-options.md',
      'filters/truncate.md',
      'inputs/common-options.md',
      'outputs/common-options.md',
    ])
    expect(await stalePages(folder, pages)).toHaveLength(6)
    await writePages(folder, pages)
    expect(await stalePages(folder, pages)).toEqual([])
    await writeFile(join(folder, 'filters/truncate.md'), 'changed')
    await writeFile(join(folder, 'filters/gone.md'), 'of a plugin that is no more')
    expect(await stalePages(folder, pages)).toEqual(['filters/gone.md', 'filters/truncate.md'])
    await writePages(folder, pages)
    expect(await stalePages(folder, pages)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
