/**
 * Source filtering by path patterns (`_source` includes and excludes). A pattern that names an object
 * includes all of it, and excludes win over includes. Objects keep their nesting; an object that matches
 * nothing itself is dropped when none of its members is included.
 */

import { isObject, type JsonObject } from '../request/request-values.ts'
import { isPattern, simpleMatch } from '../request/simple-match.ts'

/** Deeper levels are not visited. */
const maxDepth = 1000

/** Documents mostly have the same paths; more than this many are matched again each time. */
const maxCachedPaths = 10_000

/** A list of names and patterns with a cache of results. */
class PathSet {
  readonly #names: ReadonlySet<string>
  readonly #patterns: readonly string[]
  readonly #cached = new Map<string, boolean>()

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
    const known = this.#cached.get(path)
    if (known !== undefined) return known
    const found = this.#patterns.some((pattern) => simpleMatch(pattern, path))
    if (this.#cached.size < maxCachedPaths) this.#cached.set(path, found)
    return found
  }
}

const nothing = new PathSet([])

function pathSet(texts: readonly string[]): PathSet {
  return texts.length === 0 ? nothing : new PathSet(texts)
}

export class SourceFilter {
  readonly #includes: PathSet
  readonly #excludes: PathSet

  constructor(includes: readonly string[], excludes: readonly string[]) {
    this.#includes = pathSet(includes)
    this.#excludes = pathSet(excludes)
  }

  get isAll(): boolean {
    return this.#includes.isEmpty && this.#excludes.isEmpty
  }

  /** `parent` is the path of the object inside its document, as patterns name whole paths. */
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

  /** `isInside`: an enclosing object was included by a pattern. */
  #object(object: JsonObject, parent: string, isInside: boolean, depth: number): JsonObject {
    const kept: Record<string, unknown> = {}
    if (depth > maxDepth) return kept
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
    if (depth > maxDepth) return kept
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
