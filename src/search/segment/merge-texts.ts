/** Sorted lists of texts into one, and where each text of each list went. */
import type { FieldPart } from './merge-part.ts'
import { TextBlockWriter } from './packed-texts.ts'
import { PackedTexts } from './segment-file.ts'
import { CursorHeap, TextCursor } from './text-cursor.ts'

export interface MergedTexts {
  readonly packed: PackedTexts
  readonly size: number
  /** By part: the new number of each text it still uses. */
  readonly ordinals: readonly Uint32Array[]
}

/** By part: 1 for each text that is still used; null when all are. */
export type UsedTerms = readonly (Uint8Array | null)[]

export interface TextVisitor {
  /** A text that stays; `visit` follows for each part that has it. */
  begin(): void
  visit(part: number, ordinal: number): void
  end(): void
}

/** `name` is the section of the field that has the list. */
export function mergeTexts(
  parts: readonly FieldPart[],
  name: string,
  used: UsedTerms,
  visitor?: TextVisitor,
): MergedTexts {
  const cursors = parts.map(({ field }) => {
    const section = `${field.prefix}.${name}`
    return field.sections.has(section) ? new TextCursor(field.sections, section) : undefined
  })
  const ordinals = parts.map(({ field }, part) =>
    cursors[part] === undefined ? new Uint32Array(0) : new Uint32Array(field.sizeOf(name)),
  )
  const heap = new CursorHeap(cursors)
  const writer = new TextBlockWriter()
  const here: number[] = []
  const places: number[] = []
  for (let top = heap.top; top !== undefined; top = heap.top) {
    // Bytes of the text are only there until its cursor moves on.
    const { bytes, start, end, key } = top.cursor
    here.length = 0
    places.length = 0
    let isUsed = false
    for (let next = heap.top; next !== undefined; next = heap.top) {
      const { cursor, part } = next
      if (here.length > 0 && !isSame(cursor, key, bytes, start, end)) break
      here.push(part)
      places.push(cursor.ordinal)
      isUsed ||= used[part] === null || used[part]![cursor.ordinal] === 1
      heap.advance()
    }
    if (!isUsed) continue
    const place = writer.count
    writer.add(bytes, start, end)
    visitor?.begin()
    for (let i = 0; i < here.length; i++) {
      ordinals[here[i]!]![places[i]!] = place
      visitor?.visit(here[i]!, places[i]!)
    }
    visitor?.end()
  }
  return { packed: new PackedTexts(writer.finish()), size: writer.count, ordinals }
}

function isSame(cursor: TextCursor, key: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (cursor.key !== key || cursor.end - cursor.start !== end - start) return false
  for (let i = end - start - 1; i >= 6; i--) {
    if (cursor.bytes[cursor.start + i] !== bytes[start + i]) return false
  }
  return true
}
