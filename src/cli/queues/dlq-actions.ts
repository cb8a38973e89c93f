/** What `millrace dlq` does: list, show, replay, purge. Each gets its queues, writes its text and gives the exit code. */

import { writeJson } from '../../event/json-write.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Value } from '../../event/value.ts'
import { remoteRequest } from '../../http/remote-request.ts'
import { eventOf } from '../../queue/dead-letters/entry.ts'
import { recoverLeftovers } from '../../queue/dead-letters/recovery.ts'
import { SealedSegments } from '../../queue/dead-letters/retention.ts'
import {
  listSegments,
  removalNotice,
  type SegmentFile,
  sizeOf,
  summarize,
} from '../../queue/dead-letters/segment-files.ts'
import { lockDataDirectory } from '../../storage/data-lock.ts'
import type { Files } from '../../storage/files.ts'
import { type EntryFilter, entriesOf, type FoundEntry, type Queue, shownEntry } from './dlq-queues.ts'

export interface DlqSession {
  readonly files: Files
  readonly queues: readonly Queue[]
  readonly filter: EntryFilter
  readonly limit: number
  readonly isJson: boolean
  /** Where to send entries; undefined means standard output. */
  readonly to: URL | undefined
  readonly isRemoving: boolean
  /** What `purge` removes: entries older than this, in milliseconds since 1970, or all. */
  readonly before: number | undefined
  isSure(question: string): Promise<boolean>
  print(text: string): Promise<void>
  /** For what is no result. */
  tell(text: string): void
}

/** How many reasons are counted, and how many of them are shown. */
const maxReasons = { counted: 1000, shown: 5 }
/** What is sent at once. */
const maxBatch = { entries: 100, bytes: 1024 * 1024 }
const answerMillis = 30_000

// -------------------------------------------------------------------------------------------------- list

interface QueueReport {
  pipeline: string
  path: string
  segments: number
  entries: number
  bytes: number
  oldest: string | null
  newest: string | null
  damaged: number
  reasons: { count: number; plugin_type: string; reason: string }[]
}

export async function listQueues(session: DlqSession): Promise<number> {
  const reports = session.queues.map((queue) => reportOf(session, queue))
  if (session.isJson) await session.print(`${JSON.stringify(reports, null, 2)}\n`)
  else if (reports.length === 0) await session.print('There are no dead letters.\n')
  else for (const report of reports) await session.print(reportText(report))
  return 0
}

function reportOf({ files, filter }: DlqSession, queue: Queue): QueueReport {
  const segments = listSegments(files, queue.directory)
  const reasons = new Map<string, QueueReport['reasons'][number]>()
  let [entries, damaged] = [0, 0]
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const note = (_: string, places: number) => {
    damaged += places
  }
  for (const { entry, matches } of entriesOf(files, queue, filter, note)) {
    if (!matches) continue
    entries += 1
    oldest = Math.min(oldest, entry.time.millis)
    newest = Math.max(newest, entry.time.millis)
    const reason = kindOf(entry.reason)
    const key = `${entry.pluginType} ${reason}`
    const known = reasons.get(key)
    if (known !== undefined) known.count += 1
    else if (reasons.size < maxReasons.counted)
      reasons.set(key, { count: 1, plugin_type: entry.pluginType, reason })
  }
  return {
    pipeline: queue.pipeline,
    path: queue.directory,
    segments: segments.length,
    entries,
    bytes: segments.reduce((sum, { path }) => sum + sizeOf(files, path), 0),
    oldest: entries === 0 ? null : new Timestamp(oldest).toString(),
    newest: entries === 0 ? null : new Timestamp(newest).toString(),
    damaged,
    reasons: [...reasons.values()].sort((a, b) => b.count - a.count).slice(0, maxReasons.shown),
  }
}

const maxKindLength = 200

/**
 * A reason without what is different for every event. What a cluster refused repeats the whole event before it says
 * why; ids of documents are random; numbers are mostly ids and offsets.
 */
function kindOf(reason: string): string {
  const action = reason.indexOf(', action: [')
  const response = reason.lastIndexOf(', response: ')
  const short = action < 0 || response < action ? reason : reason.slice(0, action) + reason.slice(response)
  return short
    .slice(0, 4 * maxKindLength)
    .replace(/("_id"=>|\bid )(?:"[^"]*"|'[^']*')/g, '$1#')
    .replace(/\d+/g, '#')
    .slice(0, maxKindLength)
}

function reportText(report: QueueReport): string {
  const { pipeline, path, segments, entries, bytes, oldest, newest, damaged, reasons } = report
  const lines = [
    `${pipeline}  ${counted(entries, 'entry', 'entries')}, ${counted(segments, 'segment', 'segments')}, ${bytes} bytes  (${path})`,
  ]
  if (oldest !== null) lines.push(`  from ${oldest} to ${newest}`)
  if (damaged > 0) lines.push(`  ${counted(damaged, 'place is', 'places are')} damaged and was skipped`)
  for (const { count, plugin_type, reason } of reasons)
    lines.push(`  ${String(count).padStart(8)}  ${plugin_type}: ${oneLine(reason)}`)
  return `${lines.join('\n')}\n`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Reasons quote what others sent: nothing in them may steer a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

// -------------------------------------------------------------------------------------------------- show

export async function showEntries(session: DlqSession): Promise<number> {
  let left = session.limit
  for (const found of matching(session)) {
    if (left-- <= 0) break
    await session.print(`${jsonOf(shownEntry(found), session.isJson)}\n`)
  }
  return 0
}

function jsonOf(value: Record<string, unknown>, isOneLine: boolean): string {
  const text = writeJson(value as Value)
  return isOneLine ? text : JSON.stringify(JSON.parse(text), null, 2)
}

function* matching({ files, queues, filter, tell }: DlqSession): Generator<FoundEntry> {
  for (const queue of queues) {
    for (const found of entriesOf(files, queue, filter, (path, places) =>
      tell(`${path}: ${counted(places, 'place is', 'places are')} damaged and was skipped\n`),
    ))
      if (found.matches) yield found
  }
}

// ------------------------------------------------------------------------------------------------ replay

export async function replayEntries(session: DlqSession): Promise<number> {
  const { to, print, tell, isRemoving } = session
  /** Entries of each segment that were sent. */
  const sent = new Map<string, number>()
  let [batch, bytes, total, unreadable] = [[] as { text: string; path: string }[], 0, 0, 0]
  const flush = async () => {
    if (batch.length === 0) return
    if (to === undefined) await print(batch.map(({ text }) => `${text}\n`).join(''))
    else await post(to, `[${batch.map(({ text }) => text).join(',')}]`)
    for (const { path } of batch) sent.set(path, (sent.get(path) ?? 0) + 1)
    total += batch.length
    batch = []
    bytes = 0
  }
  for (const found of matching(session)) {
    if (total + batch.length >= session.limit) break
    const text = eventText(found)
    if (text === undefined) {
      unreadable += 1
      continue
    }
    batch.push({ text, path: found.segment.path })
    bytes += text.length
    if (batch.length >= maxBatch.entries || bytes >= maxBatch.bytes) await flush()
  }
  await flush()
  tell(
    `${counted(total, 'event was', 'events were')} sent${to === undefined ? '' : ` to ${to.origin}${to.pathname}`}.\n`,
  )
  if (unreadable > 0) tell(`${counted(unreadable, 'event', 'events')} could not be read and stay.\n`)
  if (isRemoving) await removeSent(session, sent)
  return unreadable > 0 ? 1 : 0
}

function eventText({ entry }: FoundEntry): string | undefined {
  try {
    return eventOf(entry).toJson()
  } catch {
    return undefined
  }
}

async function post(to: URL, body: string): Promise<void> {
  const url = new URL(to)
  const headers: Record<string, string> = {}
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  const where = `${url.origin}${url.pathname}`
  let status: number
  try {
    const request = { method: 'POST', url: url.href, headers, body }
    ;({ status } = await remoteRequest({ ...request, timeoutMillis: answerMillis, maxBytes: maxBatch.bytes }))
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`${where} did not take the events: ${(cause as Error | undefined)?.message ?? message}`)
  }
  if (status < 200 || status > 299) throw new Error(`${where} did not take the events: it answered ${status}`)
}

/** Only whole segments can be removed. */
async function removeSent(session: DlqSession, sent: ReadonlyMap<string, number>): Promise<void> {
  let [removed, kept] = [0, 0]
  for (const queue of session.queues) {
    await withSealedSegments(session, queue, (segments, isSealed) => {
      for (const segment of isSealed) {
        const count = sent.get(segment.path) ?? sent.get(`${segment.path}.tmp`) ?? 0
        if (count === 0 || summarize(session.files, segment.path)?.entries !== count) continue
        removed += segments.removeRead(segment)?.entries ?? 0
      }
    })
  }
  for (const count of sent.values()) kept += count
  kept -= removed
  session.tell(`${counted(removed, 'entry was', 'entries were')} removed.\n`)
  if (kept > 0)
    session.tell(
      `${counted(kept, 'entry stays', 'entries stay')}: other entries are in the same segment, or it is still being written.\n`,
    )
}

// ------------------------------------------------------------------------------------------------- purge

export async function purgeQueues(session: DlqSession): Promise<number> {
  const { files, queues, before = Number.POSITIVE_INFINITY, print, isJson } = session
  const isOld = (segment: SegmentFile) => {
    const newest = summarize(files, segment.path)?.newest
    return before === Number.POSITIVE_INFINITY || (newest !== undefined && newest.millis < before)
  }
  const reports = queues.map((queue) => reportOf(session, queue))
  const entries = reports.reduce((sum, report) => sum + report.entries, 0)
  const what = before === Number.POSITIVE_INFINITY ? 'all' : `those before ${new Timestamp(before)} of all`
  const names = queues.map(({ pipeline }) => pipeline).join(', ')
  if (
    queues.length > 0 &&
    !(await session.isSure(`Remove ${what} ${entries} dead letters of ${names}? [y/N] `))
  )
    return 1
  const result: { pipeline: string; segments: number; entries: number }[] = []
  for (const queue of queues) {
    const removed = { pipeline: queue.pipeline, segments: 0, entries: 0 }
    await withSealedSegments(session, queue, (segments, sealed) => {
      for (const segment of sealed) {
        const summary = isOld(segment) ? segments.remove(segment) : undefined
        if (summary === undefined) continue
        removed.segments += 1
        removed.entries += summary.entries
      }
    })
    result.push(removed)
  }
  if (isJson) await print(`${JSON.stringify(result)}\n`)
  for (const one of isJson ? [] : result) {
    const { pipeline, segments, entries: count } = one
    await print(
      `${pipeline}: ${counted(count, 'entry', 'entries')} in ${counted(segments, 'segment', 'segments')} removed\n`,
    )
  }
  return 0
}

/**
 * While no pipeline has the queue, segments it left open are sealed first. A pipeline that has it keeps its open segment
 * and is told to count again.
 */
async function withSealedSegments(
  { files, tell }: DlqSession,
  { directory }: Queue,
  work: (segments: SealedSegments, sealed: readonly SegmentFile[]) => void,
): Promise<void> {
  const lock = await lockDataDirectory(directory).catch(() => undefined)
  try {
    if (lock !== undefined) {
      const { failures } = await recoverLeftovers(files, directory)
      for (const { path, message } of failures) tell(`${path} could not be sealed: ${message}\n`)
    }
    const segments = new SealedSegments(files, directory)
    work(segments, segments.list())
    if (lock === undefined) files.write(`${directory}/${removalNotice}`, [Buffer.from('dlq\n')])
  } finally {
    await lock?.release()
  }
}
