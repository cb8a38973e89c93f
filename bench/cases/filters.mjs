// Single filters in memory, in five groups: what each costs an event that passes it.
import { dateFilters } from '../filters/date.mjs'
import { grokFilters } from '../filters/grok.mjs'
import { microCase } from '../filters/micro.mjs'
import { mutateFilters } from '../filters/mutate.mjs'
import { otherFilters } from '../filters/other.mjs'
import { parsingFilters } from '../filters/parsing.mjs'

export const filtersGrok = microCase('grok', 'grok patterns, µs per filter and event', grokFilters)
export const filtersDate = microCase('date', 'date formats, µs per filter and event', dateFilters)
export const filtersMutate = microCase('mutate', 'mutate operations, µs per filter and event', mutateFilters)
export const filtersParsing = microCase(
  'parsing',
  'kv, csv, dissect, µs per filter and event',
  parsingFilters,
)
export const filtersOther = microCase(
  'other',
  'texts, conditions, json, µs per filter and event',
  otherFilters,
)
