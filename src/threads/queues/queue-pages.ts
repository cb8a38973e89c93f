/** The pages of a persisted queue as they lie on the disk: numbers, sizes, and what of each is still to be delivered. */
import { readCheckpoints } from '../../queue/persisted/checkpoint.ts'
import { IntervalSet } from '../../queue/persisted/interval-set.ts'
import { pageHeaderBytes, pageNumber, readPageHeader } from '../../queue/persisted/page-format.ts'
import { diskFiles } from '../../storage/files.ts'

interface QueuePageFigures {
  readonly page: number
  readonly size_in_bytes: number
  /** Sequence number of its first event; null when the header is damaged. */
  readonly first_event: number | null
  /** Events of it that were not acknowledged at the last checkpoint; null for the page that is being written. */
  readonly unacknowledged_events: number | null
}

export function queuePages(directory: string): QueuePageFigures[] {
  const found = diskFiles
    .list(directory)
    .flatMap((name) => {
      const number = pageNumber(name)
      const header = number === undefined ? undefined : headerOf(`${directory}/${name}`)
      return number === undefined || header === undefined ? [] : [{ number, ...header }]
    })
    .sort((a, b) => a.number - b.number)
  const acked = IntervalSet.of(readCheckpoints(diskFiles, directory).newest?.acked ?? [])
  return found.map(({ number, size, firstSeq }, index) => {
    const end = found[index + 1]?.firstSeq
    return {
      page: number,
      size_in_bytes: size,
      first_event: firstSeq ?? null,
      unacknowledged_events:
        firstSeq === undefined || end === undefined ? null : acked.countMissing(firstSeq, end),
    }
  })
}

/** Undefined when the page was removed meanwhile. */
function headerOf(path: string): { size: number; firstSeq: number | undefined } | undefined {
  try {
    const file = diskFiles.openRead(path)
    const { size } = file
    const header = readPageHeader(file.read(0, Math.min(size, pageHeaderBytes)))
    file.close()
    return { size, firstSeq: header?.firstSeq }
  } catch {
    return undefined
  }
}
