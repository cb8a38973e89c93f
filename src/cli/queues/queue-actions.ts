/** What `millrace queue` does with a queue: check, repair, export, drain, import. */
import { isUtf8 } from 'node:buffer'
import { writeJson } from '../../event/json-write.ts'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { decodeEvents } from '../../event/wire.ts'
import { type Frame, frameOfEvents } from '../../pipeline/frames/frame.ts'
import { FrameRecords } from '../../pipeline/frames/frame-record.ts'
import { isWireText } from '../../pipeline/run/output-queue.ts'
import { type ElementMark, LogstashImports } from '../../queue/logstash-queue/imports.ts'
import {
  isLogstashQueue,
  type LogstashQueueReport,
  readLogstashQueue,
  unreadableCompression,
} from '../../queue/logstash-queue/logstash-queue.ts'
import { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import { checkQueue, isQueue, waitingForOutputs } from '../../queue/persisted/queue-check.ts'
import { lockQueue } from '../../queue/persisted/queue-lock.ts'
import { type Delivery, defaultQueueSettings, type RecordCodec } from '../../queue/persisted/queue-options.ts'
import { diskFiles } from '../../storage/files.ts'
import { Progress } from '../progress.ts'

/** Characters that are printed at once. */
const maxText = 64 * 1024

export interface QueueOutput {
  /** Results, printed when the promise resolves. */
  print(text: string): void | Promise<void>
  /** Everything else. */
  tell(text: string): void
}

export class NoQueue extends Error {}

/** No input has this position: what is imported needs no decoding. */
const unknownInput = -1
/** Events that are written and acknowledged at once. */
const batchEvents = 500

export async function check(directory: string, output: QueueOutput): Promise<number> {
  if (isLogstashQueue(diskFiles, directory)) return checkLogstash(directory, output)
  expectQueue(directory)
  const { pages, findings, missing, tornBytes, unacked, queueId } = checkQueue(diskFiles, directory)
  await output.print(
    `queue ${queueId ?? 'without a name'}: ${pages.length} pages, ${unacked} events to deliver\n`,
  )
  for (const page of pages) {
    const { number, bytes, records, firstSeq, endSeq } = page
    const range = endSeq > firstSeq ? `events ${firstSeq} to ${endSeq - 1}` : 'no events'
    await output.print(
      `page ${number}: ${bytes} bytes, ${records} records, ${range}, ${page.unacked} to deliver\n`,
    )
    for (const { from, to, reason } of page.damage)
      await output.print(`page ${number}: damaged from byte ${from} to ${to}: ${reason}\n`)
  }
  for (const finding of findings) await output.print(`${finding}\n`)
  if (tornBytes > 0)
    await output.print(`${tornBytes} bytes of a write that a crash cut off; they were not acknowledged\n`)
  if (missing > 0) await output.print(`${missing} events are missing\n`)
  const isGood = missing === 0 && findings.length === 0
  for (const { path, events } of waitingForOutputs(diskFiles, directory))
    await output.print(`${events} events wait for an output in ${path}\n`)
  await output.print(isGood ? 'no damage\n' : 'damaged: `millrace queue repair` makes it whole\n')
  return isGood ? 0 : 1
}

async function checkLogstash(directory: string, output: QueueOutput): Promise<number> {
  const report = emptyReport()
  for (const _element of readLogstashQueue(diskFiles, directory, report));
  await output.print(`a queue of Logstash: ${report.events} events to deliver, ${report.damaged} damaged\n`)
  for (const finding of report.findings) await output.print(`${finding}\n`)
  return report.damaged === 0 ? 0 : 1
}

/** Reads everything once: damage is reported, kept in quarantine and closed, and the next start finds none. */
export async function repair(directory: string, output: QueueOutput): Promise<number> {
  return withQueue(directory, output, async (queue) => {
    let events = 0
    const progress = new Progress({ title: 'repair', unit: 'events', total: queue.unacked })
    for (let some = queue.take(batchEvents); some.length > 0; some = queue.take(batchEvents))
      for (const { item } of some) {
        events += item.to - item.from
        progress.add(item.to - item.from)
      }
    progress.end()
    const { corruptRecords, lostEvents, unconfirmedEvents } = queue.counters
    await output.print(
      `${events} events to deliver; ${corruptRecords} damaged records, ${lostEvents} events lost, ` +
        `${unconfirmedEvents} that were never acknowledged\n`,
    )
    return 0
  })
}

export async function exportEvents(directory: string, output: QueueOutput): Promise<number> {
  if (isLogstashQueue(diskFiles, directory)) {
    const report = emptyReport()
    for (const { event } of readLogstashQueue(diskFiles, directory, report))
      await output.print(`${eventLine(event)}\n`)
    for (const finding of report.findings) output.tell(`${finding}\n`)
    output.tell(`${report.events} events\n`)
    return report.damaged === 0 ? 0 : 1
  }
  return printAll(directory, output, false)
}

/** The same, and what was printed is acknowledged: the queue is empty afterwards. What the output did not take stays. */
export async function drain(directory: string, output: QueueOutput): Promise<number> {
  return printAll(directory, output, true)
}

async function printAll(directory: string, output: QueueOutput, isAcknowledged: boolean): Promise<number> {
  return withQueue(directory, output, async (queue, names) => {
    let events = 0
    const progress = new Progress({ title: 'export', unit: 'events', total: queue.unacked })
    for (let some = queue.take(batchEvents); some.length > 0; some = queue.take(batchEvents)) {
      let text = ''
      for (const delivery of some)
        for (const line of linesOf(delivery, names)) {
          text += `${line}\n`
          if (text.length >= maxText) {
            await output.print(text)
            text = ''
          }
          events += 1
          progress.add(1)
        }
      if (text !== '') await output.print(text)
      if (isAcknowledged) queue.acknowledge(some)
    }
    progress.end()
    output.tell(`${events} events\n`)
    for (const { path, events: waiting } of waitingForOutputs(diskFiles, directory))
      output.tell(`${waiting} more events wait for an output in ${path}\n`)
    return queue.counters.lostEvents === 0 ? 0 : 1
  })
}

/**
 * Puts the events of a queue of Logstash into one of this program. The files of Logstash stay as they are. What was
 * imported before is left out.
 */
export async function importEvents(from: string, directory: string, output: QueueOutput): Promise<number> {
  if (!isLogstashQueue(diskFiles, from))
    throw new NoQueue(`${from} has no checkpoint.head: it is no queue of Logstash`)
  // Taken over in part, it would be there twice after the import that can read all of it.
  const unreadable = unreadableCompression(diskFiles, from)
  if (unreadable !== undefined) throw new NoQueue(`${unreadable}; nothing was imported`)
  const report = emptyReport()
  const progress = new Progress({ title: 'import', unit: 'events' })
  let [imported, skipped] = [0, 0]
  const work = async (queue: PersistedQueue<Frame>) => {
    const elements = () => readLogstashQueue(diskFiles, from, emptyReport())
    const imports = new LogstashImports(diskFiles, directory, elements)
    const { importedTo } = imports
    let events: NonNullable<Frame['events']> = []
    let first: ElementMark | undefined
    let last: ElementMark | undefined
    const push = async () => {
      if (first === undefined || last === undefined) return
      await queue.push(frameOfEvents(unknownInput, events))
      imports.add(first, last)
      imported += events.length
      progress.add(events.length)
      events = []
      first = undefined
    }
    for (const element of readLogstashQueue(diskFiles, from, report)) {
      if (element.seq <= importedTo) {
        skipped += 1
        continue
      }
      first ??= element
      last = element
      events.push(element.event)
      if (events.length === batchEvents) await push()
    }
    await push()
    return report.damaged === 0 ? 0 : 1
  }
  const code = await withQueue(directory, output, work, false)
  progress.end()
  for (const finding of report.findings) output.tell(`${finding}\n`)
  const before = skipped === 0 ? '' : `, ${skipped} were imported before`
  await output.print(`${imported} events imported, ${report.damaged} damaged${before}\n`)
  return code
}

function emptyReport(): LogstashQueueReport {
  return { events: 0, damaged: 0, findings: [] }
}

// -------------------------------------------------------------------------------------------------- opening

type Names = readonly string[]

async function withQueue(
  directory: string,
  output: QueueOutput,
  work: (queue: PersistedQueue<Frame>, names: Names) => Promise<number>,
  isExpected = true,
): Promise<number> {
  if (isExpected) expectQueue(directory)
  const lock = await lockQueue(directory)
  try {
    // Inputs are only known by their ids here.
    const names: string[] = []
    const codec = anyRecords(
      new FrameRecords({
        idOf: (input) => names[input] ?? '',
        positionOf: (id) => (names.includes(id) ? names.indexOf(id) : names.push(id) - 1),
      }),
    )
    const log = (level: string, message: string) => output.tell(`${level.toUpperCase()}: ${message}\n`)
    const settings = { ...defaultQueueSettings, maxBytes: Number.MAX_SAFE_INTEGER }
    const queue = await PersistedQueue.open({ files: diskFiles, directory, log }, settings, codec)
    try {
      return await work(queue, names)
    } finally {
      await queue.close()
    }
  } finally {
    await lock.release()
  }
}

/** Records of the queue of a pipeline, and those of the queue of an output, which hold events only. */
function anyRecords(frames: FrameRecords): RecordCodec<Frame> {
  return {
    encode: (frame) => frames.encode(frame),
    decode: (bytes, count) =>
      isWireText(bytes)
        ? { ...frameOfEvents(unknownInput, []), events: null, bytes, wire: true, to: count }
        : frames.decode(bytes, count),
    split: frames.split,
    weigh: frames.weigh,
  }
}

function expectQueue(directory: string): void {
  try {
    if (isQueue(diskFiles, directory)) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
    throw new NoQueue(`${directory} is a file; what is needed is the folder of a queue`)
  }
  throw new NoQueue(`${directory} has no files of a queue`)
}

// -------------------------------------------------------------------------------------------------- printing

/** Events as they are; records that no codec has seen yet with what is known of them. */
function* linesOf({ item, seq }: Delivery<Frame>, names: Names): Generator<string> {
  const { from, to, ends, gap, bytes, wire, repeated } = item
  const all = Buffer.from(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength)
  const received = new Timestamp(item.millis, item.nanos).toString()
  if (wire) {
    for (const event of decodeEvents(all).slice(from, to)) yield eventLine(event)
    return
  }
  for (let i = from; i < to; i++) {
    const start = ends === null || i === 0 ? 0 : ends[i - 1]! + gap
    const record = repeated || ends === null ? all : all.subarray(start, ends[i]!)
    const content = isUtf8(record)
      ? { message: record.toString('utf8') }
      : { base64: record.toString('base64') }
    yield JSON.stringify({ seq: seq + i - from, input: names[item.input], received, ...content })
  }
}

function eventLine({ data, meta }: { data: Fields; meta: Fields | null }): string {
  return meta === null ? writeJson(data) : writeJson({ ...data, '@metadata': meta })
}
