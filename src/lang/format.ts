/**
 * Formats a configuration text: comments are kept, formatting twice changes nothing more, and what the text means stays
 * the same, which is looked at each time: a text that would come out with another meaning is refused.
 */
import type { Config } from './ast.ts'
import { parseConfig } from './parser.ts'
import { print } from './printer.ts'

interface FormatOptions {
  readonly escapeAware?: boolean
}

/** Throws `SyntaxFailure` for a text that cannot be read. */
export function format(text: string, options: FormatOptions = {}): string {
  const { config } = parseConfig(text, options)
  const formatted = print(config)
  const again = parseConfig(formatted, options).config
  if (meaning(again) !== meaning(config) || again.comments.length !== config.comments.length)
    throw new Error('the text would not mean the same afterwards; it stays as it is')
  return formatted
}

/** The tree without places. */
function meaning({ sections }: Config): string {
  return JSON.stringify(sections, (key, value: unknown) => (key === 'place' ? undefined : value))
}
