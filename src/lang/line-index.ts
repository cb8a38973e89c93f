/**
 * Turns an offset into what people read: line, column and character number, all 1-based.
 * Offsets are UTF-16 indices; columns and characters count code points, so a surrogate pair is one.
 * Only "\n" ends a line, as in Logstash's own messages.
 */
export class LineIndex {
  readonly text: string
  /** Offset of the first character of each line, ascending. */
  private readonly starts: number[] = [0]
  /** Offsets of the second half of each surrogate pair, ascending. */
  private readonly pairs: number[] = []
  /** The line asked for last: readers mostly go forward. */
  private recent = 1

  constructor(text: string) {
    this.text = text
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1)
    for (const pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) this.pairs.push(pair.index + 1)
  }

  get lineCount(): number {
    return this.starts.length
  }

  lineOf(offset: number): number {
    const { starts } = this
    if (starts[this.recent - 1]! <= offset) {
      if (this.recent === starts.length || offset < starts[this.recent]!) return this.recent
      if (this.recent + 1 === starts.length || offset < starts[this.recent + 1]!) return ++this.recent
    }
    return (this.recent = countUpTo(starts, offset))
  }

  columnOf(offset: number, line = this.lineOf(offset)): number {
    const start = this.startOf(line)
    if (this.pairs.length === 0) return offset - start + 1
    return offset - start - this.pairsBefore(offset) + this.pairsBefore(start) + 1
  }

  /** What Logstash's messages call "byte": the 1-based number of the character. */
  characterOf(offset: number): number {
    return offset - this.pairsBefore(offset) + 1
  }

  /** Offset of the first character of a 1-based line. */
  startOf(line: number): number {
    return this.starts[line - 1] ?? this.text.length
  }

  /** The text of a 1-based line without its line end. */
  lineText(line: number): string {
    const end = line < this.starts.length ? this.startOf(line + 1) - 1 : this.text.length
    const text = this.text.slice(this.startOf(line), end)
    return text.endsWith('\r') ? text.slice(0, -1) : text
  }

  private pairsBefore(offset: number): number {
    return this.pairs.length === 0 ? 0 : countUpTo(this.pairs, offset - 1)
  }
}

/** How many of the ascending `values` are less than or equal to `limit`. */
function countUpTo(values: number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}
