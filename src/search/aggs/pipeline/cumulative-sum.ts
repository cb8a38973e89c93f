/** `cumulative_sum`: the running sum of a value; gaps add nothing. */
import { histogramPipeline } from './histogram-pipeline.ts'
import { PipelineOptions } from './options.ts'
import { type ParsePipeline, stepBuckets } from './pipeline.ts'

export const parseCumulativeSum: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format']
  const options = new PipelineOptions('cumulative_sum', name, json, context, known, 'newer')
  return histogramPipeline(
    options,
    function* (values, add) {
      let sum = 0
      for (let at = 0; at < values.length; at++) {
        const value = values[at]
        if (value !== undefined && Number.isFinite(value)) sum += value
        add(at, sum)
        if (at % stepBuckets === 0) yield
      }
    },
    'insert_zeros',
  )
}
