/**
 * Parts of a document's source by patterns of paths. A pattern that names an object takes all of it; what is
 * excluded goes whatever includes it. Objects keep their nesting; one that was only looked through stays out
 * when nothing in it was taken.
 */

import { isObject, type JsonObject } from '../request/request-values.ts'
import { isPattern, simpleMatch } from '../request/simple-match.ts'

/** Nothing below is looked at. */
const deepest = 1000

/** Paths of which is remembered whether the patterns name them: documents mostly have the same ones. */
const maxRemembered = 10_000

/** A list of names and patterns. */
class PathSet {
  readonly #names: ReadonlySet<string>
  readonly #patterns: readonly string[]
  readonly #remembered = new Map<string, boolean>()

  constructor(texts: readonly string[]) {
    this.#names = new Set(texts.filter((text) => !isPattern(text)))
    this.#patterns = [...new Set(texts.filter(isPattern))]
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#patterns.length === 0
  }

  has(path: string): boolean {
    if (this.#names.has(path)) return true
    if (this.#patterns.length === 0) return false
    const known = this.#remembered.get(path)
    if (known !== undefined) return known
    const found = this.#patterns.some((pattern) => simpleMatch(pattern, path))
    if (this.#remembered.size < maxRemembered) this.#remembered.set(path, found)
    return found
  }
}

export class SourceFilter {
  readonly #includes: PathSet
  readonly #excludes: PathSet

  constructor(includes: readonly string[], excludes: readonly string[]) {
    this.#includes = new PathSet(includes)
    this.#excludes = new PathSet(excludes)
  }

  get isAll(): boolean {
    return this.#includes.isEmpty && this.#excludes.isEmpty
  }

  /** `parent` is the path of the object where it is part of a document; patterns name whole paths. */
  apply(source: JsonObject, parent = ''): JsonObject {
    if (this.isAll) return source
    const names = parent === '' ? [] : parent.split('.')
    let isInside = this.#includes.isEmpty
    for (let count = 1; count <= names.length; count++) {
      const path = names.slice(0, count).join('.')
      if (this.#excludes.has(path)) return {}
      isInside ||= this.#includes.has(path)
    }
    return this.#object(source, parent, isInside, 0)
  }

  /** `isInside`: an object around this one was named by a pattern. */
  #object(object: JsonObject, parent: string, isInside: boolean, depth: number): JsonObject {
    const kept: Record<string, unknown> = {}
    if (depth > deepest) return kept
    for (const [name, value] of Object.entries(object)) {
      const path = parent === '' ? name : `${parent}.${name}`
      if (this.#excludes.has(path)) continue
      const isIncluded = isInside || this.#includes.has(path)
      let result: unknown
      if (isObject(value)) {
        const part = this.#object(value, path, isIncluded, depth + 1)
        if (isIncluded || Object.keys(part).length > 0) result = part
      } else if (Array.isArray(value)) {
        const part = this.#array(value, path, isIncluded, depth + 1)
        if (isIncluded || part.length > 0) result = part
      } else if (isIncluded) result = value
      if (result !== undefined) {
        Object.defineProperty(kept, name, {
          value: result,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      }
    }
    return kept
  }

  #array(array: readonly unknown[], path: string, isIncluded: boolean, depth: number): unknown[] {
    const kept: unknown[] = []
    if (depth > deepest) return kept
    for (const value of array) {
      if (isObject(value)) {
        const part = this.#object(value, path, isIncluded, depth + 1)
        if (isIncluded || Object.keys(part).length > 0) kept.push(part)
      } else if (Array.isArray(value)) {
        const part = this.#array(value, path, isIncluded, depth + 1)
        if (isIncluded || part.length > 0) kept.push(part)
      } else if (isIncluded) kept.push(value)
    }
    return kept
  }
}
