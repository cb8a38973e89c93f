/**
 * Jobs that only touch files, so that another thread can do them while the shard goes on: flushing buffered
 * documents and merging segments. A job is plain data; buffered documents are in shared memory and not copied.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { FieldInfo } from '../segment/field-info.ts'
import { IdFilter } from '../segment/id-filter.ts'
import { mergedSections } from '../segment/merge/merge.ts'
import {
  FileSections,
  SectionAlias,
  SectionStream,
  UncompressedSection,
  type WrittenSection,
  writeSegmentFile,
} from '../segment/segment-file.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { type DocumentRows, rowSections, rowTable } from '../segment/writer/document-rows.ts'
import { withoutRepetition } from '../segment/writer/section-dedup.ts'
import { type ArenaTexts, arenaSections } from '../segment/writer/source-arena.ts'

interface MergeJob {
  readonly kind: 'merge'
  readonly directory: string
  /** The name of the file to write, in the directory. */
  readonly output: string
  readonly inputs: readonly {
    readonly name: string
    /** Words of the live docs; null when nothing is deleted. */
    readonly live: Uint32Array | null
  }[]
}

interface WriteJob {
  readonly kind: 'write'
  readonly directory: string
  readonly output: string
  readonly rows: DocumentRows
  readonly sources: ArenaTexts
}

export type SegmentJob = MergeJob | WriteJob

/** Resolves when the file is synced; its directory entry is not. */
export type JobRunner = (job: SegmentJob) => Promise<void>

/** `fieldDone` is called after each field that was merged. */
export function runSegmentJob(files: Files, job: SegmentJob, fieldDone?: () => void): void {
  const path = `${job.directory}/${job.output}`
  if (job.kind === 'write') writeSegmentFile(files, path, writtenSections(job))
  else merge(files, path, job, fieldDone)
}

/** Runs jobs in the calling thread. */
export function runHere(files: Files): JobRunner {
  return async (job) => runSegmentJob(files, job)
}

/**
 * Sections that are slow to compress and rewritten by every merge are flushed uncompressed: a quarter more bytes for
 * a tenth less time. Columns are often copied by merges as they are, so they are compressed.
 */
const uncompressedSections = /^f\d+\.(?:text|values\.text|postings|positions)$/

function* writtenSections({ rows, sources }: WriteJob): Iterable<WrittenSection> {
  const fields: FieldInfo[] = []
  for (const [name, section] of withoutRepetition(rowSections(rows, fields)))
    yield [
      name,
      section instanceof SectionAlias || !uncompressedSections.test(name)
        ? section
        : new UncompressedSection(section),
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

function merge(files: Files, path: string, { directory, inputs }: MergeJob, fieldDone?: () => void): void {
  const opened = inputs.map(({ name, live }) => {
    const segment = new SegmentReader(name, new FileSections(files, `${directory}/${name}.seg`))
    return { segment, live: live === null ? null : new BitSet(segment.docCount, live) }
  })
  try {
    writeSegmentFile(files, path, mergedSections(opened, fieldDone))
  } finally {
    for (const { segment } of opened) segment.sections.close()
  }
}
