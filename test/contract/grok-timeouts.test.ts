/**
 * Grok expressions that would keep a backtracking engine busy for ever, in the real program: each ends with
 * `_groktimeout` soon after `timeout_millis`, while another pipeline of the same process and the API go on.
 */
import { createSocket, type Socket } from 'node:dgram'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quoted } from '../support/hostile-text.ts'
import { Millrace } from '../support/millrace.ts'

interface Hostile {
  readonly about: string
  readonly expression: string
  /** Some thirty kilobytes that no way matches. */
  readonly text: string
}

const long = 30_000
const times = (unit: string): string => unit.repeat(Math.ceil(long / unit.length))
const as = times('a')

const endless: readonly Hostile[] = [
  { about: 'equal alternatives', expression: '^(?<x>(?:a|a)+)$', text: `${as}!` },
  { about: 'equal alternatives in a nested loop', expression: '^(?<x>(?:a|a|b)+)+c', text: `${as}!c` },
  { about: 'alternatives that overlap', expression: '^(?<x>(?:a|aa)+)$', text: `${as}!` },
  { about: 'three that overlap', expression: '^(?<x>(?:a|b|ab)*)$', text: `${times('ab')}!` },
  { about: 'two loops in a loop', expression: '(?<x>(?:x+x+)+y)', text: times('x') },
  { about: 'the same from the start', expression: '^(?<x>(?:x+x+)+y)', text: `${times('x')}!y` },
  { about: 'words and digits', expression: '^(?<x>(?:[a-z]+[0-9]*)+)$', text: `${times('abc')}!` },
  { about: 'words and blanks', expression: String.raw`^(?<x>(?:\w+\s?)*)$`, text: `${times('word ')}!` },
  { about: 'blanks around words', expression: String.raw`^(?<x>(?:\s*\w+\s*)+):`, text: `${times('ab ')}!:` },
  { about: 'columns of anything', expression: '^(?<x>(?:.*,){12}P)$', text: `${times('1,')}P!` },
  { about: 'two notations', expression: String.raw`^(?<x>(?:\d+|\d+\.?\d*)+)$`, text: `${times('12345')}!` },
  { about: 'quotes', expression: `^(?<x>(?:[^"]+|"[^"]*"|'[^']*')*)$`, text: `${times("'a'")}"` },
  { about: 'optional letters, counted', expression: '^(?<x>(?:a?){60}a{60})$', text: as },
  { about: 'counted words', expression: String.raw`^(?<x>(?:\w{1,9}\w*){5,})$`, text: `${times('abc')}!` },
  { about: 'a back-reference', expression: String.raw`^(?:(?<x>a|a)\k<x>?)+$`, text: `${as}!` },
  {
    about: 'back-references to runs',
    expression: String.raw`^(?<x>a+)(?<y>a+)\k<x>\k<y>b$`,
    text: `${as}!b`,
  },
  { about: 'a look-ahead that holds a loop', expression: '^(?=(?:a|a)+$)(?<x>a)', text: `${as}!` },
  { about: 'a look-ahead that must not match', expression: '^(?!(?:a|aa)+$)b(?<x>a)', text: `${as}!ba` },
  { about: 'a look-behind in a loop', expression: '^(?<x>(?:a|(?<=a)a)+)$', text: `${as}!` },
  { about: 'an atomic group', expression: '^(?<x>(?:(?>a|b)|[ab])+)$', text: `${times('ab')}!` },
  { about: 'any case', expression: '(?i)^(?<x>(?:a|A|aA)+)$', text: `${times('aA')}!` },
  { about: 'letters beyond ASCII', expression: '^(?<x>(?:é|[éa])+)$', text: `${'é'.repeat(15_000)}!` },
  { about: 'lazy loops', expression: '^(?<x>(?:a|a??a)+?)b$', text: `${as}!b` },
  { about: 'dots and newlines', expression: String.raw`\A(?<x>(?:.|\n)+)z\z`, text: `${times('\n')}z!` },
  { about: 'a called group', expression: String.raw`^(?<x>a|aa)\g<x>*$`, text: `${as}!` },
  {
    about: 'mail addresses',
    expression: '^(?<x>[a-z](?:[.-]?[a-z]+)*)@',
    text: `${times('abc')}!@`,
  },
  { about: 'host names', expression: String.raw`^(?<x>(?:[a-z0-9-]+\.?)+)/$`, text: `${times('abc')}!/` },
  {
    about: 'class names',
    expression: String.raw`^(?<x>(?:[a-z][a-z0-9]*\.?)+[A-Z])`,
    text: `${times('abc')}!Z`,
  },
  {
    about: 'library patterns',
    expression: '^(?:%{WORD:x}|%{USERNAME}|%{NOTSPACE})+$',
    text: `${times('ab')} !`,
  },
  { about: 'counts in counts', expression: '^(?<x>(?:a{1,30}){1,30})$', text: `${as}!` },
  { about: 'a look-ahead in a loop', expression: '^(?<x>(?:(?=a)a|a)+)$', text: `${as}!` },
  { about: 'lazy library columns', expression: `^${'%{DATA},'.repeat(9)}%{INT:x}$`, text: `${times('a,')}!` },
  {
    about: 'greedy library columns',
    expression: `^${'%{GREEDYDATA}-'.repeat(7)}%{INT:x}$`,
    text: `${times('a-')}!`,
  },
]

/** Tamed before they run, by loops that are one loop or by a text that is not there: no match, at once. */
const tamed: readonly Hostile[] = [
  { about: 'a loop in a loop', expression: '^(?<x>(?:a+)+)$', text: `${as}!` },
  { about: 'a star in a star', expression: '^(?<x>(?:a*)*)b$', text: `${as}!b` },
  { about: 'a missing text', expression: '^(?<x>(?:a|a)+) => ', text: `${as}!` },
  { about: 'the scheme of a URI', expression: '%{URI:x}', text: as },
]

const all = [...endless, ...tamed]
const timeout = 400
const margin = 500

let millrace: Millrace
let socket: Socket
let ticks: number[] = []

function hostileConfig(): string {
  const grok = ({ expression }: Hostile, milliseconds: number) =>
    `grok { match => { "message" => ${quoted(expression)} } timeout_millis => ${milliseconds} }`
  const branches = all.map((one, n) => `if [n] == ${n} { ${grok(one, timeout)} }`).join(' else ')
  return `input { stdin { codec => json_lines } }
    filter { ${branches} else if [n] == 1000 { ${grok(endless[0]!, 4000)} } mutate { remove_field => ["message"] } }
    output { stdout { codec => json_lines } }`
}

beforeAll(async () => {
  socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.on('message', () => void ticks.push(performance.now()))
  const { port } = socket.address()
  millrace = await Millrace.start({
    api: true,
    settings: 'config.support_escapes: true',
    pipelines: ['hostile', 'steady']
      .map((id) => `- pipeline.id: ${id}\n  path.config: DIR/${id}.conf\n  pipeline.batch.size: 1\n`)
      .join(''),
    files: {
      'hostile.conf': hostileConfig(),
      'steady.conf': `input { generator { message => "tick" } } filter { sleep { time => "0.02" } }
        output { udp { host => "127.0.0.1" port => ${port} } }`,
    },
  })
  await millrace.untilStarted()
  await millrace.until(() => ticks.length > 5)
})

afterAll(async () => {
  socket?.close()
  await millrace?.dispose()
})

let sent = 0

/** One event through the hostile pipeline: its tags, and the milliseconds it took. */
async function send(n: number, text: string, limit = 20_000): Promise<{ tags: unknown; took: number }> {
  const id = `event-${sent++}`
  const start = performance.now()
  millrace.write(`${JSON.stringify({ n, id, message: text })}\n`)
  await millrace.until(`"${id}"`, limit)
  const took = performance.now() - start
  await millrace.until(() => millrace.eventLines().some((line) => line.includes(`"${id}"`)))
  return { tags: millrace.events().find((event) => event['id'] === id)?.['tags'], took }
}

/** The machine may be busy with other things: the best of a few goes counts. */
async function soon(n: number, text: string, limit: number): Promise<{ tags: unknown; took: number }> {
  let best = await send(n, text)
  for (let again = 0; again < 6 && best.took > limit; again++) {
    await setTimeout(again * 200)
    const next = await send(n, text)
    if (next.took < best.took) best = next
  }
  return best
}

describe('expressions without end', () => {
  it('are more than thirty', () => {
    expect(new Set(endless.map(({ expression }) => expression)).size).toBeGreaterThan(30)
    expect(all.every(({ text }) => Buffer.byteLength(text) >= long)).toBe(true)
  })

  it.each(endless.map((one, n) => ({ ...one, n })))('end in time: $about', async ({ n, text }) => {
    const { tags, took } = await soon(n, text, timeout + margin)
    expect(tags).toEqual(['_groktimeout'])
    expect(took).toBeLessThan(timeout + margin)
    expect(took).toBeGreaterThan(timeout * 0.9)
  })

  it.each(tamed.map((one, n) => ({ ...one, n: endless.length + n })))(
    'or are none: $about',
    async ({ n, text }) => {
      const { tags, took } = await soon(n, text, timeout)
      expect(tags).toEqual(['_grokparsefailure'])
      expect(took).toBeLessThan(timeout)
    },
  )
})

interface DuringSearch {
  tags: unknown
  took: number
  /** Milliseconds between two signs of life of the other pipeline. */
  gaps: number[]
  /** Milliseconds the API took to answer. */
  answers: number[]
}

/** What the rest of the process does while a search takes four seconds. */
async function duringSearch(): Promise<DuringSearch> {
  const answers: number[] = []
  let isOver = false
  ticks = []
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now()
      expect(await millrace.api('/')).toMatchObject({ status: expect.any(String) as string })
      answers.push(performance.now() - start)
      await setTimeout(50)
    }
  })()
  const begin = performance.now()
  const { tags, took } = await send(1000, endless[0]!.text)
  const end = begin + took
  isOver = true
  await asking
  const times = [begin, ...ticks.filter((time) => time > begin && time < end), end]
  return { tags, took, gaps: times.slice(1).map((time, i) => time - times[i]!), answers }
}

/** As with the searches, the machine may be busy with other things. */
const isDisturbed = ({ gaps, answers }: DuringSearch) =>
  Math.max(...gaps) >= 1500 || Math.max(...answers) >= 2000

describe('meanwhile', () => {
  it('the other pipeline and the API go on', async () => {
    let seen = await duringSearch()
    for (let again = 0; again < 4 && isDisturbed(seen); again++) seen = await duringSearch()
    const { tags, took, gaps, answers } = seen
    expect(tags).toEqual(['_groktimeout'])
    expect(took).toBeGreaterThan(3600)
    // Ticks come every twentieth of a second; a process that waits for the search would show a gap of four seconds.
    expect(Math.max(...gaps)).toBeLessThan(1500)
    expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThan(250)
    expect(answers.length).toBeGreaterThan(5)
    expect(Math.max(...answers)).toBeLessThan(2000)
  })

  it('every time-out is counted', async () => {
    const stats = (await millrace.api('/_node/stats/pipelines/hostile')) as {
      pipelines: {
        hostile: { plugins: { filters: { name: string; timeouts?: number; failures?: number }[] } }
      }
    }
    const groks = stats.pipelines.hostile.plugins.filters.filter(({ name }) => name === 'grok')
    expect(groks).toHaveLength(all.length + 1)
    expect(
      groks
        .slice(0, endless.length)
        .every(({ timeouts = 0, failures = 0 }) => timeouts > 0 && failures === 0),
    ).toBe(true)
    expect(millrace.stdout).toContain(
      `Timeout executing grok '${endless[0]!.expression}' against field 'message' with value 'Value too large`,
    )
  })
})
