/**
 * Compares the documents of two ends, whatever their order, and names those that differ: first by checksums of buckets,
 * then, only where these differ, document by document.
 */
import { BucketDigests, bucketCount, bucketOf, hashOf } from './document-digest.ts'
import { walkDocuments } from './document-walk.ts'
import type { SearchStore } from './search-store.ts'
import { visibleCheckpoints } from './shard-walk.ts'

/** Indices of one end that together hold the documents. */
interface Side {
  readonly store: SearchStore
  readonly indices: readonly string[]
  /** Per index: up to which sequence numbers; all that is visible without it. */
  readonly through?: ReadonlyMap<string, readonly number[]>
}

export interface Comparison {
  readonly documents: number
  /** The checksum of the source. */
  readonly checksum: string
  readonly differingBuckets: number
  /** Ids that are not the same on both sides. */
  readonly ids: readonly string[]
  /** Whether all of them are named; past `maxNamed` no further ones are looked for. */
  readonly isWhole: boolean
}

interface CompareOptions {
  readonly workers: number
  /** Whether both ends keep the same versions. */
  readonly hasVersions: boolean
  /** Without sources only ids, routing and versions are compared. */
  readonly hasSources: boolean
}

/** Entries of differing buckets that are held at once. */
const maxHeld = 200_000
const maxNamed = 200_000

export async function compareSides(source: Side, target: Side, options: CompareOptions): Promise<Comparison> {
  const [ours, theirs] = await Promise.all([digestsOf(source, options), digestsOf(target, options)])
  const buckets = ours.differences(theirs)
  const ids = new Set<string>()
  let isWhole = true
  for (const group of groupsOf(buckets, ours, theirs)) {
    if (ids.size > maxNamed) {
      isWhole = false
      break
    }
    // What came in the meantime counts too: whoever settles a difference looks at both ends again.
    const now = { store: source.store, indices: source.indices }
    const [here, there] = await Promise.all([
      entriesOf(now, group, options),
      entriesOf(target, group, options),
    ])
    for (const [id, hashes] of here) if (there.get(id) !== hashes) ids.add(id)
    for (const id of there.keys()) if (!here.has(id)) ids.add(id)
  }
  const { documents, checksum } = ours
  return { documents, checksum, differingBuckets: buckets.length, ids: [...ids], isWhole }
}

async function digestsOf(side: Side, options: CompareOptions): Promise<BucketDigests> {
  const { hasVersions } = options
  const digests = new BucketDigests()
  await walkSide(side, options, (document) => digests.add(document.id, hashOf(document, hasVersions)))
  return digests
}

/** Hashes of the documents of some buckets by id; an id may be there more than once. */
async function entriesOf(
  side: Side,
  buckets: Uint8Array,
  options: CompareOptions,
): Promise<ReadonlyMap<string, string>> {
  const { hasVersions } = options
  const entries = new Map<string, string[]>()
  await walkSide(side, options, (document) => {
    if (buckets[bucketOf(document.id)] === 0) return
    const hash = hashOf(document, hasVersions).toString('base64')
    const known = entries.get(document.id)
    if (known === undefined) entries.set(document.id, [hash])
    else known.push(hash)
  })
  return new Map([...entries].map(([id, hashes]) => [id, hashes.sort().join(' ')]))
}

type Visit = (document: Parameters<typeof hashOf>[0]) => void

async function walkSide(
  { store, indices, through }: Side,
  { workers, hasSources: hasSource }: CompareOptions,
  visit: Visit,
): Promise<void> {
  for (const index of indices) {
    const end = through?.get(index) ?? (await visibleCheckpoints(store, index))
    const visitAll = (documents: readonly Parameters<typeof hashOf>[0][]) => documents.forEach(visit)
    await walkDocuments(store, index, [], end, { workers, hasSource, visit: visitAll })
  }
}

/** Buckets as flags, so many at once that their documents may be held. */
function* groupsOf(
  buckets: readonly number[],
  ours: BucketDigests,
  theirs: BucketDigests,
): Generator<Uint8Array> {
  let group = new Uint8Array(bucketCount)
  let held = 0
  for (const bucket of buckets) {
    const count = Math.max(ours.countOf(bucket), theirs.countOf(bucket))
    if (held > 0 && held + count > maxHeld) {
      yield group
      group = new Uint8Array(bucketCount)
      held = 0
    }
    group[bucket] = 1
    held += count
  }
  if (held > 0 || buckets.length > 0) yield group
}
