/** Delivery to the store of this process, which says when trying again would not help. */
import { describe, expect, it } from 'vitest'
import { Event } from '../../../event/event.ts'
import { recordingLogger } from '../../../plugin/testing.ts'
import type { BulkAction } from './bulk-actions.ts'
import { Delivery } from './delivery.ts'
import { millraceProduct } from './settings.ts'
import { StoreClient } from './store-client.ts'

type Reply = { readonly status: number; readonly body: string }

/** What was refused, after the events went to a store that answers as told. */
async function refusedBy(reply: (documents: readonly string[]) => Reply, texts: readonly string[]) {
  const refused: unknown[] = []
  const stop = new AbortController()
  const store = {
    port: 1,
    request: async (_method: string, _path: string, body?: Uint8Array) =>
      reply(
        Buffer.from(body ?? [])
          .toString()
          .split('\n')
          .filter((line) => line.startsWith('{"m"')),
      ),
  }
  const delivery = new Delivery({
    client: new StoreClient(store, stop.signal),
    product: millraceProduct,
    bulkPath: '_bulk',
    initialSeconds: 0,
    maxSeconds: 0,
    hopeless: new Set([400, 404]),
    droppedErrors: new Set(),
    silencedErrors: new Set(),
    logger: recordingLogger(),
    deadLetter: (event) => refused.push(event.get('m')) > 0,
    metric: () => ({ increment: () => {} }) as never,
  })
  const toAction = (): BulkAction => ({
    name: 'index',
    line: '{"index":{"_index":"i"}}',
    isMinted: false,
    document: (event) => JSON.stringify({ m: event.get('m') }),
  })
  const delivered = delivery.deliver(
    texts.map((m) => new Event({ m })),
    toAction,
  )
  const limit = setTimeout(() => stop.abort(new Error('tried again and again')), 2000)
  await delivered.finally(() => clearTimeout(limit))
  return refused
}

const error = { type: 'circuit_breaking_exception', reason: 'too large', durability: 'PERMANENT' }
const isLarge = (document: string) => document.includes('large')

describe('a store that will never have memory for an event', () => {
  it('is not asked again for a single item', async () => {
    const refused = await refusedBy(
      (documents) => ({
        status: 200,
        body: JSON.stringify({
          errors: documents.some(isLarge),
          items: documents.map((one) => ({
            index: isLarge(one) ? { status: 429, error } : { status: 201 },
          })),
        }),
      }),
      ['small', 'large', 'other'],
    )
    expect(refused).toEqual(['large'])
  })

  it('gets the others in smaller requests when it refuses all together', async () => {
    const refused = await refusedBy(
      (documents) =>
        documents.some(isLarge)
          ? { status: 429, body: JSON.stringify({ error, status: 429 }) }
          : { status: 200, body: '{"errors":false,"items":[]}' },
      ['small', 'large', 'other'],
    )
    expect(refused).toEqual(['large'])
  })
})
