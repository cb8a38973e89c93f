/**
 * Makes documents of the target those of the source: looks at both ends by id, writes what differs and deletes what the
 * source has no more. A document that was deleted and written anew at the source may have a lower version than the
 * target's; that one is deleted first.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { hashOf, keyOf } from './document-digest.ts'
import { deleteDocuments, type WriteFailure, writeDocuments } from './document-writes.ts'
import type { StoredDocument } from './raw-hits.ts'
import type { SearchStore } from './search-store.ts'
import { documentsById } from './shard-walk.ts'

export interface SettledPair {
  readonly source: SearchStore
  readonly target: SearchStore
  /** The name of the index or data stream, at both ends. */
  readonly name: string
  readonly isStream: boolean
}

interface Settlement {
  readonly written: number
  readonly deleted: number
  /** Ids that are still not the same. */
  readonly left: readonly string[]
  readonly failures: readonly WriteFailure[]
}

interface Difference {
  readonly id: string
  readonly wanted: readonly StoredDocument[]
  readonly present: readonly StoredDocument[]
}

const idsAtOnce = 500
const maxRounds = 5
/** The target forgets a tombstone at a refresh, by a clock that OpenSearch reads every 200 ms. */
const tombstoneMillis = 250

/** `ids` are looked at as they are now; both ends have to be refreshed. */
export async function settleDocuments(pair: SettledPair, ids: readonly string[]): Promise<Settlement> {
  let [written, deleted] = [0, 0]
  const left: string[] = []
  const failures: WriteFailure[] = []
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    let open: readonly string[] = ids.slice(start, start + idsAtOnce)
    for (let round = 0; ; round++) {
      const differences = await differencesOf(pair, open)
      open = differences.map(({ id }) => id)
      if (open.length === 0 || round === maxRounds) break
      const isStubborn = round > 0
      const outcome = await repair(pair, differences, isStubborn)
      written += outcome.written
      deleted += outcome.deleted
      if (outcome.failures.length > 0) {
        failures.push(...outcome.failures)
        break
      }
      await pair.target.refresh(pair.name)
    }
    left.push(...open)
  }
  return { written, deleted, left, failures }
}

/** Which of the ids are not the same at both ends. */
async function differencesOf(pair: SettledPair, ids: readonly string[]): Promise<Difference[]> {
  const [ours, theirs] = await Promise.all([
    documentsById(pair.source, pair.name, ids),
    documentsById(pair.target, pair.name, ids),
  ])
  const [wanted, present] = [byId(ours), byId(theirs)]
  return ids.flatMap((id) => {
    const one = { id, wanted: wanted.get(id) ?? [], present: present.get(id) ?? [] }
    return fingerprint(one.wanted, pair) === fingerprint(one.present, pair) ? [] : [one]
  })
}

async function repair(pair: SettledPair, differences: readonly Difference[], isStubborn: boolean) {
  const { target, name, isStream } = pair
  const outdated = differences.flatMap(({ wanted, present }) => {
    if (isStream || isStubborn) return present
    const kept = new Set(wanted.map(keyOf))
    return present.filter((document) => !kept.has(keyOf(document)))
  })
  const removal = await deleteDocuments(target, outdated)
  if (isStubborn) await wait(tombstoneMillis)
  if (isStubborn || outdated.length > 0) await target.refresh(name)
  const wanted = differences.flatMap((one) => one.wanted)
  const outcome = await writeDocuments(target, name, isStream, wanted)
  return {
    written: outcome.written,
    deleted: removal.written,
    failures: [...removal.failures, ...outcome.failures],
  }
}

function byId(documents: readonly StoredDocument[]): Map<string, StoredDocument[]> {
  const found = new Map<string, StoredDocument[]>()
  for (const document of documents) {
    const known = found.get(document.id)
    if (known === undefined) found.set(document.id, [document])
    else known.push(document)
  }
  return found
}

function fingerprint(documents: readonly StoredDocument[], { isStream }: SettledPair): string {
  return documents
    .map((document) => hashOf(document, !isStream).toString('base64'))
    .sort()
    .join(' ')
}
