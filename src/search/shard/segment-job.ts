/**
 * Work on segments that touches nothing but files, so that another thread may do it while the shard goes on: writing
 * documents that were collected, and joining segments that are on the disk. A job is plain data; the memory of
 * collected documents is shared, not copied, when it is sent to a thread.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { FieldEntry } from '../segment/field-entry.ts'
import { IdFilter } from '../segment/id-filter.ts'
import { mergedSections } from '../segment/merge/merge.ts'
import {
  FileSections,
  PassingSection,
  SameSection,
  SectionStream,
  type WrittenSection,
  writeSegmentFile,
} from '../segment/segment-file.ts'
import { StoredSegment } from '../segment/stored-segment.ts'
import { type DocumentRows, rowSections, rowTable } from '../segment/writer/document-rows.ts'
import { withoutRepetition } from '../segment/writer/same-sections.ts'
import { type ArenaTexts, arenaSections } from '../segment/writer/source-arena.ts'

export interface MergeJob {
  readonly kind: 'merge'
  readonly directory: string
  /** The file to write, in the directory. */
  readonly output: string
  readonly inputs: readonly {
    readonly name: string
    /** Bits of the documents to keep; null for all. */
    readonly live: Uint32Array | null
  }[]
}

export interface WriteJob {
  readonly kind: 'write'
  readonly directory: string
  readonly output: string
  readonly rows: DocumentRows
  readonly sources: ArenaTexts
}

export type SegmentJob = MergeJob | WriteJob

/** Resolves when the file is on the disk; its name is not safe yet. */
export type JobRunner = (job: SegmentJob) => Promise<void>

export function runSegmentJob(files: Files, job: SegmentJob): void {
  const path = `${job.directory}/${job.output}`
  if (job.kind === 'write') writeSegmentFile(files, path, writtenSections(job))
  else merge(files, path, job)
}

/** Does it at once, in the thread that asks. */
export function runHere(files: Files): JobRunner {
  return async (job) => runSegmentJob(files, job)
}

/**
 * What takes long to compress and is written anew by every merge: the file is a quarter larger, for a tenth less time.
 * Columns are often copied by merges as they are.
 */
const passing = /^f\d+\.(?:text|values\.text|postings|positions)$/

function* writtenSections({ rows, sources }: WriteJob): Iterable<WrittenSection> {
  const fields: FieldEntry[] = []
  for (const [name, section] of withoutRepetition(rowSections(rows, fields)))
    yield [
      name,
      section instanceof SameSection || !passing.test(name) ? section : new PassingSection(section),
    ]
  yield ['id.filter', new SectionStream([idFilterOf(rows).bytes])]
  yield* arenaSections(sources)
  yield ['table', Buffer.from(JSON.stringify(rowTable(rows, fields)))]
}

function idFilterOf({ ids }: DocumentRows): IdFilter {
  const filter = IdFilter.ofSize(ids.ends.length)
  filter.addAll(ids)
  return filter
}

function merge(files: Files, path: string, { directory, inputs }: MergeJob): void {
  const opened = inputs.map(({ name, live }) => {
    const segment = new StoredSegment(name, new FileSections(files, `${directory}/${name}.seg`))
    return { segment, live: live === null ? null : new BitSet(segment.docCount, live) }
  })
  try {
    writeSegmentFile(files, path, mergedSections(opened))
  } finally {
    for (const { segment } of opened) segment.sections.close()
  }
}
