/**
 * The synonym_graph filter: each alternative is a path of its own between the same two positions, so that phrases of
 * several words stay exact. Words between the ends of a path have positions that no other path uses.
 */
import type { TokenFilter } from '../component.ts'
import { type TokenBuffer, tokenType } from '../token-buffer.ts'
import { longestMatch, readRules, type SynonymRules } from './synonym-filter.ts'

interface Placed {
  readonly position: number
  readonly span: number
  readonly index: number
  /** Undefined for a token of the text. */
  readonly term: string | undefined
}

export function synonymGraphFilter(...rules: SynonymRules): TokenFilter {
  const root = readRules(...rules)
  return {
    apply(tokens, spare) {
      spare.clear()
      // How far the tokens behind longer alternatives are pushed back.
      let shift = 0
      for (let index = 0; index < tokens.length; ) {
        const match = longestMatch(tokens, root, index)
        const start = tokens.positions[index]! + shift
        if (match === undefined) {
          spare.pushFrom(tokens, index)
          spare.positions[spare.length - 1] = start
          index++
          continue
        }
        const [{ outputs, keepsOriginal }, taken] = match
        const paths: (readonly (string | undefined)[])[] = [...outputs]
        if (keepsOriginal) paths.push(Array<undefined>(taken).fill(undefined))
        const length = 1 + paths.reduce((sum, path) => sum + path.length - 1, 0)
        place(tokens, index, taken, paths, start, length, spare)
        shift += length - taken
        index += taken
      }
      tokens.swap(spare)
      tokens.endPosition += shift
    },
  }
}

function place(
  tokens: TokenBuffer,
  from: number,
  taken: number,
  paths: readonly (readonly (string | undefined)[])[],
  start: number,
  length: number,
  out: TokenBuffer,
): void {
  const placed: Placed[] = []
  let free = start + 1
  for (const path of paths) {
    let position = start
    path.forEach((term, word) => {
      const next = word === path.length - 1 ? start + length : free++
      placed.push({ position, span: next - position, index: from + word, term })
      position = next
    })
  }
  placed.sort((one, other) => one.position - other.position)
  for (const { position, span, index, term } of placed) {
    if (term === undefined) out.pushFrom(tokens, index)
    else out.push(term, position, tokens.starts[from]!, tokens.ends[from + taken - 1]!, tokenType.synonym)
    out.positions[out.length - 1] = position
    out.spans[out.length - 1] = span
  }
}
