/**
 * Reads the events that a pipeline gave up, of this program or of Logstash, with the reason in their metadata. What was
 * read and has left the pipeline is remembered in a sincedb in the format of Logstash.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Event } from '../../event/event.ts'
import { parseTimestamp } from '../../event/parse-timestamp.ts'
import type { Timestamp } from '../../event/timestamp.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type OptionValues, option, type PluginLogger } from '../../plugin/define.ts'
import { decodeEntry, type Entry, eventOf } from '../../queue/dead-letters/entry.ts'
import { DeadLetterReader } from '../../queue/dead-letters/reader.ts'
import { type DataLock, lockFile } from '../../storage/data-lock.ts'
import { diskFiles } from '../../storage/files.ts'
import { makeDirectorySync } from '../../storage/make-directory.ts'
import { whilePositionsMove } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { Consumption } from './dead-letter-queue/consumption.ts'

const pollMillis = 100
const waitMillis = 1000
/** Read and handed over at once. */
const batch = { entries: 125, bytes: 1024 * 1024 }
/** Tag for an entry whose event cannot be read. */
const failureTag = '_inputfailure'

const options = {
  path: option.path({
    required: true,
    doc: 'Directory of all dead letter queues, what `path.dead_letter_queue` says for the pipeline that wrote them.',
  }),
  pipeline_id: option.string({ default: 'main', doc: 'Pipeline whose dead letters are read.' }),
  start_timestamp: option.string({
    doc: 'Time in ISO 8601 form: entries before it are not read, and the sincedb is not looked at.',
  }),
  commit_offsets: option.boolean({
    default: true,
    doc: 'Remember what was read. Without it every start reads all entries again.',
  }),
  sincedb_path: option.string({
    doc: 'File that says how far the queue was read; by default one in `path.data`, named after `path`.',
  }),
  clean_consumed: option.boolean({
    default: false,
    doc: 'Remove segments of the queue all of whose entries have left the pipeline. Those with entries before `start_timestamp` stay; damaged ones go to the folder `quarantine` of the queue.',
  }),
}

export default defineInput({
  name: 'dead_letter_queue',
  summary: 'Reads events from a dead letter queue.',
  description: [
    'Events come back as they were given up, with `[@metadata][dead_letter_queue]`: `plugin_type`, `plugin_id`,',
    '`reason` and `entry_time`. An event that comes from here is not written to a dead letter queue again.',
    'Entries are read as soon as they are written; those that are damaged are skipped, counted and said in the log.',
  ].join('\n'),
  options,
  metrics: {
    damaged: 'Places in the queue that were skipped because they are damaged.',
    consumed_events: 'Entries that were removed after they were read.',
  },
  concerns: (given) => [
    ...startConcern('clean_consumed', () => checkClean(given)),
    ...startConcern('start_timestamp', () => startOf(given)),
  ],
  reader({ decorate, logger }) {
    return {
      read(payload, _origin, emit) {
        const entry = decodeEntry(payload)
        if (entry === undefined) return
        const event = readEvent(entry, logger)
        event.set('[@metadata][dead_letter_queue]', {
          plugin_type: entry.pluginType,
          plugin_id: entry.pluginId,
          reason: entry.reason,
          entry_time: entry.time,
        })
        decorate(event)
        emit(event)
      },
    }
  },
  create({ options: given, metrics, logger, abort, setting }) {
    const directory = join(given.path, given.pipeline_id)
    const stop = new Stop()
    let sincedbPath: string | undefined
    let lock: DataLock | undefined

    const register = (): void => {
      checkClean(given)
      startOf(given)
      sincedbPath = pathOfSincedb(given, setting('path.data'))
    }

    /** Logstash fails until the directory is there; nobody has given up an event yet. */
    const directoryIsThere = async (): Promise<boolean> => {
      for (let hasWarned = false; !stop.isRequested; hasWarned = true) {
        if (diskFiles.exists(directory)) return true
        if (!hasWarned) logger.warn(`DLQ sub-path ${directory} does not exist`)
        await stop.sleep(waitMillis)
      }
      return false
    }

    return {
      register,
      async run(sink) {
        if (!(await directoryIsThere())) return
        if (given.clean_consumed)
          lock ??= await lockFile(join(directory, 'dlq_reader.lock'), readerInUse(directory))
        const consumption = new Consumption({
          files: diskFiles,
          directory,
          sincedbPath: given.commit_offsets ? sincedbPath : undefined,
          cleanConsumed: given.clean_consumed,
          logger,
          removed: (entries) => metrics.consumed_events.increment(entries),
        })
        let since = startOf(given)
        const from = since === undefined ? consumption.resume() : undefined
        const reader = new DeadLetterReader(diskFiles, directory, from, (path, offset) => {
          logger.error('A segment of the dead letter queue is damaged; what cannot be read is skipped', {
            path,
            offset,
          })
        })
        let damaged = 0
        while (!stop.isRequested) {
          const read = reader.read(batch)
          metrics.damaged.increment(reader.damaged - damaged)
          damaged = reader.damaged
          const skipped =
            since === undefined ? 0 : read.findIndex(({ entry }) => !isBefore(entry.time, since!))
          const entries = skipped < 0 ? [] : read.slice(skipped)
          const passedOver = read.at(skipped < 0 ? -1 : skipped - 1)
          if (skipped !== 0 && passedOver !== undefined) consumption.passOver(passedOver.segment)
          if (entries.length > 0) {
            since = undefined
            const done = consumption.track(reader.position)
            await sink.payloads(
              entries.map(({ bytes }) => bytes),
              {},
              { done },
            )
          } else if (read.length === 0) {
            consumption.idle(reader.position)
            await stop.sleep(pollMillis)
          } else await stop.sleep(0)
        }
        await whilePositionsMove(consumption.settled(), abort, () => consumption.reached)
        consumption.save()
      },
      stop() {
        stop.request()
      },
      async close() {
        await lock?.release()
        lock = undefined
      },
    }
  },
})

type Options = OptionValues<typeof options>

function checkClean({ clean_consumed, commit_offsets }: Options): void {
  if (clean_consumed && !commit_offsets)
    throw new Error('clean_consumed requires that also commit_offsets is enabled to work properly')
}

function startOf({ start_timestamp }: Options): Timestamp | undefined {
  if (start_timestamp === undefined) return undefined
  const time = parseTimestamp(start_timestamp)
  if (time === undefined) throw new Error(`Invalid format: "${start_timestamp}" is no time in ISO 8601 form`)
  return time
}

function isBefore(time: Timestamp, other: Timestamp): boolean {
  return time.millis < other.millis || (time.millis === other.millis && time.nanos < other.nanos)
}

function pathOfSincedb({ path, pipeline_id, sincedb_path }: Options, data: unknown): string {
  if (sincedb_path !== undefined) {
    if (statSync(sincedb_path, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(
        `The "sincedb_path" argument must point to a file, received a directory: "${sincedb_path}"`,
      )
    return sincedb_path
  }
  const root = typeof data === 'string' ? data : 'data'
  const folder = join(root, 'plugins', 'inputs', 'dead_letter_queue', pipeline_id)
  makeDirectorySync(folder)
  return join(folder, `.sincedb_${createHash('md5').update(path).digest('hex')}`)
}

function readerInUse(directory: string): () => Error {
  return () =>
    new Error(
      `Existing \`dlg_reader.lock\` file in [${directory}]. Only one DeadLetterQueueReader with \`cleanConsumed\` set is allowed per Dead Letter Queue.`,
    )
}

/** The bytes of the event passed their checksum, so somebody wrote what cannot be read; the reason is worth more than nothing. */
function readEvent(entry: Entry, logger: PluginLogger): Event {
  try {
    return eventOf(entry)
  } catch (error) {
    logger.error('The event of a dead letter cannot be read', {
      message: (error as Error).message,
      plugin_id: entry.pluginId,
      reason: entry.reason,
    })
    const event = Event.from({})
    event.tag(failureTag)
    return event
  }
}
