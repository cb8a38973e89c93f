/**
 * What the pipelines of one document may take: runs of processors, time, and values they make. A `foreach` inside of
 * another, pipelines that call others twice and fields that are copied into themselves multiply; Elasticsearch has no
 * bound for them, and here the thread that they hold up is everybody's.
 */
import { SearchError } from '../request/search-error.ts'

const maxRuns = 200_000
const maxMillis = 5000
/** Characters of texts, and for every value what it takes beside them. */
const maxMade = 100 * 1024 * 1024
const weightOfValue = 64
/** How much is made between two looks at the clock. */
const weightOfLook = 65_536

/** Ends all pipelines of the document: no `ignore_failure` and no `on_failure` gets to see it. */
export class BudgetExceeded extends SearchError {
  constructor(reason: string) {
    super('illegal_argument_exception', `the ingest pipelines of a document ${reason}`)
  }
}

export class DocumentBudget {
  #runs = 0
  #made = 0
  #started = 0

  /** Counts a run of a processor. */
  ran(): void {
    if (this.#runs++ === 0) this.#started = performance.now()
    if (this.#runs > maxRuns) throw new BudgetExceeded(`run more than [${maxRuns}] processors`)
    this.#checkTime()
  }

  /** Counts values that did not come with the document, before they are made where that can be known. */
  makes(characters: number, values = 0): void {
    const before = this.#made
    this.#made += characters + values * weightOfValue
    if (this.#made > maxMade) throw new BudgetExceeded(`make values of more than [${maxMade}] characters`)
    // A copy of a large map counts each of its values.
    if (Math.floor(before / weightOfLook) !== Math.floor(this.#made / weightOfLook)) this.#checkTime()
  }

  #checkTime(): void {
    if (this.#runs > 0 && performance.now() - this.#started > maxMillis)
      throw new BudgetExceeded(`take longer than [${maxMillis}ms]`)
  }
}
