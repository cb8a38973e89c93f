/**
 * One member of a consumer group. Three things make its records arrive once: before partitions are divided anew, what
 * was handed over is waited for and committed; each generation of the group reads a stream of its own, which begins at
 * the committed offsets; and a member that did not hear from its coordinator for the time of its session hands nothing
 * over any more, because its partitions are read by others by then.
 *
 * The package's consumer remembers its coordinator and the leaders of partitions for ever, and waits for brokers that
 * hang. So it is watched, and replaced by one that is the same member of the group.
 */
import type { PluginLogger } from '../../../plugin/define.ts'
import { exponentialBackOff } from '../../delivery/pause.ts'
import { graceMilliseconds } from '../../receiving/arrivals.ts'
import { orAborted, type Stop } from '../../receiving/stop.ts'
import {
  type ConsumerWatch,
  type KafkaConsumer,
  type KafkaMessage,
  type KafkaPackage,
  type KafkaStream,
  watchedConsumer,
} from './client.ts'
import { type CommittedOffset, OffsetCommits } from './offset-commits.ts'
import { StalledFetches } from './stalled-fetches.ts'

interface MemberSettings {
  readonly kafka: KafkaPackage
  /** Settings of the package's consumer. */
  consumer(): Promise<Record<string, unknown>>
  /** What to read, in the package's words. */
  readonly consume: Record<string, unknown>
  readonly sessionMilliseconds: number
  readonly fetchWaitMilliseconds: number
  /** Between two commits; 0: as soon as records are safe. */
  readonly commitMilliseconds: number
  readonly logger: PluginLogger
  /** The pipeline has to stop now. */
  readonly abort: AbortSignal
  /** Resolves when the pipeline has room for more; `done` says that the record is safe. */
  handOver(message: KafkaMessage, done: () => void): void | Promise<void>
}

const watchMilliseconds = 1000
/** To find brokers and the coordinator of the group. */
const connectMilliseconds = 10_000
/** The others of the group may take so long beyond a session to come together. */
const joinMilliseconds = 10_000
/** A broker may take so long to begin an answer, beyond what it was asked to wait. */
const fetchMilliseconds = 10_000
/** Milliseconds before another stream is opened: twice as many each time while they do not last. */
const streamPauses = { first: 200, max: 5000, lasting: 10_000 }
/** How long the last commit and the goodbye may take, in milliseconds. */
const endLimits = { commit: 2000, close: 5000 }

export class GroupMember {
  readonly #settings: MemberSettings
  readonly #stop: Stop
  readonly #offsets: OffsetCommits
  #consumer: KafkaConsumer | undefined
  #stream: KafkaStream | undefined
  #fetches: StalledFetches
  #failure: Error | undefined
  #wake: () => void = () => {}
  #isAwake = false
  /** Who it was in the group, and in which generation. */
  #memberId: string | null = null
  #generation = -1
  #isJoining = false
  #isDividedAnew = false
  #isOpening = false
  #openedAt = 0
  /** Streams in a row that did not last. */
  #failedStreams = 0
  /** Since when it waits: for a connection, for its place in the group, for a sign of life of the coordinator. */
  #since = 0
  #phase: 'connecting' | 'joining' | 'member' = 'connecting'
  #handing: Promise<void> | undefined

  constructor(settings: MemberSettings, stop: Stop) {
    this.#settings = settings
    this.#stop = stop
    this.#fetches = new StalledFetches(settings.fetchWaitMilliseconds + fetchMilliseconds)
    this.#offsets = new OffsetCommits({
      send: (offsets) => this.#commit(offsets),
      failed: (error) => settings.logger.warn('Offsets were not committed', { message: error.message }),
      safe: () => {
        if (settings.commitMilliseconds === 0) this.#offsets.commit()
      },
    })
  }

  /** Reads until the input has to stop; rejects when the consumer has to be replaced: call it again. */
  async run(): Promise<void> {
    const { kafka, commitMilliseconds, consume } = this.#settings
    const watch: ConsumerWatch = {
      beforeJoin: () => this.#beforeJoin(),
      fetchBegins: (node) => this.#fetches.begin(node),
      fetchEnds: (node) => this.#fetches.end(node),
    }
    const consumer = watchedConsumer(kafka, await this.#settings.consumer(), watch)
    consumer.memberId = this.#memberId
    this.#consumer = consumer
    this.#failure = undefined
    this.#enter('connecting')
    this.#follow(consumer)
    const timers = [
      setInterval(() => this.#look(), watchMilliseconds),
      ...(commitMilliseconds > 0 ? [setInterval(() => this.#offsets.commit(), commitMilliseconds)] : []),
    ]
    try {
      this.#isOpening = true
      consumer.consume({ ...consume }).then(
        (stream) => this.#read(stream, consumer),
        (error: Error) => this.#fail(error),
      )
      await this.#handOverAll()
    } finally {
      this.#consumer = undefined
      timers.forEach(clearInterval)
      await this.#leave(consumer)
    }
  }

  async #handOverAll(): Promise<void> {
    while (!this.#stop.isRequested) {
      if (this.#failure !== undefined) throw this.#failure
      const message = this.#isJoining ? null : (this.#stream?.read() ?? null)
      if (message === null) {
        await this.#woken()
        continue
      }
      if (this.#isSilent()) throw this.#failure ?? silence
      const done = this.#offsets.track(message)
      if (done === undefined) continue
      const handing = this.#settings.handOver(message, done)
      if (handing === undefined) continue
      this.#handing = handing
      await this.#stop.during(handing)
      this.#handing = undefined
    }
  }

  async #woken(): Promise<void> {
    if (!this.#isAwake) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await this.#stop.during(woken)
    }
    this.#isAwake = false
  }

  #rouse(): void {
    this.#isAwake = true
    this.#wake()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#rouse()
  }

  #enter(phase: 'connecting' | 'joining' | 'member'): void {
    this.#phase = phase
    this.#since = performance.now()
  }

  #follow(consumer: KafkaConsumer): void {
    const isOurs = () => this.#consumer === consumer
    consumer.on('consumer:group:rebalance', () => {
      this.#isDividedAnew = true
    })
    consumer.on('consumer:group:join', () => {
      if (isOurs()) this.#joined(consumer)
    })
    consumer.on('consumer:heartbeat:end', () => {
      if (isOurs() && this.#phase === 'member') this.#enter('member')
    })
    consumer.on('consumer:heartbeat:error', ({ error }) => {
      if (isOurs()) this.#fail(error ?? silence)
    })
    consumer.on('error', (error) => {
      if (isOurs()) this.#fail(error)
    })
  }

  /** What was handed over is waited for, but not for so long that the group goes on without this member. */
  async #beforeJoin(): Promise<void> {
    this.#isJoining = true
    this.#enter('joining')
    if (!this.#isDividedAnew) return
    this.#isDividedAnew = false
    const limit = this.#settings.sessionMilliseconds / 2
    await within(
      Promise.resolve(this.#handing).then(() => this.#offsets.settled()),
      limit,
    )
    await within(this.#offsets.finish(), Math.min(limit, endLimits.commit))
    this.#enter('joining')
  }

  #joined(consumer: KafkaConsumer): void {
    const { memberId, generationId } = consumer
    // Only who was in the generation before this one knows that nobody else had its partitions meanwhile.
    const goesOn = memberId === this.#memberId && generationId <= this.#generation + 1
    this.#offsets.keep(goesOn ? (consumer.assignments ?? []) : [])
    this.#memberId = memberId
    this.#generation = generationId
    this.#isJoining = false
    this.#enter('member')
    if (!this.#isOpening) this.#open(consumer)
  }

  #open(consumer: KafkaConsumer): void {
    const former = this.#stream
    this.#stream = undefined
    this.#isOpening = true
    // The topics stay known to the consumer while a stream of them is there.
    consumer.consume({ ...this.#settings.consume }).then(
      (stream) => this.#read(stream, consumer),
      (error: Error) => this.#fail(error),
    )
    former?.destroy()
  }

  #read(stream: KafkaStream, consumer: KafkaConsumer): void {
    this.#isOpening = false
    const isOver = (error?: Error) => {
      if (this.#stream === stream) this.#reopen(consumer, error)
    }
    stream.on('error', isOver)
    stream.on('close', () => isOver())
    if (this.#consumer !== consumer || this.#stop.isRequested) {
      stream.destroy()
      return
    }
    this.#fetches.watch(stream, consumer)
    this.#openedAt = performance.now()
    this.#stream = stream
    stream.on('offsets', () => {
      if (this.#stream === stream) this.#begin(stream, consumer)
    })
    stream.on('readable', () => this.#rouse())
    this.#rouse()
  }

  #begin({ offsetsToFetch }: KafkaStream, { assignments }: KafkaConsumer): void {
    for (const { topic, partitions } of assignments ?? []) {
      for (const partition of partitions) {
        const offset = offsetsToFetch?.get(`${topic}:${partition}`)
        if (offset !== undefined) this.#offsets.begin({ topic, partition, offset })
      }
    }
  }

  /** A leader moved, or a broker went away; the membership may be as good as before. */
  #reopen(consumer: KafkaConsumer, error: Error | undefined): void {
    this.#settings.logger.warn('Unable to poll Kafka', { message: error?.message ?? 'the stream ended' })
    consumer.clearMetadata()
    const former = this.#stream
    this.#stream = undefined
    if (performance.now() - this.#openedAt > streamPauses.lasting) this.#failedStreams = 0
    const pause = exponentialBackOff(this.#failedStreams, streamPauses.first, streamPauses.max)
    this.#failedStreams += 1
    setTimeout(() => {
      const isIdle = this.#stream === undefined && !this.#isOpening && !this.#isJoining
      if (this.#consumer === consumer && this.#phase === 'member' && isIdle) this.#open(consumer)
      former?.destroy()
    }, pause)
  }

  #isSilent(): boolean {
    return this.#phase === 'member' && performance.now() - this.#since > this.#settings.sessionMilliseconds
  }

  #look(): void {
    const { sessionMilliseconds } = this.#settings
    const waited = performance.now() - this.#since
    const limit =
      this.#phase === 'connecting'
        ? connectMilliseconds
        : this.#phase === 'joining'
          ? sessionMilliseconds + joinMilliseconds
          : sessionMilliseconds
    const consumer = this.#consumer
    if (waited > limit) this.#fail(this.#phase === 'member' ? silence : unreachable)
    else if (this.#stream !== undefined && consumer !== undefined && this.#fetches.areStalled())
      this.#reopen(consumer, new Error('a broker does not answer'))
  }

  async #commit(offsets: CommittedOffset[]): Promise<boolean> {
    const consumer = this.#consumer
    // One that has not joined yet would speak for another generation.
    if (consumer === undefined || consumer.generationId !== this.#generation) return false
    await consumer.commit({ offsets: offsets.map((offset) => ({ ...offset, leaderEpoch: -1 })) })
    return true
  }

  /** When the input stops, the group hears of it; otherwise the place is kept for the next consumer. */
  async #leave(consumer: KafkaConsumer): Promise<void> {
    this.#stream?.destroy()
    this.#stream = undefined
    this.#isOpening = false
    this.#isJoining = false
    this.#isDividedAnew = false
    if (this.#stop.isRequested) {
      this.#consumer = consumer
      await orAborted(this.#offsets.settled(), this.#settings.abort, graceMilliseconds)
      // While the consumer is still a member of its group.
      await within(this.#offsets.finish(), endLimits.close)
      this.#consumer = undefined
      this.#memberId = null
    } else {
      consumer.memberId = null
      await within(consumer.leaveGroup(true), endLimits.close)
    }
    await within(consumer.close(true), endLimits.close)
  }
}

const silence = new Error('The coordinator of the group did not answer for the time of a session')
const unreachable = new Error('The group could not be joined in time')

/** Waits for the promise to settle, for some time. */
async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise.catch(() => undefined), late])
  clearTimeout(timer)
}
