/**
 * The persisted queue of a pipeline, in its host thread: opened as the settings say, its figures told to the control
 * thread when they change. Beside the pages it keeps the texts of the configurations whose records wait in them.
 */

import { PlannedInputNames } from '../../pipeline/frames/former-inputs.ts'
import type { Frame } from '../../pipeline/frames/frame.ts'
import { PersistedFrames } from '../../pipeline/frames/frame-queue.ts'
import { FrameRecords } from '../../pipeline/frames/frame-record.ts'
import type { Plan, PlannedPlugin } from '../../pipeline/plan/plan.ts'
import { pipelineHash, type SourcePart } from '../../pipeline/plan/source.ts'
import type { HostQueue } from '../../pipeline/run/host.ts'
import type { PersistedOutputQueue } from '../../pipeline/run/output-queue.ts'
import { isLogstashQueue } from '../../queue/logstash-queue/logstash-queue.ts'
import { PersistedQueue, type QueueFigures } from '../../queue/persisted/persisted-queue.ts'
import { waitingBelow } from '../../queue/persisted/queue-check.ts'
import { lockQueue } from '../../queue/persisted/queue-lock.ts'
import {
  defaultQueueSettings,
  type QueueEnvironment,
  type QueueSettings,
} from '../../queue/persisted/queue-options.ts'
import type { Settings } from '../../settings/settings.ts'
import { type FileKind, readChecked, writeChecked } from '../../storage/checked-file.ts'
import type { DataLock } from '../../storage/data-lock.ts'
import { diskFiles } from '../../storage/files.ts'
import { FigureReports } from './figure-reports.ts'
import { OutputQueues } from './output-queues.ts'
import { ownQueueFolder } from './own-queue-folder.ts'
import { queueFolder } from './pipeline-folder.ts'

interface QueueLogger {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

type Tell = (figures: QueueFigures) => void
type Sources = readonly (readonly SourcePart[])[]

const sourcesKind: FileKind = { name: 'queue-sources', version: 1, firstRead: 1 }
/** Configurations that are remembered while records of an earlier one may wait. */
const maxSources = 32
const tellMillis = 500

interface Opened {
  readonly env: QueueEnvironment
  readonly queue: PersistedQueue<Frame>
  readonly names: PlannedInputNames
  readonly lock: DataLock
}

export class PipelineQueue implements HostQueue {
  readonly frames: PersistedFrames
  readonly #opened: Opened
  readonly #outputs: OutputQueues
  readonly #reports: FigureReports<QueueFigures>
  readonly #timer: NodeJS.Timeout
  #sources: Sources
  #settings: Settings

  /** Undefined when the pipeline has a queue in memory. */
  static async open(settings: Settings, logger: QueueLogger, tell: Tell): Promise<PipelineQueue | undefined> {
    if (settings.get('queue.type') !== 'persisted') {
      tellUnread(settings, logger)
      return undefined
    }
    const queueSettings = queueSettingsOf(settings)
    const directory = ownQueueFolder(settings)
    if (isLogstashQueue(diskFiles, directory)) {
      throw new Error(
        `${directory} holds a queue that Logstash wrote; move it away and run \`millrace queue import\` to take over its events`,
      )
    }
    diskFiles.makeDirectory(directory)
    const lock = await lockQueue(directory)
    try {
      const names = new PlannedInputNames()
      const log = (level: keyof QueueLogger, message: string) => logger[level](message)
      const env = { files: diskFiles, directory, log }
      const sources = readSources(directory, logger)
      const queue = await PersistedQueue.open(env, queueSettings, new FrameRecords(names))
      expectRoom(queue.figures(), queueSettings)
      const kept = queue.unacked === 0 ? [] : sources
      return new PipelineQueue({ env, queue, names, lock }, tell, kept, settings)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(opened: Opened, tell: Tell, sources: Sources, settings: Settings) {
    const { queue } = opened
    this.#opened = opened
    this.#outputs = new OutputQueues(opened.env)
    this.frames = new PersistedFrames(queue)
    this.#reports = new FigureReports(() => queue.figures(), tell)
    this.#sources = sources
    this.#settings = settings
    this.#timer = setInterval(() => this.#reports.report(), tellMillis)
    this.#timer.unref()
    this.#reports.report()
  }

  get drains(): boolean {
    return this.#settings.get('queue.drain')
  }

  get grace(): number {
    return this.#settings.get('shutdown.grace')
  }

  /** Configurations that records in the queue may come from. */
  get sources(): Sources {
    return this.#sources
  }

  /** What a reload may change. The directory stays. */
  adopt(settings: Settings): void {
    Object.assign(this.#opened.queue.settings, queueSettingsOf(settings))
    this.#settings = settings
  }

  /** Written before the first record of a new configuration can come. */
  use(plan: Plan, isIsolated: boolean): void {
    const hash = pipelineHash(plan.parts)
    const others = this.#sources.filter((parts) => pipelineHash(parts) !== hash)
    const sources = [plan.parts, ...others].slice(0, maxSources)
    if (others.length === this.#sources.length || this.#sources.length === 0) {
      const body = Buffer.from(JSON.stringify(sources))
      writeChecked(diskFiles, sourcesPath(this.#opened.env.directory), sourcesKind, body)
    }
    this.#sources = sources
    this.#opened.names.use(plan)
    this.#outputs.use(plan, isIsolated)
  }

  /** A queue of the same kind for one output of the plan in use. */
  outputQueue(plugin: PlannedPlugin): Promise<PersistedOutputQueue> {
    return this.#outputs.open(plugin, queueSettingsOf(this.#settings))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#opened.queue.close()
    this.#reports.report()
    await this.#opened.lock.release()
  }
}

/** A pipeline that has a queue in memory now may have had a persisted one, in which events wait. */
export function tellUnread(settings: Settings, logger: QueueLogger): void {
  const directory = queueFolder(settings)
  try {
    for (const { path, events } of waitingBelow(diskFiles, directory))
      logger.warn(
        `${events} events wait in ${path}, which is read only with queue.type: persisted; \`millrace queue export ${path}\` prints them`,
      )
  } catch (error) {
    logger.warn(`${directory} cannot be read: ${(error as Error).message}`)
  }
}

function sourcesPath(directory: string): string {
  return `${directory}/millrace.sources`
}

/** Without them records of inputs that are no more are texts; that is worth a warning, and no reason to stop. */
function readSources(directory: string, logger: QueueLogger): Sources {
  const path = sourcesPath(directory)
  if (!diskFiles.exists(path)) return []
  try {
    const body = readChecked(diskFiles, path, sourcesKind)
    return JSON.parse(Buffer.from(body).toString('utf8')) as Sources
  } catch (error) {
    logger.warn(
      `${(error as Error).message}; events of inputs that were removed from the configuration stay texts`,
    )
    return []
  }
}

export function queueSettingsOf(settings: Settings): QueueSettings {
  const pageCapacity = settings.get('queue.page_capacity')
  const maxBytes = settings.get('queue.max_bytes')
  if (pageCapacity > maxBytes)
    throw new Error(
      "Invalid configuration, 'queue.page_capacity' must be smaller than or equal to 'queue.max_bytes'",
    )
  const compression = settings.get('queue.compression')
  return {
    ...defaultQueueSettings,
    pageCapacity,
    maxBytes,
    maxEvents: settings.get('queue.max_events'),
    checkpointAcks: settings.get('queue.checkpoint.acks'),
    checkpointWrites: settings.get('queue.checkpoint.writes'),
    durability: settings.get('queue.durability'),
    compression: compression === 'disabled' ? 'none' : compression,
    recentBytes: Math.min(defaultQueueSettings.recentBytes, settings.get('memory.limit') * maxRecentShare),
  }
}

/** Share of the memory for records that wait to be delivered and need not be read from the disk again. */
const maxRecentShare = 0.02

/** As Logstash has it: a queue that cannot grow to its size is not started. */
function expectRoom({ queueBytes, freeBytes }: QueueFigures, { maxBytes }: QueueSettings): void {
  const needed = maxBytes - queueBytes
  if (needed <= freeBytes || freeBytes === 0) return
  throw new Error(
    `Unable to allocate ${needed} more bytes for persisted queue on top of its current usage of ${queueBytes} bytes`,
  )
}
