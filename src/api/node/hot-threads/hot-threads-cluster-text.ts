/**
 * The report on hot threads as a search cluster prints it: ten snapshots per thread, those that have the most
 * outer frames in common told together. The body is indented by three spaces, its blank lines too.
 */
import { duration } from '../../../http/human.ts'
import type { ThreadActivity, ThreadReport } from '../../../threads/hot-threads/hot-threads.ts'
import { type HotThreadsQuery, measures } from './hot-threads-query.ts'

const snapshots = 10

export function clusterText(
  identity: readonly string[],
  { at, intervalNanos }: Pick<ThreadReport, 'at' | 'intervalNanos'>,
  threads: readonly ThreadActivity[],
  query: HotThreadsQuery,
): string {
  const interval = duration(query.intervalMillis, 1e6)
  const lines = [
    `Hot threads at ${at.toISOString()}, interval=${interval}, busiestThreads=${query.threads}, ignoreIdleThreads=${query.ignoreIdle}:`,
  ]
  for (const thread of threads) {
    const nanos = Math.floor(measures[query.orderedBy](thread, intervalNanos))
    const share = ((100 * nanos) / intervalNanos).toFixed(1).padStart(4)
    lines.push(
      '',
      `${share}% (${duration(nanos, 1)} out of ${interval}) ${query.orderedBy} usage by thread '${thread.name}'`,
      ...snapshotLines(thread.stacks, query.stacktraceSize),
    )
  }
  const body = lines.map((line) => `   ${line}\n`).join('')
  return `::: ${identity.map((part) => `{${part}}`).join('')}\n${body}\n`
}

function snapshotLines(stacks: readonly string[][], size: number): string[] {
  const taken = spread(stacks).map((stack) => stack.slice(0, size))
  const told = new Set<number>()
  const lines: string[] = []
  taken.forEach((stack, index) => {
    if (told.has(index)) return
    const { shared, members } = likest(taken, index, told)
    for (const member of members) told.add(member)
    if (members.length === 0) lines.push('  unique snapshot', ...stack.map((frame) => `    ${frame}`))
    else {
      lines.push(`  ${members.length + 1}/${taken.length} snapshots sharing following ${shared} elements`)
      lines.push(...stack.slice(stack.length - shared).map((frame) => `    ${frame}`))
    }
  })
  return lines
}

/** Later snapshots that share the longest run of outer frames with this one, at least one frame. */
function likest(taken: readonly string[][], index: number, told: ReadonlySet<number>) {
  let shared = 1
  let members: number[] = []
  for (let other = index + 1; other < taken.length; other++) {
    if (told.has(other)) continue
    const common = commonFrames(taken[index]!, taken[other]!)
    if (common > shared) {
      shared = common
      members = []
    }
    if (common === shared) members.push(other)
  }
  return { shared, members }
}

function commonFrames(a: readonly string[], b: readonly string[]): number {
  let common = 0
  while (common < a.length && common < b.length && a[a.length - 1 - common] === b[b.length - 1 - common])
    common += 1
  return common
}

/** Ten of them, evenly over the interval. */
function spread(stacks: readonly string[][]): string[][] {
  if (stacks.length <= snapshots) return [...stacks]
  return Array.from({ length: snapshots }, (_, i) => stacks[Math.floor((i * stacks.length) / snapshots)]!)
}
