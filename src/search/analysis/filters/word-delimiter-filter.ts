/**
 * The word_delimiter filter: splits terms at delimiters, between letters and digits, and at case changes
 * (`PowerShot-500` gives Power, Shot, 500), and can join the parts again.
 */
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import type { TokenBuffer } from '../token-buffer.ts'

interface Part {
  start: number
  end: number
  isNumber: boolean
}

const upper = 1
const lower = 2
const digit = 4
const mark = 8

function kindOf(character: string): number {
  if (/\p{Lu}/u.test(character)) return upper
  if (/\p{Nd}/u.test(character)) return digit
  return /[\p{L}\p{M}]/u.test(character) ? lower : mark
}

function partsOf(term: string, onCase: boolean, onNumbers: boolean, possessive: boolean): Part[] {
  const parts: Part[] = []
  let start = -1
  let last = mark
  const close = (end: number, kind: number): void => {
    if (start >= 0) parts.push({ start, end, isNumber: kind === digit })
    start = -1
  }
  let index = 0
  for (const character of term) {
    const kind = kindOf(character)
    const isMark = kind === mark
    const splits =
      !isMark &&
      last !== mark &&
      ((onCase && last === lower && kind === upper) || (onNumbers && (kind === digit) !== (last === digit)))
    if (isMark || splits) close(index, last)
    if (!isMark && start < 0) start = index
    last = kind
    index += character.length
  }
  close(index, last)
  if (!possessive) return parts
  // Drops a possessive `s` after an apostrophe.
  return parts.filter(
    ({ start, end }) =>
      !(
        end - start === 1 &&
        start > 1 &&
        term[start - 1] === "'" &&
        (term[start] === 's' || term[start] === 'S') &&
        (end === term.length || kindOf(term[end]!) === mark)
      ),
  )
}

/** In a graph, joined parts come first and span the positions of their parts. */
export function wordDelimiter(options: ComponentOptions, isGraph: boolean): TokenFilter {
  const wordParts = options.bit('generate_word_parts', true)
  const numberParts = options.bit('generate_number_parts', true)
  const catenateWords = options.bit('catenate_words', false)
  const catenateNumbers = options.bit('catenate_numbers', false)
  const catenateAll = options.bit('catenate_all', false)
  const onCase = options.bit('split_on_case_change', true)
  const onNumbers = options.bit('split_on_numerics', true)
  const preserve = options.bit('preserve_original', false)
  const possessive = options.bit('stem_english_possessive', true)
  const shielded = new Set(options.list('protected_words') ?? [])

  /** Adds the parts of a token from `position` on; returns the next free position. */
  function split(tokens: TokenBuffer, index: number, spare: TokenBuffer, position: number): number {
    const term = tokens.terms[index]!
    const parts = partsOf(term, onCase, onNumbers, possessive)
    const [only] = parts
    const isWhole = parts.length === 1 && only!.start === 0 && only!.end === term.length
    // Offsets within the term are only valid while the term is as long as its place in the text.
    const exact = tokens.ends[index]! - tokens.starts[index]! === term.length
    const push = (text: string, from: number, to: number, at: number, span = 1): void => {
      spare.pushFrom(tokens, index, text)
      const made = spare.length - 1
      spare.positions[made] = at
      if (isGraph) spare.spans[made] = span
      if (!exact) return
      spare.starts[made] = tokens.starts[index]! + from
      spare.ends[made] = tokens.starts[index]! + to
    }
    const joined = (run: readonly Part[]): string =>
      run.map(({ start, end }) => term.slice(start, end)).join('')
    const original = preserve && !isWhole ? spare.length : -1
    if (original >= 0) push(term, 0, term.length, position)
    let at = position
    let run: Part[] = []
    let runAt = position
    const closeRun = (): void => {
      const [first] = run
      if (first !== undefined && (first.isNumber ? catenateNumbers : catenateWords)) {
        const alone = first.isNumber ? numberParts : wordParts
        if (run.length > 1 || !alone)
          push(joined(run), first.start, run.at(-1)!.end, runAt, alone ? run.length : 1)
        if (!alone) at++
      }
      run = []
    }
    for (const part of parts) {
      if (run.length > 0 && run[0]!.isNumber !== part.isNumber) closeRun()
      if (run.length === 0) runAt = at
      run.push(part)
      if (part.isNumber ? numberParts : wordParts)
        push(term.slice(part.start, part.end), part.start, part.end, at++)
    }
    closeRun()
    if (catenateAll && (parts.length > 1 || at === position) && parts.length > 0)
      push(joined(parts), parts[0]!.start, parts.at(-1)!.end, position, Math.max(1, at - position))
    if (isGraph && original >= 0) spare.spans[original] = Math.max(1, at - position)
    return Math.max(
      at,
      spare.length > 0 && spare.positions[spare.length - 1] === position ? position + 1 : at,
    )
  }

  return {
    apply(tokens, spare) {
      spare.clear()
      // Parts beyond the first push later tokens back.
      let shift = 0
      for (let index = 0; index < tokens.length; index++) {
        const position = tokens.positions[index]! + shift
        if (shielded.has(tokens.terms[index]!)) {
          spare.pushFrom(tokens, index)
          spare.positions[spare.length - 1] = position
          continue
        }
        const next = split(tokens, index, spare, position)
        shift += Math.max(0, next - position - 1)
      }
      tokens.swap(spare)
      sortByPosition(tokens, spare, isGraph)
      tokens.endPosition += shift
    },
  }
}

/** Joined parts were appended behind the parts they start with. */
function sortByPosition(tokens: TokenBuffer, spare: TokenBuffer, isGraph: boolean): void {
  const order = Array.from({ length: tokens.length }, (_, index) => index)
  order.sort(
    (a, b) =>
      tokens.positions[a]! - tokens.positions[b]! ||
      tokens.starts[a]! - tokens.starts[b]! ||
      (isGraph ? tokens.spans[b]! - tokens.spans[a]! : 0) ||
      a - b,
  )
  spare.clear()
  for (const index of order) spare.pushFrom(tokens, index)
  tokens.swap(spare)
}
