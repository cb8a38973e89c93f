/** cjk_bigram: pairs of adjacent Han, Hiragana, Katakana and Hangul characters; a character alone stays single. */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { type TokenBuffer, tokenType } from '../token-buffer.ts'

const scripts: ReadonlyMap<string, number> = new Map([
  ['han', tokenType.ideographic],
  ['hiragana', tokenType.hiragana],
  ['katakana', tokenType.katakana],
  ['hangul', tokenType.hangul],
])

export function cjkBigram(options: ComponentOptions): TokenFilter {
  const ignored = new Set(
    (options.list('ignored_scripts') ?? []).map((name) => {
      const type = scripts.get(name)
      if (type === undefined) throw new AnalysisError(`Unknown ignored script [${name}]`)
      return type
    }),
  )
  const withUnigrams = options.flag('output_unigrams', false)
  const taken = new Set([...scripts.values()].filter((type) => !ignored.has(type)))
  return {
    apply(tokens, spare) {
      spare.clear()
      let position = 0
      for (let from = 0; from < tokens.length; ) {
        // Gaps that other filters left stay.
        const gap =
          from === 0
            ? tokens.positions[0]!
            : Math.max(0, tokens.positions[from]! - tokens.positions[from - 1]! - 1)
        position += gap
        if (!taken.has(tokens.types[from]!)) {
          spare.pushFrom(tokens, from)
          spare.positions[spare.length - 1] = position++
          from++
          continue
        }
        let to = from + 1
        while (
          to < tokens.length &&
          taken.has(tokens.types[to]!) &&
          tokens.starts[to] === tokens.ends[to - 1]
        )
          to++
        position = pairs(tokens, from, to, spare, position, withUnigrams)
        from = to
      }
      tokens.endPosition = position
      tokens.swap(spare)
    },
  }
}

/** A character with its offsets. */
interface Sign {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Tokens that touch each other are one run of characters. */
function pairs(
  tokens: TokenBuffer,
  from: number,
  to: number,
  out: TokenBuffer,
  start: number,
  withUnigrams: boolean,
): number {
  const signs: Sign[] = []
  for (let index = from; index < to; index++) {
    const letters = [...tokens.terms[index]!]
    const begin = tokens.starts[index]!
    const length = tokens.ends[index]! - begin
    letters.forEach((text, at) => {
      const isLast = at === letters.length - 1
      signs.push({ text, start: begin + at, end: isLast ? begin + length : begin + at + 1 })
    })
  }
  if (signs.length === 1) {
    out.push(signs[0]!.text, start, signs[0]!.start, signs[0]!.end, tokenType.single)
    return start + 1
  }
  let position = start
  for (const [at, sign] of signs.entries()) {
    if (withUnigrams) out.push(sign.text, position, sign.start, sign.end, tokenType.single)
    const next = signs[at + 1]
    if (next !== undefined) {
      out.push(sign.text + next.text, position, sign.start, next.end, tokenType.double)
      if (withUnigrams) out.spans[out.length - 1] = 2
    }
    if (withUnigrams || next !== undefined) position++
  }
  return position
}
