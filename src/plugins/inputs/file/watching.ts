/** What both modes of the file input work with. */
import type { PluginLogger } from '../../../plugin/define.ts'
import { whilePositionsMove } from '../../receiving/arrivals.ts'
import type { Stop } from '../../receiving/stop.ts'
import type { CompletedFiles } from './completed-files.ts'
import { discover, type FoundFile } from './discovery.ts'
import type { SourceSettings } from './source-file.ts'

export interface Watching extends SourceSettings {
  readonly stop: Stop
  readonly abort: AbortSignal
  readonly logger: PluginLogger
  readonly patterns: readonly string[]
  readonly exclude: readonly string[]
  readonly statMilliseconds: number
  /** Look for new files every so many looks at the known ones. */
  readonly discoverInterval: number
  readonly ignoreOlderMilliseconds: number | undefined
  readonly closeOlderMilliseconds: number
  readonly maxOpenFiles: number
  /** Chunks to read from one file before the next has its turn. */
  readonly chunkCount: number
  readonly startAtEnd: boolean
  readonly exitAfterRead: boolean
  readonly checkArchives: boolean
  readonly completed: CompletedFiles
  compare(a: FoundFile, b: FoundFile): number
}

export async function findFiles(watching: Watching): Promise<FoundFile[]> {
  try {
    const found = await discover(watching.patterns, watching.exclude)
    return found.sort(watching.compare)
  } catch (error) {
    watching.logger.error('Looking for files failed', {
      path: watching.patterns,
      message: (error as Error).message,
    })
    return []
  }
}

export function isIgnored(file: FoundFile, { ignoreOlderMilliseconds: limit }: Watching): boolean {
  return limit !== undefined && file.modified < Date.now() - limit
}

/**
 * Waits for what was handed over to be safe. An input that has to stop does not wait for ever: what
 * is not out by then is read again after the next start.
 */
export async function allOut(leaving: Iterable<Promise<void>>, watching: Watching): Promise<void> {
  const { stop, abort, sincedb } = watching
  const out = Promise.all(leaving)
  await stop.during(out)
  if (stop.isRequested) await whilePositionsMove(out, abort, () => sincedb.changes)
}
