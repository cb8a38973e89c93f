/** Documents as rows: fields by their dotted names, values as text, marks around what matched. */
import { writeExact } from '../api/exact-json.ts'

/** Around what matched; no text of a document is likely to hold them, and one that does shows a mark more. */
export const markStart = '\ue000'
export const markEnd = '\ue001'

export interface Hit {
  readonly _index: string
  readonly _id: string
  readonly _score?: number | null
  readonly _source?: unknown
  readonly highlight?: Readonly<Record<string, readonly string[]>>
  readonly sort?: readonly unknown[]
}

type FieldValue = readonly [name: string, value: unknown]

const maxFields = 5000

/** Objects become dotted names; lists stay values, except lists of objects, whose members are gathered by name. */
export function flatten(source: unknown): FieldValue[] {
  const fields = new Map<string, unknown[]>()
  const walk = (value: unknown, name: string, depth: number): void => {
    if (fields.size >= maxFields) return
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < 50) {
      const members = Object.entries(value)
      if (members.length === 0 && name !== '') add(name, value)
      for (const [key, member] of members) walk(member, name === '' ? key : `${name}.${key}`, depth + 1)
    } else if (Array.isArray(value) && value.some(isObject) && depth < 50) {
      for (const item of value) walk(item, name, depth + 1)
    } else if (name !== '') add(name, value)
  }
  const add = (name: string, value: unknown): void => {
    const known = fields.get(name)
    if (known === undefined) fields.set(name, [value])
    else known.push(value)
  }
  walk(source, '', 0)
  return [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values])
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As a person reads it: texts bare, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : writeExact(value, 0)
}

interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** A text with marks in pieces, in order; whatever stands in the text stays text. */
export function marked(text: string): Piece[] {
  const pieces: Piece[] = []
  for (const [index, part] of text.split(markStart).entries()) {
    const end = index === 0 ? -1 : part.indexOf(markEnd)
    if (end >= 0) pieces.push({ text: part.slice(0, end), isMarked: true })
    const rest = (end >= 0 ? part.slice(end + 1) : part).replaceAll(markEnd, '')
    if (rest !== '') pieces.push({ text: rest, isMarked: false })
  }
  return pieces
}

/** The text of a field with its marks, where the answer has some. */
export function shownText(hit: Hit, name: string, value: unknown): string {
  const marks =
    hit.highlight !== undefined && Object.hasOwn(hit.highlight, name) ? hit.highlight[name] : undefined
  if (marks === undefined || Array.isArray(value)) return valueText(value)
  return marks.join(' … ')
}
