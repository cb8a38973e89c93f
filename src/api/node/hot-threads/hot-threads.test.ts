import { describe, expect, it } from 'vitest'
import { Query } from '../../../http/query.ts'
import type { ThreadActivity } from '../../../threads/hot-threads/hot-threads.ts'
import { choose, localTime } from './hot-threads.ts'
import { clusterText } from './hot-threads-cluster-text.ts'
import { readQuery } from './hot-threads-query.ts'
import { logstashText } from './hot-threads-text.ts'

function thread(name: string, change: Partial<ThreadActivity> = {}): ThreadActivity {
  return {
    name,
    id: 1,
    workerThreadId: 0,
    kind: 'js',
    state: 'runnable',
    cpuNanos: 0,
    queuedNanos: 0,
    totalCpuNanos: 0,
    totalQueuedNanos: 0,
    stacks: [],
    isIdle: false,
    ...change,
  }
}

const query = (raw = '') => readQuery(new Query(raw), { layout: 'cluster', threads: 3 })

describe('parameters', () => {
  it('have defaults', () => {
    expect(query()).toEqual({
      threads: 3,
      ignoreIdle: true,
      orderedBy: 'cpu',
      stacktraceSize: 50,
      human: false,
      intervalMillis: 500,
      layout: 'cluster',
      hasStacks: false,
    })
    expect(query('interval=2s&ignore_idle_threads=false&human')).toMatchObject({
      intervalMillis: 2000,
      ignoreIdle: false,
      human: true,
    })
    expect(query('interval=50000micros').intervalMillis).toBe(50)
  })

  it('are refused when they mean nothing', () => {
    for (const raw of [
      'threads=',
      'threads=1e3',
      'stacktrace_size=x',
      'interval=49ms',
      'interval=5',
      'ordered_by=',
      'ordered_by=constructor',
      'layout=es',
    ])
      expect(() => query(raw), raw).toThrow()
  })
})

describe('the busiest threads', () => {
  const threads = [
    thread('a', { cpuNanos: 10, queuedNanos: 60 }),
    thread('b', { cpuNanos: 50 }),
    thread('c', { isIdle: true }),
  ]
  const names = (raw: string) =>
    choose({ at: new Date(), intervalNanos: 100, source: 'kernel', threads }, query(raw)).map(
      ({ name }) => name,
    )

  it('are in the order that was asked for', () => {
    expect(names('')).toEqual(['b', 'a'])
    expect(names('ordered_by=block')).toEqual(['a', 'b'])
    expect(names('ordered_by=wait&ignore_idle_threads=false')).toEqual(['c', 'b', 'a'])
    expect(names('threads=1')).toEqual(['b'])
  })
})

describe('times', () => {
  it('are local with their offset', () => {
    const date = new Date('2016-09-19T17:44:13.987Z')
    expect(localTime(date, 420)).toBe('2016-09-19T10:44:13-07:00')
    expect(localTime(date, 0)).toBe('2016-09-19T17:44:13+00:00')
    expect(localTime(date, -330)).toBe('2016-09-19T23:14:13+05:30')
  })
})

describe('the text of Logstash', () => {
  it('is exact to the byte', () => {
    const ext = {
      percent_of_cpu_time_lifetime: 0,
      cpu_time_in_millis: 0,
      run_queue_wait_in_millis: 0,
      kind: 'js',
    }
    const text = logstashText('n1', '2016-07-26T18:46:18-07:00', 3, [
      {
        name: 'LogStash::Runner',
        thread_id: 1,
        percent_of_cpu_time: 0.15,
        state: 'timed_waiting',
        traces: ['f (a:1:2)', 'g (b:3:4)'],
        ext,
      },
      {
        name: '[main]<stdin',
        thread_id: 7,
        percent_of_cpu_time: 3,
        state: 'waiting',
        path: '/a/b.rb:1',
        traces: [],
        ext,
      },
    ])
    expect(text).toBe(
      [
        '::: {n1}',
        'Hot threads at 2016-07-26T18:46:18-07:00, busiestThreads=3: ',
        '='.repeat(80),
        "0.15 % of cpu usage, state: timed_waiting, thread name: 'LogStash::Runner', thread id: 1 ",
        '\tf (a:1:2)',
        '\tg (b:3:4)',
        '-'.repeat(80),
        "3.0 % of cpu usage, state: waiting, thread name: '[main]<stdin', thread id: 7 ",
        '/a/b.rb:1',
        '-'.repeat(80),
        '',
      ].join('\n'),
    )
  })
})

describe('the text of a search cluster', () => {
  const at = new Date('2016-01-13T16:55:49.988Z')
  const render = (threads: ThreadActivity[], raw = '') =>
    clusterText(['n', 'id', 'h', 'h:9600'], { at, intervalNanos: 500e6 }, threads, query(raw))

  it('is exact to the byte', () => {
    const same = Array.from({ length: 9 }, () => ['leaf', 'mid', 'top'])
    const stacks = [...same.slice(0, 4), ['other', 'mid', 'top'], ...same.slice(4)]
    expect(
      render([
        thread('one', { cpuNanos: 216_000, stacks }),
        thread('two', { cpuNanos: 500e6, stacks: [['x'], ['y', 'z']] }),
      ]),
    ).toBe(
      [
        '::: {n}{id}{h}{h:9600}',
        '   Hot threads at 2016-01-13T16:55:49.988Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:',
        '   ',
        "    0.0% (216micros out of 500ms) cpu usage by thread 'one'",
        '     9/10 snapshots sharing following 3 elements',
        '       leaf',
        '       mid',
        '       top',
        '     unique snapshot',
        '       other',
        '       mid',
        '       top',
        '   ',
        "   100.0% (500ms out of 500ms) cpu usage by thread 'two'",
        '     unique snapshot',
        '       x',
        '     unique snapshot',
        '       y',
        '       z',
        '',
        '',
      ].join('\n'),
    )
  })

  it('tells together what shares outer frames only', () => {
    const text = render([
      thread('t', {
        stacks: [
          ['a', 'top'],
          ['b', 'top'],
        ],
      }),
    ])
    expect(text).toContain('     2/2 snapshots sharing following 1 elements\n       top\n')
    expect(text).not.toContain('       a\n')
  })

  it('takes ten of many snapshots and counts what was asked for', () => {
    const stacks = Array.from({ length: 50 }, () => ['f'])
    const text = render(
      [thread('t', { queuedNanos: 1_500_000, stacks })],
      'ordered_by=block&ignore_idle_threads=0',
    )
    expect(text).toContain(
      "    0.3% (1.5ms out of 500ms) block usage by thread 't'\n     10/10 snapshots sharing",
    )
    expect(text).toContain('ignoreIdleThreads=false:')
  })
})
