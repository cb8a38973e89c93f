/** A profile of V8 as stacks of text: one per sample, innermost frame first, `function (file:line:column)`. */

interface ProfileNode {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    /** From 0; -1 for what has no place. */
    readonly lineNumber: number
    readonly columnNumber: number
  }
  readonly children?: readonly number[]
}

export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples?: readonly number[]
}

const maxFrames = 500
const maxSamples = 1000

const idleFrame = '(idle)'
const nativeFrame = '(program)'

export function stacksOf({ nodes, samples = [] }: Profile): string[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id)
  const known = new Map<number, string[]>()
  return samples.slice(-maxSamples).map((sample) => {
    const stack = known.get(sample) ?? stackOf(sample, byId, parents)
    known.set(sample, stack)
    return stack
  })
}

function stackOf(
  sample: number,
  nodes: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string[] {
  const frames: string[] = []
  for (
    let id: number | undefined = sample;
    id !== undefined && frames.length < maxFrames;
    id = parents.get(id)
  ) {
    const node = nodes.get(id)
    // The outermost node is no function.
    if (node !== undefined && parents.has(id)) frames.push(frameText(node))
  }
  return frames.length === 0 ? [nativeFrame] : frames
}

function frameText({ callFrame: { functionName, url, lineNumber, columnNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '' && lineNumber < 0) return name
  return `${name} (${url.replace(/^file:\/\//, '')}:${lineNumber + 1}:${columnNumber + 1})`
}

export function isIdle(stack: readonly string[]): boolean {
  return stack.length === 1 && stack[0] === idleFrame
}

const maxFolded = 500

/** Each different stack with how often it was seen, most frequent first; idle samples are left out. */
export function foldedStacks(
  stacks: readonly string[][],
  maxDepth: number,
): { samples: number; frames: string[] }[] {
  const folded = new Map<string, { samples: number; frames: string[] }>()
  for (const stack of stacks) {
    if (isIdle(stack)) continue
    const frames = stack.slice(-maxDepth)
    const key = frames.join('\n')
    const known = folded.get(key)
    if (known === undefined) folded.set(key, { samples: 1, frames })
    else known.samples += 1
  }
  return [...folded.values()].sort((a, b) => b.samples - a.samples).slice(0, maxFolded)
}

/**
 * The stack that tells most: from the outermost frame on the way most samples went. Samples without a function of
 * ours (idle, collecting garbage) count only when they are most of them.
 */
export function hotStack(stacks: readonly string[][]): string[] {
  const busy = stacks.filter((stack) => !isIdle(stack))
  const seen = busy.length > 0 ? busy : stacks
  const ours = seen.filter((stack) => stack.length > 1 || !stack[0]?.startsWith('('))
  let group = ours.length * 2 >= seen.length ? ours : seen
  const path: string[] = []
  for (;;) {
    const winner = commonest(group.map((stack) => stack[stack.length - 1 - path.length] ?? ''))
    if (winner === '') return path
    group = group.filter((stack) => stack[stack.length - 1 - path.length] === winner)
    path.unshift(winner)
  }
}

/** Empty for none. */
function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  let best = ''
  for (const text of texts) {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    if (count > (counts.get(best) ?? 0)) best = text
  }
  return best
}
