/** A task under way: its map, and what the code may ask and change about it as `map_meta`. */
import { Timestamp } from '../../../event/timestamp.ts'
import { RubyHash } from '../../../ruby/hash.ts'
import {
  defineMethods,
  objectClass,
  RubyClass,
  RubyObject,
  type RubyValue,
} from '../../../ruby/ruby-class.ts'

const elementClass = new RubyClass('LogStash::Filters::Aggregate::Element', objectClass)

export class TaskMap extends RubyObject {
  readonly taskId: string
  readonly map: RubyHash
  /** Times of events, in milliseconds: of the first and of the last. */
  readonly firstEvent: number
  lastEvent: number
  /** When it was made by the clock of this computer. */
  readonly createdAt: number
  touchedAt: number
  /** Seconds, when the code has set them for this task. */
  timeout: number | undefined
  inactivityTimeout: number | undefined

  constructor(taskId: string, firstEvent: number, now: number, map = new RubyHash()) {
    super()
    this.taskId = taskId
    this.map = map
    this.firstEvent = firstEvent
    this.lastEvent = firstEvent
    this.createdAt = now
    this.touchedAt = now
  }

  get rubyClass(): RubyClass {
    return elementClass
  }
}

defineMethods<TaskMap>(elementClass, {
  task_id: ({ taskId }) => taskId,
  map: ({ map }) => map,
  creation_timestamp: ({ firstEvent }) => new Timestamp(firstEvent),
  lastevent_timestamp: ({ lastEvent }) => new Timestamp(lastEvent),
  timeout: ({ timeout }) => timeout ?? null,
  'timeout= 1': (self, [seconds = null]) => {
    self.timeout = secondsOf(seconds)
    return seconds
  },
  inactivity_timeout: ({ inactivityTimeout }) => inactivityTimeout ?? null,
  'inactivity_timeout= 1': (self, [seconds = null]) => {
    self.inactivityTimeout = secondsOf(seconds)
    return seconds
  },
})

function secondsOf(value: RubyValue): number | undefined {
  return value === null ? undefined : Number(value)
}
