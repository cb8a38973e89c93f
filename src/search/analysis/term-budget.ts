/**
 * A bound for components that make more text than they are given: grams, shingles, paths. A text of a megabyte has a
 * gram of every length at every place, more than any memory holds, so what they make of one text is counted.
 */
import { AnalysisError } from './analysis-error.ts'

/** Characters of all terms that one component may make of one text. */
export const maxTermChars = 64 * 1024 * 1024

export class TermBudget {
  readonly #component: string
  readonly #max: number
  #left = 0

  constructor(component: string, max = maxTermChars) {
    this.#component = component
    this.#max = max
  }

  /** Another text begins. */
  begin(): void {
    this.#left = this.#max
  }

  /** Takes the characters of one more term; throws when there are too many. */
  take(chars: number): void {
    this.#left -= chars
    if (this.#left < 0)
      throw new AnalysisError(
        `The terms that [${this.#component}] produces of one text have exceeded the allowed maximum of [${this.#max}] characters.`,
      )
  }
}
