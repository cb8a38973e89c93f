/**
 * The dead letter queue of a pipeline, in its host thread: opened as the settings say, looked after by a timer, its
 * numbers told to the control thread when they change. Worker threads send their entries here.
 */
import {
  type DeadLetterLogger,
  DeadLetterQueue,
  type DeadLetterStats,
} from '../../queue/dead-letters/queue.ts'
import { parseAge } from '../../queue/dead-letters/retention.ts'
import type { Settings } from '../../settings/settings.ts'
import { type DataLock, lockFile } from '../../storage/data-lock.ts'
import { diskFiles } from '../../storage/files.ts'
import { maxTimer } from '../../time/max-timer.ts'
import { FigureReports } from './figure-reports.ts'
import { ownLettersFolder } from './pipeline-folder.ts'

type Tell = (stats: DeadLetterStats) => void

const minFlushMillis = 1000
const minCheckMillis = 10

export class PipelineDeadLetters {
  /** What the queue was opened with: another one is needed when it changes. */
  readonly identity: string
  readonly #queue: DeadLetterQueue
  readonly #lock: DataLock
  readonly #reports: FigureReports<DeadLetterStats>
  readonly #timer: NodeJS.Timeout

  /** Undefined when the pipeline has no dead letter queue. */
  static async open(
    settings: Settings,
    logger: DeadLetterLogger,
    tell: Tell,
  ): Promise<PipelineDeadLetters | undefined> {
    const identity = identityOf(settings)
    if (identity === '') return undefined
    const directory = ownLettersFolder(settings)
    const age = settings.get('dead_letter_queue.retain.age')
    const retainMillis = age === null ? undefined : parseAge(age)
    diskFiles.makeDirectory(directory)
    const lock = await lockFile(
      `${directory}/.lock`,
      () => new Error(`The dead letter queue ${directory} is in use by another process.`),
    )
    try {
      const queue = await DeadLetterQueue.open({
        files: diskFiles,
        directory,
        maxBytes: settings.get('dead_letter_queue.max_bytes'),
        policy: settings.get('dead_letter_queue.storage_policy'),
        retainMillis,
        flushMillis: Math.max(minFlushMillis, settings.get('dead_letter_queue.flush_interval')),
        logger,
      })
      const given = settings.get('dead_letter_queue.flush_check_interval')
      const interval = Math.min(maxTimer, Math.max(minCheckMillis, given))
      return new PipelineDeadLetters(identity, queue, lock, tell, interval)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(
    identity: string,
    queue: DeadLetterQueue,
    lock: DataLock,
    tell: Tell,
    checkMillis: number,
  ) {
    this.identity = identity
    this.#queue = queue
    this.#lock = lock
    this.#reports = new FigureReports(() => queue.stats, tell)
    this.#timer = setInterval(() => void queue.check().then(() => this.#reports.report()), checkMillis)
    this.#timer.unref()
    this.#reports.report()
  }

  /** Resolves when the entries are on the disk, or dropped and counted. */
  append(entries: readonly Uint8Array[]): Promise<void> {
    return this.#queue.append(entries)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#queue.close()
    this.#reports.report()
    await this.#lock.release()
  }
}

/** Empty when there is to be no queue. */
export function identityOf(settings: Settings): string {
  if (!settings.get('dead_letter_queue.enable')) return ''
  return JSON.stringify([
    settings.get('path.dead_letter_queue'),
    settings.get('pipeline.id'),
    settings.get('dead_letter_queue.max_bytes'),
    settings.get('dead_letter_queue.storage_policy'),
    settings.get('dead_letter_queue.retain.age'),
    settings.get('dead_letter_queue.flush_interval'),
    settings.get('dead_letter_queue.flush_check_interval'),
  ])
}
