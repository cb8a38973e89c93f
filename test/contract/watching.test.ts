/** Taps and traces inside a worker: what they show, what they leave out, and that they leave nothing behind. */
import { describe, expect, it } from 'vitest'
import { noWatch, type WatchOrder, type WatchReport } from '../../src/pipeline/watch/watch-order.ts'
import { Watcher } from '../../src/pipeline/watch/watcher.ts'
import { eventOf, openConfig } from '../support/in-process.ts'

const config = `input { given { id => "in" } }
filter { mutate { id => "up" uppercase => ["word"] } if [word] == "DROP" { drop { id => "gone" } } clone { id => "copy" clones => ["c"] } }
output { record { id => "out" } }`

async function watched(order: Partial<WatchOrder>) {
  const pipeline = await openConfig(config)
  const reports: WatchReport[] = []
  const watcher = new Watcher({
    execution: pipeline.execution,
    pipelineId: 'main',
    report: (report) => void reports.push(report),
    conceal: (text) => text.replaceAll('SECRET', '<password>'),
  })
  watcher.apply({ ...noWatch, ...order })
  return { ...pipeline, reports, watcher }
}

interface Shown {
  before: Record<string, unknown> | null
  after: Record<string, unknown>[] | null
}

function shown(reports: readonly WatchReport[]): Shown[] {
  return reports.flatMap((report) =>
    report.kind === 'tapped' ? report.events.map((text) => JSON.parse(text) as Shown) : [],
  )
}

const tap = (at: string, rest = {}) => ({ taps: [{ tap: 1, at, sample: 1, text: undefined, ...rest }] })

let sequence = 0

/** Named as a queue names its events. */
function word(text: string) {
  const event = eventOf(JSON.stringify({ word: text }))
  event.lineage = 'm1'
  event.sequence = sequence++
  return event
}

describe('a tap', () => {
  it('shows events before and after a filter, without secrets', async () => {
    const { run, reports, watcher } = await watched(tap('up'))
    await run([word('a'), word('secret')])
    watcher.close()
    const [first, second] = shown(reports)
    expect([first?.before?.['word'], first?.after?.[0]?.['word']]).toEqual(['a', 'A'])
    expect(second?.after?.[0]?.['word']).toBe('<password>')
  })

  it('shows what inputs make, what filters drop and add, and what outputs get', async () => {
    const counts: unknown[] = []
    for (const at of ['in', 'gone', 'copy', 'out']) {
      const { run, reports, watcher } = await watched(tap(at))
      await run([word('x'), word('drop')])
      watcher.close()
      counts.push([at, shown(reports).map(({ before, after }) => [before !== null, after?.length ?? null])])
    }
    expect(counts).toEqual([
      [
        'in',
        [
          [false, 1],
          [false, 1],
        ],
      ],
      ['gone', [[true, 0]]],
      ['copy', [[true, 2]]],
      [
        'out',
        [
          [true, null],
          [true, null],
        ],
      ],
    ])
  })

  it('shows a bounded number and counts the rest', async () => {
    const { run, reports, watcher } = await watched(tap('up'))
    await run(Array.from({ length: 5000 }, () => word('a')))
    watcher.close()
    const totals = { seen: 0, shown: 0, dropped: 0 }
    for (const report of reports)
      if (report.kind === 'tapped')
        for (const name of ['seen', 'shown', 'dropped'] as const) totals[name] += report.counts[name]
    expect(shown(reports).length).toBeLessThanOrEqual(2000)
    expect(totals.shown).toBe(shown(reports).length)
    expect(totals.seen).toBe(5000)
    expect(totals.shown + totals.dropped).toBe(5000)
  })

  it('samples, looks for a text, and ends without a trace in the worker', async () => {
    const { run, reports, watcher, execution } = await watched(tap('up', { sample: 10, text: 'needle' }))
    await run(Array.from({ length: 100 }, (_, i) => word(i === 49 ? 'needle' : 'hay')))
    expect(shown(reports).length).toBe(1)
    watcher.apply(noWatch)
    expect(execution.observer).toBeUndefined()
  })
})

describe('traces and last events', () => {
  it('follow an event to the outputs, under its permanent name', async () => {
    const { run, reports, watcher } = await watched({ traceSample: 1 })
    const event = word('a')
    event.sequence = 7
    await run([event])
    watcher.close()
    const traced = reports.find((report) => report.kind === 'traced')
    const steps = (JSON.parse(traced!.text) as { steps: { id: string; event: number; verdict: string }[] })
      .steps
    expect(traced!.keys).toEqual(expect.arrayContaining(['m1-7', 'm1-7.1']))
    expect(steps.map(({ id, event: number, verdict }) => [id, number, verdict])).toEqual([
      ['in', 0, 'made'],
      ['up', 0, 'changed'],
      ['copy', 0, 'untouched'],
      ['copy', 1, 'added'],
      ['out', 0, 'delivered'],
      ['out', 1, 'delivered'],
    ])
  })

  it('remember no more events than they may', async () => {
    const { run, reports, watcher } = await watched({ recent: 3 })
    await run(['a', 'b', 'c', 'd'].map(word))
    watcher.collect(5)
    const recent = reports.find((report) => report.kind === 'recent')
    expect(recent).toMatchObject({ request: 5 })
    expect(recent!.events.map((text) => (JSON.parse(text) as { word: string }).word)).toEqual(['b', 'c', 'd'])
  })
})
