/** `serial_diff`: the difference to the value `lag` buckets before. */
import { histogramPipeline } from './histogram-pipeline.ts'
import { PipelineOptions } from './options.ts'
import { type ParsePipeline, stepBuckets } from './pipeline.ts'

export const parseSerialDiff: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format', 'gap_policy', 'lag']
  const options = new PipelineOptions('serial_diff', name, json, context, known)
  const lag = options.integer('lag') ?? 1
  if (lag <= 0) {
    const reason = `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${name}]: [lag].`
    throw options.error(reason, undefined, 'lag')
  }
  return histogramPipeline(options, function* (values, add) {
    for (let at = lag; at < values.length; at++) {
      const difference = (values[at] ?? Number.NaN) - (values[at - lag] ?? Number.NaN)
      if (!Number.isNaN(difference)) add(at, difference)
      if (at % stepBuckets === 0) yield
    }
  })
}
