/**
 * The path_hierarchy tokenizer: `/a/b/c` gives `/a`, `/a/b`, `/a/b/c`; from the end with `reverse`. Each token has a
 * position of its own, as since Lucene 10.
 */
import { AnalysisError } from '../analysis-error.ts'
import type { Tokenizer } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { TermBudget } from '../term-budget.ts'
import { tokenType } from '../token-buffer.ts'

function character(options: ComponentOptions, option: string, fallback: string): string {
  const text = options.text(option, fallback)
  if (text.length !== 1) throw new AnalysisError(`${option} must be a one char value`)
  return text
}

export function pathTokenizer(options: ComponentOptions): Tokenizer {
  const delimiter = character(options, 'delimiter', '/')
  const replacement = character(options, 'replacement', delimiter)
  const skip = options.integer('skip', 0)
  if (skip < 0) throw new AnalysisError('skip cannot be negative')
  const reverse = options.flag('reverse', false)
  const budget = new TermBudget('path_hierarchy')
  return (text, out) => {
    budget.begin()
    const written = delimiter === replacement ? text : text.replaceAll(delimiter, replacement)
    const add = (start: number, end: number): void => {
      budget.take(end - start)
      out.push(written.slice(start, end), out.length, start, end, tokenType.word)
    }
    if (reverse) {
      const places = [0]
      for (let index = 0; index < text.length; index++) if (text[index] === delimiter) places.push(index + 1)
      if (places.at(-1)! < text.length) places.push(text.length)
      const last = places.length - 1 - skip
      for (let index = 0; index < last; index++) add(places[index]!, places[last]!)
    } else {
      const places: number[] = []
      for (let index = 1; index < text.length; index++) if (text[index] === delimiter) places.push(index)
      if (text.length > 0) places.push(text.length)
      const start = skip === 0 ? 0 : places[skip - 1]
      if (start !== undefined) for (const end of places.slice(skip)) add(start, end)
    }
    out.endPosition = out.length
  }
}
