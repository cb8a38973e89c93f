/**
 * `rare_terms`: the least frequent values, the rarest first. Counts are exact, where Elasticsearch uses a
 * cuckoo filter.
 */
import type { AggKind } from '../agg-kind.ts'
import { filterSteps, sortSteps } from '../sort-steps.ts'
import { keyFilter, readKeySelection } from '../values/key-filter.ts'
import { keySource } from '../values/key-source.ts'
import { bindField, readScriptableOptions } from '../values/value-field.ts'
import { SelectedBuckets } from './selected-buckets.ts'
import { KeyBuckets, keyTypes } from './terms.ts'

const maxRare = 100

export const rareTermsKind: AggKind = {
  name: 'rare_terms',
  parse(options) {
    const name = options.aggregation
    const values = readScriptableOptions(options)
    const max = options.int('max_doc_count') ?? 1
    if (max <= 0) {
      throw options.refused(
        'max_doc_count',
        `[max_doc_count] must be greater than 0. Found [${max}] in [${name}]`,
      )
    }
    if (max > maxRare) {
      throw options.refused('max_doc_count', `[max_doc_count] must be smallerthan ${maxRare}in [${name}]`)
    }
    const selection = readKeySelection(options)
    const precision = options.number('precision')
    if (precision !== undefined && precision < 0.00001) {
      throw options.refused('precision', '[precision] must be greater than 0.00001')
    }
    options.done()
    return (context, createSub) => {
      const field = bindField(values, keyTypes, 'rare_terms', name, context)
      const filter = keyFilter(selection, field, values, name, context)
      const source = keySource(field, values, context, filter)
      const isText = field.type === 'string' || field.type === 'ip'
      const typedName = !field.isMapped ? 'umrareterms' : isText ? 'srareterms' : 'lrareterms'
      const buckets = new KeyBuckets(source, createSub(context))
      const { ids, counts } = buckets
      return new SelectedBuckets(buckets, {
        typedName,
        *choose(owner) {
          const rare = yield* filterSteps(yield* ids.ofSteps(owner), (bucket) => counts.at(bucket) <= max)
          // Counted before sorting, so that an answer with too many buckets fails early.
          context.budget.add(rare.length)
          return yield* sortSteps(
            rare,
            (one, other) => counts.at(one) - counts.at(other) || source.compare(ids.key(one), ids.key(other)),
          )
        },
      })
    }
  },
}
