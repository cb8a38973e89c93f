/**
 * Tables of what plugins do, as texts beside them (`filters/tables/mutate.table`): options, events in, events out.
 *
 *     = convert => { "a" => "integer" }     the options of the blocks' plugin, as in a configuration
 *     =v8 source => "x"                     the same with ECS compatibility
 *     > {"a":"5"}                           goes in: an event, or a text for a codec to read
 *     < {"a":5}                             comes out; more lines for more, none when nothing does
 *     <~ {"a":5}                            comes out; members that are not named may be there, too
 *     ! convert                             a part of a line that is logged at warning or above
 *     @ {"status":404}                      what the server at the other end answers from now on, or holds (`test-peers.ts`)
 *     ^ {"method":"GET"}                    what it was sent; members that are not named may be there, too
 *     ^= {"index":{"_id":"1"}}              what it was sent, and nothing besides
 *     ~ status: 400                         a part of the reason with which an event goes to the dead letter queue
 *     x Unknown setting                     in place of rows: a part of why the options are refused
 *
 * The rows of a block go through one instance, in their order. `> flush` ends a batch as a pipeline does every few
 * seconds; `> run` waits for an input that ends by itself, and a second time starts it again; `> wait` waits for one that gets something from its peer. Inputs get
 * their bytes over a socket, or in a file: PORT in their options is a port that is free, PATH a path. Bytes are a JSON text
 * of Latin-1 characters, or `hex` and their digits; senders of Lumberjack get a list of events. A `#` at the start of a
 * line is for the reader.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EcsCompatibility, PluginType } from '../plugin/define.ts'

export interface TableRow {
  readonly line: number
  readonly given: string
  readonly expected: Line[]
  readonly logged: string[]
  /** What the peer is given before this row. */
  readonly answers: string[]
  readonly sent: Line[]
  /** Parts of reasons; an output has a dead letter queue in the blocks that name one. */
  readonly deadLetters: string[]
}

interface Line {
  readonly text: string
  /** Whether members that are not named may not be there. */
  readonly isWhole: boolean
}

export interface TableBlock {
  readonly line: number
  readonly ecs: EcsCompatibility
  readonly options: string
  readonly rows: TableRow[]
  /** A part of the message, when the options are refused. */
  refusal?: string
}

export interface Table {
  readonly type: PluginType
  readonly name: string
  readonly path: string
  readonly blocks: TableBlock[]
}

const folder = new URL('.', import.meta.url).pathname
const types: readonly PluginType[] = ['input', 'filter', 'output', 'codec']

/** All tables that there are. */
export function readTables(): Table[] {
  return types.flatMap((type) => {
    const tables = join(folder, `${type}s`, 'tables')
    return namesIn(tables).map((file) => {
      const path = join(tables, file)
      return {
        type,
        name: file.replace(/\.table$/, ''),
        path,
        blocks: parseTable(readFileSync(path, 'utf8')),
      }
    })
  })
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => name.endsWith('.table'))
  } catch {
    return []
  }
}

export function parseTable(text: string): TableBlock[] {
  const blocks: TableBlock[] = []
  let answers: string[] = []
  for (const [index, whole] of text.split('\n').entries()) {
    if (whole.trim() === '' || whole.startsWith('#')) continue
    const [, mark, rest = ''] = /^(\S+)(?: (.*))?$/.exec(whole) ?? []
    const line = index + 1
    const block = blocks.at(-1)
    const row = block?.rows.at(-1)
    if (mark?.startsWith('=')) blocks.push({ line, ecs: ecsOf(mark.slice(1)), options: rest, rows: [] })
    else if (mark === '@' && block !== undefined) answers.push(rest)
    else if (mark === '>' && block !== undefined) {
      block.rows.push({ line, given: rest, expected: [], logged: [], answers, sent: [], deadLetters: [] })
      answers = []
    } else if (mark === '^' && row !== undefined) row.sent.push({ text: rest, isWhole: false })
    else if (mark === '^=' && row !== undefined) row.sent.push({ text: rest, isWhole: true })
    else if (mark === '~' && row !== undefined) row.deadLetters.push(rest)
    else if (mark === '<' && row !== undefined) row.expected.push({ text: rest, isWhole: true })
    else if (mark === '<~' && row !== undefined) row.expected.push({ text: rest, isWhole: false })
    else if (mark === '!' && row !== undefined) row.logged.push(rest)
    else if (mark === 'x' && block !== undefined) block.refusal = rest
    else throw new Error(`line ${line} has no meaning: ${whole}`)
  }
  return blocks
}

function ecsOf(text: string): EcsCompatibility {
  if (text === '') return 'disabled'
  if (text === 'v1' || text === 'v8') return text
  throw new Error(`no ECS compatibility: ${text}`)
}
