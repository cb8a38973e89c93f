/**
 * Millrace beside a real OpenSearch: the same documents, the same random requests, whole answers compared.
 * Usage: main.mjs [--seed 1] [--count 200] [--family NAME,NAME] [--url URL of a running OpenSearch] [--show 3] [--raw]
 * Prints the agreement of each family and its kinds of differences, the commonest first, each with a small request;
 * with --raw also those of differences that are accepted.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEndpoint } from '../../../src/endpoint.ts'
import { acceptedReason } from './accepted.ts'
import { type Answer, type Difference, differenceOf, signature } from './compare.ts'
import { aggregationFamilies } from './families/aggregations.ts'
import { clientWriteFamilies } from './families/client-writes.ts'
import { clientFamilies } from './families/clients.ts'
import { malformedFamilies } from './families/malformed.ts'
import { otherFamilies } from './families/others.ts'
import { type Family, searchFamilies } from './families/searches.ts'
import { statefulFamilies } from './families/stateful.ts'
import { loadDocuments } from './load.ts'
import { maskedTable } from './mask-table.ts'
import { ask, type Request, startOracle } from './nodes.ts'
import { Random } from './random.ts'
import { shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    family: { type: 'string' },
    url: { type: 'string' },
    show: { type: 'string', default: '0' },
    documents: { type: 'string', default: '300' },
    minimum: { type: 'string' },
    raw: { type: 'boolean', default: false },
  },
})
const folder = resolve('.tmp/oracle')
/** `_cat` comes first: its tables list field data that other requests load. */
const families: Record<string, Family> = {
  cat: otherFamilies['cat']!,
  ...searchFamilies,
  ...aggregationFamilies,
  ...otherFamilies,
  ...malformedFamilies,
  ...clientFamilies,
}
const sequences = { ...statefulFamilies, ...clientWriteFamilies }
const wanted = values.family?.split(',')
const seed = Number(values.seed)
const count = Number(values.count)

interface Found {
  readonly request: Request
  readonly difference: Difference
  readonly ours: Answer
  readonly theirs: Answer
}

const oracle =
  values.url === undefined ? await startOracle(folder) : { url: values.url, stop: async () => {} }
const endpoint = await startEndpoint({
  flavor: 'opensearch',
  strict: true,
  nodeName: 'Node 1',
  clusterName: 'oracle',
})
const urls = [endpoint.url, oracle.url] as const

async function both(request: Request): Promise<readonly [Answer, Answer]> {
  return [await ask(urls[0], request), await ask(urls[1], request)]
}

/** Both nodes are emptied: a node that runs for long has what earlier runs left. */
async function load(): Promise<void> {
  for (const path of [
    '/_data_stream/*',
    '/*?expand_wildcards=all',
    '/_index_template/*',
    '/_component_template/*',
    '/_template/*',
    '/_ingest/pipeline/*',
  ])
    await both({ method: 'DELETE', path })
  for (const id of ['s', 'sscript']) await both({ method: 'DELETE', path: `/_scripts/${id}` })
  await both({
    method: 'PUT',
    path: '/_cluster/settings',
    body: { transient: { 'search.*': null }, persistent: { 'search.*': null } },
  })
  for (const url of urls) await loadDocuments(url, Number(values.documents))
}

async function compare(request: Request): Promise<Found | undefined> {
  const [ours, theirs] = (await both(request)).map((answer) => maskedTable(request.path, answer)) as [
    Answer,
    Answer,
  ]
  const difference = differenceOf(ours, theirs)
  return difference === undefined ? undefined : { request, difference, ours, theirs }
}

const table: string[] = []
const report: Record<string, unknown[]> = {}
let lowest = 100
try {
  await load()
  for (const [name, family] of Object.entries(families))
    if (wanted === undefined || wanted.includes(name)) await runFamily(name, family)
  for (const [name, family] of Object.entries(sequences))
    if (wanted === undefined || wanted.includes(name)) await runStateful(name, family)
} finally {
  await endpoint.stop()
  await oracle.stop()
}
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, `differences-${seed}.json`), JSON.stringify(report, null, 1))
console.log(
  `| family | requests | agree | of form only | accepted | differ | agreement | with accepted |\n|---|---|---|---|---|---|---|---|\n${table.join('\n')}`,
)
if (values.minimum !== undefined && lowest < Number(values.minimum)) process.exitCode = 1

async function runFamily(name: string, family: Family): Promise<void> {
  const random = new Random(
    seed * 1000 + ([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1000),
  )
  const found: Found[] = []
  for (let at = 0; at < count; at++) {
    const one = await compare(family(random))
    if (one !== undefined) found.push(one)
  }
  await summarise(name, count, found)
}

async function runStateful(name: string, family: (random: Random) => Request[]): Promise<void> {
  const random = new Random(seed * 1000 + name.length)
  const found: Found[] = []
  let total = 0
  for (let at = 0; at < Math.ceil(count / 5); at++) {
    await both({ method: 'DELETE', path: '/s*,.ds-s*?expand_wildcards=all' })
    for (const request of family(random)) {
      total++
      const one = await compare(request)
      if (one !== undefined) found.push(one)
    }
  }
  await summarise(name, total, found)
}

async function summarise(name: string, total: number, found: readonly Found[]): Promise<void> {
  const forms = found.filter(({ difference }) => difference.isForm)
  const accepted = found.filter(
    (one) => !one.difference.isForm && acceptedReason(one.request, one.difference) !== undefined,
  )
  const differing = found.filter((one) => !one.difference.isForm && !accepted.includes(one))
  const share = ((total - differing.length - accepted.length) / total) * 100
  const withAccepted = ((total - differing.length) / total) * 100
  lowest = Math.min(lowest, withAccepted)
  table.push(
    `| ${name} | ${total} | ${total - found.length} | ${forms.length} | ${accepted.length} | ${differing.length} | ${share.toFixed(1)} % | ${withAccepted.toFixed(1)} % |`,
  )
  console.log(table.at(-1))
  const groups = grouped(values.raw ? [...differing, ...accepted] : differing)
  const ordered = [...groups].sort(([, one], [, other]) => other.length - one.length)
  report[name] = ordered.map(([kind, all]) => ({ kind, times: all.length, cases: all.slice(0, 6) }))
  const max = Number(values.show)
  for (const [kind, all] of ordered.slice(0, max)) {
    const first = all.toSorted(
      (one, other) => JSON.stringify(one.request).length - JSON.stringify(other.request).length,
    )[0]!
    const small = sequences[name] === undefined ? await shrink(first, compare, kind) : first
    console.log(
      `  ${all.length} × ${small.difference.path}\n    ${small.request.method} ${small.request.path} ${typeof small.request.body === 'string' ? small.request.body : JSON.stringify(small.request.body)}\n    ours   ${small.difference.ours.slice(0, 600)}\n    theirs ${small.difference.theirs.slice(0, 600)}`,
    )
  }
}

function grouped(all: readonly Found[]): Map<string, Found[]> {
  const groups = new Map<string, Found[]>()
  for (const one of all) {
    const key = signature(one.difference)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}
