/**
 * Places where a text may be cut, as Java's BreakIterator knows them: between sentences or words. Offsets are UTF-16
 * units; the beginning and the end of the text are boundaries too.
 */

import { partitionPoint } from '../../segment/encoding/binary-search.ts'
import { sentenceEnds } from './sentence-breaks.ts'
import { wordEnds } from './word-breaks.ts'

export interface Boundaries {
  /** The last boundary before an offset, or 0. */
  preceding(offset: number): number
  /** The first boundary behind an offset, or the end of the text. */
  following(offset: number): number
}

class BoundaryList implements Boundaries {
  readonly #places: readonly number[]

  constructor(places: readonly number[]) {
    this.#places = places
  }

  preceding(offset: number): number {
    return this.#places[Math.max(0, this.#from(offset) - 1)]!
  }

  following(offset: number): number {
    return this.#places[Math.min(this.#from(offset + 1), this.#places.length - 1)]!
  }

  /** The first place that is not before the offset. */
  #from(offset: number): number {
    return partitionPoint(0, this.#places.length, (at) => this.#places[at]! < offset)
  }
}

export function wordBoundaries(text: string): Boundaries {
  return new BoundaryList([0, ...wordEnds(text)])
}

export function sentenceBoundaries(text: string): Boundaries {
  return new BoundaryList([0, ...sentenceEnds(text)])
}
