/** The dead letter queues below a directory, and their entries one after the other, as far as they are asked for. */
import { isFields } from '../../event/value.ts'
import { type Entry, eventOf } from '../../queue/dead-letters/entry.ts'
import { isMissing, listSegments, type SegmentFile } from '../../queue/dead-letters/segment-files.ts'
import { SegmentScan } from '../../queue/dead-letters/segment-scan.ts'
import type { Files } from '../../storage/files.ts'

export interface Queue {
  readonly pipeline: string
  readonly directory: string
}

export interface EntryFilter {
  readonly plugin: string | undefined
  readonly reason: string | undefined
  /** Milliseconds since 1970. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export interface FoundEntry {
  readonly pipeline: string
  readonly segment: SegmentFile
  readonly offset: number
  readonly entry: Entry
  readonly matches: boolean
}

/** Each directory with segments is the queue of a pipeline. */
export function findQueues(files: Files, root: string, pipelines: readonly string[]): Queue[] {
  if (!files.exists(root)) throw new Error(`There is no directory ${root}`)
  const names = pipelines.length > 0 ? pipelines : files.list(root)
  const queues: Queue[] = []
  for (const pipeline of names) {
    const directory = `${root}/${pipeline}`
    if (isQueue(files, directory)) queues.push({ pipeline, directory })
    else if (pipelines.length > 0)
      throw new Error(`There is no dead letter queue of a pipeline '${pipeline}' in ${root}`)
  }
  if (queues.length === 0 && isQueue(files, root))
    throw new Error(`${root} is the queue of one pipeline; --path is the directory above it`)
  return queues
}

function isQueue(files: Files, directory: string): boolean {
  try {
    return listSegments(files, directory).length > 0
  } catch {
    // A file, or a directory of somebody else.
    return false
  }
}

/** Every entry with whether it matches; damage is told where it is found. */
export function* entriesOf(
  files: Files,
  { pipeline, directory }: Queue,
  filter: EntryFilter,
  damage: (path: string, places: number) => void,
): Generator<FoundEntry> {
  for (const segment of listSegments(files, directory)) {
    let file: ReturnType<Files['openRead']>
    try {
      file = files.openRead(segment.path)
    } catch (error) {
      // Sealed or removed by the pipeline meanwhile.
      if (isMissing(error)) continue
      throw error
    }
    try {
      const scan = new SegmentScan(file)
      for (let next = scan.next(); next !== undefined; next = scan.next()) {
        const { entry, start } = next
        yield { pipeline, segment, offset: start, entry, matches: isMatch(entry, filter) }
      }
      const places = scan.damaged + (scan.endsShort && segment.isSealed ? 1 : 0)
      if (places > 0) damage(segment.path, places)
    } finally {
      file.close()
    }
  }
}

function isMatch({ time, pluginType, pluginId, reason }: Entry, filter: EntryFilter): boolean {
  if (filter.since !== undefined && time.millis < filter.since) return false
  if (filter.until !== undefined && time.millis >= filter.until) return false
  if (filter.plugin !== undefined && filter.plugin !== pluginType && filter.plugin !== pluginId) return false
  return filter.reason === undefined || reason.toLowerCase().includes(filter.reason.toLowerCase())
}

/** An entry as people and programs read it. */
export function shownEntry({ pipeline, segment, offset, entry }: FoundEntry): Record<string, unknown> {
  return {
    pipeline,
    segment: segment.id,
    offset,
    entry_time: entry.time.toString(),
    plugin_type: entry.pluginType,
    plugin_id: entry.pluginId,
    reason: entry.reason,
    ...shownEvent(entry),
  }
}

function shownEvent(entry: Entry): Record<string, unknown> {
  try {
    const { '@metadata': metadata, ...event } = eventOf(entry).toHashWithMetadata()
    return { event, ...(isFields(metadata) && { metadata }) }
  } catch (error) {
    return { event: null, problem: `the event cannot be read: ${(error as Error).message}` }
  }
}
