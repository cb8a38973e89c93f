/**
 * The encoding of `completion` values as terms: the analysed input first, so that a prefix scan finds them, then
 * what a response needs. Parts are separated by a zero byte, words of the input by a separator of their own.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import { tokensOf } from '../../analysis/analyzer.ts'

interface CompletionEntry {
  readonly key: string
  readonly input: string
  readonly weight: number
  /** Context values by context name. */
  readonly contexts: Readonly<Record<string, readonly string[]>>
}

const wordSeparator = '\u001f'

interface CompletionAnalysis {
  readonly analyzer: Analyzer | undefined
  readonly separates: boolean
}

/** Returns the key that an input or prefix is compared by. */
export function completionKey(text: string, { analyzer, separates }: CompletionAnalysis): string {
  if (analyzer === undefined) return text
  const words: string[] = []
  let last = -1
  for (const { token, position } of tokensOf(analyzer, text)) {
    if (position !== last) words.push(token)
    last = position
  }
  return words.join(separates ? wordSeparator : '')
}

export function completionTerm({ key, input, weight, contexts }: CompletionEntry): string {
  const hasContexts = Object.keys(contexts).length > 0
  return `${key}\0${weight}\0${input}\0${hasContexts ? JSON.stringify(contexts) : ''}`
}

export function readCompletionTerm(term: string): CompletionEntry {
  const [key = '', weight = '0', input = '', contexts = ''] = term.split('\0')
  return {
    key,
    input,
    weight: Number(weight),
    contexts: contexts === '' ? {} : (JSON.parse(contexts) as CompletionEntry['contexts']),
  }
}

/** Extracts the weight from a term without decoding the rest. */
export function completionWeight(term: string): number {
  const from = term.indexOf('\0') + 1
  return Number(term.slice(from, term.indexOf('\0', from)))
}
