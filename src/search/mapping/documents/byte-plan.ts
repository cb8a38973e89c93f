/**
 * A mapping compiled for indexing documents straight from their bytes: names as bytes, and for each field of a plain
 * kind what its values become. Anything else (other types, custom analyzers, copy_to, nested objects …) is marked,
 * and a document that has it goes through `document-parser.ts`.
 */

import { hashText, TermScratch } from '../../segment/encoding/term-scratch.ts'
import { ByteDictionary } from '../../segment/writer/byte-dictionary.ts'
import type { LeafPlan, PlannedText } from '../../segment/writer/leaf-plan.ts'
import { defaultDateFormat } from '../../time/date-format.ts'
import { DateField } from '../fields/date-field.ts'
import { ignoredField } from '../fields/ignored-field.ts'
import { KeywordField } from '../fields/keyword-field.ts'
import { NumberField } from '../fields/number-field.ts'
import { BooleanField, IpField } from '../fields/simple-fields.ts'
import { TextField } from '../fields/text-field.ts'
import type { MappedField } from '../mapped-field.ts'
import type { Mapping } from '../mapping.ts'
import type { MappingNode, ObjectNode } from '../mapping-tree.ts'

/** What a reader does with a value. */
export const reading = {
  other: 0,
  object: 1,
  text: 2,
  integer: 3,
  double: 4,
  float: 5,
  date: 6,
  boolean: 7,
  ip: 8,
} as const

/** One name of the mapping. */
export class ByteNode {
  /** The name as in JSON, with the closing quote. */
  readonly name: Uint8Array
  readonly nameView: DataView
  readonly reading: number
  /** The index of its leaf plan; -1 without one. */
  readonly leaf: number
  /** Longer texts, in bytes, need the document parser. */
  maxLength = maxPlainLength
  /** Set where a keyword has `ignore_above`: what happens to longer texts. */
  ignoring: Ignoring | undefined
  /** The lowest integer. */
  min = 0
  max = 0
  /** Whether null is no value. */
  ignoresNull = true
  /** The last document that had the name, for detecting duplicates. */
  seenIn = 0
  readonly children: ByteNode[] = []
  readonly #names = new ByteDictionary()
  /** Indexed by position in the object: the member that was there in the last document: a guess for the next one. */
  readonly expected: (ByteNode | undefined)[] = []

  constructor(name: string, kind: number, leaf: number) {
    const bytes = new TextEncoder().encode(`${name}"`)
    this.name = new Uint8Array(bytes.length + padding)
    this.name.set(bytes)
    this.name = this.name.subarray(0, bytes.length)
    this.nameView = new DataView(this.name.buffer)
    this.reading = kind
    this.leaf = leaf
  }

  add(name: string, child: ByteNode): void {
    const scratch = new TermScratch()
    const length = scratch.write(name)
    this.#names.insert(scratch.view, 0, length, hashText(scratch.view, 0, length))
    this.children.push(child)
  }

  /** Returns the child whose name is `bytes[from, to)`. */
  child(view: DataView, from: number, to: number): ByteNode | undefined {
    return this.children[this.#names.find(view, from, to, hashText(view, from, to))]
  }
}

/** Texts that are too long for a keyword: the keyword has no such term, and its name is a term of `_ignored`. */
export interface Ignoring {
  /** In UTF-16 units. */
  readonly above: number
  /** The leaf of `_ignored`. */
  readonly leaf: number
  /** The name of the keyword. */
  readonly name: DataView
  readonly nameLength: number
  /** The last reading that ignored a text here. */
  seenIn: number
}

const padding = 8
/** Longer keywords may be refused with an error text, which the parser has. */
const maxPlainLength = 10_000
/** Names that JSON has to escape, or that are no valid UTF-8. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

export interface BytePlan {
  readonly root: ByteNode
  readonly leaves: readonly LeafPlan[]
}

/** Returns undefined when every document of the mapping needs the parser. */
export function bytePlan(mapping: Mapping): BytePlan | undefined {
  const { root, constants, source } = mapping
  if (!root.definition.enabled || constants.length > 0) return undefined
  if (source.includes.length > 0 || source.excludes.length > 0) return undefined
  const leaves: LeafPlan[] = []
  return { root: objectNode('', root, leaves), leaves }
}

function objectNode(name: string, object: ObjectNode, leaves: LeafPlan[]): ByteNode {
  const node = new ByteNode(name, reading.object, -1)
  for (const [childName, child] of object.children) {
    if (!escaped.test(childName)) node.add(childName, childNode(childName, child, leaves))
  }
  return node
}

function childNode(name: string, child: MappingNode, leaves: LeafPlan[]): ByteNode {
  if (child.kind === 'object' && child.definition.enabled && !child.definition.isNested)
    return objectNode(name, child, leaves)
  const node = child.kind === 'field' ? fieldNode(name, child, leaves) : undefined
  return node ?? new ByteNode(name, reading.other, -1)
}

function fieldNode(name: string, field: MappedField, leaves: LeafPlan[]): ByteNode | undefined {
  const all = [field, ...field.multiFields]
  if (
    all.some(
      (one) => one.copyTo.length > 0 || one.takesArrays || (one !== field && one.multiFields.length > 0),
    )
  )
    return undefined
  const text = textNode(name, all, leaves)
  if (text !== undefined) {
    text.ignoresNull = all.every(({ nullValue }) => nullValue === undefined)
    return text
  }
  if (all.length > 1 || !field.isWritten) return undefined
  const kind = readingOf(field)
  if (kind === reading.other) return undefined
  const plan: LeafPlan = kind === reading.ip ? { terms: field } : { numbers: field }
  const node = new ByteNode(name, kind, leaves.push(plan) - 1)
  node.ignoresNull = field.nullValue === undefined
  if (field instanceof NumberField && kind === reading.integer) {
    // Integers beyond 2^53 have more digits than are read here.
    node.min = Math.max(Number(field.number.min), Number.MIN_SAFE_INTEGER)
    node.max = Math.min(Number(field.number.max), Number.MAX_SAFE_INTEGER)
  }
  return node
}

const numberReadings: ReadonlyMap<string, number> = new Map([
  ['long', reading.integer],
  ['integer', reading.integer],
  ['short', reading.integer],
  ['byte', reading.integer],
  ['double', reading.double],
  ['float', reading.float],
])

/** The class itself is compared, because subclasses do more than their base class. */
function readingOf(field: MappedField): number {
  const kind = field.constructor
  if (kind === NumberField) return numberReadings.get(field.type) ?? reading.other
  if (kind === BooleanField) return reading.boolean
  if (kind === DateField) {
    const { format, isExact } = field as DateField
    return format.pattern === defaultDateFormat && !isExact ? reading.date : reading.other
  }
  if (kind === IpField) return field.hasDocValues ? reading.ip : reading.other
  return reading.other
}

const textTypes = new Set(['text', 'match_only_text'])

function textNode(name: string, all: readonly MappedField[], leaves: LeafPlan[]): ByteNode | undefined {
  const texts: PlannedText[] = []
  let terms: KeywordField | undefined
  for (const field of all) {
    const kind: unknown = field.constructor
    if (kind === TextField && textTypes.has(field.type)) {
      const { analyzer, positionGap, spec } = field as TextField
      if (spec.index === null || analyzer.isPlainStandard !== true) return undefined
      texts.push({ name: field.name, spec, positionGap })
    } else if (kind === KeywordField) {
      const keyword = field as KeywordField
      const { spec, normalizer } = keyword
      if (terms !== undefined || normalizer !== undefined || !spec.ordinals || spec.index === 'freqs')
        return undefined
      terms = keyword
    } else return undefined
  }
  const maxTermLength = terms?.ignoreAbove ?? maxPlainLength
  const plan: LeafPlan = { texts, ...(terms !== undefined && { terms, maxTermLength }) }
  const node = new ByteNode(name, reading.text, leaves.push(plan) - 1)
  if (terms !== undefined && maxTermLength < maxPlainLength) node.ignoring = ignoring(terms, leaves)
  return node
}

function ignoring({ name, ignoreAbove }: KeywordField, leaves: LeafPlan[]): Ignoring {
  let leaf = leaves.findIndex(({ terms }) => terms?.name === ignoredField.name)
  if (leaf < 0) leaf = leaves.push({ terms: ignoredField }) - 1
  const scratch = new TermScratch()
  const nameLength = scratch.write(name)
  return { above: ignoreAbove, leaf, name: scratch.view, nameLength, seenIn: 0 }
}
