/**
 * How values of `completion` fields stand in the index: as terms that begin with the analysed input, so that a
 * prefix finds them, followed by what an answer needs. The parts are separated by a zero; words of the input by
 * a separator of their own.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import { tokensOf } from '../../analysis/analyzer.ts'

export interface CompletionEntry {
  readonly key: string
  readonly input: string
  readonly weight: number
  /** By name of the context. */
  readonly contexts: Readonly<Record<string, readonly string[]>>
}

const wordSeparator = '\u001f'

export interface CompletionAnalysis {
  readonly analyzer: Analyzer | undefined
  readonly separates: boolean
}

/** What an input or the beginning of one is compared by. */
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

/** Of a term, without reading the rest of it. */
export function completionWeight(term: string): number {
  const from = term.indexOf('\0') + 1
  return Number(term.slice(from, term.indexOf('\0', from)))
}
