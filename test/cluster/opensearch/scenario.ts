/**
 * Contract scenarios as data: requests in order, each sent to the embedded store and to the cluster behind Millrace,
 * whose answers must agree in status and body, apart from what no two nodes agree on.
 *
 *     { "name": "…", "steps": [
 *       { "do": "PUT /a", "body": {…}, "status": 200 },
 *       { "do": "POST /_bulk?refresh=true", "lines": [{…}, {…}] },
 *       { "generate": { "index": "a", "count": 12000 } },
 *       { "do": "GET /a/_search", "expect": { "hits.total.value": 3 }, "without": ["_shards"] } ] }
 *
 * `status` and `expect` (values by path) are checked on both sides, `without` names members that are not compared;
 * `"compares": false` leaves out the comparison. `<…>` in a later request stands for a value that an earlier one has
 * named with `"keep": { "pit": "pit_id" }`.
 */
import { type Answer, differenceOf } from '../../extra/oracle/compare.ts'
import { documentOf } from './documents.ts'

export interface Step {
  readonly do?: string
  readonly body?: unknown
  readonly lines?: readonly unknown[]
  readonly generate?: { readonly index: string; readonly count: number }
  readonly status?: number
  readonly expect?: Readonly<Record<string, unknown>>
  readonly without?: readonly string[]
  readonly compares?: boolean
  readonly keep?: Readonly<Record<string, string>>
}

export interface Scenario {
  readonly name: string
  readonly steps: readonly Step[]
}

const bulkSize = 5000

export async function ask(url: string, step: Step): Promise<Answer> {
  const [method = 'GET', path = '/'] = (step.do ?? '').split(' ')
  const text =
    step.lines !== undefined
      ? step.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      : typeof step.body === 'string' || step.body === undefined
        ? step.body
        : JSON.stringify(step.body)
  const type = step.lines === undefined ? 'application/json' : 'application/x-ndjson'
  const response = await fetch(url + path, {
    method,
    ...(text !== undefined && { body: text, headers: { 'content-type': type } }),
  })
  return { status: response.status, text: await response.text() }
}

export async function generate(url: string, index: string, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += bulkSize) {
    const lines: unknown[] = []
    for (let number = start; number < Math.min(start + bulkSize, to); number++)
      lines.push({ index: { _id: String(number) } }, documentOf(number))
    const { status, text } = await ask(url, { do: `POST /${index}/_bulk`, lines })
    if (status !== 200 || text.includes('"errors":true')) throw new Error(text.slice(0, 500))
  }
  await ask(url, { do: `POST /${index}/_refresh` })
}

/** Where the two sides part, or a side from what is expected; undefined when nowhere. */
export async function differences(scenario: Scenario, ours: string, cluster: string): Promise<string[]> {
  const found: string[] = []
  const kept = [new Map<string, string>(), new Map<string, string>()]
  // A cluster that somebody else has started may have what an earlier run left.
  const made = scenario.steps.flatMap((step) => /^PUT (\/\w+)$/.exec(step.do ?? '')?.[1] ?? [])
  for (const path of made) await ask(cluster, { do: `DELETE ${path}` })
  for (const step of scenario.steps) {
    const { generate: wanted } = step
    if (wanted !== undefined) {
      for (const url of [ours, cluster]) await generate(url, wanted.index, 0, wanted.count)
      continue
    }
    const urls = [ours, cluster]
    const answers: Answer[] = []
    for (const [side, url] of urls.entries()) {
      const own = JSON.parse(withValues(JSON.stringify(step), kept[side]!)) as Step
      const answer = await ask(url, own)
      for (const [name, path] of Object.entries(step.keep ?? {}))
        kept[side]!.set(name, String(valueAt(answer, path)))
      answers.push(reduced(answer, step.without ?? []))
      found.push(...unexpected(answer, step).map((text) => `${side === 0 ? 'embedded' : 'cluster'} ${text}`))
    }
    if (step.compares === false) continue
    const difference = differenceOf(answers[0]!, answers[1]!)
    if (difference !== undefined && !difference.isForm)
      found.push(`${step.do} ${difference.path}: embedded ${difference.ours}, cluster ${difference.theirs}`)
  }
  return found
}

function withValues(text: string, kept: ReadonlyMap<string, string>): string {
  return text.replace(/<(\w+)>/g, (whole, name: string) => kept.get(name) ?? whole)
}

function valueAt({ text }: Answer, path: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return value
}

function unexpected(answer: Answer, { do: request, status, expect = {} }: Step): string[] {
  const wrong: string[] = []
  if (status !== undefined && answer.status !== status)
    wrong.push(`${request}: status ${answer.status}, not ${status}: ${answer.text.slice(0, 300)}`)
  for (const [path, value] of Object.entries(expect)) {
    const seen = JSON.stringify(valueAt(answer, path))
    if (seen !== JSON.stringify(value))
      wrong.push(`${request}: ${path} is ${seen}, not ${JSON.stringify(value)}`)
  }
  return wrong
}

function reduced({ status, text }: Answer, names: readonly string[]): Answer {
  if (names.length === 0) return { status, text }
  try {
    const out = JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      names.includes(name) ? undefined : value,
    )
    return { status, text: out }
  } catch {
    return { status, text }
  }
}
