// The groups of single filters, by the name the limit program and the cases know them.
import { dateFilters } from './date.mjs'
import { grokFilters } from './grok.mjs'
import { mutateFilters } from './mutate.mjs'
import { otherFilters } from './other.mjs'
import { parsingFilters } from './parsing.mjs'

export const groups = {
  grok: grokFilters,
  date: dateFilters,
  mutate: mutateFilters,
  parsing: parsingFilters,
  other: otherFilters,
}
