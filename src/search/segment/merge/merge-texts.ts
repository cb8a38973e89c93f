/**
 * A k-way merge of sorted text lists with a loser tree, which also yields the mapping from old to new ordinals
 * (Lucene's OrdinalMap).
 */
import { FrontCodedWriter } from '../encoding/front-coded.ts'
import { TextCursor } from '../encoding/text-cursor.ts'
import type { WrittenSection } from '../segment-file.ts'
import { LoserTree } from './loser-tree.ts'
import type { FieldPart } from './merge-part.ts'

export interface MergedTexts {
  readonly size: number
  /** Indexed by part: the new ordinal of each text that is still used. */
  readonly ordinals: readonly Uint32Array[]
}

/** Indexed by part: 1 for each text that is still used; null when all are. */
export type UsedTerms = readonly (Uint8Array | null)[]

/** Receives the merged texts one by one, to merge what belongs to them. */
export interface TextVisitor {
  /** Called for each text of each part: in text order, and for equal texts in part order. */
  visit(part: number, ordinal: number): void
  /** Called when all parts with the text were visited; returns whether the text stays. */
  end(): boolean
  /** Whether `take` should be called. */
  readonly isFull: boolean
  take(): Iterable<WrittenSection>
}

const nothing = new Uint32Array(0)

/** Names a section of the field itself. */
export function own(name: string): SectionOf {
  return ({ field }) => `${field.prefix}.${name}`
}

/** Returns the full name of a part's list or column, which may be absent. */
export type SectionOf = (part: FieldPart, place: number) => string

/** Merges the lists and writes the result under `name`, or nowhere when that is undefined. */
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
  const tournament = new LoserTree(cursors)
  const out = new FrontCodedWriter()
  let count = 0
  // How many bytes the last text shares with the last one that stayed, if that was another.
  let common = Infinity
  for (let top = tournament.top; top >= 0; top = tournament.top) {
    const { view, length } = cursors[top]!
    common = Math.min(common, tournament.shared)
    // This must happen before the cursor moves on and overwrites the bytes.
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

/** Visits lists that were merged before, and of which all texts stay, without reading them again. */
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

/** A visitor for lists that have nothing but texts. */
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
