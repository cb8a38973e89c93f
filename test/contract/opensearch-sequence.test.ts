/**
 * Requests with the answers that a real OpenSearch 3.8 gave, asked of Millrace in the same order: JSON syntax errors,
 * refused queries and aggregations, joins of parents and children, stored queries, templates, data streams, pipelines,
 * scripts, settings, how queries are printed. Recorded with the tools of test/extra/oracle; what no two nodes
 * agree on is left out of the comparison.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startEndpoint } from '../../src/endpoint.ts'
import { differenceOf } from '../extra/oracle/compare.ts'
import { ask } from '../extra/oracle/nodes.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly status: number
  readonly answer: string
}

it.each([
  ['opensearch-sequence.json', 250],
  ['opensearch-join.json', 300],
  ['opensearch-percolate.json', 90],
])(
  'answers every request of %s as OpenSearch 3.8 does',
  async (file, least) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    const recorded = JSON.parse(text) as readonly Recorded[]
    const endpoint = await startEndpoint({ flavor: 'opensearch', strict: true })
    const wrong: unknown[] = []
    try {
      for (const { method, path, body, status, answer } of recorded) {
        const ours = await ask(endpoint.url, { method, path, body })
        const difference = differenceOf(ours, { status, text: answer })
        if (difference !== undefined && !difference.isForm)
          wrong.push({ request: `${method} ${path} ${body}`, ...difference })
      }
    } finally {
      await endpoint.stop()
    }
    expect(recorded.length).toBeGreaterThan(least)
    expect(wrong).toEqual([])
  },
  120_000,
)
