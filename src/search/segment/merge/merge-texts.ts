/** Sorted lists of texts into one, and where each text of each list went. */
import { FrontCodedWriter } from '../encoding/front-coded.ts'
import { TextCursor } from '../encoding/text-cursor.ts'
import type { WrittenSection } from '../segment-file.ts'
import type { FieldPart } from './merge-part.ts'
import { TextTournament } from './text-tournament.ts'

export interface MergedTexts {
  readonly size: number
  /** By part: the new number of each text it still uses. */
  readonly ordinals: readonly Uint32Array[]
}

/** By part: 1 for each text that is still used; null when all are. */
export type UsedTerms = readonly (Uint8Array | null)[]

/** What comes with the texts. */
export interface TextVisitor {
  /** A text a part has; by part all of them come in their order, and parts with the same text in theirs. */
  visit(part: number, ordinal: number): void
  /** All parts that have the text were visited; whether it stays. */
  end(): boolean
  /** Whether `take` should be asked. */
  readonly isFull: boolean
  take(): Iterable<WrittenSection>
}

const nothing = new Uint32Array(0)

/** A section of the field itself. */
export function own(name: string): SectionOf {
  return ({ field }) => `${field.prefix}.${name}`
}

/** Where a part has a list or column: the full name of its section, which need not be there. */
export type SectionOf = (part: FieldPart, place: number) => string

/** Merges the lists, and writes them under that name unless it is undefined. */
export function* mergeTexts(
  parts: readonly FieldPart[],
  sectionOf: SectionOf,
  name: string | undefined,
  visitor: TextVisitor,
): Generator<WrittenSection, MergedTexts> {
  const cursors: TextCursor[] = []
  const partOf: number[] = []
  const ordinals = parts.map((fieldPart, part) => {
    const { sections } = fieldPart.field
    const section = sectionOf(fieldPart, part)
    if (!sections.has(section)) return nothing
    const cursor = new TextCursor(sections, section)
    cursors.push(cursor)
    partOf.push(part)
    return new Uint32Array(cursor.size)
  })
  const tournament = new TextTournament(cursors)
  const out = new FrontCodedWriter()
  let count = 0
  // How many bytes the last text has in common with the last one that stayed, if that was another.
  let common = Infinity
  for (let top = tournament.top; top >= 0; top = tournament.top) {
    const { view, length } = cursors[top]!
    common = Math.min(common, tournament.shared)
    // Before its cursor moves on, with which the bytes go.
    if (name !== undefined) out.add(view, length, common)
    let isSame = true
    for (let list = top; isSame; list = tournament.top) {
      const part = partOf[list]!
      const { ordinal } = cursors[list]!
      ordinals[part]![ordinal] = count
      visitor.visit(part, ordinal)
      isSame = tournament.advance()
    }
    if (visitor.end()) {
      count += 1
      common = Infinity
      if (name !== undefined && out.isFull) yield [name, out.take()]
    } else if (name !== undefined) out.undo()
    if (visitor.isFull) yield* visitor.take()
  }
  if (name !== undefined) yield [name, out.take()]
  return { size: count, ordinals }
}

/**
 * Visits the texts of lists that were merged before, of which all stay, without reading them again.
 */
export function* revisitTexts(
  { size, ordinals }: MergedTexts,
  visitor: TextVisitor,
): Generator<WrittenSection, void> {
  const next = new Uint32Array(ordinals.length)
  for (let text = 0; text < size; text++) {
    for (let part = 0; part < next.length; part++) {
      if (ordinals[part]![next[part]!] === text) visitor.visit(part, next[part]!++)
    }
    visitor.end()
    if (visitor.isFull) yield* visitor.take()
  }
}

/** For lists with nothing but texts. */
export class UsedTexts implements TextVisitor {
  readonly isFull = false
  readonly #used: UsedTerms
  #isUsed = false

  constructor(used: UsedTerms) {
    this.#used = used
  }

  visit(part: number, ordinal: number): void {
    const used = this.#used[part]!
    if (used === null || used[ordinal] === 1) this.#isUsed = true
  }

  end(): boolean {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed
  }

  take(): Iterable<WrittenSection> {
    return []
  }
}
