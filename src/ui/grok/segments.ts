/** A line cut where captures begin and end, so that each piece is shown once in the colour of the innermost capture. */
export interface Capture {
  readonly field: string
  readonly cast: string | null
  readonly text: string
  readonly start: number
  readonly end: number
}

interface Segment {
  readonly text: string
  /** Position in the list of captures; undefined outside of all. */
  readonly capture: number | undefined
}

export function segmentsOf(line: string, captures: readonly Capture[]): Segment[] {
  const cuts = new Set([0, line.length])
  for (const { start, end } of captures) {
    cuts.add(Math.max(0, Math.min(line.length, start)))
    cuts.add(Math.max(0, Math.min(line.length, end)))
  }
  const places = [...cuts].sort((a, b) => a - b)
  const segments: Segment[] = []
  for (let index = 1; index < places.length; index++) {
    const [from, to] = [places[index - 1]!, places[index]!]
    let inner: number | undefined
    captures.forEach(({ start, end }, number) => {
      if (start > from || end < to) return
      const best = inner === undefined ? undefined : captures[inner]!
      if (best === undefined || end - start <= best.end - best.start) inner = number
    })
    segments.push({ text: line.slice(from, to), capture: inner })
  }
  return segments
}

/** `NAME regular expression` a line, as in pattern files; `#` begins a comment. */
export function definitionsIn(text: string): Record<string, string> {
  const found: [string, string][] = []
  for (const line of text.split('\n')) {
    const [, name, expression] = /^\s*([A-Za-z0-9_-]+)\s+(\S.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && expression !== undefined && !line.trimStart().startsWith('#'))
      found.push([name, expression])
  }
  return Object.fromEntries(found)
}

/** The expression as a filter of a configuration; quotes are those that need no escaping, where there are such. */
export function filterOf(expression: string, definitions: Readonly<Record<string, string>>): string {
  const own = Object.entries(definitions)
  const lines = own.map(([name, text]) => `      ${quoted(name)} => ${quoted(text)}`)
  const extra = own.length === 0 ? '' : `\n    pattern_definitions => {\n${lines.join('\n')}\n    }`
  return `filter {\n  grok {\n    match => { "message" => ${quoted(expression)} }${extra}\n  }\n}\n`
}

function quoted(text: string): string {
  if (!text.includes('"')) return `"${text}"`
  return text.includes("'") ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`
}
