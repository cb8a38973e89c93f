import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { filterFor, runFilter, type TestFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import aggregate from './aggregate.ts'

const task_id = '%{task}'
const count = "map['n'] ||= 0; map['n'] += 1"

async function run(events: Fields[], options: TestOptions): Promise<Fields[]> {
  return runFilter(aggregate, { task_id, ...options }, events)
}

/** Filters of one pipeline. */
function pipelineOf(...options: TestOptions[]): TestFilter[] {
  const { signal } = new AbortController()
  return options.map((own) => filterFor(aggregate, { task_id, ...own } as TestOptions, { abort: signal }))
}

describe('aggregate filter', () => {
  it('lets filters of one pipeline share maps by task', async () => {
    const [first, last] = pipelineOf(
      { code: "map['ms'] = event.get('ms')", map_action: 'create' },
      { code: "event.set('total', map['ms'] + event.get('ms'))", map_action: 'update', end_of_task: true },
    ) as [TestFilter, TestFilter]
    await first.filter([testEvent({ task: 'a', ms: 5 }), testEvent({ task: 'b', ms: 1 })])
    const [a, again, other] = await last.filter([
      testEvent({ task: 'a', ms: 7 }),
      testEvent({ task: 'a', ms: 7 }),
      testEvent({ task: 'c', ms: 7 }),
    ])
    expect(a!.get('total')).toBe(12)
    expect(again!.get('total')).toBeUndefined()
    expect(other!.get('total')).toBeUndefined()
    expect(last.environment.counts.get('aggregate_maps')).toBe(1)
  })

  it('passes events without a task', async () => {
    expect(await run([{ x: 1 }], { code: count, add_tag: 't' })).toEqual([{ x: 1 }])
  })

  it('tags events whose code fails, and does not decorate them', async () => {
    const { filter, environment } = filterFor(aggregate, { task_id, code: "map['x'] + 1", add_tag: 't' })
    const [event] = await filter([testEvent({ task: 'a' })])
    expect(event!.get('tags')).toEqual(['_aggregateexception'])
    expect(environment.counts.get('code_errors')).toBe(1)
    expect(environment.logger.messages('error')).toEqual(['Aggregate exception occurred'])
  })

  it('makes an event of the map before when a task begins, and of the last one at the end', async () => {
    const result = await run([{ task: 'a' }, { task: 'a' }, { task: 'b' }], {
      code: count,
      push_previous_map_as_event: true,
      timeout_task_id_field: 'id',
      timeout_tags: ['made'],
    })
    expect(result.map(({ '@timestamp': _, ...fields }) => fields)).toEqual([
      { task: 'a' },
      { task: 'a' },
      { task: 'b' },
      { n: 2, id: 'a', tags: ['made'] },
      { n: 1, id: 'b', tags: ['made', '_aggregatefinalflush'] },
    ])
  })

  it('ends tasks by timeout, with code for the event', async () => {
    const { instance, filter, environment } = filterFor(aggregate, {
      task_id,
      code: count,
      timeout: 0,
      push_map_as_event_on_timeout: true,
      timeout_code: "event.set('double', event.get('n') * 2)",
      add_tag: 'd',
    })
    await filter([testEvent({ task: 'a' })])
    await new Promise((resolve) => setTimeout(resolve, 5))
    const [event] = (await instance.flush?.(false))!
    expect(event!.toHash()).toMatchObject({ n: 1, double: 2, tags: ['d'] })
    expect(environment.counts.get('task_timeouts')).toBe(1)
    expect(environment.counts.get('pushed_events')).toBe(1)
    expect(environment.counts.get('aggregate_maps')).toBe(0)
  })

  it('ends tasks by the times of events', async () => {
    const at = (millis: number) => ({ task: 'a', '@timestamp': new Timestamp(millis) })
    const options = {
      code: count,
      timeout: 10,
      push_map_as_event_on_timeout: true,
      timeout_timestamp_field: '@timestamp',
    }
    const result = await run([at(0), at(5000), at(20_000)], options)
    expect(result).toHaveLength(4)
    expect(result[3]).toMatchObject({ n: 2 })
  })

  it('knows about its map, and makes events in between', async () => {
    const result = await run([{ task: 'a' }], {
      code: "e = LogStash::Event.new; e.set('from', map_meta.task_id); new_event_block.call(e); map_meta.timeout = 5; event.set('t', map_meta.timeout)",
    })
    expect(result[0]).toEqual({ task: 'a', t: 5 })
    expect(result[1]).toMatchObject({ from: 'a' })
  })

  it('keeps maps from one run to the next', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-aggregate-')), 'maps')
    const options = { task_id, code: `${count}; event.set('n', map['n'])`, aggregate_maps_path: path }
    const before = filterFor(aggregate, options)
    await before.filter([testEvent({ task: 'a' })])
    await before.instance.close?.()
    const after = filterFor(aggregate, options)
    await after.instance.register?.()
    const [event] = await after.filter([testEvent({ task: 'a' })])
    expect(event!.get('n')).toBe(2)
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('warns once when there are more maps than map_count_warning_threshold', async () => {
    const warnings = async (map_count_warning_threshold: number): Promise<string[]> => {
      const options = { task_id, code: count, map_count_warning_threshold }
      const { filter, environment } = filterFor(aggregate, options)
      await filter(['a', 'b', 'c', 'd'].map((task) => testEvent({ task })))
      return environment.logger.messages('warn')
    }
    expect(await warnings(2)).toEqual([
      'Aggregate plugin: more than 2 maps for task_id pattern %{task}; do tasks end?',
    ])
    expect(await warnings(0)).toEqual([])
  })

  it('refuses what cannot work', () => {
    expect(() => filterFor(aggregate, { task_id: 'x', code: count })).toThrow(
      "Aggregate plugin: task_id pattern 'x' must contain a dynamic expression like '%{field}'",
    )
    expect(() => pipelineOf({ code: count, timeout: 1 }, { code: count, timeout: 2 })).toThrow(
      "For task_id pattern '%{task}', there are more than one filter which define timeout options.",
    )
    expect(() => pipelineOf({ code: count, timeout: 1, inactivity_timeout: 2 })).toThrow(
      'inactivity_timeout (2) must be lower than timeout (1)',
    )
    expect(() => pipelineOf({ code: 'def' })).toThrow('aggregate filter code line 1')
  })
})
