/**
 * A merge of segments that are on the disk: names in, one file out. It touches nothing but files, so that another
 * thread may do it while the shard goes on.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/bit-set.ts'
import { mergedSections } from '../segment/merge.ts'
import { FileSections, writeSegmentFile } from '../segment/segment-file.ts'
import { StoredSegment } from '../segment/stored-segment.ts'

export interface MergeJob {
  readonly directory: string
  readonly inputs: readonly {
    readonly name: string
    /** Bits of the documents to keep; null for all. */
    readonly live: Uint32Array | null
  }[]
  /** The file to write, in the same directory. */
  readonly output: string
}

/** Resolves when the file is on the disk; its name is not safe yet. */
export type Merger = (job: MergeJob) => Promise<void>

export function runMergeJob(files: Files, { directory, inputs, output }: MergeJob): void {
  const opened = inputs.map(({ name, live }) => {
    const segment = new StoredSegment(name, new FileSections(files, `${directory}/${name}.seg`))
    return { segment, live: live === null ? null : new BitSet(segment.docCount, live) }
  })
  try {
    writeSegmentFile(files, `${directory}/${output}`, mergedSections(opened))
  } finally {
    for (const { segment } of opened) segment.sections.close()
  }
}

/** Does it at once, in the thread that asks. */
export function mergeHere(files: Files): Merger {
  return async (job) => runMergeJob(files, job)
}
