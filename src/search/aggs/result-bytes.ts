/**
 * Accounts for the memory of aggregation results while pipelines add to them and they become JSON: both take many times
 * what was collected, and the text of the answer is counted only once they are complete.
 */
import type { AnswerBytes } from '../answer/answer-memory.ts'

/** The answer is asked again after so many more bytes. */
const stepBytes = 64 * 1024
/** The approximate size of an object with its members. */
const objectBytes = 128
/** The approximate size of a member of a container inside of it. */
const memberBytes = 48
/** The result that a pipeline adds to a bucket, with its place there. */
export const pipelineResultBytes = 192

export class ResultBytes {
  readonly #answer: AnswerBytes | undefined
  #total = 0
  #next = stepBytes

  constructor(answer: AnswerBytes | undefined) {
    this.#answer = answer
  }

  /** Throws when the answer may not have so many more. */
  add(bytes: number): void {
    this.#total += bytes
    if (this.#total < this.#next) return
    this.#answer?.expect(this.#total)
    this.#next = this.#total + stepBytes
  }

  /** Adds what one result takes as JSON, without the buckets in it. */
  addJson(json: Readonly<Record<string, unknown>>): void {
    let bytes = objectBytes
    for (const name in json) {
      const value = json[name]
      if (Array.isArray(value)) bytes += value.length * memberBytes
      else if (typeof value === 'object' && value !== null) {
        for (const _ in value) bytes += memberBytes
      }
    }
    this.add(bytes)
  }
}
