/**
 * The lines of a file or of standard input, one at a time. A line may be as long as it likes in the source:
 * what is beyond the limit is passed over, so memory stays bounded.
 */

interface ReadLine {
  readonly text: string
  /** The line is longer than what `text` holds. */
  readonly isCut: boolean
}

export async function* readLines(source: AsyncIterable<string>, maxLength: number): AsyncGenerator<ReadLine> {
  let begun = ''
  let isCut = false
  const add = (text: string) => {
    const room = maxLength - begun.length
    begun += text.slice(0, room)
    isCut ||= text.length > room
  }
  const take = (): ReadLine => {
    const line = { text: begun.endsWith('\r') ? begun.slice(0, -1) : begun, isCut }
    begun = ''
    isCut = false
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, end))
      yield take()
      from = end + 1
    }
    add(chunk.slice(from))
  }
  if (begun !== '') yield take()
}
