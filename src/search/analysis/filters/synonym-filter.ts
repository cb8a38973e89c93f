/**
 * Synonyms in Solr's format: `a, b => c` replaces a and b by c; `a, b, c` makes all equivalent. Rules are analysed
 * by the components before the filter. The longest match in the trie wins; words of a synonym take the positions
 * from the first matched word on.
 */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import { type TokenBuffer, tokenType } from '../token-buffer.ts'

interface Node {
  readonly next: Map<string, Node>
  outputs: string[][]
  /** The words of each output, joined, for removing duplicates. */
  readonly keys: Set<string>
  keepsOriginal: boolean
}

const newNode = (): Node => ({ next: new Map(), outputs: [], keys: new Set(), keepsOriginal: false })

/** A line of N equivalent words makes N times N of these. */
const maxOutputs = 1_000_000

/** Splits at commas that are not escaped, and unescapes. */
function alternatives(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replace(/\\(.)/g, '$1').trim())
    .filter((part) => part !== '')
}

function add(root: Node, input: readonly string[], output: string[], keepsOriginal: boolean): void {
  let node = root
  for (const word of input) {
    let next = node.next.get(word)
    if (next === undefined) node.next.set(word, (next = newNode()))
    node = next
  }
  if (keepsOriginal) node.keepsOriginal = true
  const key = output.length === 1 ? output[0]! : output.join('\0')
  if (node.keys.has(key)) return
  node.keys.add(key)
  node.outputs.push(output)
}

/** Parses rules to a trie of words. */
export function readRules(
  rules: readonly string[],
  wordsOf: (text: string) => string[],
  expand: boolean,
  lenient: boolean,
): Node {
  const root = newNode()
  let count = 0
  const added = (input: readonly string[], output: string[], keepsOriginal: boolean): void => {
    if (++count > maxOutputs)
      throw new AnalysisError(`The synonyms make more than the allowed maximum of [${maxOutputs}] pairs`)
    add(root, input, output, keepsOriginal)
  }
  rules.forEach((rule, line) => {
    const text = rule.trim()
    if (text === '' || text.startsWith('#')) return
    const sides = text.split(/(?<!\\)=>/)
    const invalid = (): AnalysisError => new AnalysisError(`Invalid synonym rule at line ${line + 1}`)
    if (sides.length > 2) {
      if (lenient) return
      throw invalid()
    }
    const [inputs = [], outputs] = sides.map((side) =>
      alternatives(side)
        .map(wordsOf)
        .filter((words) => words.length > 0),
    )
    if ((inputs.length === 0 || outputs?.length === 0) && !lenient) throw invalid()
    if (outputs !== undefined) {
      for (const input of inputs) for (const output of outputs) added(input, output, false)
    } else if (expand) {
      inputs.forEach((input, own) => {
        inputs.forEach((output, other) => {
          if (own !== other) added(input, output, true)
        })
      })
    } else for (const input of inputs) added(input, inputs[0]!, false)
  })
  return root
}

/** Returns the longest match at `from`: its node and the number of tokens. */
export function longestMatch(tokens: TokenBuffer, root: Node, from: number): [Node, number] | undefined {
  let node: Node | undefined = root
  let found: [Node, number] | undefined
  for (let index = from; index < tokens.length; index++) {
    if (index > from && tokens.positions[index]! !== tokens.positions[index - 1]! + 1) break
    node = node.next.get(tokens.terms[index]!)
    if (node === undefined) break
    if (node.outputs.length > 0) found = [node, index - from + 1]
  }
  return found
}

interface Placed {
  index: number
  term: string | undefined
  position: number
  start: number
  end: number
}

/** What `readRules` takes. */
export type SynonymRules = Parameters<typeof readRules>

export function synonymFilter(...rules: SynonymRules): TokenFilter {
  const root = readRules(...rules)
  return {
    apply(tokens, spare) {
      const placed: Placed[] = []
      for (let index = 0; index < tokens.length; ) {
        const match = longestMatch(tokens, root, index)
        const taken = match === undefined ? 1 : match[1]
        const last = index + taken - 1
        if (match === undefined || match[0].keepsOriginal) {
          for (let own = index; own <= last; own++)
            placed.push({ index: own, term: undefined, position: tokens.positions[own]!, start: 0, end: 0 })
        }
        for (const output of match?.[0].outputs ?? []) {
          output.forEach((term, word) => {
            const at = Math.min(index + word, last)
            const isLast = word === output.length - 1
            placed.push({
              index: at,
              term,
              position: tokens.positions[index]! + word,
              start: taken === 1 || word > 0 ? tokens.starts[at]! : tokens.starts[index]!,
              end: isLast || word >= taken ? tokens.ends[last]! : tokens.ends[at]!,
            })
          })
        }
        index += taken
      }
      // A synonym of several words may extend over the tokens behind it.
      placed.sort((a, b) => a.position - b.position)
      spare.clear()
      for (const { index, term, position, start, end } of placed) {
        if (term === undefined) spare.pushFrom(tokens, index)
        else spare.push(term, position, start, end, tokenType.synonym)
      }
      const reach = placed.at(-1)?.position ?? -1
      tokens.swap(spare)
      if (reach >= tokens.endPosition) tokens.endPosition = reach + 1
    },
  }
}
