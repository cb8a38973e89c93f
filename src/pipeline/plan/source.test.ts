import { describe, expect, it } from 'vitest'
import type { BranchNode } from '../../lang/ast.ts'
import { parse } from '../../lang/parser.ts'
import { pipelineHash, sourceId, vertexIds } from './source.ts'

// Observed on Logstash for this very text given with -e.
const text =
  'input { stdin { } }\nfilter {\n  if [a] == "x" {\n    mutate { }\n  }\n}\noutput { stdout { } }\n'

describe('ids', () => {
  it('are those Logstash generates', () => {
    const part = { protocol: 'string', id: 'config_string', text }
    const { sections } = parse(text)
    const branch = sections[1]!.body[0] as BranchNode
    const places = [
      sections[0]!.body[0]!,
      branch.cases[0]!.condition,
      branch.cases[0]!.body[0]!,
      sections[2]!.body[0]!,
    ]
    expect(vertexIds(places.map(({ place }) => sourceId(part, place)))).toEqual([
      'cef31f6ef737b8b20e15125309d9f72468013d384240d2935ba6d4ed35ca3575',
      '7dfcbebb2ef8fbb16fcc9da7fef171c5fd512aa27853117c2c750f9d1a990cf0',
      '9d874515cfb67376ddfbdc46ad7ade0bb02c540c16f413566d0ba30a9a4b8f7e',
      'bf1831398fb7f00abcc97e7d648ad1482187b833363b2eb99ca4d6a18b01f384',
    ])
  })

  it('come with the hash of the whole text', () => {
    expect(pipelineHash([{ protocol: 'string', id: 'config_string', text }])).toMatch(
      /^5008a492[0-9a-f]*d678$/,
    )
  })
})
