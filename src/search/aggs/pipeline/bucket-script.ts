/** `bucket_script` computes a number per bucket from others, `bucket_selector` filters buckets. */

import { compileScript, readScript } from '../../script/script.ts'
import type { ScriptValue } from '../../script/values.ts'
import type { AggBucket } from '../result.ts'
import { bucketValue, pathSteps } from './buckets-path.ts'
import { checkHasParent } from './checks.ts'
import { PipelineOptions } from './options.ts'
import { type ParsePipeline, replaceBuckets } from './pipeline.ts'
import { SimpleValue } from './simple-value.ts'

const known = ['buckets_path', 'format', 'gap_policy', 'script']

function parseScripted(kind: string, name: string, json: unknown, context: Parameters<ParsePipeline>[2]) {
  const options = new PipelineOptions(kind, name, json, context, known)
  const paths = options.namedPaths()
  if (options.get('script') === undefined) throw options.missing('script')
  const script = readScript(options.get('script'))
  const variables = [...paths].map(([variable, path]) => ({ variable, steps: pathSteps(path) }))
  const run = compileScript(script, ['params'])
  const policy = options.gapPolicy()
  return {
    options,
    base: {
      name,
      kind,
      bucketsPaths: [...paths.values()],
      check: (place: Parameters<typeof checkHasParent>[2]) => checkHasParent(kind, name, place),
    },
    /** Undefined when a value is missing and `skipGaps` is set. */
    run(bucket: AggBucket, owner: string, skipGaps: boolean): ScriptValue | undefined {
      const values = new Map(script.params)
      for (const { variable, steps } of variables) {
        const value = bucketValue(owner, bucket, steps, policy)
        if (skipGaps && policy !== 'insert_zeros' && (value === undefined || Number.isNaN(value)))
          return undefined
        values.set(variable, value ?? null)
      }
      return run(new Map([['params', values]]), kind === 'bucket_selector' ? 'boolean' : 'Number')
    },
  }
}

export const parseBucketScript: ParsePipeline = (name, json, context) => {
  const { base, options, run } = parseScripted('bucket_script', name, json, context)
  const format = options.format()
  return {
    ...base,
    *onBuckets(buckets, owner) {
      for (const bucket of buckets) {
        yield
        const value = run(bucket, owner, true)
        if (value === undefined || value === null) continue
        bucket.aggs.set(name, new SimpleValue(Number(value), format, options.meta))
      }
    },
  }
}

export const parseBucketSelector: ParsePipeline = (name, json, context) => {
  const { base, run } = parseScripted('bucket_selector', name, json, context)
  return {
    ...base,
    *onBuckets(buckets, owner) {
      const kept: AggBucket[] = []
      for (const bucket of buckets) {
        yield
        if (run(bucket, owner, false) === true) kept.push(bucket)
      }
      replaceBuckets(buckets, kept)
    },
  }
}
