/**
 * Writes documents into the target in bulk requests of bounded size. A document comes with the version it has at the
 * source (`external_gte`): a batch that is sent again changes nothing, and nothing newer is overwritten. A data stream
 * takes only `create`. Items that were refused because the target is busy are sent again; other refusals are counted and
 * the first ones told.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { StoredDocument } from './raw-hits.ts'
import { Refusal, type SearchStore } from './search-store.ts'

export interface WriteFailure {
  readonly index: string
  readonly id: string
  readonly reason: string
}

/** What a bulk request came to. */
interface WriteOutcome {
  readonly written: number
  /** The target has the same or a newer version, or, in a data stream, has the document. */
  readonly conflicts: readonly StoredDocument[]
  readonly failures: readonly WriteFailure[]
}

interface Operation {
  readonly lines: string
  readonly document: StoredDocument
}

interface Item {
  readonly _index: string
  readonly _id: string
  readonly status: number
  readonly error?: { readonly reason?: string; readonly caused_by?: { readonly reason?: string } }
}

const maxBulkBytes = 8 * 1024 * 1024
const maxBulkItems = 1000
const firstPause = 200
const maxPause = 10_000
const maxRounds = 60

export async function writeDocuments(
  target: SearchStore,
  name: string,
  isStream: boolean,
  documents: readonly StoredDocument[],
): Promise<WriteOutcome> {
  return perform(target, documents, (document) => {
    const place = placeOf(document, name)
    const { version, source } = document
    const action = isStream
      ? { create: place }
      : { index: { ...place, version, version_type: 'external_gte' } }
    // A line of its own: outside of strings a line break is a blank, inside of them there is none.
    return `${JSON.stringify(action)}\n${source.replace(/[\r\n]+/g, ' ')}\n`
  })
}

/** Deletes documents of the target, as they were seen there, from the indices they were seen in. */
export async function deleteDocuments(
  target: SearchStore,
  documents: readonly StoredDocument[],
): Promise<WriteOutcome> {
  return perform(target, documents, (document) => {
    const place = placeOf(document, document.index)
    const action = { delete: { ...place, version: document.version, version_type: 'external_gte' } }
    return `${JSON.stringify(action)}\n`
  })
}

function placeOf({ id, routing }: StoredDocument, index: string) {
  return { _index: index, _id: id, ...(routing !== undefined && { routing }) }
}

async function perform(
  target: SearchStore,
  documents: readonly StoredDocument[],
  linesOf: (document: StoredDocument) => string,
): Promise<WriteOutcome> {
  const operations = documents.map((document) => ({ document, lines: linesOf(document) }))
  let written = 0
  const conflicts: StoredDocument[] = []
  const failures: WriteFailure[] = []
  for (const bulk of bulksOf(operations)) {
    let left = bulk
    for (let pause = firstPause, round = 0; left.length > 0; pause = Math.min(pause * 2, maxPause), round++) {
      if (round > 0) await wait(pause)
      const items = await send(target, left)
      const again: Operation[] = []
      for (const [place, operation] of left.entries()) {
        const { _index, _id, status, error } = items[place]!
        if (status < 300 || (status === 404 && error === undefined)) written += 1
        else if (status === 409) conflicts.push(operation.document)
        else if ((status === 429 || status === 503) && round < maxRounds) again.push(operation)
        else failures.push({ index: _index, id: _id, reason: reasonOf(status, error) })
      }
      left = again
    }
  }
  return { written, conflicts, failures }
}

async function send(target: SearchStore, operations: readonly Operation[]): Promise<readonly Item[]> {
  const body = operations.map(({ lines }) => lines).join('')
  // Documents are as pipelines of the source have left them.
  const { status, text } = await target.text('POST', '/_bulk?pipeline=_none', body)
  if (status === 413 && operations.length === 1) {
    const { id: _id } = operations[0]!.document
    return [
      { _index: target.url, _id, status, error: { reason: 'the document is too large for the target' } },
    ]
  }
  if (status !== 200) throw new Refusal(`${target.url} POST /_bulk`, status, text.slice(0, 500))
  const { items } = JSON.parse(text) as { items: Record<string, Item>[] }
  if (items.length !== operations.length)
    throw new Error(`${target.url} answered ${items.length} of ${operations.length} items of a bulk request`)
  return items.map((item) => Object.values(item)[0]!)
}

function* bulksOf(operations: readonly Operation[]): Generator<readonly Operation[]> {
  let bulk: Operation[] = []
  let bytes = 0
  for (const operation of operations) {
    const { length } = operation.lines
    if (bulk.length > 0 && (bulk.length >= maxBulkItems || bytes + length > maxBulkBytes)) {
      yield bulk
      bulk = []
      bytes = 0
    }
    bulk.push(operation)
    bytes += length
  }
  if (bulk.length > 0) yield bulk
}

function reasonOf(status: number, error: Item['error']): string {
  const cause = error?.caused_by?.reason
  return `${status} ${error?.reason ?? ''}${cause === undefined ? '' : ` (${cause})`}`
}
