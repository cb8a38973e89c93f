/**
 * Asks one host for everything the options name: values, subtrees, tables. Each question may fail for itself; what a
 * failed walk or table had brought is kept only on demand. A host that answers without end is left after a bounded number
 * of values.
 */
import { type Fields, putField, type Value } from '../../../event/value.ts'
import type { SnmpSession, Varbind } from '../../snmp/client.ts'
import type { SnmpTable } from './hosts.ts'

const maxValues = 200_000

interface Questions {
  readonly get: readonly string[]
  readonly walk: readonly string[]
  readonly tables: readonly SnmpTable[]
  readonly maxRepetitions: number
  readonly allowPartial: boolean
}

export interface Naming {
  name(oid: string): string
  value(varbind: Varbind): Value
}

interface PollResult {
  readonly fields: Fields
  readonly problems: Error[]
}

export async function pollHost(
  session: SnmpSession,
  questions: Questions,
  naming: Naming,
): Promise<PollResult> {
  const fields: Fields = {}
  const problems: Error[] = []
  const set = (varbinds: readonly Varbind[]) => {
    for (const varbind of varbinds) putField(fields, naming.name(varbind.oid), naming.value(varbind))
  }
  if (questions.get.length > 0) {
    try {
      set(await getValues(session, questions.get))
    } catch (error) {
      problems.push(error as Error)
    }
  }
  for (const oid of questions.walk) {
    const { varbinds, problem } = await walk(session, oid, questions.maxRepetitions)
    if (problem !== undefined) problems.push(problem)
    if (problem === undefined || questions.allowPartial) set(varbinds)
  }
  for (const table of questions.tables) {
    const { rows, problem } = await readTable(session, table, questions.maxRepetitions, naming)
    if (problem !== undefined) problems.push(problem)
    if (rows.length > 0 && (problem === undefined || questions.allowPartial))
      putField(fields, table.name, rows)
  }
  return { fields, problems }
}

function getValues(session: SnmpSession, oids: readonly string[]): Promise<readonly Varbind[]> {
  return new Promise((resolve, reject) => {
    session.get(oids, (error, varbinds) => (error ? reject(error) : resolve(varbinds)))
  })
}

interface Walked {
  readonly varbinds: Varbind[]
  readonly problem: Error | undefined
}

function walk(session: SnmpSession, oid: string, maxRepetitions: number): Promise<Walked> {
  const varbinds: Varbind[] = []
  const seen = new Set<string>()
  return new Promise((resolve) => {
    let problem: Error | undefined
    const feed = (some: readonly Varbind[]): boolean => {
      for (const varbind of some) {
        if (seen.has(varbind.oid)) problem = new Error(`the host gave ${varbind.oid} twice`)
        else if (varbinds.length >= maxValues)
          problem = new Error(`the host gave more than ${maxValues} values`)
        if (problem !== undefined) return true
        seen.add(varbind.oid)
        varbinds.push(varbind)
      }
      return false
    }
    session.subtree(oid, maxRepetitions, feed, (error) =>
      resolve({ varbinds, problem: problem ?? error ?? undefined }),
    )
  })
}

/** Rows by index, in the order of the indices; each with the values of its columns. */
async function readTable(
  session: SnmpSession,
  { columns }: SnmpTable,
  maxRepetitions: number,
  naming: Naming,
): Promise<{ rows: Fields[]; problem: Error | undefined }> {
  const rows = new Map<string, Fields>()
  let problem: Error | undefined
  for (const column of columns) {
    const walked = await walk(session, column, maxRepetitions)
    problem ??= walked.problem
    const name = naming.name(column)
    for (const varbind of walked.varbinds) {
      const index = varbind.oid.slice(column.length + 1)
      let row = rows.get(index)
      if (row === undefined) rows.set(index, (row = { index }))
      putField(row, name, naming.value(varbind))
    }
  }
  const ordered = [...rows].sort(([a], [b]) => compareOids(a, b)).map(([, row]) => row)
  return { rows: ordered, problem }
}

function compareOids(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)]
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!
  }
  return a.length - b.length
}
