/**
 * Dead letters for somebody who looks at them: a page of entries, newest first, and events that are to go through their
 * pipeline once more. Reads in slices, because the thread that does it answers others meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Event } from '../../event/event.ts'
import { parseJsonExactly } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import { encodeEvents } from '../../event/wire.ts'
import { type Entry, eventOf } from '../../queue/dead-letters/entry.ts'
import { SealedSegments } from '../../queue/dead-letters/retention.ts'
import {
  isMissing,
  listSegments,
  removalNotice,
  type SegmentFile,
} from '../../queue/dead-letters/segment-files.ts'
import { SegmentScan } from '../../queue/dead-letters/segment-scan.ts'
import type { Settings } from '../../settings/settings.ts'
import { diskFiles } from '../../storage/files.ts'
import { ownLettersFolder } from './pipeline-folder.ts'

export interface LetterPlace {
  readonly segment: number
  readonly offset: number
}

export interface LetterQuestion {
  /** Entries older than this one; the newest when undefined. */
  readonly before: LetterPlace | undefined
  readonly size: number
  /** In the reason, or the type or id of the plugin; any case. */
  readonly text: string
}

interface LetterPage {
  /** JSON of one entry each: numbers keep all their digits. */
  readonly entries: readonly string[]
  /** Where older ones begin; undefined when there are none. */
  readonly next: LetterPlace | undefined
  readonly damaged: number
}

interface Found extends LetterPlace {
  readonly entry: Entry
}

const sliceEntries = 200
/** Looked at for one page; what is older is for the next one. */
const maxScanned = 50_000
const maxPageBytes = 4 * 1024 * 1024

export function lettersDirectory(settings: Settings): string {
  return ownLettersFolder(settings)
}

export async function letterPage(
  directory: string,
  { before, size, text }: LetterQuestion,
): Promise<LetterPage> {
  const wanted = text.toLowerCase()
  const entries: string[] = []
  let [bytes, scanned, damaged] = [0, 0, 0]
  const segments = listSegments(diskFiles, directory).filter(
    ({ id }) => before === undefined || id <= before.segment,
  )
  for (const segment of segments.reverse()) {
    const end = before?.segment === segment.id ? before.offset : Number.POSITIVE_INFINITY
    const found: Found[] = []
    for await (const scan of slices(segment, end)) {
      scanned += scan.entries.length
      damaged += scan.damaged
      found.push(...scan.entries.filter(({ entry }) => isMatch(entry, wanted)))
      // Only the last ones of a segment can be on the page.
      if (found.length > 2 * size) found.splice(0, found.length - size - 1)
    }
    for (const one of found.reverse()) {
      if (entries.length >= size || bytes > maxPageBytes)
        return { entries, next: { segment: one.segment, offset: one.offset + 1 }, damaged }
      const shown = shownLetter(one)
      bytes += shown.length
      entries.push(shown)
    }
    if (scanned > maxScanned) return { entries, next: { segment: segment.id, offset: 0 }, damaged }
  }
  return { entries, next: undefined, damaged }
}

async function* slices(
  { id, path }: SegmentFile,
  end: number,
): AsyncGenerator<{ readonly entries: readonly Found[]; readonly damaged: number }> {
  let file: ReturnType<typeof diskFiles.openRead>
  try {
    file = diskFiles.openRead(path)
  } catch (error) {
    // Sealed or removed by the pipeline meanwhile.
    if (isMissing(error)) return
    throw error
  }
  try {
    const scan = new SegmentScan(file)
    let entries: Found[] = []
    for (let next = scan.next(); next !== undefined && next.start < end; next = scan.next()) {
      entries.push({ segment: id, offset: next.start, entry: next.entry })
      if (entries.length < sliceEntries) continue
      yield { entries, damaged: 0 }
      entries = []
      await nextTurn()
    }
    yield { entries, damaged: scan.damaged }
  } finally {
    file.close()
  }
}

function isMatch({ pluginType, pluginId, reason }: Entry, wanted: string): boolean {
  return wanted === '' || [pluginType, pluginId, reason].some((text) => text.toLowerCase().includes(wanted))
}

function shownLetter({ segment, offset, entry }: Found): string {
  const about = {
    segment,
    offset,
    entry_time: entry.time.toString(),
    plugin_type: entry.pluginType,
    plugin_id: entry.pluginId,
    reason: entry.reason,
  }
  let event: Value = null
  let problem: string | undefined
  try {
    event = eventOf(entry).toHashWithMetadata()
  } catch (error) {
    problem = `the event cannot be read: ${(error as Error).message}`
  }
  return writeJson({ ...about, event, ...(problem !== undefined && { problem }) } as Value)
}

/** An entry by its place; undefined when there is none. */
function letterAt(directory: string, { segment, offset }: LetterPlace): Entry | undefined {
  const file = listSegments(diskFiles, directory).find(({ id }) => id === segment)
  if (file === undefined) return undefined
  const open = diskFiles.openRead(file.path)
  try {
    const next = new SegmentScan(open, offset).next()
    return next?.start === offset ? next.entry : undefined
  } finally {
    open.close()
  }
}

export class BadReplay extends Error {}

const maxReplayed = 1000

/**
 * The events a request wants to have replayed, in wire form. `body` is JSON: `{"entries": [{"segment", "offset",
 * "event"}]}`, where `event` stands for what was changed by hand; without it the event goes as it was given up.
 */
export function replayed(directory: string, body: string): { bytes: Uint8Array; count: number } {
  let request: Value
  try {
    request = parseJsonExactly(body)
  } catch {
    throw new BadReplay('The body must be a JSON object')
  }
  const list = isFields(request) ? request['entries'] : undefined
  if (!Array.isArray(list) || list.length === 0 || list.length > maxReplayed)
    throw new BadReplay(`\`entries\` must be a list of 1 to ${maxReplayed} entries`)
  const events = list.map((item) => {
    if (!isFields(item)) throw new BadReplay('Each of `entries` must be an object')
    return eventFor(directory, item)
  })
  return { bytes: encodeEvents(events), count: events.length }
}

function eventFor(directory: string, { segment, offset, event: changed }: Fields): Event {
  const place = { segment: Number(segment), offset: Number(offset) }
  if (!Number.isSafeInteger(place.segment) || !Number.isSafeInteger(place.offset) || place.offset < 0)
    throw new BadReplay('`segment` and `offset` must be whole numbers')
  const entry = letterAt(directory, place)
  if (entry === undefined)
    throw new BadReplay(`There is no dead letter at offset ${place.offset} of segment ${place.segment}`)
  if (changed !== undefined && !isFields(changed)) throw new BadReplay('`event` must be an object')
  try {
    return changed === undefined ? eventOf(entry) : Event.from(changed)
  } catch (error) {
    throw new BadReplay(`The event cannot be used: ${(error as Error).message}`)
  }
}

/** Removes what is sealed; the segment that is being written stays, and its pipeline counts again. */
export function removeLetters(directory: string): { segments: number; entries: number } {
  const sealed = new SealedSegments(diskFiles, directory)
  let [segments, entries] = [0, 0]
  for (const segment of sealed.list()) {
    const summary = sealed.remove(segment)
    if (summary === undefined) continue
    segments += 1
    entries += summary.entries
  }
  if (segments > 0) diskFiles.write(`${directory}/${removalNotice}`, [Buffer.from('api\n')])
  return { segments, entries }
}
