/**
 * Reads the objects of a bucket of Amazon S3, the oldest first, and remembers the time of the last one that is safe. What is
 * done with an object afterwards - copied, deleted - is done when its events are safe.
 */
import { randomUUID } from 'node:crypto'
import { copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { startConcern } from '../../plugin/concern.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { compilePattern } from '../../regex/pattern.ts'
import { makeDirectory } from '../../storage/make-directory.ts'
import { awsConcerns } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { exponentialBackOff } from '../delivery/pause.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { Deliveries } from './file/deliveries.ts'
import { Bucket, type ListedObject } from './s3/bucket.ts'
import { ObjectEvents, objectProperties } from './s3/object-events.ts'
import { recordsOf } from './s3/object-records.ts'
import { s3InputOptions } from './s3/options.ts'
import { readSincedb, sincedbPath, writeSincedb } from './s3/sincedb.ts'

/** Objects whose events are under way at a time. */
const maxObjects = 16
const eventsAtOnce = 125

export default defineInput({
  name: 's3',
  summary: 'Reads the objects of a bucket of Amazon S3.',
  description: [
    clientPackage(packageNames.s3),
    '',
    'Each line of an object is an event, unless the codec says otherwise; `[@metadata][s3][key]` is the name of the object.',
    'With the codec `plain` the line of an object that is not packed keeps its end, as in Logstash. The first two lines of',
    'CloudFront logs become `cloudfront_version` and `cloudfront_fields` of the events that follow.',
    '',
    'An object is copied and deleted, and its time is remembered, when its events are safe: on stable storage where the queue',
    'of the pipeline is persisted, delivered by the outputs where it is in memory. An object that could not be fetched because',
    'the service was away is fetched again; objects behind it are not remembered before it is.',
  ].join('\n'),
  options: s3InputOptions,
  concerns: (options) => [
    ...startConcern('gzip_pattern', () => compilePattern(options.gzip_pattern)),
    ...startConcern('exclude_pattern', () => compilePattern(options.exclude_pattern ?? '')),
    ...awsConcerns(options, 's3'),
  ],
  create({ options, codec, ecs, logger, setting, abort }) {
    const stop = new Stop()
    const gzipPattern = compilePattern(options.gzip_pattern)
    const exclude =
      options.exclude_pattern === undefined ? undefined : compilePattern(options.exclude_pattern)
    /** Objects that are safe although one before them is not; not to be read again. */
    const ahead = new Set<string>()
    let service: AwsService | undefined
    let bucket: Bucket | undefined
    let sincedb = ''
    let remembering: Promise<void> = Promise.resolve()

    const remember = (modified: number): void => {
      if (modified === 0) return
      remembering = remembering
        .then(() => writeSincedb(sincedb, modified))
        .catch((error: Error) =>
          logger.error('The sincedb cannot be written', { path: sincedb, message: error.message }),
        )
    }

    /** Hands the events of a file over; `safe` is called when all of them are. False: the input has to stop. */
    const readFile = async (
      sink: Sink,
      path: string,
      events: ObjectEvents,
      key: string,
      safe: () => void,
    ) => {
      let outstanding = 1
      const done = () => {
        outstanding -= 1
        if (outstanding === 0) safe()
      }
      const push = async (list: ReturnType<ObjectEvents['decode']>): Promise<void> => {
        for (let at = 0; at < list.length; at += eventsAtOnce) {
          outstanding += 1
          const room = sink.events(list.slice(at, at + eventsAtOnce), { done })
          if (room !== undefined) await stop.during(room)
        }
      }
      const { delimiter, maxRecordBytes: maxBytes } = codec
      const cutting = { isGzip: gzipPattern.test(key), delimiter, maxBytes }
      try {
        for await (const records of recordsOf(path, cutting)) {
          if (stop.isRequested) {
            logger.warn(
              'Logstash S3 input, stop reading in the middle of the file, we will read it again when logstash is started',
            )
            return false
          }
          await push(events.decode(records))
        }
      } catch (error) {
        logger.error('Failed to read file, processing skipped', { ...errorFacts(error), filename: path, key })
      }
      await push(events.flush())
      done()
      return true
    }

    /** What comes after the events are safe. */
    const putAway = async ({ key, modified }: ListedObject, path: string): Promise<void> => {
      try {
        const now = await bucket!.modified(key)
        if (now !== undefined && now !== modified) {
          logger.info(
            `${key} is updated at ${new Date(now).toISOString()} and will process in the next cycle`,
          )
          return
        }
        const { backup_to_dir } = options
        if (backup_to_dir !== undefined) await copyFile(path, join(backup_to_dir, basename(key)))
        if (now !== undefined) await bucket!.putAway(key)
      } catch (error) {
        logger.error('An object that was read cannot be copied or deleted', { key, ...errorFacts(error) })
      }
    }

    /**
     * Reads an object. Resolves when its events are handed over, or it is known that they will not be; calls `over` with
     * whether it need not be read again.
     */
    const readObject = async (
      sink: Sink,
      object: ListedObject,
      over: (isFinished: boolean) => void,
    ): Promise<void> => {
      const { key } = object
      const path = join(options.temporary_directory, `${randomUUID()}-${basename(key).slice(-100)}`)
      const remove = () => rm(path, { force: true })
      let answer: Record<string, unknown>
      try {
        answer = await bucket!.download(key, path)
      } catch (error) {
        await remove()
        logger.warn('Unable to download remote file', { ...errorFacts(error), remote_key: key })
        // As in Logstash: an object that we may not read does not keep us from the others.
        over(isRefusal(error))
        return
      }
      const facts = { ...(options.include_object_properties && objectProperties(answer)), key }
      const finish = () => over(true)
      const isRead = await readFile(sink, path, new ObjectEvents(codec, ecs, facts), key, () => {
        void putAway(object, path).then(remove).then(finish, finish)
      })
      if (isRead) return
      await remove()
      over(false)
    }

    /** False when an object has to be read again. */
    const readBucket = async (sink: Sink): Promise<boolean> => {
      const since = await readSincedb(sincedb)
      const objects = (await bucket!.newObjects(since)).filter((object) => !ahead.has(nameOf(object)))
      const times = positions(objects)
      const deliveries = new Deliveries<number>(remember)
      const slots = new Slots(maxObjects)
      let isComplete = true
      for (const [n, object] of objects.entries()) {
        await stop.during(slots.take())
        if (stop.isRequested) break
        const done = deliveries.track(times[n]!)
        await readObject(sink, object, (isFinished) => {
          if (isFinished) {
            ahead.add(nameOf(object))
            done()
          } else isComplete = false
          slots.free()
        })
        if (!isComplete) break
      }
      const isSafe = await untilSafe(slots.allFree(), stop, abort)
      await remembering
      if (isSafe && isComplete) ahead.clear()
      return isComplete
    }

    return {
      async register() {
        const { region, watch_for_new_files } = options
        logger.info('Registering', { bucket: options.bucket, region })
        service = await AwsService.open({ service: 's3', options, logger, abort })
        bucket = new Bucket(service, options, exclude, logger)
        await bucket.prepareBackup()
        const { backup_to_dir } = options
        if (backup_to_dir !== undefined) await makeDirectory(backup_to_dir, 0o700)
        await makeDirectory(options.temporary_directory)
        const data = String(setting('path.data') ?? 'data')
        sincedb = options.sincedb_path ?? sincedbPath(data, options.bucket, options.prefix)
        await readSincedb(sincedb)
        if (!watch_for_new_files)
          logger.debug('`watch_for_new_files` has been disabled; `interval` is ignored.')
      },
      async run(sink) {
        for (let failures = 0; !stop.isRequested; ) {
          const started = Date.now()
          let isComplete = false
          try {
            isComplete = await readBucket(sink)
          } catch (error) {
            if (stop.isRequested) break
            const facts = { ...errorFacts(error), prefix: options.prefix }
            logger.error('Unable to list objects in bucket', facts)
          }
          failures = isComplete ? 0 : failures + 1
          if (!options.watch_for_new_files && isComplete) break
          const interval = Math.max(100, options.interval * 1000)
          const pause = isComplete
            ? interval
            : Math.min(interval, exponentialBackOff(failures - 1, 1000, 60_000))
          await stop.sleep(pause - (isComplete ? Date.now() - started : 0))
        }
        await remembering
      },
      stop() {
        stop.request()
      },
      close() {
        service?.close()
        service = undefined
      },
    }
  },
})

function nameOf({ key, modified }: ListedObject): string {
  return `${modified} ${key}`
}

/**
 * The time that may be remembered when everything up to an object is safe: its own only when no other object of that time
 * follows, because those that are not younger than the time are never read again.
 */
export function positions(objects: readonly ListedObject[]): number[] {
  let before = 0
  return objects.map(({ modified }, n) => {
    if (objects[n + 1]?.modified === modified) return before
    before = modified
    return modified
  })
}

/** Lets so many in at a time. */
class Slots {
  readonly #count: number
  #taken = 0
  #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#count = count
  }

  async take(): Promise<void> {
    await this.#until(() => this.#taken < this.#count)
    this.#taken += 1
  }

  free(): void {
    this.#taken -= 1
    for (const wake of this.#waiting.splice(0)) wake()
  }

  allFree(): Promise<void> {
    return this.#until(() => this.#taken === 0)
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
