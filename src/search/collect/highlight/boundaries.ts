/**
 * Places where a text may be cut, as Java's BreakIterator knows them: between sentences or words. Offsets are UTF-16
 * units; the beginning and the end of the text are boundaries too.
 */

/** Created lazily, as each takes tens of milliseconds. */
let sentences: Intl.Segmenter | undefined
let words: Intl.Segmenter | undefined

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
    let low = 0
    let high = this.#places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#places[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

export function wordBoundaries(text: string): Boundaries {
  words ??= new Intl.Segmenter('en', { granularity: 'word' })
  return new BoundaryList([...Array.from(words.segment(text), ({ index }) => index), text.length])
}

export function sentenceBoundaries(text: string): Boundaries {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const places: number[] = []
  let before = ''
  for (const { index, segment } of sentences.segment(text)) {
    if (index === 0 || !continues(before, text, index)) places.push(index)
    before = segment
  }
  return new BoundaryList([...places, text.length])
}

const terminator = /[.!?…。！？][)\]}"'”’»]*$/

/** Unicode ends a sentence at a newline; Java takes it as a space, so the sentence before may go on. */
function continues(before: string, text: string, at: number): boolean {
  if (!/[\n\r\u0085]\s*$/.test(before)) return false
  const stem = before.trimEnd()
  const mark = terminator.exec(stem)?.[0][0]
  if (mark === undefined) return true
  return mark === '.' && /^\p{Ll}/u.test(text.slice(at, at + 2))
}
