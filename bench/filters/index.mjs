// The groups of single filters, by the name the limit program and the cases know them.
import { dateFilters } from './date.mjs'
import { grokFilters } from './grok.mjs'
import { mutateFilters } from './mutate.mjs'
import { otherFilters } from './other.mjs'

export const groups = { grok: grokFilters, date: dateFilters, mutate: mutateFilters, other: otherFilters }
