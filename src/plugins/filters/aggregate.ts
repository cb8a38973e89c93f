/**
 * aggregate: collects facts from the events of a task in a map, with Ruby code, and puts them on its last event or
 * into an event of their own when the task is over. Order matters, so the pipeline runs with one worker.
 */
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { toFields } from '../../ruby/event-values.ts'
import { Proc } from '../../ruby/proc.ts'
import { compileProgram, exceptionOf, type RubyValue } from '../../ruby/program.ts'
import { rubyText } from '../ruby-values/text.ts'
import { loadMaps, storeMaps } from './aggregate/kept-maps.ts'
import { TaskMap } from './aggregate/map-meta.ts'
import { joinPipeline } from './aggregate/task-maps.ts'

const usualTimeout = 1800

export default defineFilter({
  name: 'aggregate',
  summary: 'Collects facts from several events of one task, with Ruby code.',
  description: [
    'The code sees the event as `event`, the facts of its task as the hash `map`, facts about that map as `map_meta`,',
    'and makes further events with `new_event_block.call(event)`. All aggregate filters with the same `task_id` share',
    'the maps; options about timeouts belong to one of them only.',
  ].join('\n'),
  concurrency: 'shared-state',
  options: {
    task_id: option.string({ required: true, doc: 'What tells tasks apart, with `%{…}`.' }),
    code: option.string({ doc: 'Ruby code to run for each event.' }),
    map_action: option.oneOf(['create', 'update', 'create_or_update'] as const, {
      default: 'create_or_update',
      doc: 'Whether the filter works only on the first event of a task, only on later ones, or on all.',
    }),
    end_of_task: option.boolean({ default: false, doc: 'Whether the task is over after the event.' }),
    timeout: option.number({ doc: 'Seconds after which a task is over; 1800 unless given.' }),
    inactivity_timeout: option.number({
      doc: 'Seconds after its last event after which a task is over; as `timeout` unless given.',
    }),
    timeout_code: option.string({ doc: 'Ruby code for the event that is made of a map.' }),
    push_map_as_event_on_timeout: option.boolean({
      default: false,
      doc: 'Whether to make an event of the map of a task that is over by timeout.',
    }),
    push_previous_map_as_event: option.boolean({
      default: false,
      doc: 'Whether to make an event of a map when the next task begins.',
    }),
    timeout_timestamp_field: option.string({
      doc: 'Field with the time that timeouts are measured by, besides the clock.',
    }),
    timeout_task_id_field: option.string({
      doc: 'Field that takes the id of the task in events made of maps.',
    }),
    timeout_tags: option.array({ default: [], doc: 'Tags for events made of maps.' }),
    aggregate_maps_path: option.string({ doc: 'File that keeps maps from one run to the next.' }),
    map_count_warning_threshold: option.number({
      default: 5000,
      doc: 'Number of maps from which on a warning is logged; 0 for never.',
    }),
    periodic_flush: option.boolean({ default: true, doc: 'Whether to look for tasks that are over.' }),
  },
  metrics: {
    aggregate_maps: 'Tasks under way.',
    pushed_events: 'Events made of maps.',
    task_timeouts: 'Tasks that were over by timeout.',
    code_errors: 'Exceptions of the code.',
    timeout_code_errors: 'Exceptions of the timeout code.',
  },
  examples: [
    {
      title: 'Add up the durations of a task',
      config:
        "aggregate { task_id => \"%{task}\" code => \"map['sum'] ||= 0; map['sum'] += event.get('ms'); event.set('sum', map['sum'])\" }",
      in: [
        { task: 'a', ms: 3 },
        { task: 'b', ms: 1 },
        { task: 'a', ms: 4 },
      ],
      out: [
        { task: 'a', ms: 3, sum: 3 },
        { task: 'b', ms: 1, sum: 1 },
        { task: 'a', ms: 4, sum: 7 },
      ],
    },
  ],
  create({ options, compile, metrics, logger, matched, abort }) {
    const { task_id, map_action, end_of_task, push_previous_map_as_event, push_map_as_event_on_timeout } =
      options
    if (!/%\{.+\}/.test(task_id)) {
      throw new Error(
        `Aggregate plugin: task_id pattern '${task_id}' must contain a dynamic expression like '%{field}'`,
      )
    }
    const taskIdOf = compile.template(task_id)
    const program = compileProgram(
      [
        {
          label: 'aggregate filter code',
          text: options.code ?? '',
          parameters: ['event', 'map', 'map_meta', 'new_event_block'],
        },
        { label: 'aggregate filter timeout_code', text: options.timeout_code ?? '', parameters: ['event'] },
      ],
      { className: 'LogStash::Filters::Aggregate', logger },
    )
    const [runCode, runTimeoutCode] = program.runs as [(typeof program.runs)[0], (typeof program.runs)[0]]
    const timeField =
      options.timeout_timestamp_field === undefined ? undefined : compile.get(options.timeout_timestamp_field)
    const pipeline = joinPipeline(abort)
    const tasks = pipeline.of(task_id)
    const self = {}
    if (options.timeout !== undefined)
      pipeline.timeout = Math.min(options.timeout, pipeline.timeout ?? options.timeout)
    // Filters that come later may set the shortest timeout of the pipeline.
    const timeoutOf = (): number => options.timeout ?? pipeline.timeout ?? usualTimeout
    const inactivityOf = (): number => options.inactivity_timeout ?? timeoutOf()
    let lastFlush = Date.now()
    let hasWarned = false
    let isClosed = false

    if (options.inactivity_timeout !== undefined && options.inactivity_timeout > timeoutOf()) {
      throw new Error(
        `Aggregate plugin: For task_id pattern ${task_id}, inactivity_timeout (${options.inactivity_timeout}) must be lower than timeout (${timeoutOf()})`,
      )
    }
    const definesTimeouts =
      [options.timeout, options.inactivity_timeout, options.timeout_code].some(
        (given) => given !== undefined,
      ) ||
      [options.timeout_timestamp_field, options.timeout_task_id_field].some((given) => given !== undefined) ||
      push_map_as_event_on_timeout ||
      push_previous_map_as_event ||
      options.timeout_tags.length > 0
    if (definesTimeouts && tasks.endersOptions) {
      throw new Error(
        `Aggregate plugin: For task_id pattern '${task_id}', there are more than one filter which define timeout options. ` +
          'All timeout options have to be defined in only one aggregate filter per task_id pattern. ' +
          'Timeout options are : timeout, inactivity_timeout, timeout_code, push_map_as_event_on_timeout, ' +
          'push_previous_map_as_event, timeout_timestamp_field, timeout_task_id_field, timeout_tags',
      )
    }
    if (definesTimeouts || tasks.ender === undefined) tasks.ender = self
    if (definesTimeouts) {
      tasks.endersOptions = true
      tasks.pushesMaps = push_map_as_event_on_timeout
    }
    if (options.aggregate_maps_path !== undefined) {
      if (pipeline.keeper !== undefined) {
        throw new Error(
          "Aggregate plugin: Option 'aggregate_maps_path' must be set on only one aggregate filter per pipeline",
        )
      }
      pipeline.keeper = self
    }

    const countMaps = (): void => {
      metrics.aggregate_maps.set(pipeline.size)
      const { map_count_warning_threshold: most } = options
      if (most > 0 && tasks.maps.size > most && !hasWarned) {
        hasWarned = true
        logger.warn(`Aggregate plugin: more than ${most} maps for task_id pattern ${task_id}; do tasks end?`)
      }
    }

    const eventTime = (event: Event): number => {
      const value = timeField?.(event)
      return value instanceof Timestamp ? value.millis : Date.now()
    }

    const failed = (error: unknown, event: Event, code: string | undefined): void => {
      const exception = exceptionOf(error)
      if (exception === undefined && !(error instanceof Error)) throw error
      logger.error('Aggregate exception occurred', {
        error: exception?.message ?? (error as Error).message,
        code,
        event_data: event.toHashWithMetadata(),
      })
      event.tag('_aggregateexception')
    }

    const eventOfMap = ({ map, taskId }: TaskMap): Event => {
      const event = Event.from(toFields(map))
      if (options.timeout_task_id_field !== undefined) event.set(options.timeout_task_id_field, taskId)
      for (const tag of options.timeout_tags) event.tag(event.sprintf(rubyText(tag)))
      if (options.timeout_code !== undefined) {
        try {
          runTimeoutCode(event)
        } catch (error) {
          failed(error, event, options.timeout_code)
          metrics.timeout_code_errors.increment()
        }
      }
      metrics.pushed_events.increment()
      return event
    }

    const isOver = (task: TaskMap, first: number, last: number, now: number): boolean =>
      now - first > (task.timeout ?? timeoutOf()) * 1000 ||
      now - last > (task.inactivityTimeout ?? inactivityOf()) * 1000

    const endByTimeout = (task: TaskMap): Event | undefined => {
      tasks.maps.delete(task.taskId)
      metrics.task_timeouts.increment()
      return push_map_as_event_on_timeout || push_previous_map_as_event ? eventOfMap(task) : undefined
    }

    /** The code has given the task no more time. */
    const endAtOnce = (task: TaskMap): Event | undefined => {
      tasks.maps.delete(task.taskId)
      metrics.task_timeouts.increment()
      return tasks.pushesMaps ? eventOfMap(task) : undefined
    }

    const previousAsEvent = (): Event | undefined => {
      for (const task of tasks.maps.values()) {
        tasks.maps.delete(task.taskId)
        return eventOfMap(task)
      }
      return undefined
    }

    return {
      register() {
        const path = options.aggregate_maps_path
        if (path === undefined) return
        if (loadMaps(path, pipeline)) logger.info(`Aggregate maps loaded from : ${path}`)
      },
      filter(event, emit) {
        const taskId = taskIdOf(event)
        if (taskId === task_id) return false
        let pushed: Event | undefined
        let task = tasks.maps.get(taskId)
        if (
          task !== undefined &&
          timeField !== undefined &&
          isOver(task, task.firstEvent, task.lastEvent, eventTime(event))
        ) {
          pushed = endByTimeout(task)
          task = undefined
        }
        if (task === undefined) {
          if (map_action === 'update') {
            if (pushed !== undefined) emit(pushed)
            return false
          }
          if (push_previous_map_as_event) pushed ??= previousAsEvent()
          task = new TaskMap(taskId, eventTime(event), Date.now())
          tasks.maps.set(taskId, task)
        } else if (map_action === 'create') return false
        task.lastEvent = eventTime(event)
        task.touchedAt = Date.now()
        let ended: Event | undefined
        let succeeded = true
        try {
          const block = new Proc(([made]) => {
            if (made instanceof Event) emit(made)
            return null
          }, 1)
          runCode(event, task.map, task as RubyValue, block)
        } catch (error) {
          succeeded = false
          failed(error, event, options.code)
          metrics.code_errors.increment()
        }
        if (end_of_task) tasks.maps.delete(taskId)
        if (task.timeout !== undefined || task.inactivityTimeout !== undefined) {
          tasks.hasOwnTimeouts = true
          if (task.timeout === 0 || task.inactivityTimeout === 0) ended = endAtOnce(task)
        }
        countMaps()
        if (pushed !== undefined) emit(pushed)
        if (ended !== undefined) emit(ended)
        return succeeded
      },
      flush(final) {
        if (tasks.ender !== self) return []
        const now = Date.now()
        const isDue = final || tasks.hasOwnTimeouts || now - lastFlush >= (inactivityOf() / 2) * 1000
        if (!isDue) return []
        lastFlush = now
        if (tasks.maps.size === 0) tasks.hasOwnTimeouts = false
        const events: Event[] = []
        for (const task of [...tasks.maps.values()]) {
          if (!isOver(task, task.createdAt, task.touchedAt, now)) continue
          const event = endByTimeout(task)
          if (event !== undefined) events.push(event)
        }
        if (final && push_previous_map_as_event) {
          const last = previousAsEvent()
          if (last !== undefined) events.push(last)
        }
        countMaps()
        for (const event of events) {
          if (final) event.tag('_aggregatefinalflush')
          matched(event)
        }
        return events
      },
      close() {
        if (isClosed) return
        isClosed = true
        const path = options.aggregate_maps_path
        if (path === undefined || pipeline.size === 0) return
        storeMaps(path, pipeline)
        logger.info(`Aggregate maps stored to : ${path}`)
      },
    }
  },
})
