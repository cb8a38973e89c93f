/**
 * The one error the parser throws. `message` is the sentence Logstash would log;
 * the place is where the text stopped making sense.
 */
import type { LineIndex } from './line-index.ts'

export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure'
  /** UTF-16 index into the source text. */
  readonly offset: number
  readonly line: number
  readonly column: number

  constructor(message: string, index: LineIndex, offset: number) {
    super(message)
    this.offset = offset
    this.line = index.lineOf(offset)
    this.column = index.columnOf(offset)
  }
}
