/**
 * Pattern files: one definition a line, a name, blanks, the expression up to the end of the line. Comment
 * lines and lines without an expression are passed over; a later definition of a name wins.
 */
export function readPatternFile(text: string): [name: string, definition: string][] {
  const found: [string, string][] = []
  for (const line of text.split('\n')) {
    const trimmed = line.replace(/^\s+/, '')
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const blank = /\s+/.exec(trimmed)
    if (blank === null) continue
    const definition = trimmed.slice(blank.index + blank[0].length).replace(/\r$/, '')
    if (definition !== '') found.push([trimmed.slice(0, blank.index), definition])
  }
  return found
}
