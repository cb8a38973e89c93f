/**
 * Bounds components that produce more text than they consume: grams, shingles, paths. A text of a megabyte has a
 * gram of every length at every offset, more than any memory holds, so their output per text is counted.
 */
import { AnalysisError } from './analysis-error.ts'

/** The maximum characters of all terms that one component may produce for one text. */
const maxTermChars = 64 * 1024 * 1024
/** The maximum number of those terms: a short one takes as much memory as its characters do not tell. */
const maxTerms = 4 * 1024 * 1024

export class TermBudget {
  readonly #component: string
  readonly #max: number
  readonly #maxTerms: number
  #left = 0
  #termsLeft = 0

  constructor(component: string, max = maxTermChars, termCount = maxTerms) {
    this.#component = component
    this.#max = max
    this.#maxTerms = termCount
  }

  /** Starts another text. */
  begin(): void {
    this.#left = this.#max
    this.#termsLeft = this.#maxTerms
  }

  /** Charges the characters of one more term; throws when the budget is exhausted. */
  take(chars: number): void {
    this.#left -= chars
    if (--this.#termsLeft < 0)
      throw new AnalysisError(
        `The number of terms that [${this.#component}] produces of one text has exceeded the allowed maximum of [${this.#maxTerms}].`,
      )
    if (this.#left < 0)
      throw new AnalysisError(
        `The terms that [${this.#component}] produces of one text have exceeded the allowed maximum of [${this.#max}] characters.`,
      )
  }
}

/** Throws when a filter that puts several terms in place of one has made too many; as many as there were are allowed. */
export function checkTermCount(component: string, before: number, after: number): void {
  if (after > maxTerms && after > before)
    throw new AnalysisError(
      `The number of terms that [${component}] produces of one text has exceeded the allowed maximum of [${maxTerms}].`,
    )
}

/** The maximum characters that replacements may make of one text or term; a longer one may stay as long as it is. */
const maxReplacedChars = 4 * 1024 * 1024

/**
 * Bounds components that replace parts of a text by longer ones. Twenty of them in a row make a text of any length
 * of two characters, which V8 answers by ending the process.
 */
export class GrowthBudget {
  readonly #component: string
  #max = 0

  constructor(component: string) {
    this.#component = component
  }

  /** Starts another text. */
  begin(text: string): void {
    this.#max = Math.max(text.length, maxReplacedChars)
  }

  /** Throws when what has been made of the text is too long. */
  check(length: number): void {
    if (length > this.#max)
      throw new AnalysisError(
        `The text that [${this.#component}] produces has exceeded the allowed maximum of [${maxReplacedChars}] characters.`,
      )
  }
}
