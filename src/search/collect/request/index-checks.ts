/**
 * Checks a search against the limits in an index's settings: result window, number of fields, rescore window.
 */

import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { ScriptFields } from '../fetch/script-fields.ts'
import type { SearchIndex } from '../search-index.ts'
import type { SearchRequest } from './search-request.ts'
import { isByScoreAlone } from './sort-request.ts'

/** Throws SearchError, for the first check that fails in OpenSearch's order. */
export function checkRequest(request: SearchRequest, index: SearchIndex): void {
  const { limits } = index
  const docvalues = request.docvalueFields.length
  if (docvalues > limits.maxDocvalueFields) {
    throw illegalArgument(
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${limits.maxDocvalueFields}] but was [${docvalues}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
    )
  }
  const scripts = request.scriptFields.length
  if (scripts > limits.maxScriptFields) {
    throw illegalArgument(
      `Trying to retrieve too many script_fields. Must be less than or equal to: [${limits.maxScriptFields}] but was [${scripts}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
    )
  }
  if (request.size > 0) new ScriptFields(request.scriptFields, index)
  if (request.searchAfter !== undefined) checkSearchAfter(request)
  if (
    request.slice !== undefined &&
    request.scroll === undefined &&
    request.pit === undefined &&
    request.isStrict
  ) {
    throw new SearchError(
      'search_exception',
      '`slice` cannot be used outside of a scroll context or PIT context',
      { status: 500 },
    )
  }
  if (request.storedFields === 'none' && request.source?.isWanted === true && request.isStrict) {
    throw new SearchError(
      'search_exception',
      '[stored_fields] cannot be disabled if [_source] is requested',
      { status: 500 },
    )
  }
  if (request.storedFields === 'none' && request.fields.length > 0 && request.isStrict) {
    throw new SearchError(
      'search_exception',
      '[stored_fields] cannot be disabled when using the [fields] option',
      { status: 500 },
    )
  }
  if (request.collapse !== undefined) checkCollapse(request)
  checkWindow(request, limits.maxResultWindow)
  checkRescore(request, limits.maxRescoreWindow)
}

function checkWindow({ from, size, scroll }: SearchRequest, window: number): void {
  const end = from + size
  if (end <= window) return
  throw illegalArgument(
    scroll === undefined
      ? `Result window is too large, from + size must be less than or equal to: [${window}] but was [${end}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`
      : `Batch size is too large, size must be less than or equal to: [${window}] but was [${end}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
  )
}

function checkSearchAfter(request: SearchRequest): void {
  if (request.scroll !== undefined) {
    throw new SearchError('search_exception', '`search_after` cannot be used in a scroll context.', {
      status: 500,
    })
  }
  if (request.from > 0 && request.isStrict) {
    throw new SearchError(
      'search_exception',
      '`from` parameter must be set to 0 when `search_after` is used.',
      { status: 500 },
    )
  }
  if (isByScoreAlone(request.sort ?? []) && request.pit === undefined) {
    throw illegalArgument('Sort must contain at least one field.')
  }
}

function checkCollapse({ scroll, searchAfter, rescore, collapse, sort }: SearchRequest): void {
  if (scroll !== undefined)
    throw new SearchError('search_exception', 'cannot use `collapse` in a scroll context')
  if (rescore.length > 0) {
    throw new SearchError('search_exception', 'cannot use `collapse` in conjunction with `rescore`')
  }
  if (searchAfter === undefined) return
  const key = sort?.length === 1 ? sort[0]! : undefined
  if (key?.kind !== 'field' || key.field !== collapse!.field) {
    throw new SearchError(
      'search_exception',
      'collapse field and sort field must be the same when use `collapse` in conjunction with `search_after`',
    )
  }
}

function checkRescore({ rescore, sort }: SearchRequest, window: number): void {
  const isByScore = sort === undefined || sort.every(({ kind }) => kind === 'score')
  if (rescore.length > 0 && !isByScore) {
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].')
  }
  for (const { windowSize } of rescore) {
    if (windowSize <= window) continue
    throw illegalArgument(
      `Rescore window [${windowSize}] is too large. It must be less than [${window}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
    )
  }
}
