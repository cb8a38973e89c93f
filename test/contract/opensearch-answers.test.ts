/**
 * Answers that a real OpenSearch 3.8 gave, beside ours: one request for each difference that was found and mended.
 * `test/extra/oracle/record.ts` records them.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../src/endpoint.ts'
import { differenceOf } from '../extra/oracle/compare.ts'
import { loadDocuments } from '../extra/oracle/load.ts'
import { ask } from '../extra/oracle/nodes.ts'

type Recorded = [method: string, path: string, body: string | null, status: number, text: string]

const recorded = JSON.parse(
  readFileSync(new URL('./opensearch-answers.json', import.meta.url), 'utf8'),
) as Recorded[]

let endpoint: Endpoint
beforeAll(async () => {
  endpoint = await startEndpoint({ flavor: 'opensearch', strict: true })
  await loadDocuments(endpoint.url)
})
afterAll(async () => {
  await endpoint.stop()
})

describe('answers as OpenSearch gives them', () => {
  it.each(recorded)('%s %s %s', async (method, path, body, status, text) => {
    const ours = await ask(endpoint.url, { method, path, ...(body !== null && { body }) })
    const difference = differenceOf(ours, { status, text })
    expect(difference?.isForm === true ? undefined : difference).toBeUndefined()
  })
})
