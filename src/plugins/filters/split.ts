/**
 * split: one event for each part of a text or item of a list; the original leaves the pipeline.
 */
import { getHeapStatistics } from 'node:v8'
import type { Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { compileSplit } from '../ruby-values/split.ts'
import { rubyClass } from '../ruby-values/text.ts'

const failureTag = '_split_type_failure'

/** With a target every copy has the whole list, which grows with the square of its length. */
const maxCopiedValues = 25_000_000

/** What an event takes besides its part, about; and how much of the heap all of them may take. */
const bytesPerEvent = 600
const maxHeapShare = 0.5

export default defineFilter({
  name: 'split',
  summary: 'Makes one event of each line of a text or item of a list.',
  description: [
    'Each new event is a copy of the original with the part in place of the whole. Empty parts make no',
    `event; a text without the terminator passes unchanged. A field that is neither text nor list is tagged`,
    `\`${failureTag}\`.`,
  ].join('\n'),
  options: {
    field: option.string({ default: 'message', doc: 'The field to split.' }),
    terminator: option.string({
      default: '\n',
      doc: 'Text between the parts, a newline unless given. Lists do not need it.',
    }),
    target: option.string({ doc: 'Field for the part; the split field itself unless given.' }),
  },
  examples: [
    {
      title: 'Lines',
      config: 'split { }',
      in: { message: 'one\n\ntwo\n', host: 'a' },
      out: [
        { message: 'one', host: 'a' },
        { message: 'two', host: 'a' },
      ],
    },
    {
      title: 'Items of a list into another field',
      config: 'split { field => "results" target => "result" }',
      in: { results: [{ id: 1 }, { id: 2 }] },
      out: [
        { results: [{ id: 1 }, { id: 2 }], result: { id: 1 } },
        { results: [{ id: 1 }, { id: 2 }], result: { id: 2 } },
      ],
    },
    {
      title: 'Something that cannot be split',
      config: 'split { field => "n" }',
      in: { n: 5 },
      out: { n: 5, tags: ['_split_type_failure'] },
    },
  ],
  create({ options: { field, terminator, target }, compile, logger, matched }) {
    const get = compile.get(field)
    const remove = compile.remove(field)
    const set = compile.set(target ?? field)
    const parts = compileSplit(terminator, 'keep')
    const maxEvents = Math.floor((getHeapStatistics().heap_size_limit * maxHeapShare) / bytesPerEvent)
    return {
      filter(event, emit) {
        const value = get(event)
        let pieces: readonly Value[]
        if (Array.isArray(value)) {
          pieces = value
          // The copies need not carry the whole list when the item takes its place.
          if (target === undefined) remove(event)
          else if (value.length ** 2 > maxCopiedValues)
            throw new RangeError(`${value.length} copies of a list of ${value.length} items are too much`)
        } else if (typeof value === 'string') {
          pieces = parts(value)
          if (pieces.length === 1) return false
        } else {
          const type = rubyClass(value)
          logger.warn(`Only String and Array types are splittable. field:${field} is of type = ${type}`)
          event.tag(failureTag)
          return false
        }
        if (pieces.length > maxEvents)
          throw new RangeError(
            `${pieces.length} events are more than memory can hold; the limit is ${maxEvents}`,
          )
        for (const piece of pieces) {
          if (piece === null || piece === '') continue
          const copy = event.clone()
          set(copy, piece)
          matched(copy)
          emit(copy)
        }
        event.cancel()
        return false
      },
    }
  },
})
