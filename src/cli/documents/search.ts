/** `millrace search`: asks a store for documents from the terminal, in the syntax of query strings. */
import { paintFor, processOutput } from '../command-output.ts'
import { NodeClient, nodeFlags } from '../node-client.ts'
import { runCommand } from '../run-command.ts'

const usage = `Usage: millrace search [QUERY] [OPTIONS]

Finds documents: millrace search 'status:500 AND path:/teas*' --index logs-* --from 90000

Options:
    --index NAME     Index, alias or pattern; all of them without it.
    --from N         Skip so many (0); any page costs as much as the first.
    --size N         How many (10).
    --sort FIELD     Order, as in @timestamp:desc, which is the default where there is such a field.
    --count          Only how many there are.
    --json           Whole documents, a line of JSON each.
    --url URL        The store (http://127.0.0.1:9200); --user NAME:PASSWORD if it asks for one.
`

interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _source?: Record<string, unknown>
}

interface Found {
  readonly took: number
  readonly hits: {
    readonly total: { readonly value: number; readonly relation: string }
    readonly hits: readonly Hit[]
  }
}

const rules = {
  usage,
  command: 'search',
  switches: ['--json', '--count'],
  values: ['--index', '--from', '--size', '--sort', ...nodeFlags],
}

export async function searchCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const client = NodeClient.from(given, 'http://127.0.0.1:9200')
    const words = given.words.join(' ')
    const index = given.value('--index')
    const path = `${index === undefined ? '' : `/${encodeURIComponent(index).replaceAll('%2C', ',').replaceAll('%2A', '*')}`}/_search`
    const query = words === '' ? { match_all: {} } : { query_string: { query: words } }
    const sort = given.value('--sort')
    const body = {
      query,
      from: Number(given.value('--from') ?? 0),
      size: given.has('--count') ? 0 : Number(given.value('--size') ?? 10),
      track_total_hits: true,
      sort:
        sort === undefined
          ? [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }]
          : sort.split(',').map(orderOf),
    }
    const found = await client.json<Found>(path, body)
    const { total, hits } = found.hits
    if (given.has('--count')) {
      await output.print(`${total.value}\n`)
      return 0
    }
    for (const hit of hits)
      await output.print(given.has('--json') ? `${JSON.stringify(hit)}\n` : hitText(hit, output))
    const from = body.from + (hits.length === 0 ? 0 : 1)
    output.tell(`${from} to ${body.from + hits.length} of ${total.value}, ${found.took} ms\n`)
    return hits.length === 0 ? 1 : 0
  })
}

function orderOf(text: string): Record<string, string> {
  const [field = text, order = 'asc'] = text.split(':', 2)
  return { [field]: order }
}

/** Time and message where there are such fields, the whole document otherwise. */
export function hitText({ _index, _id, _source = {} }: Hit, output: Parameters<typeof paintFor>[0]): string {
  const { dim } = paintFor(output)
  const { '@timestamp': time, message } = _source
  const text = typeof message === 'string' ? message : JSON.stringify(_source)
  return `${dim(typeof time === 'string' ? time : `${_index}/${_id}`)} ${printable(text)}\n`
}

/** A document must not steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (char) => (char === '\n' || char === '\t' ? ' ' : '·'))
}
