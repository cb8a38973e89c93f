import { describe, expect, it } from 'vitest'
import { AnswerBytes, AnswerTooLarge } from '../answer/answer-memory.ts'
import { finish } from '../scheduling/steps.ts'
import { PercentilesAccumulator } from './numbers/percentiles.ts'
import { ResultBytes } from './result-bytes.ts'

describe('the bytes of results', () => {
  it('are refused beyond the limit of the answer, in whichever pieces they come', () => {
    const bytes = new ResultBytes(new AnswerBytes(1024 * 1024))
    const addAll = () => {
      for (let at = 0; at < 2000; at++) bytes.add(1024)
    }
    expect(addAll).toThrow(AnswerTooLarge)
  })

  it('grow with the members of what is printed', () => {
    const values = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, at]))
    const printing = (times: number) => () => {
      const bytes = new ResultBytes(new AnswerBytes(1024 * 1024))
      for (let at = 0; at < times; at++) bytes.addJson({ values })
    }
    expect(printing(10)).not.toThrow()
    expect(printing(100)).toThrow(AnswerTooLarge)
  })

  it('are counted while the percentiles of buckets are computed', () => {
    const points = Array.from({ length: 1000 }, (_, at) => at / 10)
    const metric = new PercentilesAccumulator({ points, answer: new AnswerBytes(1024 * 1024) })
    const all = () => {
      for (let bucket = 0; bucket < 100; bucket++) {
        metric.add(bucket, 7)
        finish(metric.resultSteps(bucket))
      }
    }
    expect(all).toThrow(AnswerTooLarge)
  })
})
