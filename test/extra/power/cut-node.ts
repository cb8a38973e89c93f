/** The program on a disk whose power is cut: one that is written to meanwhile, and one that is started from what was left. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Patience } from '../../../src/plugin/testing/patience.ts'
import { type Json, Millrace } from '../../support/millrace.ts'

/** Small pages, so that cuts fall on new ones and on those that are taken away. */
const settings =
  'queue.type: persisted\nqueue.max_bytes: 64mb\nqueue.page_capacity: 256kb\nqueue.checkpoint.acks: 100\nshutdown.grace: 1ms\n'
const senders = 4
const maxEventsOfARequest = 20
const recoveryLimit = 180_000

interface WriterOptions {
  readonly folder: string
  readonly port: number
  readonly random: () => number
  /** Numbers that the disk has already. */
  readonly acknowledged: readonly number[]
  readonly isSlow: boolean
  readonly env?: Record<string, string>
}

export interface CutNode {
  /** Numbers of events that were answered with 200, in the order of the answers. */
  readonly acknowledged: readonly number[]
  /** Resolves when the first request was answered. */
  readonly answered: Promise<void>
  stop(): Promise<void>
}

function pipeline(port: number, filter = ''): string {
  return `
input { http { host => "127.0.0.1" port => ${port} codec => json } }
filter { ${filter} }
output { millrace { id => "store" index => "kept" } }`
}

function start(folder: string, config: string, env: Record<string, string> = {}): Promise<Millrace> {
  return Millrace.start({
    folder: join(folder, 'run'),
    config,
    settings,
    search: true,
    api: true,
    args: ['-w', '2'],
    env,
  })
}

export async function startWriter(options: WriterOptions): Promise<CutNode> {
  const { port, random, isSlow } = options
  const filter = isSlow ? 'sleep { time => "0.005" }' : ''
  const millrace = await start(options.folder, pipeline(port, filter), options.env)
  const acknowledged = [...options.acknowledged]
  // Numbers that were given out before a cut and not acknowledged may be there too: they are not given out again.
  let next = acknowledged.reduce((most, seq) => Math.max(most, seq), 0) + 1_000_000
  let isOver = false
  let answered = () => {}
  const first = new Promise<void>((resolve) => {
    answered = resolve
  })
  async function send(): Promise<void> {
    while (!isOver) {
      const numbers = Array.from({ length: 1 + Math.floor(random() * maxEventsOfARequest) }, () => next++)
      const body = JSON.stringify(numbers.map((seq) => ({ seq, text: `event ${seq} `.repeat(8) })))
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).catch(
        () => undefined,
      )
      if (answer?.status === 200) {
        acknowledged.push(...numbers)
        answered()
      }
      await wait(answer?.status === 200 ? random() * 20 : 20)
    }
  }
  const sending = Promise.all(Array.from({ length: senders }, send))
  return {
    acknowledged,
    answered: first,
    async stop() {
      isOver = true
      millrace.signal('SIGKILL')
      await millrace.exit()
      await sending
    },
  }
}

export interface Verified {
  /** Numbers of all documents, as often as they are there. */
  readonly documents: readonly number[]
  /** False when the node did not get to the end of its queue in time; a complaint says so. */
  readonly isComplete: boolean
  /** Events that the queue calls lost, damaged records, lines of level ERROR. */
  readonly complaints: readonly string[]
}

/** Waits until everything that the queue had is in the store; one that does not get there complains too. */
export async function verifyImage(folder: string, port: number): Promise<Verified> {
  const millrace = await start(folder, pipeline(port))
  try {
    await millrace.untilSearchable(recoveryLimit)
    const stats = await millrace.apiUntil(
      '/_node/stats/pipelines',
      (body) => queueOf(body)?.['unacked_events'] === 0,
      recoveryLimit,
    )
    const { lost_events: lost, damaged_records: damaged } = queueOf(stats)!
    const errors = millrace.stdout.split('\n').filter((line) => line.includes('][ERROR]'))
    return {
      documents: await numbers(millrace),
      isComplete: true,
      complaints: [
        ...(lost === 0 ? [] : [`the queue says that ${lost} events are lost`]),
        ...(damaged === 0 ? [] : [`the queue says that ${damaged} records are damaged`]),
        ...errors,
      ],
    }
  } catch (error) {
    const damage = /"reason"=>"[^"]*/.exec(millrace.stdout)?.[0] ?? ''
    const complaint = `${(error as Error).message.slice(0, 60)}… ${damage}\n${millrace.stdout.slice(-1000)}`
    return { documents: [], isComplete: false, complaints: [complaint] }
  } finally {
    await millrace.dispose()
  }
}

/** The same, ended by what `meanwhile` does: the image it answers is what a second power cut leaves. */
verifyImage.interrupted = async <T>(
  folder: string,
  port: number,
  meanwhile: () => Promise<T>,
): Promise<T> => {
  const millrace = await start(folder, pipeline(port))
  try {
    return await meanwhile()
  } finally {
    await millrace.dispose()
  }
}

function queueOf(body: Json): Json | undefined {
  const { pipelines } = body as { pipelines?: { main?: { ext?: { queue?: Json } } } }
  return pipelines?.main?.ext?.queue
}

async function numbers(millrace: Millrace): Promise<number[]> {
  const patience = new Patience(60_000)
  const found: number[] = []
  let after: unknown
  await millrace.search('POST', '/kept/_refresh')
  while (!patience.isOver) {
    const { status, json } = await millrace.search('POST', '/kept/_search', {
      size: 5000,
      sort: [{ seq: 'asc' }, { _id: 'asc' }],
      _source: ['seq'],
      ...(after !== undefined && { search_after: after }),
    })
    // Cut before the first event: there is no index.
    if (status === 404) return found
    if (status !== 200) throw new Error(`the store answers ${status}: ${JSON.stringify(json)}`)
    const { hits } = (json as unknown as { hits: { hits: { _source: Json; sort: unknown }[] } }).hits
    if (hits.length === 0) return found
    for (const { _source } of hits) found.push(Number(_source['seq']))
    after = hits.at(-1)!.sort
  }
  throw new Error('the documents could not be read within a minute')
}
