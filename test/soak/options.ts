/** What the soak is asked to do: `npm run soak -- --minutes 60 --memory 512 [--rate 2000]`. */
import { parseArgs } from 'node:util'

export interface SoakOptions {
  readonly minutes: number
  /** Limit of the memory cgroup in MB. */
  readonly memory: number
  /** Events a second; undefined: the highest that is sustained is looked for first. */
  readonly rate: number | undefined
  /** Share of the highest sustained rate that is kept up. */
  readonly share: number
  readonly workers: number
  readonly queue: string
  /** Seconds between two kills of a worker thread; 0: none. */
  readonly killEvery: number
  /** Seconds between two changes of the configuration; 0: none. */
  readonly reloadEvery: number
  /** Light searches a second. */
  readonly searches: number
  /** Where the result is written. */
  readonly out: string
}

export const usage = `npm run soak -- [options]
  --minutes N         how long the load lasts, after the search for the rate (5)
  --memory MB         limit of the memory cgroup (512)
  --rate N            events a second; without it the highest sustained rate is found first
  --share N           share of that rate which is kept up (0.85)
  --workers N         pipeline.workers (2)
  --queue TYPE        queue.type: memory or persisted (memory)
  --kill-every S      seconds between two kills of a worker thread, 0 for none (60)
  --reload-every S    seconds between two changes of the configuration, 0 for none (30)
  --searches N        light searches a second (5)
  --out FOLDER        where the result is written (.tmp/soak)
`

export function readOptions(argv: readonly string[]): SoakOptions | undefined {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: [...argv],
    options: {
      minutes: text('5'),
      memory: text('512'),
      rate: { type: 'string' },
      share: text('0.85'),
      workers: text('2'),
      queue: text('memory'),
      'kill-every': text('60'),
      'reload-every': text('30'),
      searches: text('5'),
      out: text('.tmp/soak'),
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    minutes: positive('minutes', values.minutes),
    memory: positive('memory', values.memory),
    rate: values.rate === undefined ? undefined : positive('rate', values.rate),
    share: positive('share', values.share),
    workers: positive('workers', values.workers),
    queue: values.queue,
    killEvery: Number(values['kill-every']),
    reloadEvery: Number(values['reload-every']),
    searches: positive('searches', values.searches),
    out: values.out,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`)
  return number
}
