/** `moving_fn`: a script over a sliding window of values. */
import { illegalArgument } from '../../request/errors.ts'
import { compileScript, readScript } from '../../script/script.ts'
import type { ScriptValue } from '../../script/values.ts'
import { histogramPipeline } from './histogram-pipeline.ts'
import { movingFunctions } from './moving-functions.ts'
import { PipelineOptions } from './options.ts'
import type { ParsePipeline } from './pipeline.ts'

export const parseMovingFn: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format', 'gap_policy', 'script', 'shift', 'window']
  const options = new PipelineOptions('moving_fn', name, json, context, known, 'newer')
  const window = options.integer('window')
  if (options.get('script') === undefined || window === undefined) {
    const missing = ['script', 'window'].filter((key) => options.get(key) === undefined)
    throw illegalArgument(`Required [${missing.join(', ')}]`)
  }
  if (window <= 0) {
    throw illegalArgument('[window] must be a positive, non-zero integer.')
  }
  const shift = options.integer('shift') ?? 0
  const script = readScript(options.get('script'))
  const run = compileScript(script, ['params', 'values'], movingFunctions)
  return histogramPipeline(options, function* (values, add) {
    const there = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[]
    const clamp = (at: number) => Math.min(Math.max(at, 0), there.length)
    let place = 0
    for (let at = 0; at < values.length; at++) {
      const value = values[at]
      if (value === undefined || Number.isNaN(value)) continue
      const slice = there.slice(clamp(place - window + shift), clamp(place + shift))
      const variables = new Map<string, ScriptValue>([
        ['params', script.params],
        ['values', slice],
      ])
      add(at, Number(run(variables, 'double')))
      place++
      yield
    }
  })
}
