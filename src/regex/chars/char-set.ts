/**
 * Sets of characters: what a class, a property or the dot accepts, and whether a character is in one.
 * How a set is written for the engine is the matter of `class-text`.
 */

import { compileTrusted } from '../guarded-regexp.ts'
import { caseVariants } from './case-fold.ts'

export type CharSet =
  | { kind: 'range'; from: number; to: number }
  | { kind: 'property'; text: string }
  /** `keepsCase`: stays as it is when case is ignored; `(?i)\w` does not accept the Kelvin sign. */
  | { kind: 'union' | 'intersection'; negate: boolean; items: CharSet[]; keepsCase?: boolean }

export function range(from: number, to = from): CharSet {
  return { kind: 'range', from, to }
}
export function union(items: CharSet[], negate = false): CharSet {
  return { kind: 'union', negate, items }
}
export function intersection(items: CharSet[], negate = false): CharSet {
  return { kind: 'intersection', negate, items }
}
/** A property escape such as `\p{Lu}`; only names out of our own tables get here. */
export function property(text: string): CharSet {
  return { kind: 'property', text }
}

const propertyTests = new Map<string, RegExp>()

/**
 * Whether a character is in the set. Ignored case is applied to the finished set, nested classes and all,
 * and only then the outer negation: `(?i)[^a]` refuses `A`, `(?i)[[Aa]&&[^a]]` accepts `a`.
 */
export function contains(set: CharSet, code: number, fold = false): boolean {
  if (!fold) return containsExactly(set, code)
  const { inner, negate } = withoutNegation(set)
  return caseVariants(code).some((variant) => containsExactly(inner, variant, code)) !== negate
}

/** `given` is the character of the text when `code` is another case of it. */
function containsExactly(set: CharSet, code: number, given = code): boolean {
  switch (set.kind) {
    case 'range':
      return code >= set.from && code <= set.to
    case 'property': {
      let test = propertyTests.get(set.text)
      if (test === undefined) propertyTests.set(set.text, (test = compileTrusted(`^${set.text}$`, 'u')))
      return test.test(String.fromCodePoint(code))
    }
    case 'union':
      if (set.keepsCase) code = given
      return set.items.some((item) => containsExactly(item, code, given)) !== set.negate
    case 'intersection':
      return set.items.every((item) => containsExactly(item, code, given)) !== set.negate
  }
}

export function withoutNegation(set: CharSet): { inner: CharSet; negate: boolean } {
  if (set.kind === 'range' || set.kind === 'property') return { inner: set, negate: false }
  return { inner: { ...set, negate: false }, negate: set.negate }
}

/** Whether the set can be written without knowing anything beyond ASCII. */
export function isAscii(set: CharSet): boolean {
  switch (set.kind) {
    case 'range':
      return set.to < 0x80
    case 'property':
      return false
    case 'union':
      return !set.negate && set.items.every(isAscii)
    case 'intersection':
      return !set.negate && set.items.some(isAscii)
  }
}

const knownMembers = [new WeakMap<CharSet, boolean[]>(), new WeakMap<CharSet, boolean[]>()] as const

/** Members below 128, one flag each. */
export function asciiMembers(set: CharSet, fold: boolean): readonly boolean[] {
  const known = knownMembers[fold ? 1 : 0]
  let members = known.get(set)
  if (members === undefined) {
    members = membersByContent(set, fold)
    known.set(set, members)
  }
  return members
}

const sharedMembers = new Map<string, boolean[]>()
const maxShared = 2000

/** A pattern repeats the same few classes over and over, as objects of their own. */
function membersByContent(set: CharSet, fold: boolean): boolean[] {
  const key = contentOf(set) + (fold ? 'i' : '')
  let members = sharedMembers.get(key)
  if (members === undefined) {
    members = Array.from({ length: 128 }, (_, code) => contains(set, code, fold))
    if (sharedMembers.size < maxShared) sharedMembers.set(key, members)
  }
  return members
}

function contentOf(set: CharSet): string {
  switch (set.kind) {
    case 'range':
      return `${set.from}-${set.to}`
    case 'property':
      return set.text
    default: {
      const mark = `${set.kind === 'union' ? '|' : '&'}${set.negate ? '^' : ''}${set.keepsCase ? 'k' : ''}`
      return `(${mark} ${set.items.map(contentOf).join(' ')})`
    }
  }
}
