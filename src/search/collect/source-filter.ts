/**
 * Parts of a document's source by patterns of paths. A pattern that names an object takes all of it; what is
 * excluded goes whatever includes it. Objects keep their nesting; one that was only looked through stays out
 * when nothing in it was taken.
 */
import { simpleMatch } from '../mapping/simple-match.ts'
import { isObject, type JsonObject } from './request-values.ts'

/** Nothing below is looked at. */
const deepest = 1000

export class SourceFilter {
  readonly #includes: readonly string[]
  readonly #excludes: readonly string[]

  constructor(includes: readonly string[], excludes: readonly string[]) {
    this.#includes = includes
    this.#excludes = excludes
  }

  get isAll(): boolean {
    return this.#includes.length === 0 && this.#excludes.length === 0
  }

  apply(source: JsonObject): JsonObject {
    return this.isAll ? source : this.#object(source, '', this.#includes.length === 0, 0)
  }

  #isIncluded(path: string): boolean {
    return this.#includes.some((pattern) => simpleMatch(pattern, path))
  }

  #isExcluded(path: string): boolean {
    return this.#excludes.some((pattern) => simpleMatch(pattern, path))
  }

  /** `isInside`: an object around this one was named by a pattern. */
  #object(object: JsonObject, parent: string, isInside: boolean, depth: number): JsonObject {
    const kept: Record<string, unknown> = {}
    if (depth > deepest) return kept
    for (const [name, value] of Object.entries(object)) {
      const path = parent === '' ? name : `${parent}.${name}`
      if (this.#isExcluded(path)) continue
      const isIncluded = isInside || this.#isIncluded(path)
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
