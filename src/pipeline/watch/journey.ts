/**
 * The way of single events through a pipeline, step by step: what each filter changed, dropped or added, and which
 * outputs were given the result. Events that filters make of a followed event belong to its journey. Bounded: a
 * journey has so many steps, and an event beyond a size is told by its size alone.
 */
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import type { Fields, Value } from '../../event/value.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { clock } from '../run/stage-meter.ts'
import { changesBetween, type FieldChange, newTags } from './event-changes.ts'
import type { AfterFilter, StageObserver } from './stage-observer.ts'

type StepVerdict =
  /** An input created the event. */
  | 'made'
  | 'untouched'
  | 'changed'
  /** Changed, and it got tags it had not, as failures give. */
  | 'tagged'
  | 'dropped'
  /** A filter created the event beside the one it was given. */
  | 'added'
  /** A filter had held it back. */
  | 'flushed'
  /** To an output. */
  | 'delivered'

export interface JourneyStep {
  readonly id: string
  readonly type: 'input' | 'filter' | 'output'
  readonly name: string
  /** 0 for the event that was followed, then those made of it. */
  readonly event: number
  readonly verdict: StepVerdict
  /** Time of the step, shared evenly by the events of its batch. */
  readonly micros: number
  readonly changes: readonly FieldChange[]
  readonly tags?: readonly string[]
  /** The event behind the step, where it changed. */
  readonly after?: Fields
  /** Instead, of an event that is too large to keep. */
  readonly bytes?: number
}

export class Journey {
  readonly root: Event
  readonly steps: JourneyStep[] = []
  readonly startedAt = Date.now()
  /** Characters of the events that are kept. */
  size = 0
  #numbers = new Map<Event, number>()

  constructor(root: Event) {
    this.root = root
    this.#numbers.set(root, 0)
  }

  /** Gives an event its number, or tells the one it has. */
  numberOf(event: Event): number {
    let number = this.#numbers.get(event)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(event, number)
    }
    return number
  }

  get events(): readonly Event[] {
    return [...this.#numbers.keys()]
  }
}

interface JourneyLimits {
  readonly steps: number
  /** Characters of one event as JSON. */
  readonly eventSize: number
  /** Characters of all events that are kept of a journey. */
  readonly size: number
}

const journeyLimits: JourneyLimits = { steps: 500, eventSize: 64 * 1024, size: 4 * 1024 * 1024 }

interface Snapshot {
  readonly fields: Fields
  readonly size: number
}

/** Follows the events it is told to follow. */
export class JourneyRecorder implements StageObserver {
  readonly #limits: JourneyLimits
  readonly #journeys = new Map<Event, Journey>()

  constructor(limits = journeyLimits) {
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#journeys.size === 0
  }

  follow(event: Event): Journey {
    const journey = new Journey(event)
    this.#journeys.set(event, journey)
    return journey
  }

  /** The event as its input made it. */
  made(input: PlannedPlugin, journey: Journey): void {
    this.#note(journey, input, journey.root, 'made', 0, this.#snapshot(journey.root))
  }

  journeyOf(event: Event): Journey | undefined {
    return this.#journeys.get(event)
  }

  leave(journey: Journey): void {
    for (const event of journey.events) this.#journeys.delete(event)
  }

  filtering(filter: PlannedPlugin, batch: readonly Event[]): AfterFilter | undefined {
    if (this.isIdle) return undefined
    const followed = batch.filter((event) => this.#journeys.has(event))
    if (followed.length === 0) return undefined
    const before = followed.map((event) => this.#snapshot(event))
    const started = clock()
    return (result) => {
      const micros = (clock() - started) / 1000 / batch.length
      const left = new Set(result)
      // A filter may drop an event and put others in its place.
      const parents = new Map(followed.map((event) => [event, this.#journeys.get(event)!]))
      followed.forEach((event, index) => {
        this.#filtered(filter, event, before[index]!, left.has(event), micros)
      })
      if (result === batch) return
      const given = new Set(batch)
      for (const event of result) if (!given.has(event)) this.#adopt(filter, event, parents, micros)
    }
  }

  #filtered(filter: PlannedPlugin, event: Event, before: Snapshot, isLeft: boolean, micros: number): void {
    const journey = this.#journeys.get(event)!
    if (!isLeft) {
      this.#note(journey, filter, event, 'dropped', micros)
      this.#journeys.delete(event)
      return
    }
    const after = this.#snapshot(event)
    const changes = changesBetween(before.fields, after.fields)
    if (changes.length === 0) return this.#note(journey, filter, event, 'untouched', micros)
    const tags = newTags(before.fields, after.fields)
    this.#note(journey, filter, event, tags.length > 0 ? 'tagged' : 'changed', micros, after, changes, tags)
  }

  /** An event that was not in the batch comes from the followed one whose name it has, or from the only one. */
  #adopt(filter: PlannedPlugin, event: Event, parents: ReadonlyMap<Event, Journey>, micros: number): void {
    const parent = [...parents.keys()].find((one) => isMadeOf(event, one))
    const journey = parent === undefined ? this.#single : parents.get(parent)
    if (journey === undefined) return
    this.#journeys.set(event, journey)
    this.#note(journey, filter, event, 'added', micros, this.#snapshot(event))
  }

  /** A journey that has the worker to itself, as in a simulation. */
  #single: Journey | undefined

  followAlone(event: Event): Journey {
    this.#journeys.clear()
    this.#single = this.follow(event)
    return this.#single
  }

  flushed(filter: PlannedPlugin, events: readonly Event[]): void {
    if (this.#single === undefined) return
    for (const event of events) {
      this.#journeys.set(event, this.#single)
      this.#note(this.#single, filter, event, 'flushed', 0, this.#snapshot(event))
    }
  }

  delivering(output: PlannedPlugin, batch: readonly Event[]): void {
    if (this.isIdle) return
    for (const event of batch) {
      const journey = this.#journeys.get(event)
      if (journey !== undefined) this.#note(journey, output, event, 'delivered', 0)
    }
  }

  #note(
    journey: Journey,
    { id, type, name }: PlannedPlugin,
    event: Event,
    verdict: StepVerdict,
    micros: number,
    after?: Snapshot,
    changes: readonly FieldChange[] = [],
    tags: readonly string[] = [],
  ): void {
    if (journey.steps.length >= this.#limits.steps) return
    const { eventSize, size } = this.#limits
    const isLarge = after !== undefined && (after.size > eventSize || journey.size + after.size > size)
    // What was changed is kept beside what it was.
    if (after !== undefined && !isLarge) journey.size += 2 * after.size
    journey.steps.push({
      id,
      type,
      name,
      event: journey.numberOf(event),
      verdict,
      micros: Math.round(micros * 10) / 10,
      changes: isLarge ? [] : changes,
      ...(tags.length > 0 && { tags }),
      ...(isLarge && { bytes: after.size }),
      ...(after !== undefined && !isLarge && { after: after.fields }),
    })
  }

  #snapshot(event: Event): Snapshot {
    const fields = event.toHashWithMetadata()
    return { fields, size: writeJson(fields).length }
  }
}

/** Whether a filter made the event of another one. */
export function isMadeOf(event: Event, parent: Event): boolean {
  return (
    event.lineage !== null &&
    event.lineage === parent.lineage &&
    event.sequence === parent.sequence &&
    event.copy.startsWith(`${parent.copy}.`)
  )
}

/** Step as a value that `writeJson` can write. */
export function stepValue(step: JourneyStep): Fields {
  const { micros, changes, tags, ...rest } = step
  return {
    ...rest,
    took_in_micros: micros,
    changes: changes.map((change): Value => ({ ...change })),
    ...(tags !== undefined && { tags: [...tags] }),
  }
}
