/**
 * What is wrong with a JSON text and where, in the words of the parser behind Logstash, because people
 * search for them and count columns by them: the column is the one after the last character read.
 */
export class JsonParseError extends Error {
  readonly line: number
  readonly column: number

  constructor(problem: string, source: string, offset: number) {
    const place = locate(source, offset)
    super(`${problem}\n at ${place.text}`)
    this.name = 'JsonParseError'
    this.line = place.line
    this.column = place.column
  }
}

const excerptLength = 500

/** `[Source: (String)"{"a":x}"; line: 1, column: 7]` */
export function locate(source: string, offset: number): { text: string; line: number; column: number } {
  let line = 1
  let lineStart = 0
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', lineStart)) {
    line++
    lineStart = at + 1
  }
  const column = offset - lineStart + 1
  const excess = source.length - excerptLength
  const excerpt =
    excess > 0 ? `"${source.slice(0, excerptLength)}"[truncated ${excess} chars]` : `"${source}"`
  return { text: `[Source: (String)${excerpt}; line: ${line}, column: ${column}]`, line, column }
}
